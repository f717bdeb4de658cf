"""What the bots of Shogun read off an observation: names for bytes, counts, and a summary for every decision."""

from typing import NamedTuple

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Bool, Float, Int, Observation, Params, Prov
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun import layout as at

NEAR = board.NEIGHBOURS
"""Neighbours in play, padded with -1: int8[side, players, province, 11]."""

PROVINCES_OF = board.PROVINCES_OF.astype(np.int8)
"""The nine provinces of each region: int8[side, region, 9]."""
DIGIT = 6
FULL = (1 << DIGIT) - 1
"""The counts of five players are held in one whole number, six bits each."""
BYTE = 255.0
"""The byte of an observation that means probability 1."""

SOURCE_MARK, TARGET_MARK = 1, 2
"""Values of the feature ``pending``."""


class Features(NamedTuple):
    """What a decision is made from: what is seen, the numbers of the bot, and a summary."""

    obs: Observation
    """uint8[D], the observation."""
    params: Params
    """float64[numbers], see ``NUMBERS``."""
    side: int
    """Side of the board."""
    players: int
    """Number of players."""
    seasons_left: int
    """Rounds of the game still to be played, this one included: 6..1."""
    keep: float
    """Probability that a cube thrown into the tower comes out."""
    loose: float
    """Probability that a cube inside the tower comes out, per cube thrown."""
    shaken: float
    """Probability that a cube inside the tower comes out, whatever is thrown."""


@kernel
def extract_features(obs: Observation, params: Params) -> Features:
    """Return what a decision is made from."""
    season = np.int64(0)
    while season < c.N_SEASONS and obs[at.SEASON + season] == 0:
        season += 1
    year = max(np.int64(1), np.int64(obs[at.YEAR]))
    seasons_left = (c.N_YEARS - year + 1) * c.N_SEASONS - season
    pass_floor = 1.0 - obs[at.STICK] / BYTE
    keep = 1.0
    for _ in range(np.int64(obs[at.FLOORS])):
        keep *= pass_floor
    return Features(
        obs=obs,
        params=params,
        side=np.int64(obs[at.MOON]),
        players=at.count_players(obs),
        seasons_left=seasons_left,
        keep=keep,
        loose=obs[at.DISLODGE] / BYTE,
        shaken=obs[at.SHAKE] / BYTE,
    )


@kernel
def owner_of(obs: Observation, prov: Prov) -> Int:
    """Return the offset of the player who owns a province, 0 being the observer; NONE if nobody does."""
    for offset in range(c.MAX_PLAYERS):
        if obs[at.SELF + offset * c.N_PROVINCES + prov] == 1:
            return np.int64(offset)
    return np.int64(c.NONE)


@kernel
def is_mine(obs: Observation, prov: Prov) -> Bool:
    """Say whether the observer owns a province."""
    return obs[at.SELF + prov] == 1


@kernel
def armies_in(obs: Observation, prov: Prov) -> Int:
    """Return the armies in a province."""
    return np.int64(obs[at.ARMIES + prov])


@kernel
def buildings_in(obs: Observation, prov: Prov) -> Int:
    """Count the buildings in a province."""
    one, step = at.BUILDING + prov, c.N_PROVINCES
    return np.int64(obs[one]) + np.int64(obs[one + step]) + np.int64(obs[one + 2 * step])


@kernel
def marked(obs: Observation, mark: Int) -> Int:
    """Return the province that has ``mark`` in the feature ``pending``, or NONE."""
    for prov in range(c.N_PROVINCES):
        if obs[at.PENDING + prov] == mark:
            return np.int64(prov)
    return np.int64(c.NONE)


@kernel
def flag_of(obs: Observation, first: Int, count: Int) -> Int:
    """Return which of the ``count`` flags that begin at ``first`` is set, or the last one if none is."""
    index = np.int64(0)
    while index < count - 1 and obs[first + index] == 0:
        index += 1
    return index


@kernel
def is_planned(obs: Observation, act: Int) -> Bool:
    """Say whether the observer has put a province card on the space of an action."""
    card = obs[at.OWN_CARD + 1 + act]
    return card > 0 and card <= c.N_PROVINCES


@kernel
def foreign_near(f: Features, prov: Prov) -> Int:
    """Count the neighbours of a province that the observer does not own."""
    count = np.int64(0)
    for index in range(c.MAX_NEIGHBOURS + 1):
        other = np.int64(NEAR[f.side, f.players, prov, index])
        if other == c.NONE:
            break
        count += 0 if is_mine(f.obs, other) else 1
    return count


@kernel
def count_kind(f: Features, region: Int, kind: Int) -> Int:
    """Count the buildings of a kind in a region by owner: six bits per player, the observer's lowest."""
    counts = np.int64(0)
    row = PROVINCES_OF[f.side, region]
    first = at.BUILDING + kind * c.N_PROVINCES
    for index in range(row.shape[0]):
        prov = np.int64(row[index])
        if f.obs[first + prov] == 1:
            counts += np.int64(1) << (DIGIT * owner_of(f.obs, prov))
    return counts


@kernel
def majority_points(own: Int, best_other: Int, kind: Int) -> Float:
    """Return the points for ``own`` buildings of a kind in a region against ``best_other`` of another (3, winter 3)."""
    if own == 0 or own < best_other:
        return 0.0
    return float(board.POINTS_MOST[kind] - (board.TIE_REDUCTION if own == best_other else 0))
