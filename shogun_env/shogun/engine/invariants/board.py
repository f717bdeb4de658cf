"""What is true of the board at any time: cubes, provinces, buildings, and the rows of players who do not play."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Bool, Int, Player, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import ARMIES, FARMERS, IN_PLAY, SITES, SUPPLY_OF_KIND
from shogun_env.shogun.engine.invariants import codes
from shogun_env.shogun.engine.invariants.ranges import count_equal, is_within
from shogun_env.shogun.rules.build import buildings_in

MOST_MARKERS = 2 * c.N_SEASONS
"""A game brings one per season at most; a position set up by hand may begin with as many as a year can bring."""


@kernel
def check_cubes(g: State) -> Int:
    """Return the code of a cube that is in no place or in two (1), or VALID.

    Reads:  n_players, side, floors, owner, armies, supply, tray, tower, falling
    """
    n, side = np.int64(g["n_players"]), np.int64(g["side"])
    for colour in range(c.N_COLOURS):
        total = np.int64(g["supply"][colour]) + np.int64(g["tray"][colour])
        if total > ARMIES[side]:
            return np.int64(codes.BAD_SUPPLY)
        for floor in range(c.MAX_FLOORS):
            total += np.int64(g["tower"][floor, colour])
            if g["falling"][floor, colour] != 0 or (floor >= g["floors"] and g["tower"][floor, colour] != 0):
                return np.int64(codes.BAD_SCRATCH)
        for prov in range(c.N_PROVINCES):
            if g["owner"][prov] == colour:
                total += np.int64(g["armies"][prov])
        expected = FARMERS[side] if colour == c.FARMERS else ARMIES[side] if colour < n else 0
        if total != expected:
            return np.int64(codes.BAD_CUBES)
    return np.int64(codes.VALID)


@kernel
def check_board(g: State) -> Int:
    """Return the code of what is wrong with owners, armies, buildings and markers, or VALID.

    Reads:  n_players, side, owner, armies, revolts, building, kinds_left
    """
    for prov in range(c.N_PROVINCES):
        owner = np.int64(g["owner"][prov])
        buildings = buildings_in(g, prov)
        in_play = IN_PLAY[np.int64(g["side"]), np.int64(g["n_players"]), prov] == 1
        if (owner != c.NONE) != (g["armies"][prov] > 0):
            return np.int64(codes.BAD_OWNER)
        if not in_play and (owner != c.NONE or buildings > 0 or g["revolts"][prov] > 0):
            return np.int64(codes.BAD_OUT_OF_PLAY)
        if buildings > SITES[prov] or (owner == c.NONE and buildings > 0):
            return np.int64(codes.BAD_BUILDING)
        if g["revolts"][prov] > MOST_MARKERS or (owner == c.NONE and g["revolts"][prov] > 0):
            return np.int64(codes.BAD_MARKERS)
    for kind in range(c.N_KINDS):
        left = np.int64(g["kinds_left"][kind])
        for prov in range(c.N_PROVINCES):
            left += np.int64(g["building"][kind, prov])
        if left != SUPPLY_OF_KIND[kind]:
            return np.int64(codes.BAD_BOX)
    return np.int64(codes.VALID)


@kernel
def check_players(g: State) -> Int:
    """Return the code of a wrong count of provinces, or of a row that is used without a player, or VALID.

    Reads:  chests, rice, points, n_players, owner, n_owned, plan, shown, emptied, cards_left, blanks_left, position_of,
            short, groups, last_open, hand
    """
    for player in range(c.MAX_PLAYERS):
        if count_equal(g["owner"], player) != g["n_owned"][player]:
            return np.int64(codes.BAD_COUNT)
        if player >= g["n_players"] and not is_blank_row(g, player):
            return np.int64(codes.BAD_ABSENT)
    return np.int64(codes.VALID)


@kernel
def is_blank_row(g: State, player: Player) -> Bool:
    """Say whether a player's row of every field is as it is before the set-up."""
    total = np.int64(g["chests"][player]) + np.int64(g["rice"][player]) + np.int64(g["points"][player])
    total += np.int64(g["cards_left"][player]) + np.int64(g["blanks_left"][player]) + np.int64(g["short"][player])
    if total != 0 or g["position_of"][player] != c.NONE or not is_within(g["groups"][player], 0, 0):
        return False
    plan = is_within(g["plan"][player], c.EMPTY, c.EMPTY) and is_within(g["emptied"][player], 0, 0)
    cards = is_within(g["hand"][player], 0, 0) and is_within(g["last_open"][player], c.NONE, c.NONE)
    return plan and cards and is_within(g["shown"][player], c.NOT_SHOWN, c.NOT_SHOWN)
