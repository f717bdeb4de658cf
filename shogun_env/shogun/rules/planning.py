"""The cards of a round and the secret plan: action order, specials, hands, spaces, event (rules 3.1 to 3.4)."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.chance import draw_one, draw_place
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Int, Log, Player, Rng, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import EVENT_OF_CARD


@kernel
def face_down_actions(g: State) -> Int:
    """Return the set of actions whose cards lie face down (bit i: action i)."""
    found = (np.int64(1) << c.N_ACTION_CARDS) - 1
    for position in range(c.N_ACTION_CARDS):
        act = np.int64(g["action_at"][position])
        if act != c.NONE:
            found &= ~(np.int64(1) << act)
    return found


@kernel
def open_action(g: State, rng: Rng, log: Log, position: Int) -> None:
    """Open the action card on a position: any of those still face down, at random (3.1)."""
    g["action_at"][position] = draw_one(g, rng, log, c.LOG_OPEN, face_down_actions(g), position, 0)


@kernel
def shuffle_specials(g: State, rng: Rng, log: Log) -> None:
    """Lay the special cards open on positions 1 to 5 in random order (3.2)."""
    special_at = g["special_at"]
    for special in range(c.N_SPECIALS):
        special_at[special] = special
    for position in range(c.N_SPECIALS):
        other = draw_place(g, rng, log, c.LOG_SPECIALS, special_at, np.int64(position), position, 0)
        held = np.int64(special_at[position])
        special_at[position] = special_at[other]
        special_at[other] = held


@kernel
def open_round(g: State, rng: Rng, log: Log) -> None:
    """Begin a round: clear the last one's cards, lay out actions and specials (3.1, 3.2)."""
    log_entry(log, c.LOG_ROUND, np.int64(g["year"]), np.int64(g["season"]), 0, 0, 0, 0, 0)
    for player in range(c.MAX_PLAYERS):
        g["holder"][player] = c.NONE
        g["position_of"][player] = c.NONE
        g["bid_order"][player] = c.NONE
        for space in range(c.N_SPACES):
            g["plan"][player, space] = c.EMPTY
            g["shown"][player, space] = c.NOT_SHOWN
            g["emptied"][player, space] = 0
    for prov in range(c.N_PROVINCES):
        g["gained"][prov] = 0
    for position in range(c.N_ACTION_CARDS):
        g["action_at"][position] = c.NONE
    g["running"] = 0
    g["rank"] = 0
    for position in range(c.N_OPEN_ACTIONS):
        open_action(g, rng, log, position)
    shuffle_specials(g, rng, log)
    take_hands(g)


@kernel
def take_hands(g: State) -> None:
    """Take all cards to the hands and count the spaces that must stay empty for lack of cards (3.3, R15)."""
    for player in range(np.int64(g["n_players"])):
        for prov in range(c.N_PROVINCES):
            g["hand"][player, c.A_CARD + prov] = 1 if g["owner"][prov] == player else 0
        for card in range(c.CHEST_0, c.N_CARDS):
            g["hand"][player, c.A_CARD + card] = 1
        cards = np.int64(g["n_owned"][player]) + c.N_CHEST_CARDS
        g["cards_left"][player] = cards
        g["blanks_left"][player] = max(np.int64(0), c.N_SPACES - cards)
    g["space"] = c.BID_SPACE
    g["player"] = 0


@kernel
def lowest_unpayable_bid(g: State, player: Player) -> Int:
    """Return the lowest value of a chest card that the player cannot pay, and therefore not bid (R4)."""
    return np.int64(g["chests"][player]) + 1


@kernel
def put_card(g: State, player: Player, card: Int) -> None:
    """Put a card on the space being filled, or with EMPTY leave it empty (3.3); then it is the next player's turn
    to.
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
        g["space"] += 1


@kernel
def close_planning(g: State) -> None:
    """Put the cards that were not planned away; nobody looks at them until the next planning."""
    for player in range(np.int64(g["n_players"])):
        for card in range(c.N_CARDS):
            g["hand"][player, c.A_CARD + card] = 0
        g["cards_left"][player] = 0


@kernel
def log_plans(g: State, log: Log) -> None:
    """Note every player's plan, two entries each."""
    for player in range(np.int64(g["n_players"])):
        plan = g["plan"][player]
        for first in range(0, c.N_SPACES, 6):
            a, b, d = np.int64(plan[first]), np.int64(plan[first + 1]), np.int64(plan[first + 2])
            e, f = np.int64(plan[first + 3]), np.int64(plan[first + 4])
            last = np.int64(plan[first + 5]) if first + 5 < c.N_SPACES else np.int64(c.EMPTY)
            log_entry(log, c.LOG_PLAN, player + 8 * first, a, b, d, e, f, last)


@kernel
def event_cards_in(g: State, place: Int) -> Int:
    """Return the set of event cards that are in a place, one of the EVENT_ constants (bit i: card i)."""
    found = np.int64(0)
    for card in range(c.N_EVENT_CARDS):
        if g["event_card"][card] == place:
            found |= np.int64(1) << card
    return found


@kernel
def draw_event(g: State, rng: Rng, log: Log) -> None:
    """Draw the event of the round among the year's open ones not yet used (3.4)."""
    card = draw_one(g, rng, log, c.LOG_EVENT, event_cards_in(g, c.EVENT_OPEN), 0, 0)
    g["event_card"][card] = c.EVENT_IN_FORCE
    g["event"] = EVENT_OF_CARD[card]


@kernel
def open_year(g: State, rng: Rng, log: Log) -> None:
    """Begin a year: open four of the event cards left in the deck (2.4, 3 winter 4)."""
    g["year"] += 1
    g["season"] = 0
    for _ in range(c.N_YEAR_EVENTS):
        card = draw_one(g, rng, log, c.LOG_YEAR, event_cards_in(g, c.EVENT_IN_DECK), np.int64(g["year"]), 0)
        g["event_card"][card] = c.EVENT_OPEN


@kernel
def close_round(g: State) -> None:
    """End a round: cards back to hands, the used event away (3.7)."""
    for card in range(c.N_EVENT_CARDS):
        if g["event_card"][card] == c.EVENT_IN_FORCE:
            g["event_card"][card] = c.EVENT_USED
    g["event"] = c.NONE
    g["season"] += 1
