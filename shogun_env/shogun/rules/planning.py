"""The cards of a round and the secret plan: action order, specials, hands, spaces, event (rules 3.1 to 3.4)."""

import numpy as np

from shogun_env.kernel.chance import count_ones, draw_one, draw_place, number_at
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Int, Log, Player, Rng, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import (
    ACTIONS_OUT,
    CHEST_CARDS,
    EVENT_OF_CARD,
    FIRST_ACTION,
    FIRST_SEASON,
    FIRST_YEAR,
    N_SPECIALS,
    NEXT_SPACE,
    OPEN_ACTIONS,
    SPACE_IN_PLAY,
    SPACES,
    SPECIALS,
    YEAR_EVENTS,
)


@kernel
def face_down_actions(g: State) -> Int:
    """Return the set of actions whose cards lie face down (bit i: action i)."""
    hidden = (np.int64(1) << c.N_ACTION_CARDS) - 1
    for position in range(c.N_ACTION_CARDS):
        act = np.int64(g["action_at"][position])
        if act != c.NONE:
            hidden &= ~(np.int64(1) << act)
    return hidden


@kernel
def open_action(g: State, rng: Rng, log: Log, position: Int) -> None:
    """Open the action card on a position: one of those still face down, at random (3.1).

    Args:   position 0..9 in the order of actions
    Reads:  action_at
    Writes: error, action_at
    Draws:  one
    """
    g["action_at"][position] = draw_one(g, rng, log, c.LOG_OPEN, face_down_actions(g), position, 0)


@kernel
def shuffle_specials(g: State, rng: Rng, log: Log) -> None:
    """Lay the special cards open on positions 1 to 5, in random order (3.2); on Shikoku in their own."""
    side, n = np.int64(g["side"]), np.int64(g["n_players"])
    for position in range(c.N_SPECIALS):
        g["special_at"][position] = SPECIALS[side, n, position]
    for position in range(N_SPECIALS[side, n]):
        special_at = g["special_at"][: N_SPECIALS[side, n] if side < c.N_SIDES else position + 1]
        other = draw_place(g, rng, log, c.LOG_SPECIALS, special_at, np.int64(position), position, 0)
        held = np.int64(special_at[position])
        special_at[position] = special_at[other]
        special_at[other] = held


@kernel
def clear_cards(g: State, player: Player) -> None:
    """Clear the planning board of a player, and the player's place in the order and special card (3.3).

    Spaces that are not in play are shown to be empty.

    Reads:  n_players, side
    Writes: plan, shown, emptied, holder, position_of, bid_order
    """
    g["holder"][player] = c.NONE
    g["position_of"][player] = c.NONE
    g["bid_order"][player] = c.NONE
    for space in range(c.N_SPACES):
        g["plan"][player, space] = c.EMPTY
        out = SPACE_IN_PLAY[np.int64(g["side"]), space] == 0 and player < g["n_players"]
        g["shown"][player, space] = c.EMPTY if out else c.NOT_SHOWN
        g["emptied"][player, space] = 0


@kernel
def open_round(g: State, rng: Rng, log: Log) -> None:
    """Begin a round: clear the cards of the last one, lay out actions and specials, take cards to hand (3.1 to 3.3).

    Reads:  n_players, side, year, season, owner, n_owned, action_at, special_at
    Writes: hand, player, space, running, rank, error, gained, plan, shown, emptied, cards_left, blanks_left,
            action_at, special_at, holder, position_of, bid_order
    Draws:  one per open action, then one per special
    """
    log_entry(log, c.LOG_ROUND, np.int64(g["year"]), np.int64(g["season"]), 0, 0, 0, 0, 0)
    for player in range(c.MAX_PLAYERS):
        clear_cards(g, player)
    g["gained"][:] = 0
    side = np.int64(g["side"])
    for position in range(c.N_ACTION_CARDS):
        g["action_at"][position] = ACTIONS_OUT[side, position]
    first = FIRST_ACTION[side]
    g["running"] = first
    g["rank"] = 0
    for position in range(first, first + OPEN_ACTIONS[side]):
        open_action(g, rng, log, position)
    shuffle_specials(g, rng, log)
    take_hands(g)


@kernel
def take_hands(g: State) -> None:
    """Give every player all their cards and count the spaces that must stay empty for lack of cards (3.3, R15).

    Reads:  n_players, side, owner, n_owned
    Writes: hand, player, space, cards_left, blanks_left
    """
    side = np.int64(g["side"])
    for player in range(np.int64(g["n_players"])):
        for prov in range(c.N_PROVINCES):
            g["hand"][player, c.A_CARD + prov] = 1 if g["owner"][prov] == player else 0
        for value in range(CHEST_CARDS[side]):
            g["hand"][player, c.A_CHEST + value] = 1
        cards = np.int64(g["n_owned"][player]) + CHEST_CARDS[side]
        g["cards_left"][player] = cards
        g["blanks_left"][player] = max(np.int64(0), SPACES[side] - cards)
    g["space"] = c.BID_SPACE
    g["player"] = 0


