"""Build castle, temple, Noh theatre (rules 4)."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Int, Log, Player, Prov, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import COST, SITES


@kernel
def buildings_in(g: State, prov: Prov) -> Int:
    """Count the buildings of a province."""
    total = np.int64(0)
    for kind in range(c.N_KINDS):
        total += np.int64(g["building"][kind, prov])
    return total


@kernel
def why_not_build(g: State, player: Player, act: Int, prov: Prov) -> Int:
    """Return the first reason not to build, or NONE. Rule: 4; a kind that is used up cannot be built (R17)."""
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
    """Pay and place a building; kinds are numbered like the actions that build them. Event: theatres calm (4)."""
    g["chests"][player] -= COST[act]
    g["building"][act, prov] = 1
    g["kinds_left"][act] -= 1
    if act == c.BUILD_NO_THEATRE and g["event"] == c.NO_THEATRE_CALMS and g["revolts"][prov] > 0:
        g["revolts"][prov] -= 1
    log_entry(log, c.LOG_DO, player, act, prov, c.BUILT, COST[act], 0, 0)
