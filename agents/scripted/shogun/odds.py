"""How likely battles end how: the odds of an attack, and the danger that a province is in."""

import math

import numpy as np

from shogun_env.agents.scripted.shogun import numbers as n
from shogun_env.agents.scripted.shogun.features import NEAR, Features, armies_in, is_mine, owner_of
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Float, Int, Observation, Prov
from shogun_env.shogun import constants as c
from shogun_env.shogun import layout as at

NARROW = 0.64
"""With this factor, 1/2 + m / sqrt(m^2 + 0.64 v) / 2 comes close to the normal distribution function."""
ROUNDING = 0.25
"""Added to the variance: a few cubes that are sure to fall still leave some doubt about what is known of a tower."""
TIE = 0.5
"""Taken off the margin of cubes: a tie is no victory, so the margin must be more than half a cube."""
MOST_LOOSE = 0.5
"""The highest probability with which a cube inside the tower is taken to fall out."""


@kernel
def win_chance(f: Features, mine: Int, mine_inside: Int, theirs: Int, theirs_inside: Int) -> Float:
    """Estimate the probability that more cubes of one side than of the other fall out of the tower (5.1).

    Each cube thrown comes out with probability ``keep``, each cube inside with a small probability; the sum is taken
    as normally distributed.

    Args: mine, theirs: cubes thrown; mine_inside, theirs_inside: cubes of the sides inside the tower.
    """
    thrown = mine + theirs
    falls = min(MOST_LOOSE, f.shaken + f.loose * thrown)
    margin = f.keep * (mine - theirs) + falls * (mine_inside - theirs_inside) - TIE
    spread = f.keep * (1.0 - f.keep) * thrown + falls * (1.0 - falls) * (mine_inside + theirs_inside) + ROUNDING
    return 0.5 + 0.5 * margin / math.sqrt(margin * margin + NARROW * spread)


@kernel
def defence_of(obs: Observation, prov: Prov, defender: Int) -> tuple[Int, Int]:
    """Return the cubes that are thrown against an attack of the observer on a province, and those inside (5.2)."""
    thrown = inside = np.int64(0)
    if defender == c.NONE:
        thrown = np.int64(1) + np.int64(obs[at.EVENT + c.TWO_FARMERS])
    else:
        thrown = armies_in(obs, prov) + np.int64(obs[at.SPECIAL_DEFENCE + defender]) + np.int64(obs[at.TRAY + defender])
        thrown += np.int64(obs[at.EVENT + c.CASTLE_DEFENCE]) * np.int64(obs[at.BUILDING + prov])
        inside = np.int64(obs[at.TOWER + defender])
    if obs[at.REVOLTS + prov] == 0 or defender == c.NONE:
        thrown += np.int64(obs[at.TRAY + c.FARMERS])
        inside += np.int64(obs[at.TOWER + c.FARMERS])
    return thrown, inside


@kernel
def attack_chance(f: Features, armies: Int, theirs: Int, theirs_inside: Int) -> Float:
    """Estimate the probability that ``armies`` of the observer win against what ``defence_of`` returns."""
    mine = armies + np.int64(f.obs[at.SPECIAL_ATTACK]) + np.int64(f.obs[at.TRAY])
    return win_chance(f, mine, np.int64(f.obs[at.TOWER]), theirs, theirs_inside)


@kernel
def revolt_chance(f: Features, armies: Int, farmers: Int) -> Float:
    """Estimate the probability that ``armies`` of the observer put down a revolt of ``farmers`` (5.3)."""
    mine, theirs = armies + np.int64(f.obs[at.TRAY]), farmers + np.int64(f.obs[at.TRAY + c.FARMERS])
    return win_chance(f, mine, np.int64(f.obs[at.TOWER]), theirs, np.int64(f.obs[at.TOWER + c.FARMERS]))


@kernel
def enemies_near(f: Features, prov: Prov) -> tuple[Int, Int, Int, Int]:
    """Return the two strongest neighbours that can attack a province: armies that can march, and owner, of each.

    No armies where there are fewer such neighbours.
    """
    first = second = np.int64(0)
    first_owner = second_owner = np.int64(1)
    for index in range(c.MAX_NEIGHBOURS + 1):
        other = np.int64(NEAR[f.side, f.players, prov, index])
        if other == c.NONE:
            break
        armies = armies_in(f.obs, other) - 1
        if armies > second and not is_mine(f.obs, other):
            owner = owner_of(f.obs, other)
            if armies > first:
                second, second_owner = first, first_owner
                first, first_owner = armies, owner
            else:
                second, second_owner = armies, owner
    return first, first_owner, second, second_owner


@kernel
def danger(f: Features, prov: Prov, armies: Int, enemies: tuple[Int, Int, Int, Int]) -> Float:
    """Estimate the probability that a province held by ``armies`` of the observer is lost to a battle in one round."""
    first, first_owner, second, second_owner = enemies
    if first <= 0:
        return 0.0
    theirs, inside = armies + np.int64(f.obs[at.TRAY]) + np.int64(f.obs[at.SPECIAL_DEFENCE]), np.int64(f.obs[at.TOWER])
    if f.obs[at.REVOLTS + prov] == 0:
        theirs += np.int64(f.obs[at.TRAY + c.FARMERS])
        inside += np.int64(f.obs[at.TOWER + c.FARMERS])
    held = 1.0 - f.params[n.AGGRESSION] * win_chance(
        f, first + np.int64(f.obs[at.TRAY + first_owner]), np.int64(f.obs[at.TOWER + first_owner]), theirs, inside
    )
    if second > 0:
        there, inside_there = np.int64(f.obs[at.TRAY + second_owner]), np.int64(f.obs[at.TOWER + second_owner])
        held *= 1.0 - f.params[n.AGGRESSION] * win_chance(f, second + there, inside_there, theirs, inside)
    return 1.0 - held
