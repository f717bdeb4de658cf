"""What provinces, buildings, conquests and safety are worth to the scripted bot of Shogun, in points."""

from __future__ import annotations

import math

import numpy as np

from shogun_env.agents.scripted.shogun.classic.weights import ATTACK, HURT, RISK
from shogun_env.agents.scripted.shogun.features import (
    ATTACKS_BETTER,
    BUILDING,
    DEFENDS_BETTER,
    EVENT,
    NEAR,
    REGION,
    REVOLTS,
    RICE,
    TAX,
    TOWER,
    TRAY,
    Features,
    armies_in,
    buildings_in,
    is_mine,
    owner_of,
)
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Float, Int, Observation, Params, Prov
from shogun_env.shogun import board
from shogun_env.shogun import constants as c

PROVINCES_OF = np.array(
    [[np.flatnonzero(board.REGION[side] == region) for region in range(c.N_REGIONS)] for side in range(c.N_SIDES)],
    np.int8,
)
"""The nine provinces of each region: int8[side, region, 9]."""
MOST = board.POINTS_MOST
LESS = board.TIE_REDUCTION

_DIGIT = 6
_FULL = (1 << _DIGIT) - 1
"""The counts of five players are held in one whole number, six bits each."""
_HOLD = 0.6
"""Part of its points that a majority is worth now; the others will build too."""
_INCOME_OF_PROVINCE = 0.06
_ARMY = 0.25
"""Points that an army is worth."""
_NARROW = 0.64
"""With this factor, 1/2 + m / sqrt(m^2 + 0.64 v) / 2 comes close to the normal distribution function."""
_ROUNDING = 0.25
_UNSURE = 0.5


@kernel
def count_kind(o: Observation, s: Features, region: Int, kind: Int) -> Int:
    """Count the buildings of a kind in a region by owner: six bits per player, the observer's lowest."""
    counts = np.int64(0)
    row = PROVINCES_OF[s.side, region]
    at = BUILDING + kind * c.N_PROVINCES
    for index in range(row.shape[0]):
        prov = np.int64(row[index])
        if o[at + prov] == 1:
            counts += np.int64(1) << (_DIGIT * owner_of(o, prov))
    return counts


@kernel
def majority_points(own: Int, best_other: Int, kind: Int) -> Float:
    """Return the points for ``own`` buildings of a kind in a region against ``best_other`` of another (3, winter 3)."""
    if own == 0 or own < best_other:
        return 0.0
    return float(MOST[kind] - (LESS if own == best_other else 0))


@kernel
def majority_gain(o: Observation, s: Features, prov: Prov, kind: Int) -> Float:
    """Return what one more building of a kind in the region of ``prov`` is worth for its majority."""
    counts = count_kind(o, s, np.int64(o[REGION + prov]) - 1, kind)
    own = counts & _FULL
    best_other = np.int64(0)
    counts >>= _DIGIT
    while counts > 0:
        best_other = max(best_other, counts & _FULL)
        counts >>= _DIGIT
    return _HOLD * (majority_points(own + 1, best_other, kind) - majority_points(own, best_other, kind))


@kernel
def holding(o: Observation, s: Features, prov: Prov) -> Float:
    """Return what it is worth to hold a province to the end: its points, those of its buildings, and its income."""
    income = np.int64(o[TAX + prov]) + np.int64(o[RICE + prov])
    return s.scorings * (1.0 + 1.5 * buildings_in(o, prov)) + _INCOME_OF_PROVINCE * income * (s.seasons_left - 1)


@kernel
def conquest(o: Observation, s: Features, prov: Prov, defender: Int, params: Params) -> Float:
    """Return what it is worth to take a province from a player, or a neutral one (``defender`` NONE)."""
    gain = holding(o, s, prov)
    for kind in range(c.N_KINDS):
        if o[BUILDING + kind * c.N_PROVINCES + prov] == 1:
            gain += s.scorings * majority_gain(o, s, prov, kind)
    if defender != c.NONE:
        gain *= 1.0 + params[HURT]
    return gain * params[ATTACK]


@kernel
def chance(o: Observation, s: Features, prov: Prov, defender: Int, armies: Int) -> Float:
    """Estimate the probability that ``armies`` of the observer take ``prov`` from ``defender`` (NONE: it is neutral).

    Each cube thrown comes out of the tower with probability ``keep``, each cube inside with a small probability; the
    sum is taken as normally distributed.
    """
    mine = armies + np.int64(o[ATTACKS_BETTER]) + np.int64(o[TRAY])
    mine_inside = np.int64(o[TOWER])
    theirs = np.int64(0)
    theirs_inside = np.int64(0)
    if defender == c.NONE:
        theirs = np.int64(1) + np.int64(o[EVENT + c.TWO_FARMERS])
    else:
        theirs = armies_in(o, prov) + np.int64(o[DEFENDS_BETTER + defender]) + np.int64(o[TRAY + defender])
        theirs += np.int64(o[EVENT + c.CASTLE_DEFENCE]) * np.int64(o[BUILDING + prov])
        theirs_inside = np.int64(o[TOWER + defender])
    if o[REVOLTS + prov] == 0 or defender == c.NONE:
        theirs += np.int64(o[TRAY + c.FARMERS])
        theirs_inside += np.int64(o[TOWER + c.FARMERS])
    thrown = mine + theirs
    falls = min(0.5, s.shaken + s.loose * thrown)
    margin = s.keep * (mine - theirs) + falls * (mine_inside - theirs_inside) - _UNSURE
    spread = s.keep * (1.0 - s.keep) * thrown + falls * (1.0 - falls) * (mine_inside + theirs_inside) + _ROUNDING
    return 0.5 + 0.5 * margin / math.sqrt(margin * margin + _NARROW * spread)


@kernel
def attack_value(
    o: Observation, s: Features, prov: Prov, defender: Int, armies: Int, floor: Float, params: Params
) -> Float:
    """Return what an attack is worth: the prize, less the armies at stake; a bound if it is at most ``floor``."""
    prize = conquest(o, s, prov, defender, params)
    if prize <= floor:
        return prize
    p = chance(o, s, prov, defender, armies)
    stake = _ARMY * (1.0 - params[RISK]) * (2 + (armies if s.seasons_left > 1 else 0))
    return p * prize - (1.0 - p) * stake


@kernel
def strongest_near(o: Observation, s: Features, prov: Prov) -> Int:
    """Return the most armies that can attack a province from a neighbour that the observer does not own."""
    most = np.int64(0)
    for index in range(c.MAX_NEIGHBOURS + 1):
        other = np.int64(NEAR[s.side, s.players, prov, index])
        if other == c.NONE:
            break
        if not is_mine(o, other):
            most = max(most, armies_in(o, other) - 1)
    return most


@kernel
def danger(o: Observation, prov: Prov, enemy: Int, armies: Int) -> Float:
    """Estimate the probability that ``prov``, held by ``armies``, falls to ``enemy`` neighbouring armies this round."""
    if enemy <= 0:
        return 0.0
    farmers = 0.7 if o[REVOLTS + prov] == 0 else 0.0
    return 0.5 * min(1.0, max(0.05, 0.4 + 0.2 * (enemy - armies - farmers)))
