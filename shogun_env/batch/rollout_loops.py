"""The loops of search: redeals in which other players have planned by a policy, rollouts, and features of a value.

They are bound to a game like those of ``loops``, whose placeholders they share. Arguments that both loops take:

    seats int8[R, P], kinds, which, params float64[N, K], functions, planner_of: as in ``play_games``;
    spread: how far the numbers of the other players' policies vary, as the standard deviation of their logarithms;
    those of policies with memory, which are the weights of networks, do not;
    the scratch of a thread: states STATE[3], rngs uint64[3, 2], policy_rngs uint64[2P, 2], logs int16[1, 1],
    masks int8[2, A], observations uint8[P, D], epochs int64[P], plans int64[P, S], planned int64[P],
    memories float32[P, M], keepers int64[P], numbers float64[P, K], features float64[P, F].
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from shogun_env.batch.fillers import NEVER, NO_SLOT
from shogun_env.batch.loops import (
    FIRST_REDEAL,
    NO_ACTION,
    NO_PLANNER,
    NO_STAGE,
    WITH_MEMORY,
    advance,
    choose_action,
    decide,
    is_over,
    legal,
    legal_for,
    observation_epoch,
    plan_slot,
    redeal,
    reward_so_far,
    stage,
)
from shogun_env.kernel.jit import OWN_VALUE, Functions, Loop, bind_kernel, bind_loop, kernel, unbound
from shogun_env.kernel.rng import next_uint64, seed_stream
from shogun_env.kernel.types import Bool, Float, Int, Kernel, Log, Mask, Params, Player, Rng, Row, Rows, State
from shogun_env.spec.engine import Engine

rewind: Kernel = unbound("rewind")
adopt: Kernel = unbound("adopt")
value_features: Kernel = unbound("value_features")
replan: Kernel = unbound("replan")
write_value: Kernel = unbound("write_value")
finish: Kernel = unbound("finish")
prepare: Kernel = unbound("prepare")

SECOND_STREAM = 1
"""The stream after that of a redeal: what the other players' policies draw, and how their numbers vary."""
TO_UNIT = 1.0 / (1 << 16)
SIXTEEN = np.uint64(16)
LOW16 = np.uint64(0xFFFF)


@kernel
def bell(rng: Rng) -> Float:
    """Return a number with mean 0 and standard deviation 1, nearly normal: the sum of four uniform ones.

    Draws:  one
    """
    u = next_uint64(rng)
    total = 0.0
    for _ in range(4):
        total += np.int64(u & LOW16)
        u = u >> SIXTEEN
    return (total * TO_UNIT - 2.0) * math.sqrt(3.0)


@kernel
def vary(rng: Rng, params: Params, spread: Float, out: Params) -> None:
    """Write the numbers of a policy into ``out`` float64[K], each times exp(``spread`` x a normal number)."""
    for index in range(params.shape[0]):
        out[index] = params[index] * math.exp(spread * bell(rng)) if spread > 0.0 else params[index]


@kernel
def lowest(mask: Mask) -> Int:
    """Return the lowest legal action of a mask."""
    action = np.int64(0)
    while mask[action] == 0:
        action += 1
    return action


def _replan(
    states: Row, player: Player, seats: Row, kinds: Row, which: Row, functions: Functions, planner_of: Row, rngs: Rows,
    policy_rngs: Rows, log: Log, mask: Mask, observations: Rows, epochs: Row, plans: Rows, planned: Row,
    memories: Rows, keepers: Row, numbers: Rows,
) -> None:  # fmt: skip
    """Let policies plan for all players but ``player`` in ``states[0]``, as far as that fits what everybody knows.

    They plan in ``states[1]``, a copy that is taken back to the beginning of the planning; nothing is done if no plans
    are hidden.

    Draws:  from ``rngs[1]`` and ``policy_rngs``
    """
    states[1] = states[0]
    h = states[1]
    if not rewind(h):
        return
    while plan_slot(h) != NO_SLOT:
        decider = np.int64(h["player"])
        if legal(h, mask) == 1 or decider == player:
            action = lowest(mask)
        else:
            seat = np.int64(seats[decider])
            action = choose_action(
                h, decider, kinds[seat], which[seat], numbers[decider], functions, planner_of[seat], observations,
                epochs, plans, planned, memories, keepers, mask, policy_rngs[decider],
            )  # fmt: skip
        decide(h, rngs[1], log, action)
    adopt(states[0], h, rngs[1], player, mask)
    epochs[:] = NEVER
    planned[:] = NEVER


