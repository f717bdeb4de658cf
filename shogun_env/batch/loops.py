"""Loops over the rows of a batch that call the engine of a game; written once, bound to each game by ``bind_loops``.

Loops take rows ``lo .. hi - 1`` so that a thread pool can share a batch; they write to the caller's buffers only, one
row per game. Arguments that many loops take:

    games STATE[B], rngs uint64[B, 2], logs int16[B, L], policy_rngs uint64[B, P, 2]: read and written;
    reward: number of the reward that is summed up in ``returns``;
    player int8[B], mask int8[B, A], over bool[B], points int16[B, P], returns float32[B, P]: the outputs of the batch;
    decisions int64[B]: decisions made, counted up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shogun_env.batch.fillers import (
    NEVER,
    NO_SLOT,
    no_adopt,
    no_epoch,
    no_features,
    no_plan_slot,
    no_rewind,
    no_stage,
    no_update,
)
from shogun_env.kernel.jit import (
    Functions,
    Loop,
    bind_kernel,
    bind_loop,
    kernel,
    policy,
    unbound,
)
from shogun_env.kernel.log import ERR_NO_ACTION, OK, log_status
from shogun_env.kernel.rng import choose, seed_stream
from shogun_env.kernel.types import (
    Action,
    Int,
    Kernel,
    Log,
    Mask,
    Observation,
    Params,
    Player,
    Rng,
    Row,
    Rows,
    State,
)
from shogun_env.spec.engine import Engine

NO_ACTION = -1
ASK = -1
"""In ``seats``: this player's decisions are made outside; ``play_games`` stops at them."""
NO_PLANNER = -1
EMPTY, NOBODY = 0.0, -1
"""The first number of a memory in which nothing is kept, and the keeper of one that nobody has used."""
NO_STAGE = -1
"""In place of a stage: play to the end of the game."""
UNIFORM, COMPILED, WITH_MEMORY = 0, 1, 2
"""Kinds of policies: the built-in uniformly random one, which needs no observation; a compiled function; or one that
keeps in memory what it has worked out for the player's last decision."""
FIRST_REDEAL = 1 << 20
"""Number of the first stream for redeals; stream 0 is the game's own, 1 + player that of a player's bot."""

# Placeholders for the functions of a game's engine (``spec.engine.Engine`` says what each does) and for two kernels of
# this module that call them; ``bind_loops`` replaces them by the game's own.
start: Kernel = unbound("start")
decide: Kernel = unbound("decide")
needs_run: Kernel = unbound("needs_run")
run: Kernel = unbound("run")
legal: Kernel = unbound("legal")
legal_for: Kernel = unbound("legal_for")
is_over: Kernel = unbound("is_over")
observe: Kernel = unbound("observe")
update_observation: Kernel = unbound("update_observation")
observation_epoch: Kernel = unbound("observation_epoch")
redeal: Kernel = unbound("redeal")
plan_slot: Kernel = unbound("plan_slot")
stage: Kernel = unbound("stage")
reward_so_far: Kernel = unbound("reward_so_far")
check_game: Kernel = unbound("check_game")
advance: Kernel = unbound("advance")
write_outputs: Kernel = unbound("write_outputs")
choose_action: Kernel = unbound("choose_action")


@policy
def uniform(observation: Observation, legal: Mask, rng: Rng, params: Params) -> Int:
    """Choose a legal action, each with equal probability."""
    return choose(rng, legal)


def _advance(g: State, rng: Rng, log: Log, action: Action, mask: Mask) -> None:
    """Carry out ``action`` and run on until there are two legal actions or more, or the game is over.

    A decision with one legal action is not put to a player: that action is played here.

    Args:   g; rng; log; action, legal, or NO_ACTION to start a game; mask int8[A], set to that of the next decision
    Writes: everything; ``error`` if a tape does not fit the game, the log is full, or the state is in a phase that the
            engine does not know or asks for a decision without a legal action. The game then stops.
    """
    while True:
        if action != NO_ACTION:
            decide(g, rng, log, action)
        while needs_run(g) and g["error"] == OK:
            run(g, rng, log)
        if log_status(log) != OK:
            g["error"] = log_status(log)
        count = legal(g, mask)
        if is_over(g) or g["error"] != OK or count > 1:
            return
        if count == 0:
            g["error"] = ERR_NO_ACTION
            return
        action = np.int64(0)
        while mask[action] == 0:
            action += 1


