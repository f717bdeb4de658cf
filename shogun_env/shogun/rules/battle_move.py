"""Moves of armies: the move after deploy/move 1, and battle/move A and B (rules 4, R8)."""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Bool, Int, Log, Player, Prov, Rng, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import NEIGHBOURS
from shogun_env.shogun.rules.battle import attack


@kernel
def running_action(g: State) -> Int:
    """Return the action that is being carried out (3.6).

    Reads:  running, action_at
    """
    return np.int64(g["action_at"][g["running"]])


@kernel
def may_stay(g: State, act: Int) -> Bool:
    """Say whether a player may leave all armies in place: after deploy/move 1, or with ``optional_moves`` (R8).

    Args:   act, DEPLOY_MOVE_1_ARMY or a battle/move
    Reads:  optional_moves
    """
    return act == c.DEPLOY_MOVE_1_ARMY or g["optional_moves"] == 1


@kernel
def neighbour(g: State, prov: Prov, index: Int) -> Int:
    """Return neighbour number ``index``, from 0, of a province in play, or NONE if there are fewer (1).

    Reads:  n_players, side
    """
    return np.int64(NEIGHBOURS[np.int64(g["side"]), np.int64(g["n_players"]), prov, index])


@kernel
def is_target(g: State, player: Player, act: Int, prov: Prov) -> Bool:
    """Say whether the armies of an action may enter an adjacent province.

    Rule:   4. Own provinces always; others in a battle/move, unless a temple protects them (event temple peace).
    Args:   player, the owner of the armies; act, DEPLOY_MOVE_1_ARMY or a battle/move; prov, the province to enter
    Reads:  event, owner, building
    """
    if g["owner"][prov] == player:
        return True
    if act == c.DEPLOY_MOVE_1_ARMY:
        return False
    return not (g["event"] == c.TEMPLE_PEACE and g["building"][c.TEMPLE, prov] == 1)


@kernel
def count_targets(g: State, player: Player, act: Int, source: Prov) -> Int:
    """Return the number of provinces that armies of ``player`` may enter from ``source`` (4).

    Args:   act, DEPLOY_MOVE_1_ARMY or a battle/move
    Reads:  n_players, side, what ``is_target`` reads
    """
    count = np.int64(0)
    for index in range(c.MAX_NEIGHBOURS + 1):
        prov = neighbour(g, source, index)
        if prov == c.NONE:
            break
        if is_target(g, player, act, prov):
            count += 1
    return count


@kernel
def why_not_move(g: State, player: Player, act: Int, source: Prov) -> Int:
    """Return the first reason why no army can leave ``source``: TOO_FEW_ARMIES, NO_TARGET, or NONE (4).

    Args:   act, a battle/move
    Reads:  armies, what ``count_targets`` reads
    """
    if g["armies"][source] < 2:
        return c.TOO_FEW_ARMIES
    return c.NONE if count_targets(g, player, act, source) > 0 else c.NO_TARGET


@kernel
def move(g: State, rng: Rng, log: Log, player: Player, act: Int, source: Prov, prov: Prov, armies: Int) -> None:
    """Move armies: in a province of the same owner they join the others, in any other they attack (4).

    Args:   act, DEPLOY_MOVE_1_ARMY or a battle/move; source, the province they leave; prov, the province they enter;
            armies that move, 1..armies in ``source`` - 1
    Reads:  owner, what ``attack`` reads
    Writes: armies, what ``attack`` writes
    Draws:  those of ``attack`` if there is one
    """
    if g["owner"][prov] == player:
        g["armies"][source] -= armies
        g["armies"][prov] += armies
        if act == c.DEPLOY_MOVE_1_ARMY:
            log_entry(log, c.LOG_MOVED, prov, armies, 0, 0, 0, 0, 0)
        else:
            log_entry(log, c.LOG_DO, player, act, source, c.MOVED, prov, armies, 0)
    else:
        log_entry(log, c.LOG_DO, player, act, source, c.ATTACKED, prov, armies, np.int64(g["owner"][prov]))
        attack(g, rng, log, player, source, prov, armies)