@kernel
def lowest_unpayable_bid(g: State, player: Player) -> Int:
    """Return the lowest value of a chest card that the player cannot pay and therefore may not bid (3.3, R4).

    Reads:  chests
    """
    return np.int64(g["chests"][player]) + 1


@kernel
def put_card(g: State, player: Player, card: Int) -> None:
    """Put a card on the space being filled, or leave it empty (3.3); the next player decides then.

    Args:   card of the player, 0..49, or EMPTY
    Reads:  n_players, side, space
    Writes: hand, player, space, plan, cards_left, blanks_left
    """
    if card == c.EMPTY:
        g["blanks_left"][player] -= 1
    else:
        g["plan"][player, g["space"]] = card
        g["hand"][player, c.A_CARD + card] = 0
        g["cards_left"][player] -= 1
    if player + 1 < g["n_players"]:
        g["player"] = player + 1
    else:
        g["player"] = 0
        g["space"] = NEXT_SPACE[np.int64(g["side"]), np.int64(g["space"])]


@kernel
def close_planning(g: State) -> None:
    """Clear the hands: cards that were not planned play no part until the next planning (3.3).

    Reads:  n_players
    Writes: hand, cards_left
    """
    for player in range(np.int64(g["n_players"])):
        g["hand"][player, :] = 0
        g["cards_left"][player] = 0


@kernel
def log_plans(g: State, log: Log) -> None:
    """Log the plans, two entries per player (3.3).

    Reads:  n_players, plan
    """
    for player in range(np.int64(g["n_players"])):
        plan = g["plan"][player]
        for first in range(0, c.N_SPACES, 6):
            one, two, three = np.int64(plan[first]), np.int64(plan[first + 1]), np.int64(plan[first + 2])
            four, five = np.int64(plan[first + 3]), np.int64(plan[first + 4])
            last = np.int64(plan[first + 5]) if first + 5 < c.N_SPACES else np.int64(c.EMPTY)
            log_entry(log, c.LOG_PLAN, player + 8 * first, one, two, three, four, five, last)


@kernel
def event_cards_in(g: State, place: Int) -> Int:
    """Return the set of event cards that are in a place, one of the EVENT_ constants (bit i: card i)."""
    cards = np.int64(0)
    for card in range(c.N_EVENT_CARDS):
        if g["event_card"][card] == place:
            cards |= np.int64(1) << card
    return cards


@kernel
def draw_event(g: State, rng: Rng, log: Log) -> None:
    """Draw the event of the round from the open events of the year that were not used yet (3.4).

    Reads:  event_card
    Writes: event, error, event_card
    Draws:  one
    """
    card = draw_one(g, rng, log, c.LOG_EVENT, event_cards_in(g, c.EVENT_OPEN), 0, 0)
    g["event_card"][card] = c.EVENT_IN_FORCE
    g["event"] = EVENT_OF_CARD[card]


@kernel
def open_year(g: State, rng: Rng, log: Log) -> None:
    """Begin a year: open four of the event cards left in the deck (2.4, 3 winter 4).

    If no more are left than are opened, they are opened in their order.

    Reads:  side, year, event_card
    Writes: year, season, error, event_card
    Draws:  one per event opened: four
    """
    side = np.int64(g["side"])
    g["year"] = max(np.int64(g["year"]) + 1, FIRST_YEAR[side])
    g["season"] = FIRST_SEASON[side]
    for opened in range(YEAR_EVENTS[side]):
        deck = event_cards_in(g, c.EVENT_IN_DECK)
        if count_ones(deck) == YEAR_EVENTS[side] - opened:
            deck = np.int64(1) << number_at(deck, np.int64(0))
        card = draw_one(g, rng, log, c.LOG_YEAR, deck, np.int64(g["year"]), 0)
        g["event_card"][card] = c.EVENT_OPEN


@kernel
def close_round(g: State) -> None:
    """End a round: the event is used, and the next season begins (3.7).

    Reads:  event_card
    Writes: season, event, event_card
    """
    for card in range(c.N_EVENT_CARDS):
        if g["event_card"][card] == c.EVENT_IN_FORCE:
            g["event_card"][card] = c.EVENT_USED
    g["event"] = c.NONE
    g["season"] += 1
