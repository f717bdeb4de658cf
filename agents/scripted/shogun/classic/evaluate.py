"""What provinces, buildings, conquests and safety are worth to the scripted bot of Shogun, in points."""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shogun.classic.numbers import ATTACK, HURT, RISK
from shogun_env.agents.scripted.shogun.features import (
    BUILDING,
    DIGIT,
    FULL,
    NEAR,
    REGION,
    REVOLTS,
    RICE,
    TAX,
    Features,
    armies_in,
    buildings_in,
    count_kind,
    is_mine,
    majority_points,
)
from shogun_env.agents.scripted.shogun.odds import attack_chance, defence_of
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Float, Int, Observation, Params, Prov
from shogun_env.shogun import constants as c

_HOLD = 0.6
"""Part of its points that a majority is worth now; the others will build too."""
_INCOME_OF_PROVINCE = 0.06
_ARMY = 0.25
"""Points that an army is worth."""


@kernel
def majority_gain(o: Observation, s: Features, prov: Prov, kind: Int) -> Float:
    """Return what one more building of a kind in the region of ``prov`` is worth for its majority."""
    counts = count_kind(o, s, np.int64(o[REGION + prov]) - 1, kind)
    own = counts & FULL
    best_other = np.int64(0)
    counts >>= DIGIT
    while counts > 0:
        best_other = max(best_other, counts & FULL)
        counts >>= DIGIT
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
def attack_value(
    o: Observation, s: Features, prov: Prov, defender: Int, armies: Int, floor: Float, params: Params
) -> Float:
    """Return what an attack is worth: the prize, less the armies at stake; a bound if it is at most ``floor``."""
    prize = conquest(o, s, prov, defender, params)
    if prize <= floor:
        return prize
    p = attack_chance(o, s, armies, *defence_of(o, prov, defender))
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
