"""The cards of a round and the secret plan: action order, specials, hands, spaces, event (rules 3.1 to 3.4)."""

from __future__ import annotations

import numpy as np

from shogun_env._jit import rule
from shogun_env.log import ERR_TAPE, is_taped, note, take
from shogun_env.rng import below
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import EVENT_OF_CARD


@rule
def is_open_action(g, act):
    """Say whether the action's card lies open."""
    is_open = False
    for position in range(c.N_ACTION_CARDS):
        is_open |= g["action_at"][position] == act
    return is_open


@rule
def open_action(g, rng, log, position):
    """Open the action card on a position: any of those still face down, at random (3.1)."""
    taped = take(log, c.LOG_OPEN) if is_taped(log) else np.int64(c.NONE)
    left = np.int64(0) if is_taped(log) else below(rng, c.N_ACTION_CARDS - position)
    for act in range(c.N_ACTION_CARDS):
        if not is_open_action(g, act):
            if act == taped or (left == 0 and not is_taped(log)):
                g["action_at"][position] = act
                note(log, c.LOG_OPEN, position, act, 0, 0, 0, 0, 0)
                return
            left -= 1
    g["error"] = ERR_TAPE


@rule
def shuffle_specials(g, rng, log):
    """Lay the special cards open on positions 1 to 5 in random order (3.2)."""
    special_at = g["special_at"]
    for special in range(c.N_SPECIALS):
        special_at[special] = special
    for position in range(c.N_SPECIALS):
        other = position + below(rng, c.N_SPECIALS - position)
        if is_taped(log):
            wanted = take(log, c.LOG_SPECIALS)
            other = np.int64(c.N_SPECIALS)
            for place in range(position, c.N_SPECIALS):
                if special_at[place] == wanted:
                    other = np.int64(place)
            if other == c.N_SPECIALS:
                g["error"] = ERR_TAPE
                other = np.int64(position)
        held = np.int64(special_at[position])
        special_at[position] = special_at[other]
        special_at[other] = held
    note_five(log, c.LOG_SPECIALS, special_at)


@rule
def note_five(log, kind, row):
    """Note five int8 numbers by player or position."""
    a, b, d = np.int64(row[0]), np.int64(row[1]), np.int64(row[2])
    note(log, kind, a, b, d, np.int64(row[3]), np.int64(row[4]), 0, 0)


@rule
def open_round(g, rng, log):
    """Begin a round: clear the last one's cards, lay out actions and specials (3.1, 3.2)."""
    note(log, c.LOG_ROUND, np.int64(g["year"]), np.int64(g["season"]), 0, 0, 0, 0, 0)
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


@rule
def take_hands(g):
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


@rule
def put_card(g, player, card):
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


@rule
def close_planning(g):
    """Put the cards that were not planned away; nobody looks at them until the next planning."""
    for player in range(np.int64(g["n_players"])):
        for card in range(c.N_CARDS):
            g["hand"][player, c.A_CARD + card] = 0
        g["cards_left"][player] = 0


@rule
def note_plans(g, log):
    """Note every player's plan, two entries each."""
    for player in range(np.int64(g["n_players"])):
        plan = g["plan"][player]
        for first in range(0, c.N_SPACES, 6):
            a, b, d = np.int64(plan[first]), np.int64(plan[first + 1]), np.int64(plan[first + 2])
            e, f = np.int64(plan[first + 3]), np.int64(plan[first + 4])
            last = np.int64(plan[first + 5]) if first + 5 < c.N_SPACES else np.int64(c.EMPTY)
            note(log, c.LOG_PLAN, player + 8 * first, a, b, d, e, f, last)


@rule
def draw_event(g, rng, log):
    """Draw the event of the round among the year's open ones not yet used (3.4)."""
    count = np.int64(0)
    for card in range(c.N_EVENT_CARDS):
        count += 1 if g["event_card"][card] == c.EVENT_OPEN else 0
    taped = take(log, c.LOG_EVENT) if is_taped(log) else np.int64(c.NONE)
    left = np.int64(0) if is_taped(log) else below(rng, count)
    for card in range(c.N_EVENT_CARDS):
        if g["event_card"][card] == c.EVENT_OPEN:
            if card == taped or (left == 0 and not is_taped(log)):
                g["event_card"][card] = c.EVENT_IN_FORCE
                g["event"] = EVENT_OF_CARD[card]
                note(log, c.LOG_EVENT, card, 0, 0, 0, 0, 0, 0)
                return
            left -= 1
    g["error"] = ERR_TAPE


@rule
def open_year(g, rng, log):
    """Begin a year: open four of the event cards left in the deck (2.4, 3 winter 4)."""
    g["year"] += 1
    g["season"] = 0
    deck = np.int64(0)
    for card in range(c.N_EVENT_CARDS):
        deck += 1 if g["event_card"][card] == c.EVENT_IN_DECK else 0
    drawn = np.int64(0)
    for step in range(c.N_YEAR_EVENTS):
        taped = take(log, c.LOG_YEAR) if is_taped(log) else np.int64(c.NONE)
        left = np.int64(0) if is_taped(log) else below(rng, deck - step)
        found = np.int64(c.NONE)
        for card in range(c.N_EVENT_CARDS):
            if g["event_card"][card] == c.EVENT_IN_DECK:
                if found == c.NONE and (card == taped or (left == 0 and not is_taped(log))):
                    found = np.int64(card)
                left -= 1
        if found == c.NONE:
            g["error"] = ERR_TAPE
            return
        g["event_card"][found] = c.EVENT_OPEN
        drawn = drawn * c.N_EVENT_CARDS + found
    base = c.N_EVENT_CARDS
    first, second = drawn // (base * base * base), drawn // (base * base) % base
    note(log, c.LOG_YEAR, np.int64(g["year"]), first, second, drawn // base % base, drawn % base, 0, 0)


@rule
def close_round(g):
    """End a round: cards back to hands, the used event away (3.7)."""
    for card in range(c.N_EVENT_CARDS):
        if g["event_card"][card] == c.EVENT_IN_FORCE:
            g["event_card"][card] = c.EVENT_USED
    g["event"] = c.NONE
    g["season"] += 1