def _write_outputs(g: State, row: Int, reward: Int, player: Row, over: Row, points: Rows, returns: Rows) -> None:
    """Write the outputs of one game, except for its mask, which ``legal`` writes."""
    player[row] = g["player"]
    over[row] = is_over(g)
    for index in range(returns.shape[1]):
        points[row, index] = g["points"][index]
        returns[row, index] = reward_so_far(g, index, reward)


def reset_games(
    games: Row, rngs: Rows, logs: Rows, policy_rngs: Rows, template: Row, rows: Row, seeds: Row, reward: Int,
    player: Row, mask: Rows, over: Row, points: Rows, returns: Rows, decisions: Row, lo: Int, hi: Int,
) -> None:  # fmt: skip
    """Start the games ``rows[lo:hi]`` from ``template`` STATE[1], blank but for its options, with ``seeds[lo:hi]``."""
    for index in range(lo, hi):
        row = rows[index]
        games[row] = template[0]
        decisions[row] = 0
        seed_stream(rngs[row], seeds[index], 0)
        for player_index in range(policy_rngs.shape[1]):
            seed_stream(policy_rngs[row, player_index], seeds[index], 1 + player_index)
        start(games[row], rngs[row], logs[row])
        advance(games[row], rngs[row], logs[row], NO_ACTION, mask[row])
        write_outputs(games[row], row, reward, player, over, points, returns)


def step_games(
    games: Row, rngs: Rows, logs: Rows, actions: Row, reward: Int, player: Row, mask: Rows, over: Row, points: Rows,
    returns: Rows, decisions: Row, lo: Int, hi: Int,
) -> None:  # fmt: skip
    """Play ``actions`` int64[B], which must be legal, in those of the rows ``lo .. hi - 1`` that are not over."""
    for row in range(lo, hi):
        if not over[row]:
            advance(games[row], rngs[row], logs[row], actions[row], mask[row])
            decisions[row] += 1
            write_outputs(games[row], row, reward, player, over, points, returns)


def find_illegal(mask: Rows, over: Row, actions: Row, lo: Int, hi: Int) -> Int:
    """Return the first of the rows ``lo .. hi - 1`` whose action is illegal, or -1."""
    for row in range(lo, hi):
        action = actions[row]
        if not over[row] and (action < 0 or action >= mask.shape[1] or mask[row, action] == 0):
            return row
    return -1


@kernel
def call_policy(
    kind: Int, function: Int, functions: Functions, observation: Observation, mask: Mask, rng: Rng, params: Params,
    memory: Row, keeper: Row,
) -> Action:  # fmt: skip
    """Return what the function of a policy chooses.

    Args:   kind, function: of the policy; functions; what policies take; memory float32[M], what is kept for the
            player; keeper int64[1], the policy that keeps it
    Writes: memory, keeper
    """
    if kind == WITH_MEMORY:
        if keeper[0] != function:
            memory[0] = EMPTY
            keeper[0] = function
        return functions[2][0](observation, mask, rng, params, memory)
    if function == 0:
        return functions[0][0](observation, mask, rng, params)
    if function == 1:
        return functions[0][1](observation, mask, rng, params)
    if function == 2:
        return functions[0][2](observation, mask, rng, params)
    if function == 3:
        return functions[0][3](observation, mask, rng, params)
    return functions[0][4](observation, mask, rng, params)


