"""The actions build castle, build temple and build Noh theatre (rules 4)."""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Int, Log, Player, Prov, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import COST, SITES


@kernel
def buildings_in(g: State, prov: Prov) -> Int:
    """Return the number of buildings in a province.

    Reads:  building
    """
    total = np.int64(0)
    for kind in range(c.N_KINDS):
        total += np.int64(g["building"][kind, prov])
    return total


@kernel
def why_not_build(g: State, player: Player, act: Int, prov: Prov) -> Int:
    """Return the first reason not to build: CANNOT_PAY, NO_SITE, KIND_PRESENT, NONE_LEFT, or NONE.

    Rule:   4; a kind that is used up cannot be built (R17).
    Args:   act, BUILD_CASTLE, BUILD_TEMPLE or BUILD_NO_THEATRE: also the number of the kind
    Reads:  chests, building, kinds_left
    """
    if g["chests"][player] < COST[act]:
        return c.CANNOT_PAY
    if buildings_in(g, prov) >= SITES[prov]:
        return c.NO_SITE
    if g["building"][act, prov] == 1:
        return c.KIND_PRESENT
    if g["kinds_left"][act] == 0:
        return c.NONE_LEFT
    return c.NONE


@kernel
def build(g: State, log: Log, player: Player, act: Int, prov: Prov) -> None:
    """Pay for a building and place it; a theatre may take a revolt marker away (event theatres calm, 4).

    Args:   act, BUILD_CASTLE, BUILD_TEMPLE or BUILD_NO_THEATRE: also the number of the kind
    Reads:  event, revolts
    Writes: chests, revolts, building, kinds_left
    """
    g["chests"][player] -= COST[act]
    g["building"][act, prov] = 1
    g["kinds_left"][act] -= 1
    if act == c.BUILD_NO_THEATRE and g["event"] == c.NO_THEATRE_CALMS and g["revolts"][prov] > 0:
        g["revolts"][prov] -= 1
    log_entry(log, c.LOG_DO, player, act, prov, c.BUILT, COST[act], 0, 0)
