"""What is true of the cards of a round: actions, specials, turn order, events, plans, hands (rules 3)."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Bool, Int, Player, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import (
    CHEST_CARDS,
    EVENT_OF_CARD,
    FIRST_SEASON,
    FIRST_YEAR,
    N_EVENTS_OUT,
    OPEN_ACTIONS,
    SPACE_IN_PLAY,
    SPACES,
    SPACES_FROM,
    SPECIALS,
    YEAR_EVENTS,
)
from shogun_env.shogun.engine.invariants import codes
from shogun_env.shogun.engine.invariants.ranges import count_equal
from shogun_env.shogun.rules.planning import lowest_unpayable_bid


@kernel
def check_cards(g: State) -> Int:
    """Return the code of what is wrong with actions and specials of a round (3.1, 3.2), or VALID.

    Reads:  n_players, side, phase, running, action_at, special_at
    """
    side, n = np.int64(g["side"]), np.int64(g["n_players"])
    ahead = max(OPEN_ACTIONS[side], np.int64(g["phase"] > c.TAKE_SPECIAL))
    shown = min(np.int64(c.N_ACTION_CARDS), ahead + np.int64(g["running"]))
    for position in range(c.N_ACTION_CARDS):
        act = np.int64(g["action_at"][position])
        if (act != c.NONE) != (position < shown) or (act != c.NONE and count_equal(g["action_at"], act) != 1):
            return np.int64(codes.BAD_ACTIONS)
    for position in range(c.N_SPECIALS):
        special = SPECIALS[side, n, position]
        wrong = g["special_at"][position] != c.NONE if special == c.NONE else count_equal(g["special_at"], special) != 1
        if wrong:
            return np.int64(codes.BAD_SPECIALS)
    return np.int64(codes.VALID)


@kernel
def check_turn_order(g: State) -> Int:
    """Return the code of a turn order that does not fit the phase (3.5), or VALID: in planning nobody holds a position,
    in the auction the best bidders so far do.

    Afterwards everybody does, but a position set up by hand may leave players out of the round: they take no turn.

    Reads:  n_players, phase, player, rank, holder, position_of, bid_order
    """
    phase, player, rank = np.int64(g["phase"]), np.int64(g["player"]), np.int64(g["rank"])
    held, bidders = np.int64(0), np.int64(0)
    for index in range(c.MAX_PLAYERS):
        position, bidder = np.int64(g["position_of"][index]), np.int64(g["bid_order"][index])
        held += 1 if position != c.NONE else 0
        bidders += 1 if bidder != c.NONE else 0
        if position != c.NONE and g["holder"][position] != index:
            return np.int64(codes.BAD_TURN_ORDER)
        if bidder != c.NONE and (bidders != index + 1 or count_equal(g["bid_order"], bidder) != 1):
            return np.int64(codes.BAD_TURN_ORDER)
    if c.N_SPECIALS - count_equal(g["holder"], c.NONE) != held:
        return np.int64(codes.BAD_TURN_ORDER)
    if phase == c.PLAN:
        in_turn = rank + held + bidders == 0
    elif phase == c.TAKE_SPECIAL:
        in_turn = bidders == g["n_players"] and rank < bidders and is_auction_turn(g, held)
    else:
        in_turn = rank < c.N_SPECIALS and g["holder"][rank] == player
    return np.int64(codes.VALID if in_turn else codes.BAD_TURN_ORDER)


@kernel
def is_auction_turn(g: State, held: Int) -> Bool:
    """Say whether the best bidders, as many as there are positions held, hold one, and the next is asked (3.5)."""
    for place in range(held):
        if g["position_of"][np.int64(g["bid_order"][place])] == c.NONE:
            return False
    return held == g["rank"] and g["bid_order"][held] == g["player"]


@kernel
def check_events(g: State) -> Int:
    """Return the code of event cards that do not fit the time of year (2.4, 3.4), or VALID.

    Reads:  phase, side, year, season, event, event_card
    """
    phase, season, side = np.int64(g["phase"]), np.int64(g["season"]), np.int64(g["side"])
    years, of_year = np.int64(g["year"]) - FIRST_YEAR[side], YEAR_EVENTS[side]
    in_force = np.int64(1 if c.PLAN < phase < c.REVOLT_ORDER else 0)
    past = of_year if season == c.N_SEASONS else season - FIRST_SEASON[side]
    if count_equal(g["event_card"], c.EVENT_IN_FORCE) != in_force:
        return np.int64(codes.BAD_EVENTS)
    if count_equal(g["event_card"], c.EVENT_USED) != N_EVENTS_OUT[side] + of_year * years + past:
        return np.int64(codes.BAD_EVENTS)
    if count_equal(g["event_card"], c.EVENT_OPEN) != of_year - past - in_force:
        return np.int64(codes.BAD_EVENTS)
    # A position set up by hand may be free of events; one that is in force is that of the card.
    event = np.int64(g["event"])
    fits = event == c.NONE
    for card in range(c.N_EVENT_CARDS):
        if g["event_card"][card] == c.EVENT_IN_FORCE and EVENT_OF_CARD[card] == event:
            fits = True
    return np.int64(codes.VALID if fits else codes.BAD_EVENTS)


@kernel
def check_plan(g: State, player: Player) -> Int:
    """Return the code of what is wrong with a player's plan and hand (3.3), or VALID.

    Reads:  hand, chests, side, phase, player, space, owner, gained, n_owned, plan, cards_left, blanks_left
    """
    planning = g["phase"] == c.PLAN
    chests = CHEST_CARDS[np.int64(g["side"])]
    plan, total = g["plan"][player], np.int64(g["n_owned"][player]) + chests
    cards = np.int64(0)
    for card in range(c.N_CARDS):
        on_spaces, in_hand = count_equal(plan, card), np.int64(g["hand"][player, c.A_CARD + card])
        owned = card < c.CHEST_0 + chests if card >= c.CHEST_0 else g["owner"][card] == player
        cards += in_hand
        if on_spaces > 1 or (on_spaces == 1 and not owned):
            return np.int64(codes.BAD_PLAN)
        if on_spaces == 1 and card < c.CHEST_0 and g["gained"][card] == 1:
            return np.int64(codes.BAD_PLAN)
        if in_hand != (1 if planning and owned and on_spaces == 0 else 0):
            return np.int64(codes.BAD_HAND)
    if cards != g["cards_left"][player] or g["hand"][player, 0] != 0:
        return np.int64(codes.BAD_HAND)
    for index in range(c.A_CARD + c.N_CARDS, c.HAND):
        if g["hand"][player, index] != 0:
            return np.int64(codes.BAD_HAND)
    return check_spaces(g, player, cards, total) if planning else np.int64(codes.VALID)


@kernel
def check_spaces(g: State, player: Player, cards: Int, total: Int) -> Int:
    """Return the code of a plan that is filled otherwise than space by space (3.3, R4, R15), or VALID.

    A player with ``total`` cards fewer than spaces leaves as many spaces empty as cards are missing, and no others.
    """
    side = np.int64(g["side"])
    passed = np.int64(g["space"]) + (1 if player < g["player"] else 0)
    empty = np.int64(0)
    for space in range(c.N_SPACES):
        card = np.int64(g["plan"][player, space])
        if card != c.EMPTY and (space >= passed or SPACE_IN_PLAY[side, space] == 0):
            return np.int64(codes.BAD_PLAN)
        empty += SPACE_IN_PLAY[side, space] if space < passed and card == c.EMPTY else 0
    if g["plan"][player, c.BID_SPACE] >= c.CHEST_0 + lowest_unpayable_bid(g, player):
        return np.int64(codes.BAD_PLAN)
    blanks = np.int64(g["blanks_left"][player])
    missing = max(np.int64(0), SPACES[side] - total)
    if blanks != max(np.int64(0), SPACES_FROM[side, passed] - cards) or empty + blanks != missing:
        return np.int64(codes.BAD_HAND)
    return np.int64(codes.VALID)


@kernel
def was_played(g: State, player: Player, space: Int) -> Bool:
    """Say whether the card on a space may have been shown: bids after planning, actions when their turn has come.

    A space that is not in play is shown from the beginning.
    """
    if SPACE_IN_PLAY[np.int64(g["side"]), space] == 0:
        return True
    if g["phase"] == c.PLAN or space == c.BID_SPACE:
        return g["phase"] != c.PLAN
    for position in range(np.int64(min(g["running"], c.N_ACTION_CARDS))):
        if g["action_at"][position] == space - 1:
            return True
    if g["running"] == c.N_ACTION_CARDS or g["action_at"][np.int64(g["running"])] != space - 1:
        return False
    return g["phase"] > c.TAKE_SPECIAL and g["position_of"][player] <= g["rank"]


@kernel
def check_shown(g: State, player: Player) -> Int:
    """Return the code of a card shown that does not fit the player's plan (R19, R24), or VALID.

    Reads:  side, phase, running, rank, plan, shown, emptied, action_at, position_of
    """
    for space in range(c.N_SPACES):
        card, shown = np.int64(g["plan"][player, space]), np.int64(g["shown"][player, space])
        emptied = g["emptied"][player, space] == 1
        if emptied and (card != c.EMPTY or g["phase"] <= c.TAKE_SPECIAL):
            return np.int64(codes.BAD_PLAN)
        if shown == c.NOT_SHOWN:
            if card != c.EMPTY and count_equal(g["shown"][player], card) > 0:
                return np.int64(codes.BAD_SHOWN)
        elif not was_played(g, player, space) or (shown != card and not emptied):
            return np.int64(codes.BAD_SHOWN)
    return np.int64(codes.VALID)