def _choose_action(
    g: State, decider: Player, kind: Int, function: Int, params: Params, functions: Functions, planner_index: Int,
    observations: Rows, epochs: Row, plans: Rows, planned: Row, memories: Rows, keepers: Row, mask: Mask, rng: Rng,
) -> Action:  # fmt: skip
    """Return what a policy chooses for the player who decides, from their plan if they have one.

    Args:   kind, function, params, planner_index: of the policy; the rest as in ``play_games``
    Writes: the decider's rows of ``observations``, ``epochs``, ``plans``, ``planned``, ``memories`` and ``keepers``
    """
    if kind == UNIFORM and planned[decider] == NEVER:
        return choose(rng, mask)
    slot = plan_slot(g)
    epoch = observation_epoch(g)
    if slot != NO_SLOT and planned[decider] == epoch and mask[plans[decider, slot]] == 1:
        return plans[decider, slot]
    if kind == UNIFORM:
        return choose(rng, mask)
    observation = observations[decider]
    if epoch != NEVER and epoch == epochs[decider]:
        update_observation(g, decider, observation)
    else:
        observe(g, decider, observation)
    epochs[decider] = epoch
    if slot != NO_SLOT and planner_index != NO_PLANNER and planned[decider] != epoch:
        if planner_index == 0:
            functions[1][0](observation, mask, rng, params, plans[decider])
        else:
            functions[1][1](observation, mask, rng, params, plans[decider])
        planned[decider] = epoch
        epochs[decider] = NEVER  # the spaces of a plan are played without observing
        if mask[plans[decider, slot]] == 1:
            return plans[decider, slot]
    return call_policy(
        kind, function, functions, observation, mask, rng, params, memories[decider], keepers[decider : decider + 1]
    )


def play_games(
    games: Row, rngs: Rows, logs: Rows, policy_rngs: Rows, seats: Rows, kinds: Row, which: Row, params: Rows,
    functions: Functions, planner_of: Row, until: Int, observations: Rows, epochs: Row, plans: Rows, planned: Row,
    memories: Rows, keepers: Row, reward: Int, player: Row, mask: Rows, over: Row, points: Rows, returns: Rows,
    decisions: Row, lo: Int, hi: Int,
) -> Int:  # fmt: skip
    """Play the rows ``lo .. hi - 1`` on with compiled policies, until the next decision is made outside, a stage is
    complete, or the game is over.

    Args:
        seats: int8[B, P], the policy 0..N-1 that plays each player, or ASK.
        kinds: int64[N], UNIFORM, COMPILED or WITH_MEMORY.
        which: int64[N], index of the function of each policy; of one with memory its own number.
        params: float64[N, K], parameters of each policy.
        functions: policies, planners, and the policy with memory.
        planner_of: int64[N], index of the planner of each policy, or NO_PLANNER.
        until: which kind of stage of the engine to stop after, or NO_STAGE.
        observations, epochs: uint8[P, D] and int64[P], scratch: the last observation of each player and its epoch.
        plans, planned: int64[P, S] and int64[P], scratch: the plan of each player and its epoch.
        memories, keepers: float32[P, M] and int64[P], scratch: what a policy with memory keeps for each player, and
            the number of that policy.

    Returns: the first row whose policy returned an illegal action, which is not played, or -1.
    """
    for row in range(lo, hi):
        g = games[row]
        for index in range(epochs.shape[0]):
            epochs[index] = NEVER
            planned[index] = NEVER
        complete = stage(g, until)
        while not is_over(g):
            decider = np.int64(g["player"])
            seat = np.int64(seats[row, decider])
            if seat == ASK or (until != NO_STAGE and stage(g, until) != complete):
                break
            action = choose_action(
                g, decider, kinds[seat], which[seat], params[seat], functions, planner_of[seat], observations, epochs,
                plans, planned, memories, keepers, mask[row], policy_rngs[row, decider],
            )  # fmt: skip
            if action < 0 or action >= mask.shape[1] or mask[row, action] == 0:
                write_outputs(g, row, reward, player, over, points, returns)
                return row
            advance(g, rngs[row], logs[row], action, mask[row])
            decisions[row] += 1
        write_outputs(g, row, reward, player, over, points, returns)
    return -1


def show_games(
    games: Row,
    rows: Row,
    reward: Int,
    player: Row,
    mask: Rows,
    over: Row,
    points: Rows,
    returns: Rows,
    lo: Int,
    hi: Int,
) -> None:
    """Write the outputs of games ``rows[lo:hi]`` again, after their states were changed from outside."""
    for index in range(lo, hi):
        row = rows[index]
        legal(games[row], mask[row])
        write_outputs(games[row], row, reward, player, over, points, returns)


