"""Deploy 5, deploy 3, deploy/move 1 (rules 4, R6, R7)."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Int, Log, Player, Prov, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import COST, DEPLOYED_ARMIES, FEWER_ARMIES
from shogun_env.shogun.rules.province import holds_special


@kernel
def armies_to_deploy(g: State, player: Player, act: Int) -> Int:
    """Return how many armies the action brings: event, special, and R7 for a supply that is short of six.

    Rule:   R6: six with the special, also with the event. R7: with fewer than six in supply, five if he has five; with
            fewer he is treated as if he had no special.
    """
    supply = np.int64(g["supply"][player])
    if act == c.DEPLOY_5_ARMIES and holds_special(g, player, c.SIX_ARMIES):
        if supply >= c.SIX:
            return np.int64(c.SIX)
        if supply >= DEPLOYED_ARMIES[act]:
            return DEPLOYED_ARMIES[act]
    if g["event"] == c.FEWER_RECRUITS:
        return FEWER_ARMIES[act]
    return DEPLOYED_ARMIES[act]


@kernel
def why_not_deploy(g: State, player: Player, act: Int) -> Int:
    """Return the first reason not to deploy, or NONE."""
    if g["chests"][player] < COST[act]:
        return c.CANNOT_PAY
    if np.int64(g["supply"][player]) < armies_to_deploy(g, player, act):
        return c.SUPPLY_SHORT
    return c.NONE


@kernel
def deploy(g: State, log: Log, player: Player, act: Int, prov: Prov) -> None:
    """Pay and bring the armies from the supply into the province."""
    armies = armies_to_deploy(g, player, act)
    g["chests"][player] -= COST[act]
    g["supply"][player] -= armies
    g["armies"][prov] += armies
    log_entry(log, c.LOG_DO, player, act, prov, c.DEPLOYED, COST[act], armies, 0)
