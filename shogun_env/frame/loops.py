"""Loops over the rows of a batch, around the engine of a game; nothing else. Written once, bound to each game.

The names ``reset, step, legal, legal_for, observe, observe_again, quiet_time, over, redeal, reward_so_far`` and
``check_game`` are left open here: ``bind_loops`` makes a game's own copy of every loop with that game's functions
(``quiet_time`` and ``observe_again`` may be missing). Loops take rows ``lo .. hi`` so that a thread pool can share a
batch; they write to the caller's buffers only, one row a game.
"""

from __future__ import annotations

import types
from typing import Any, NamedTuple

import numpy as np

from shogun_env._jit import Loop, bind, bind_rule, policy, rule
from shogun_env.rng import choose, seed_stream

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821 - the open names are bound per game

ASK = -1
"""In ``seats``: this player's decisions are made outside; ``play_games`` stops at them."""
NEVER = -1
UNIFORM, COMPILED = 0, 1
"""Kinds of policies: built-in uniformly random (needs no observation), or a compiled function."""


FIRST_REDEAL = 1 << 20
"""First stream number of redeals; 0 is the game's own, 1 + player a player's."""


@policy
def uniform(observation, legal, rng, params):
    """Choose any legal action with equal probability."""
    return choose(rng, legal)


@rule
def quiet_time(g):
    """Stand in for an engine without times in which observations hardly change."""
    return NEVER


@rule
def observe_again(g, player, out):
    """Stand in for an engine without ``quiet_time``; never called."""


class Loops(NamedTuple):
    """The loops of one game."""

    reset: Loop
    step: Loop
    find_illegal: Loop
    play: Loop
    observe: Loop
    masks: Loop
    redeal: Loop
    check: Loop


def report(g, row, reward, player, mask, is_over, points, returns):
    """Write what a batch shows of one game."""
    player[row] = g["player"]
    is_over[row] = over(g)
    for index in range(returns.shape[1]):
        points[row, index] = g["points"][index]
        returns[row, index] = reward_so_far(g, index, reward)
    legal(g, mask[row])


def reset_games(
    games, rngs, logs, policy_rngs, template, rows, seeds,
    reward, player, mask, is_over, points, returns, decisions, lo, hi,
):  # fmt: skip
    """Start the games ``rows[lo:hi]`` from ``template`` (options set, blank otherwise) with their seeds."""
    for index in range(lo, hi):
        row = rows[index]
        games[row] = template[0]
        decisions[row] = 0
        seed_stream(rngs[row], seeds[index], 0)
        for index_of_player in range(policy_rngs.shape[1]):
            seed_stream(policy_rngs[row, index_of_player], seeds[index], 1 + index_of_player)
        reset(games[row], rngs[row], logs[row])
        report(games[row], row, reward, player, mask, is_over, points, returns)


def step_games(games, rngs, logs, actions, reward, player, mask, is_over, points, returns, decisions, lo, hi):
    """Play one decision in every game of the rows ``lo .. hi - 1`` that is not over. Actions must be legal."""
    for row in range(lo, hi):
        if not is_over[row]:
            step(games[row], rngs[row], logs[row], actions[row])
            decisions[row] += 1
            report(games[row], row, reward, player, mask, is_over, points, returns)


def find_illegal(mask, is_over, actions, lo, hi):
    """Return the first of the rows ``lo .. hi - 1`` with an illegal action, or -1."""
    for row in range(lo, hi):
        action = actions[row]
        if not is_over[row] and (action < 0 or action >= mask.shape[1] or mask[row, action] == 0):
            return row
    return -1


def play_games(
    games, rngs, logs, policy_rngs, seats, kinds, which, params, policies, observations, seen_at,
    reward, player, mask, is_over, points, returns, decisions, lo, hi,
):  # fmt: skip
    """Play the rows ``lo .. hi - 1`` on with compiled policies, until a player who is asked outside decides or the
    game is over.

    Args: seats int8[B, P] policy of each player or ASK; kinds int64[N]; which int64[N] the policy's function among the
          five of ``policies``; params float64[N, K]; observations uint8[P, D] and seen_at int64[P] scratch
    Returns int: a row whose policy gave an illegal action, which is not played, or -1.
    """
    f0, f1, f2, f3, f4 = policies
    for row in range(lo, hi):
        g = games[row]
        for index in range(seen_at.shape[0]):
            seen_at[index] = NEVER
        while not over(g):
            decider = np.int64(g["player"])
            who = np.int64(seats[row, decider])
            if who == ASK:
                break
            legal(g, mask[row])
            rng = policy_rngs[row, decider]
            if kinds[who] == UNIFORM:
                action = choose(rng, mask[row])
            else:
                observation = observations[decider]
                now = quiet_time(g)
                if now != NEVER and now == seen_at[decider]:
                    observe_again(g, decider, observation)
                else:
                    observe(g, decider, observation)
                seen_at[decider] = now
                function = which[who]
                if function == 0:
                    action = f0(observation, mask[row], rng, params[who])
                elif function == 1:
                    action = f1(observation, mask[row], rng, params[who])
                elif function == 2:
                    action = f2(observation, mask[row], rng, params[who])
                elif function == 3:
                    action = f3(observation, mask[row], rng, params[who])
                else:
                    action = f4(observation, mask[row], rng, params[who])
                if action < 0 or action >= mask.shape[1] or mask[row, action] == 0:
                    report(g, row, reward, player, mask, is_over, points, returns)
                    return row
            step(g, rngs[row], logs[row], action)
            decisions[row] += 1
        report(g, row, reward, player, mask, is_over, points, returns)
    return -1


def observe_games(games, rows, players, out, lo, hi):
    """Write into ``out[i]`` what ``players[i]`` may know of game ``rows[i]``, for i in ``lo .. hi - 1``.

    Nobody (-1, who decides when a game is over) sees what player 0 does.
    """
    for index in range(lo, hi):
        observe(games[rows[index]], max(np.int64(players[index]), np.int64(0)), out[index])


def mask_games(games, rows, players, out, lo, hi):
    """Write into ``out[i]`` the mask of ``players[i]`` in game ``rows[i]``: his own space in planning, else only the
    decider's.
    """
    for index in range(lo, hi):
        legal_for(games[rows[index]], np.int64(players[index]), out[index])


def redeal_games(games, rngs, rows, players, seeds, streams, mask, lo, hi):
    """Deal games ``rows[lo:hi]`` anew for their players, each from a random row of its own, which then is its
    future.
    """
    for index in range(lo, hi):
        row = rows[index]
        seed_stream(rngs[row], seeds[index], FIRST_REDEAL + streams[index])
        redeal(games[row], rngs[row], np.int64(players[index]))
        legal(games[row], mask[row])


def check_games(games, codes, lo, hi):
    """Write the code of the first condition each record fails, 0 for none."""
    for row in range(lo, hi):
        codes[row] = check_game(games[row])


def bind_loops(engine: types.ModuleType) -> Loops:
    """Make the loops of the game whose ``engine`` module this is."""
    helper: dict[str, Any] = {"report": bind_rule(report, engine)}
    functions = (
        reset_games,
        step_games,
        find_illegal,
        play_games,
        observe_games,
        mask_games,
        redeal_games,
        check_games,
    )
    return Loops(*(bind(function, engine, **helper) for function in functions))
