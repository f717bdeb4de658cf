"""Planning seen as a whole: spaces, stages, and plans that other players may have made (rules 3.3 and 8).

``rewind`` takes a state back to the beginning of its planning as far as everybody knows it, so that policies can plan
there; ``adopt`` takes the plans made there over into the state, as far as they fit what was shown since.
"""

import numpy as np

from shogun_env.kernel.chance import count_ones, number_at
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.rng import below
from shogun_env.kernel.types import Bool, Int, Mask, Player, Rng, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import FIRST_ACTION, OPEN_ACTIONS, SPACES
from shogun_env.shogun.engine.redeal import (
    blanks_possible,
    cards_possible,
    filled_spaces,
    is_hidden,
    keep_hand,
    payable_bids,
)
from shogun_env.shogun.rules.auction import bid_price
from shogun_env.shogun.rules.planning import clear_cards, take_hands

STAGES = ("plan", "round", "year")
"""What ``play(until=…)`` can stop after; the third round of a year includes its winter."""
PLANS, ROUNDS, YEARS = 0, 1, 2
UNDECIDED = -3
"""Mark of a hidden space whose card does not fit and is drawn afterwards."""


@kernel
def plan_slot(g: State) -> Int:
    """Return the space that the decision fills; NONE outside planning.

    Reads:  phase, space
    """
    return np.int64(g["space"]) if g["phase"] == c.PLAN else np.int64(c.NONE)


@kernel
def stage(g: State, index: Int) -> Int:
    """Return how many stages of a kind are complete: plannings, rounds or years.

    Args:   index PLANS, ROUNDS or YEARS; 0 is returned for any other
    Reads:  phase, year, season
    """
    year, phase = np.int64(g["year"]), np.int64(g["phase"])
    if year == 0:
        return np.int64(0)
    years = year if phase == c.OVER else year - 1
    if index == YEARS:
        return years
    rounds = c.N_SEASONS * years
    if phase != c.OVER:
        rounds += min(np.int64(g["season"]), np.int64(c.N_SEASONS - 1))
    if index == ROUNDS:
        return rounds
    return rounds + np.int64(phase > c.PLAN and phase != c.OVER) if index == PLANS else np.int64(0)


@kernel
def rewind(g: State) -> Bool:
    """Return whether plans are hidden; if so, take the state back to the beginning of its planning.

    It is that beginning as far as everybody knows it. Provinces stay with those who own them now; those gained in the
    round are in no hand. Bids are paid back, the event is open again, and actions opened after the auction are face
    down. Nothing else is taken back.

    Reads:  phase, gained, shown, cards_left, event_card, what ``take_hands`` reads
    Writes: hand, chests, phase, player, space, running, rank, source, target, event, gained, plan, shown, emptied,
            cards_left, blanks_left, action_at, holder, position_of, bid_order, event_card
    """
    if g["phase"] < c.PLAN or g["phase"] > c.NUMBER:
        return False
    for player in range(c.MAX_PLAYERS):
        g["chests"][player] += bid_price(np.int64(g["shown"][player, c.BID_SPACE]))
        clear_cards(g, player)
    for card in range(c.N_EVENT_CARDS):
        if g["event_card"][card] == c.EVENT_IN_FORCE:
            g["event_card"][card] = c.EVENT_OPEN
    g["event"] = c.NONE
    side = np.int64(g["side"])
    for position in range(FIRST_ACTION[side] + OPEN_ACTIONS[side], c.N_ACTION_CARDS):
        g["action_at"][position] = c.NONE
    g["running"] = FIRST_ACTION[side]
    g["rank"] = 0
    g["source"] = c.NONE
    g["target"] = c.NONE
    g["phase"] = c.PLAN
    take_hands(g)
    for prov in range(c.N_PROVINCES):
        if g["gained"][prov] == 1:
            g["gained"][prov] = 0
            owner = np.int64(g["owner"][prov])
            if owner != c.NONE:
                g["hand"][owner, c.A_CARD + prov] = 0
                g["cards_left"][owner] -= 1
                g["blanks_left"][owner] = max(np.int64(0), SPACES[side] - np.int64(g["cards_left"][owner]))
    return True


@kernel
def draw_card(g: State, rng: Rng, player: Player, space: Int, cards: Int, blanks: Int) -> Int:
    """Put one of a player's cards or blanks on a space, each equally likely; return the card, or EMPTY."""
    allowed = payable_bids(g, player, cards) if space == c.BID_SPACE else cards
    n = count_ones(allowed)
    card = np.int64(c.EMPTY)
    if below(rng, n + blanks) >= blanks:
        card = number_at(allowed, below(rng, n))
    g["plan"][player, space] = card
    return card


@kernel
def fit_plan(g: State, h: State, rng: Rng, player: Player) -> None:
    """Replace the hidden plan of a player by that which they have in ``h``; draw what does not fit what is known."""
    filled = filled_spaces(g, player)
    cards, blanks = cards_possible(g, player, filled), blanks_possible(g, player, filled)
    for space in range(filled):
        if is_hidden(g, player, space):
            card = np.int64(h["plan"][player, space])
            allowed = payable_bids(g, player, cards) if space == c.BID_SPACE else cards
            fits = blanks > 0 if card == c.EMPTY else (allowed >> card) & 1 == 1
            if fits:
                g["plan"][player, space] = card
            elif space == c.BID_SPACE:
                card = draw_card(g, rng, player, space, cards, blanks)
            else:
                g["plan"][player, space] = UNDECIDED
                continue
            if card == c.EMPTY:
                blanks -= 1
            else:
                cards &= ~(np.int64(1) << card)
    for space in range(filled):
        if is_hidden(g, player, space) and g["plan"][player, space] == UNDECIDED:
            card = draw_card(g, rng, player, space, cards, blanks)
            if card == c.EMPTY:
                blanks -= 1
            else:
                cards &= ~(np.int64(1) << card)
    if g["phase"] == c.PLAN:
        keep_hand(g, player, cards, blanks)


@kernel
def adopt(g: State, h: State, rng: Rng, player: Player, mask: Mask) -> None:
    """Replace the hidden plans of all players but ``player`` by those in ``h``, as far as they fit what is known.

    Cards that were shown stay where they are. A hidden space gets the card that it has in ``h`` if that card may still
    lie there and on no other space; else a card of those left, each equally likely.

    Args:   h, a state rewound from ``g`` in which everybody has planned; rng; mask is not used
    Reads:  chests, n_players, side, phase, player, space, owner, gained, plan, shown, emptied, blanks_left
    Writes: hand, plan, cards_left, blanks_left
    Draws:  up to two per hidden space
    """
    for other in range(np.int64(g["n_players"])):
        if other != player:
            fit_plan(g, h, rng, other)