def observe_games(games: Row, rows: Row, players: Row, out: Rows, lo: Int, hi: Int) -> None:
    """Write into ``out[i]`` what ``players[i]`` may know of game ``rows[i]``, for i in ``lo .. hi - 1``.

    Player -1, who decides in a game that is over, means player 0.
    """
    for index in range(lo, hi):
        observe(games[rows[index]], max(np.int64(players[index]), np.int64(0)), out[index])


def mask_games(games: Row, rows: Row, players: Row, out: Rows, lo: Int, hi: Int) -> None:
    """Write into ``out[i]`` the mask of ``players[i]`` in game ``rows[i]``, for i in ``lo .. hi - 1``."""
    for index in range(lo, hi):
        legal_for(games[rows[index]], np.int64(players[index]), out[index])


def redeal_games(
    games: Row, rngs: Rows, rows: Row, players: Row, seeds: Row, streams: Row, mask: Rows, lo: Int, hi: Int
) -> None:
    """Redeal game ``rows[i]`` for ``players[i]`` from stream ``streams[i]`` of ``seeds[i]``, for i in ``lo .. hi - 1``.

    Later chance comes from the same stream.
    """
    for index in range(lo, hi):
        row = rows[index]
        seed_stream(rngs[row], seeds[index], FIRST_REDEAL + streams[index])
        redeal(games[row], rngs[row], np.int64(players[index]), mask[row])
        legal(games[row], mask[row])


def check_games(games: Row, codes: Row, scratch: Rows, lo: Int, hi: Int) -> None:
    """Write into ``codes`` what ``check_game`` returns for each state; ``scratch`` int8[1, A] holds masks."""
    for row in range(lo, hi):
        codes[row] = check_game(games[row], scratch[0])


@dataclass(frozen=True)
class Loops:
    """The loops of one game, and the kernel that plays one decision."""

    advance: Kernel
    """``advance(g, rng, log, action, mask)``, see ``_advance``."""
    reset: Loop
    step: Loop
    find_illegal: Loop
    play: Loop
    show: Loop
    observe: Loop
    masks: Loop
    redeal: Loop
    check: Loop
    functions: dict[str, Kernel]
    """What the placeholders of shared loops stand for in this game, by name."""


def bind_loops(game: str, engine: Engine) -> Loops:
    """Return the loops of the game with the short name ``game`` and the functions ``engine``."""
    functions = {
        "start": engine.start,
        "decide": engine.decide,
        "needs_run": engine.needs_run,
        "run": engine.run,
        "legal": engine.legal,
        "legal_for": engine.legal_for,
        "is_over": engine.is_over,
        "observe": engine.observe,
        "update_observation": engine.update_observation or no_update,
        "observation_epoch": engine.observation_epoch or no_epoch,
        "redeal": engine.redeal,
        "reward_so_far": engine.reward_so_far,
        "check_game": engine.check_game,
        "plan_slot": engine.plan_slot or no_plan_slot,
        "stage": engine.stage or no_stage,
        "rewind": engine.rewind or no_rewind,
        "adopt": engine.adopt or no_adopt,
        "value_features": engine.value_features or no_features,
    }
    functions["advance"] = bind_kernel(_advance, game, engine.source, functions)
    functions["choose_action"] = bind_kernel(_choose_action, game, engine.source, functions)
    functions["write_outputs"] = bind_kernel(_write_outputs, game, engine.source, functions)
    return Loops(
        functions=functions,
        advance=functions["advance"],
        reset=bind_loop(reset_games, game, engine.source, functions),
        step=bind_loop(step_games, game, engine.source, functions),
        find_illegal=bind_loop(find_illegal, game, engine.source, functions),
        play=bind_loop(play_games, game, engine.source, functions),
        show=bind_loop(show_games, game, engine.source, functions),
        observe=bind_loop(observe_games, game, engine.source, functions),
        masks=bind_loop(mask_games, game, engine.source, functions),
        redeal=bind_loop(redeal_games, game, engine.source, functions),
        check=bind_loop(check_games, game, engine.source, functions),
    )