def replan_games(
    games: Row, game_rngs: Rows, rows: Row, players: Row, seeds: Row, streams: Row, mask: Rows, seats: Rows,
    kinds: Row, which: Row, params: Rows, functions: Functions, planner_of: Row, spread: Float, states: Row,
    rngs: Rows, policy_rngs: Rows, logs: Rows, masks: Rows, observations: Rows, epochs: Row, plans: Rows, planned: Row,
    memories: Rows, keepers: Row, numbers: Rows, features: Rows, lo: Int, hi: Int,
) -> None:  # fmt: skip
    """Redeal game ``rows[i]`` for ``players[i]`` like ``redeal_games``, and let policies plan for the others."""
    for index in range(lo, hi):
        row, player = rows[index], np.int64(players[index])
        seed_stream(game_rngs[row], seeds[index], FIRST_REDEAL + streams[index])
        redeal(games[row], game_rngs[row], player, mask[row])
        seed_stream(rngs[1], np.int64(next_uint64(game_rngs[row]) >> SIXTEEN), FIRST_REDEAL + SECOND_STREAM)
        states[0] = games[row]
        for other in range(numbers.shape[0]):
            epochs[other] = NEVER
            planned[other] = NEVER
            seat = np.int64(seats[row, other])
            vary(
                rngs[1], params[seat], 0.0 if other == player or kinds[seat] == WITH_MEMORY else spread, numbers[other]
            )
            seed_stream(policy_rngs[other], np.int64(next_uint64(rngs[1]) >> SIXTEEN), 1 + other)
        replan(
            states, player, seats[row], kinds, which, functions, planner_of, rngs, policy_rngs, logs[0], masks[0],
            observations, epochs, plans, planned, memories, keepers, numbers,
        )  # fmt: skip
        games[row] = states[0]
        legal(games[row], mask[row])


def _write_value(g: State, values: Rows, rounds: Int, reward: Int, features: Rows, out: Row) -> None:
    """Write what a state is worth to each player, as a reward.

    With ``values`` float64[S, F] it is that of a softmax over the players' linear scores, by the number of complete
    stages of the kind ``rounds``; without (S = 0) it is the sum of rewards so far.
    """
    n = out.shape[0]
    if values.shape[0] == 0:
        for player in range(n):
            out[player] = reward_so_far(g, player, reward)
        return
    value_features(g, features)
    weights = values[min(stage(g, rounds), np.int64(values.shape[0] - 1))]
    highest = -1e300
    for player in range(n):
        score = 0.0
        for feature in range(weights.shape[0]):
            score += weights[feature] * features[player, feature]
        out[player] = score
        highest = max(highest, score)
    total = 0.0
    for player in range(n):
        out[player] = math.exp(out[player] - highest)
        total += out[player]
    for player in range(n):
        out[player] = (n * out[player] / total - 1.0) / (n - 1)


@kernel
def write_share(share: Float, player: Player, out: Row) -> None:
    """Write a player's share of the win into ``out`` float64[P] as a reward; the others share the rest alike."""
    n = out.shape[0]
    own = (n * share - 1.0) / (n - 1)
    for other in range(n):
        out[other] = own if other == player else -own / (n - 1)


