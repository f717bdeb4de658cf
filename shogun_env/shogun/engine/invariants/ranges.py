"""Ranges of numbers that are an index or a flag somewhere: all other conditions rely on them."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import OK
from shogun_env.kernel.types import Bool, Int, Row, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import ARMY_GROUPS, FEWEST_PLAYERS, MOST_PLAYERS
from shogun_env.shogun.engine.invariants import codes

N_PLANS, N_GROUPS = c.MAX_PLAYERS * c.N_SPACES, c.MAX_PLAYERS * (c.MAX_GROUP + 1)
N_LAST_OPEN, N_BUILDINGS = c.MAX_PLAYERS * 2, c.N_KINDS * c.N_PROVINCES
"""Numbers in fields of two axes."""
MOST_GROUPS = int(ARMY_GROUPS.max())
MOST = 999
"""Chests, rice or points: more than a game gives a player, and little enough that what is to come has room too."""


@kernel
def is_within(row: Row, low: Int, high: Int) -> Bool:
    """Say whether all numbers of ``row`` are from ``low`` to ``high``."""
    outside = np.int64(0)
    for index in range(row.shape[0]):
        outside += 1 if row[index] < low or row[index] > high else 0
    return outside == 0


@kernel
def count_equal(row: Row, value: Int) -> Int:
    """Count how often ``value`` is in ``row``."""
    count = np.int64(0)
    for index in range(row.shape[0]):
        count += 1 if row[index] == value else 0
    return count


@kernel
def has_sound_options(g: State) -> Bool:
    """Say whether the options of play are such."""
    floors, choices = np.int64(g["floors"]), max(np.int64(g["optional_moves"]), np.int64(g["shuffle_seats"]))
    low = min(np.int64(g["side"]), np.int64(g["start"]), np.int64(g["optional_moves"]), np.int64(g["shuffle_seats"]))
    if low < 0 or g["side"] >= c.N_BOARDS or g["start"] > c.RANDOM or choices > 1:
        return False
    side, n = np.int64(g["side"]), np.int64(g["n_players"])
    return FEWEST_PLAYERS[side] <= n <= MOST_PLAYERS[side] and 1 <= floors <= c.MAX_FLOORS


@kernel
def has_sound_time(g: State) -> Bool:
    """Say whether time, decider and what is pending are numbers of such things."""
    n = np.int64(g["n_players"])
    if not 0 <= g["phase"] <= c.OVER or not c.NONE <= g["player"] < n or g["error"] != OK:
        return False
    if not 0 <= g["year"] <= c.N_YEARS or not 0 <= g["season"] <= c.N_SEASONS:
        return False
    if not 0 <= g["rank"] <= c.N_SPECIALS or not 0 <= g["space"] <= c.N_SPACES:
        return False
    if not 0 <= g["running"] <= c.N_ACTION_CARDS or not 0 <= g["buried"] <= 1:
        return False
    for prov in (np.int64(g["source"]), np.int64(g["target"])):
        if not c.NONE <= prov < c.N_PROVINCES:
            return False
    return c.NONE <= g["event"] < c.N_EVENTS


@kernel
def has_sound_cards(g: State) -> Bool:
    """Say whether cards, their places, and who has them are numbers of such things."""
    n, last = np.int64(g["n_players"]), c.N_PROVINCES - 1
    plans, shown, emptied = g["plan"].reshape(N_PLANS), g["shown"].reshape(N_PLANS), g["emptied"].reshape(N_PLANS)
    hands, groups = g["hand"].reshape(c.MAX_PLAYERS * c.HAND), g["groups"].reshape(N_GROUPS)
    if not is_within(plans, c.EMPTY, c.N_CARDS - 1) or not is_within(shown, c.NOT_SHOWN, c.N_CARDS - 1):
        return False
    if not is_within(g["cards_left"], 0, c.N_CARDS) or not is_within(g["blanks_left"], 0, c.N_SPACES):
        return False
    if not is_within(emptied, 0, 1) or not is_within(hands, 0, 1) or not is_within(g["gained"], 0, 1):
        return False
    if not is_within(g["action_at"], c.NONE, c.N_ACTION_CARDS - 1) or not is_within(g["holder"], c.NONE, n - 1):
        return False
    if not is_within(g["special_at"], c.NONE, c.N_SPECIALS - 1) or not is_within(g["bid_order"], c.NONE, n - 1):
        return False
    if not is_within(g["position_of"], c.NONE, c.N_SPECIALS - 1) or not is_within(g["event_card"], 0, c.EVENT_USED):
        return False
    if not is_within(g["drawn"], c.NONE, last) or not is_within(g["ordered"], c.NONE, last):
        return False
    if not is_within(groups, 0, MOST_GROUPS) or not is_within(g["card"], 0, c.CARD_UNDER_DECK):
        return False
    opened = is_within(g["open_card"], c.NONE, last) and is_within(g["last_open"].reshape(N_LAST_OPEN), c.NONE, last)
    return opened and is_within(g["under"], 0, c.N_PROVINCES) and is_within(g["short"], 0, c.N_PROVINCES)


@kernel
def check_ranges(g: State) -> Int:
    """Return the code of a number out of range, or VALID.

    Reads:  everything
    """
    sound = has_sound_options(g) and has_sound_time(g) and has_sound_cards(g)
    n = np.int64(g["n_players"])
    sound = sound and is_within(g["owner"], c.NONE, n - 1) and is_within(g["building"].reshape(N_BUILDINGS), 0, 1)
    if not sound:
        return np.int64(codes.BAD_RANGE)
    tracks = is_within(g["chests"], 0, MOST) and is_within(g["rice"], 0, MOST)
    return np.int64(codes.VALID if tracks and is_within(g["points"], 0, MOST) else codes.BAD_TRACKS)
