"""What is true during the draft (rules 2.2), and that nothing of it is left afterwards."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Bool, Int, Player, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import ARMY_GROUPS, IN_PLAY
from shogun_env.shogun.engine.invariants import codes
from shogun_env.shogun.engine.invariants.ranges import N_GROUPS, N_LAST_OPEN, N_PLANS, count_equal, is_within


@kernel
def check_no_draft(g: State) -> Int:
    """Return the code of something left of a draft, or VALID.

    Reads:  groups, card, under, open_card, last_open, buried
    """
    cards = is_within(g["card"], c.CARD_OUT, c.CARD_OUT) and is_within(g["under"], 0, 0)
    groups = is_within(g["groups"].reshape(N_GROUPS), 0, 0) and g["buried"] == 0
    opened = is_within(g["open_card"], c.NONE, c.NONE)
    opened = opened and is_within(g["last_open"].reshape(N_LAST_OPEN), c.NONE, c.NONE)
    return np.int64(codes.VALID if cards and groups and opened else codes.BAD_DRAFT)


@kernel
def check_draft(g: State) -> Int:
    """Return the code of what is wrong with a draft, or VALID.

    Reads:  everything
    """
    if not is_before_the_first_year(g):
        return np.int64(codes.BAD_PHASE)
    if g["source"] != c.NONE and g["owner"][np.int64(g["source"])] != c.NONE:
        return np.int64(codes.BAD_DRAFT)
    for prov in range(c.N_PROVINCES):
        if not fits_card(g, prov):
            return np.int64(codes.BAD_DRAFT)
    if not has_sound_deck(g):
        return np.int64(codes.BAD_DRAFT)
    for player in range(np.int64(g["n_players"])):
        if not has_sound_groups(g, player):
            return np.int64(codes.BAD_DRAFT)
    return np.int64(codes.VALID if has_sound_turns(g) else codes.BAD_DRAFT)


@kernel
def is_before_the_first_year(g: State) -> Bool:
    """Say whether nothing of a round or a year has begun."""
    counts = np.int64(g["year"]) + np.int64(g["season"]) + np.int64(g["space"]) + np.int64(g["running"])
    if g["start"] != c.DRAFT or counts + np.int64(g["rank"]) != 0 or not is_within(g["short"], 0, 0):
        return False
    plans = g["plan"].reshape(N_PLANS)
    if not is_within(plans, c.EMPTY, c.EMPTY) or not is_within(g["emptied"].reshape(N_PLANS), 0, 0):
        return False
    hands = is_within(g["hand"].reshape(c.MAX_PLAYERS * c.HAND), 0, 0)
    if not hands or not is_within(g["shown"].reshape(N_PLANS), c.NOT_SHOWN, c.NOT_SHOWN):
        return False
    if not is_within(g["cards_left"], 0, 0) or not is_within(g["blanks_left"], 0, 0) or g["event"] != c.NONE:
        return False
    if not is_within(g["drawn"], c.NONE, c.NONE) or not is_within(g["ordered"], c.NONE, c.NONE):
        return False
    order = is_within(g["holder"], c.NONE, c.NONE) and is_within(g["position_of"], c.NONE, c.NONE)
    cards = is_within(g["action_at"], c.NONE, c.NONE) and is_within(g["special_at"], c.NONE, c.NONE)
    events = is_within(g["event_card"], c.EVENT_IN_DECK, c.EVENT_IN_DECK)
    return order and cards and events and is_within(g["bid_order"], c.NONE, c.NONE)


@kernel
def fits_card(g: State, prov: Int) -> Bool:
    """Say whether a province's card is where owner, open cards and the deck say it is."""
    card = np.int64(g["card"][prov])
    in_play = IN_PLAY[np.int64(g["side"]), np.int64(g["n_players"]), prov] == 1
    is_open = g["open_card"][0] == prov or g["open_card"][1] == prov
    # A card from the deck is out of it as soon as it was drawn; an open one lies there until its group is placed.
    is_taken = g["owner"][prov] != c.NONE or (g["source"] == prov and not is_open)
    if (card == c.CARD_OUT) == in_play or (card == c.CARD_OPEN) != is_open or (card == c.CARD_TAKEN) != is_taken:
        return False
    return (g["under"][prov] > 0) == (card == c.CARD_UNDER_DECK)


@kernel
def has_sound_deck(g: State) -> Bool:
    """Say whether the cards under the deck have an order, and two cards are open as long as the deck lasts."""
    under = count_equal(g["card"], c.CARD_UNDER_DECK)
    for place in range(under):
        if count_equal(g["under"], place + 1) != 1:
            return False
    left, right = np.int64(g["open_card"][0]), np.int64(g["open_card"][1])
    if left == right and left != c.NONE:
        return False
    from_deck = g["phase"] == c.DRAFT_GROUP and left != g["source"] and right != g["source"]
    is_empty = under + count_equal(g["card"], c.CARD_IN_DECK) == 0
    return (left != c.NONE and right != c.NONE) or is_empty or (from_deck and left != right)


@kernel
def has_sound_groups(g: State, player: Player) -> Bool:
    """Say whether the groups that a player has placed and those left are the ones of the set-up (2.2)."""
    of_all = ARMY_GROUPS[np.int64(g["side"]), np.int64(g["n_players"])]
    for size in range(c.MAX_GROUP + 1):
        placed = np.int64(0)
        for prov in range(c.N_PROVINCES):
            placed += 1 if g["owner"][prov] == player and g["armies"][prov] == size else 0
        if placed + np.int64(g["groups"][player, size]) != of_all[size]:
            return False
    return True


@kernel
def has_sound_turns(g: State) -> Bool:
    """Say whether players have placed groups in turn: the one to move, and those after, one less or as many."""
    n, first = np.int64(g["n_players"]), np.int64(g["player"])
    fewest, previous = np.int64(g["n_owned"][first]), np.int64(g["n_owned"][first])
    for step in range(1, n):
        placed = np.int64(g["n_owned"][(first + step) % n])
        if placed < previous or placed > fewest + 1:
            return False
        previous = placed
    return True