def _finish(
    g: State, rng: Rng, log: Log, seats: Row, kinds: Row, which: Row, functions: Functions, planner_of: Row,
    until: Int, complete: Int, own_value: Bool, policy_rngs: Rows, mask: Mask, observations: Rows, epochs: Row,
    plans: Rows, planned: Row, memories: Rows, keepers: Row, numbers: Rows,
) -> None:  # fmt: skip
    """Play a game on until more than ``complete`` stages of the kind ``until`` are complete, or it is over.

    Args: own_value, whether it also goes on to the beginning of a planning, where a network can be asked.
    """
    while not is_over(g) and (
        until == NO_STAGE or stage(g, until) == complete or (own_value and plan_slot(g) == NO_SLOT)
    ):
        decider = np.int64(g["player"])
        seat = np.int64(seats[decider])
        action = choose_action(
            g, decider, kinds[seat], which[seat], numbers[decider], functions, planner_of[seat], observations, epochs,
            plans, planned, memories, keepers, mask, policy_rngs[decider],
        )  # fmt: skip
        if action < 0 or action >= mask.shape[0] or mask[action] == 0:
            action = lowest(mask)
        advance(g, rng, log, action, mask)


@kernel
def save_rows(rngs: Rows, source: Int, target: Int) -> None:
    """Copy one half of ``rngs`` uint64[2P, 2], which begins at row ``source``, over the half at row ``target``."""
    for index in range(rngs.shape[0] // 2):
        rngs[target + index, 0] = rngs[source + index, 0]
        rngs[target + index, 1] = rngs[source + index, 1]


def _prepare(
    states: Row, player: Player, seed: Int, is_plan: Bool, seats: Row, kinds: Row, which: Row, params: Rows,
    functions: Functions, planner_of: Row, spread: Float, rngs: Rows, policy_rngs: Rows, log: Log, mask: Mask,
    observations: Rows, epochs: Row, plans: Rows, planned: Row, memories: Rows, keepers: Row, numbers: Rows,
) -> None:  # fmt: skip
    """Redeal ``states[0]`` for ``player`` and let policies plan for the others, all from ``seed``.

    Nothing here depends on what is forced in a rollout, so the candidates of a decision share it.

    Args: is_plan, whether a whole plan is forced: the planning then starts again, with the plans of those players who
        have a planner in ``plans``; else hidden plans are replaced in the state.
    """
    g = states[0]
    seed_stream(rngs[0], seed, FIRST_REDEAL)
    seed_stream(rngs[1], seed, FIRST_REDEAL + SECOND_STREAM)
    for other in range(numbers.shape[0]):
        epochs[other] = NEVER
        planned[other] = NEVER
        seed_stream(policy_rngs[other], seed, 1 + other)
        seat = np.int64(seats[other])
        vary(rngs[1], params[seat], 0.0 if other == player or kinds[seat] == WITH_MEMORY else spread, numbers[other])
    redeal(g, rngs[0], player, mask)
    if not is_plan:
        replan(
            states, player, seats, kinds, which, functions, planner_of, rngs, policy_rngs, log, mask, observations,
            epochs, plans, planned, memories, keepers, numbers,
        )  # fmt: skip
        return
    rewind(g)
    for other in range(numbers.shape[0]):
        seat = np.int64(seats[other])
        if other != player and planner_of[seat] != NO_PLANNER:
            legal_for(g, other, mask)
            choose_action(
                g, other, kinds[seat], which[seat], numbers[other], functions, planner_of[seat], observations, epochs,
                plans, planned, memories, keepers, mask, policy_rngs[other],
            )  # fmt: skip


def roll_out_games(
    roots: Row, root_of: Row, players: Row, seeds: Row, actions: Row, whole_plans: Rows, until: Int, rounds: Int,
    reward: Int, values: Rows, own_value: Bool, out: Rows, seats: Rows, kinds: Row, which: Row, params: Rows,
    functions: Functions, planner_of: Row, spread: Float, states: Row, rngs: Rows, policy_rngs: Rows,
    logs: Rows, masks: Rows, observations: Rows, epochs: Row, plans: Rows, planned: Row, memories: Rows, keepers: Row,
    numbers: Rows, features: Rows, lo: Int, hi: Int,
) -> None:  # fmt: skip
    """Write into ``out[i]`` float64[P] what rollout i is worth to each player, for i in ``lo .. hi - 1``.

    A rollout copies a root, redeals it for the player who decides there, lets policies plan for the others, forces an
    action or a whole plan, and plays on to the end of a stage. What rollouts in a row with the same root and seed have
    in common is done once.

    Args:
        roots: STATE[R], positions between decisions.
        root_of: int64[n], the root of each rollout.
        players: int64[R], for whom each root is redealt.
        seeds: int64[n], of chance and of the other players; equal seeds make rollouts of a root comparable.
        actions: int64[n], the action forced first, or NO_ACTION.
        whole_plans: int64[n, S], the plan forced on the player, cards that are laid already included; a first entry of
            NO_ACTION means none.
        until: the kind of stage that a rollout ends after, or NO_STAGE.
        rounds, reward, values: see ``_write_value``.
        own_value: whether a rollout goes on to the beginning of a planning, and the policy with memory of the player at
            the root says what it is worth.
    """
    last = np.int64(-1)  # the rollout whose root is still prepared
    for index in range(lo, hi):
        root, is_plan = root_of[index], whole_plans[index, 0] != NO_ACTION
        player = np.int64(players[root])
        g, rng, mask = states[0], rngs[0], masks[0]
        if (
            last < 0
            or root_of[last] != root
            or seeds[last] != seeds[index]
            or (whole_plans[last, 0] != NO_ACTION) != is_plan
        ):
            states[0] = roots[root]
            prepare(
                states, player, seeds[index], is_plan, seats[root], kinds, which, params, functions, planner_of,
                spread, rngs, policy_rngs, logs[0], masks[1], observations, epochs, plans, planned, memories, keepers,
                numbers,
            )  # fmt: skip
            states[2] = states[0]
            rngs[2, 0], rngs[2, 1] = rng[0], rng[1]
            save_rows(policy_rngs, 0, numbers.shape[0])
        else:
            states[0] = states[2]
            rng[0], rng[1] = rngs[2, 0], rngs[2, 1]
            save_rows(policy_rngs, numbers.shape[0], 0)
        begin = observation_epoch(g)
        for other in range(numbers.shape[0]):
            epochs[other] = NEVER
            if not is_plan:
                planned[other] = NEVER
        if is_plan:
            planned[player] = begin
            for slot in range(plans.shape[1]):
                plans[player, slot] = whole_plans[index, slot]
        complete = stage(g, until)
        if actions[index] != NO_ACTION:
            advance(g, rng, logs[0], actions[index], mask)
        elif legal(g, mask) == 1:
            advance(g, rng, logs[0], lowest(mask), mask)
        finish(
            g, rng, logs[0], seats[root], kinds, which, functions, planner_of, until, complete, own_value, policy_rngs,
            mask, observations, epochs, plans, planned, memories, keepers, numbers,
        )  # fmt: skip
        if own_value and not is_over(g):
            seat = np.int64(seats[root, player])
            legal_for(g, player, mask)
            choose_action(
                g, player, kinds[seat], which[seat], numbers[player], functions, planner_of[seat], observations,
                epochs, plans, planned, memories, keepers, mask, policy_rngs[player],
            )  # fmt: skip
            write_share(np.float64(memories[player, OWN_VALUE]), player, out[index])
        else:
            write_value(g, values, rounds, reward, features, out[index])
        last = index
        for other in range(numbers.shape[0]):  # plans made for a later round have replaced those of the root
            if is_plan and planned[other] != begin and planned[other] != NEVER:
                last = np.int64(-1)


def value_games(games: Row, out: Rows, lo: Int, hi: Int) -> None:
    """Write the features of the value of each state into ``out`` float64[B, P, F]."""
    for row in range(lo, hi):
        value_features(games[row], out[row])


@dataclass(frozen=True, kw_only=True)
class RolloutLoops:
    """The loops of search of one game."""

    replan: Loop
    roll_out: Loop
    value: Loop


def bind_rollout_loops(game: str, engine: Engine, functions: Mapping[str, Kernel]) -> RolloutLoops:
    """Return the loops of search of a game; ``functions`` are those of its ``Loops``."""
    own = dict(functions)
    for name, function in (
        ("replan", _replan),
        ("write_value", _write_value),
        ("finish", _finish),
        ("prepare", _prepare),
    ):
        own[name] = bind_kernel(function, game, engine.source, own)
    return RolloutLoops(
        replan=bind_loop(replan_games, game, engine.source, own),
        roll_out=bind_loop(roll_out_games, game, engine.source, own),
        value=bind_loop(value_games, game, engine.source, own),
    )
