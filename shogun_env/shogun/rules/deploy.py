"""The actions deploy 5, deploy 3 and deploy/move 1 (rules 4, R6, R7)."""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Int, Log, Player, Prov, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import COST, DEPLOYED_ARMIES, FEWER_ARMIES
from shogun_env.shogun.rules.province import holds_special


@kernel
def armies_to_deploy(g: State, player: Player, act: Int) -> Int:
    """Return how many armies the action brings, by the special, the event and the supply.

    Rule:   4. R6: six with the special, also with the event. R7: a player with the special and fewer than six armies in
            supply brings five if they have five; with fewer they are treated as if they had no special.
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
    """Return the first reason not to deploy: CANNOT_PAY, SUPPLY_SHORT, or NONE (4).

    Args:   act, DEPLOY_5_ARMIES, DEPLOY_3_ARMIES or DEPLOY_MOVE_1_ARMY
    Reads:  chests, event, supply, special_at, position_of
    """
    if g["chests"][player] < COST[act]:
        return c.CANNOT_PAY
    if np.int64(g["supply"][player]) < armies_to_deploy(g, player, act):
        return c.SUPPLY_SHORT
    return c.NONE


@kernel
def deploy(g: State, log: Log, player: Player, act: Int, prov: Prov) -> None:
    """Pay and bring the armies from the supply into the province (4).

    Args:   act, DEPLOY_5_ARMIES, DEPLOY_3_ARMIES or DEPLOY_MOVE_1_ARMY, whose move is a later decision
    Reads:  event, supply, special_at, position_of
    Writes: chests, armies, supply
    """
    armies = armies_to_deploy(g, player, act)
    g["chests"][player] -= COST[act]
    g["supply"][player] -= armies
    g["armies"][prov] += armies
    log_entry(log, c.LOG_DO, player, act, prov, c.DEPLOYED, COST[act], armies, 0)
