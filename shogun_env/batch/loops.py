"""Loops over the rows of a batch that call the engine of a game; written once, bound to each game by ``bind_loops``.

Loops take rows ``lo .. hi - 1`` so that a thread pool can share a batch; they write to the caller's buffers only, one
row per game.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from shogun_env.batch.arrays import ASK, NO_PLANNER, UNIFORM, WITH_MEMORY, BatchArrays, PlayerScratch, Policies, Redeals
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
from shogun_env.kernel.jit import Loop, bind_kernel, bind_loop, inlined_kernel, kernel, policy, unbound
from shogun_env.kernel.log import ERR_NO_ACTION, OK, is_stepwise, log_status
from shogun_env.kernel.rng import choose, seed_stream
from shogun_env.kernel.types import (
    Action,
    Bool,
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
NOTHING = 0
"""The one legal action of a player with nothing to decide."""
GO_ON = 0
"""The one legal action of a game that runs stepwise, while the next phase is one in which nobody decides."""
NO_STAGE = -1
"""In place of a stage: play to the end of the game."""
NO_FAULT = -1
"""What ``play_games`` returns if all is well."""
EMPTY = 0.0
"""The first number of a memory in which nothing is kept."""
FIRST_REDEAL = 1 << 20
"""Number of the first stream for redeals; stream 0 is the game's own, 1 + player that of a player's bot."""

# Placeholders for the functions of a game's engine (``spec.engine.Engine`` says what each does) and for the kernels of
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
advance: Kernel = unbound("advance")
write_outputs: Kernel = unbound("write_outputs")
choose_action: Kernel = unbound("choose_action")
look: Kernel = unbound("look")


@policy
def uniform(observation: Observation, legal: Mask, rng: Rng, params: Params) -> Int:
    """Choose a legal action, each with equal probability."""
    return choose(rng, legal)


def _advance(g: State, rng: Rng, log: Log, action: Action, mask: Mask) -> None:
    """Carry out ``action`` and run on until there are two legal actions or more, or the game is over.

    A decision with one legal action is not put to a player: that action is played here. A game that runs stepwise, as
    its log says, stops also before such a decision and before every phase in which nobody decides; GO_ON, which is then
    the only legal action, runs that phase.

    Args:   g; rng; log; action, legal, or NO_ACTION to start a game; mask int8[A], set to that of the next decision
    Writes: everything; ``error`` if a tape does not fit the game, the log is full, or the state is in a phase that the
            engine does not know or asks for a decision without a legal action. The game then stops.
    """
    stepwise = is_stepwise(log)
    while True:
        decides = action != NO_ACTION and not needs_run(g)
        if decides:
            decide(g, rng, log, action)
        runs = not stepwise or (action != NO_ACTION and not decides)
        while runs and needs_run(g) and g["error"] == OK:
            run(g, rng, log)
            runs = not stepwise
        if log_status(log) != OK:
            g["error"] = log_status(log)
        if stepwise and needs_run(g):
            for index in range(mask.shape[0]):
                mask[index] = index == GO_ON
            return
        count = legal(g, mask)
        if is_over(g) or g["error"] != OK or count > 1 or (stepwise and count == 1):
            return
        if count == 0:
            g["error"] = ERR_NO_ACTION
            return
        action = np.int64(0)
        while mask[action] == 0:
            action += 1


def _write_outputs(batch: BatchArrays, row: Int) -> None:
    """Write the outputs of one game, except for its mask, which ``legal`` writes."""
    g = batch.games[row]
    batch.player[row] = g["player"]
    batch.over[row] = is_over(g)
    for index in range(batch.returns.shape[1]):
        batch.points[row, index] = g["points"][index]
        batch.returns[row, index] = reward_so_far(g, index, batch.reward)


def reset_games(batch: BatchArrays, template: Row, rows: Row, seeds: Row, lo: Int, hi: Int) -> None:
    """Start the games ``rows[lo:hi]`` from ``template`` STATE[1], blank but for its options, with ``seeds[lo:hi]``."""
    for index in range(lo, hi):
        row = rows[index]
        batch.games[row] = template[0]
        batch.decisions[row] = 0
        seed_stream(batch.rngs[row], seeds[index], 0)
        for player in range(batch.policy_rngs.shape[1]):
            seed_stream(batch.policy_rngs[row, player], seeds[index], 1 + player)
        start(batch.games[row], batch.rngs[row], batch.logs[row])
        advance(batch.games[row], batch.rngs[row], batch.logs[row], NO_ACTION, batch.legal[row])
        write_outputs(batch, row)


@kernel
def is_legal(mask: Mask, action: Action) -> Bool:
    """Say whether an action, which may be any number, is legal."""
    return action >= 0 and action < mask.shape[0] and mask[action] == 1


def find_illegal(masks: Rows, skipped: Row, actions: Row, lo: Int, hi: Int) -> Int:
    """Return the first of the rows ``lo .. hi - 1`` that is not skipped and has an illegal action, or -1."""
    for row in range(lo, hi):
        if not skipped[row] and not is_legal(masks[row], actions[row]):
            return row
    return -1


def step_games(batch: BatchArrays, actions: Row, skipped: Row, lo: Int, hi: Int) -> Int:
    """Play ``actions`` int64[B] in those of the rows ``lo .. hi - 1`` that are not skipped, if all of them are legal.

    Args: skipped bool[B]; the games that are over are among them

    Returns: the first row whose action is illegal, and nothing is played then; or -1.
    """
    for row in range(lo, hi):
        if not skipped[row] and not is_legal(batch.legal[row], actions[row]):
            return row
    for row in range(lo, hi):
        if not skipped[row]:
            advance(batch.games[row], batch.rngs[row], batch.logs[row], actions[row], batch.legal[row])
            batch.decisions[row] += 1
            write_outputs(batch, row)
    return -1


def play_round(batch: BatchArrays, actions: Row, masks: Rows, observations: Rows) -> Int:
    """Play in game 0 what all players have chosen, if all of it is legal, and show all of them the game.

    Args: actions int64[P]; masks int8[P, A], those of the players now, overwritten; observations uint8[P, D], written

    Returns: the first player whose action is illegal, and nothing is played then; or -1.
    """
    g, players = batch.games[0], masks.shape[0]
    for player in range(players):
        if not is_legal(masks[player], actions[player]):
            return player
    for player in range(players):
        if not is_legal(masks[player], NOTHING) and g["error"] == OK:
            advance(g, batch.rngs[0], batch.logs[0], actions[player], batch.legal[0])
            batch.decisions[0] += 1
    write_outputs(batch, 0)
    for player in range(players):
        legal_for(g, np.int64(player), masks[player])
        observe(g, np.int64(player), observations[player])
    return -1


@inlined_kernel
def call_policy(
    policies: Policies, index: Int, observation: Observation, mask: Mask, rng: Rng, params: Params, memory: Row,
    keeper: Row,
) -> Action:  # fmt: skip
    """Return what the function of a policy chooses.

    Args:   policies; index of the policy; what policies take; memory float32[M], what is kept for the player; keeper
            int64[1], the policy that keeps it
    Writes: memory, keeper
    """
    function = policies.function_of[index]
    if policies.kinds[index] == WITH_MEMORY:
        if keeper[0] != function:
            memory[0] = EMPTY
            keeper[0] = function
        return policies.functions[2][0](observation, mask, rng, params, memory)
    if function == 0:
        return policies.functions[0][0](observation, mask, rng, params)
    if function == 1:
        return policies.functions[0][1](observation, mask, rng, params)
    if function == 2:
        return policies.functions[0][2](observation, mask, rng, params)
    if function == 3:
        return policies.functions[0][3](observation, mask, rng, params)
    return policies.functions[0][4](observation, mask, rng, params)


def _look(g: State, player: Player, epoch: Int, observations: Rows, observed_at: Row) -> None:
    """Bring what a player sees up to date: the last observation of the same epoch is updated, any other made again.

    Args:   g; player; epoch of g; observations uint8[P, D]; observed_at int64[P], the epochs of the observations
    Writes: the player's row of both
    """
    if epoch != NEVER and epoch == observed_at[player]:
        update_observation(g, player, observations[player])
    else:
        observe(g, player, observations[player])
    observed_at[player] = epoch


def _choose_action(
    g: State, decider: Player, policies: Policies, index: Int, params: Params, scratch: PlayerScratch, mask: Mask,
    rng: Rng,
) -> Action:  # fmt: skip
    """Return what a policy chooses for the player who decides, from their plan if they have one.

    Args:   g; decider; policies; index of the policy; params, its parameters; scratch; mask of the decision; rng
    Writes: the decider's rows of the scratch
    """
    kind = policies.kinds[index]
    if kind == UNIFORM and scratch.planned_at[decider] == NEVER:
        return choose(rng, mask)
    slot = plan_slot(g)
    epoch = observation_epoch(g)
    plan = scratch.plans[decider]
    if slot != NO_SLOT and scratch.planned_at[decider] == epoch and mask[plan[slot]] == 1:
        return plan[slot]
    if kind == UNIFORM:
        return choose(rng, mask)
    look(g, decider, epoch, scratch.observations, scratch.observed_at)
    observation = scratch.observations[decider]
    planner = policies.planner_of[index]
    if slot != NO_SLOT and planner != NO_PLANNER and scratch.planned_at[decider] != epoch:
        if planner == 0:
            policies.functions[1][0](observation, mask, rng, params, plan)
        else:
            policies.functions[1][1](observation, mask, rng, params, plan)
        scratch.planned_at[decider] = epoch
        scratch.observed_at[decider] = NEVER  # the spaces of a plan are played without observing
        if mask[plan[slot]] == 1:
            return plan[slot]
    memory, keeper = scratch.memories[decider], scratch.keepers[decider : decider + 1]
    return call_policy(policies, index, observation, mask, rng, params, memory, keeper)


@kernel
def forget_game(scratch: PlayerScratch) -> None:
    """Mark observations and plans as those of another game."""
    for player in range(scratch.observed_at.shape[0]):
        scratch.observed_at[player] = NEVER
        scratch.planned_at[player] = NEVER


def play_games(batch: BatchArrays, policies: Policies, until: Int, scratch: PlayerScratch, lo: Int, hi: Int) -> Int:
    """Play the rows ``lo .. hi - 1`` on with compiled policies, until the next decision is made outside, a stage is
    complete, or the game is over.

    Args: until: which kind of stage of the engine to stop after, or NO_STAGE.

    Returns: the first row whose policy returned an illegal action, which is not played; or NO_FAULT.
    """
    for row in range(lo, hi):
        g, mask = batch.games[row], batch.legal[row]
        forget_game(scratch)
        complete = stage(g, until)
        while not is_over(g):
            decider = np.int64(g["player"])
            index = np.int64(policies.seats[row, decider])
            if index == ASK or (until != NO_STAGE and stage(g, until) != complete):
                break
            rng = batch.policy_rngs[row, decider]
            if policies.kinds[index] == UNIFORM and scratch.planned_at[decider] == NEVER:
                # As in ``choose_action``, whose call alone takes 20 of 200 ns of a random decision.
                action = choose(rng, mask)
            else:
                action = choose_action(g, decider, policies, index, policies.params[index], scratch, mask, rng)
                if not is_legal(mask, action):
                    write_outputs(batch, row)
                    return row
            advance(g, batch.rngs[row], batch.logs[row], action, mask)
            batch.decisions[row] += 1
        write_outputs(batch, row)
    return NO_FAULT


def show_games(batch: BatchArrays, rows: Row, lo: Int, hi: Int) -> None:
    """Write the outputs of games ``rows[lo:hi]`` again, after their states were changed from outside."""
    for index in range(lo, hi):
        row = rows[index]
        legal(batch.games[row], batch.legal[row])
        write_outputs(batch, row)


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


def redeal_games(batch: BatchArrays, redeals: Redeals, lo: Int, hi: Int) -> None:
    """Redeal the games ``lo .. hi - 1`` of ``redeals``; later chance comes from the same streams."""
    for index in range(lo, hi):
        row = redeals.rows[index]
        g, rng, mask = batch.games[row], batch.rngs[row], batch.legal[row]
        seed_stream(rng, redeals.seeds[index], FIRST_REDEAL + redeals.streams[index])
        redeal(g, rng, np.int64(redeals.players[index]), mask)
        legal(g, mask)


@dataclass(frozen=True)
class Loops:
    """The loops of one game, and the kernel that plays one decision."""

    advance: Kernel
    """``advance(g, rng, log, action, mask)``, see ``_advance``."""
    reset: Loop
    step: Loop
    find_illegal: Loop
    round: Loop
    play: Loop
    show: Loop
    observe: Loop
    masks: Loop
    redeal: Loop
    functions: dict[str, Kernel]
    """What the placeholders of shared loops stand for in this game, by name."""


@functools.cache
def bind_loops(engine: Engine) -> Loops:
    """Return the loops of the games that are played with an engine."""
    game = engine.name
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
        "plan_slot": engine.plan_slot or no_plan_slot,
        "stage": engine.stage or no_stage,
        "rewind": engine.rewind or no_rewind,
        "adopt": engine.adopt or no_adopt,
        "value_features": engine.value_features or no_features,
    }
    for name, function in (
        ("advance", _advance),
        ("look", _look),
        ("choose_action", _choose_action),
        ("write_outputs", _write_outputs),
    ):
        # As a call, which takes many named tuples, it was a third of the time of an observed decision.
        inlined = function is _choose_action
        functions[name] = bind_kernel(function, game, engine.source, functions, inlined)
    return Loops(
        functions=functions,
        advance=functions["advance"],
        reset=bind_loop(reset_games, game, engine.source, functions),
        step=bind_loop(step_games, game, engine.source, functions),
        find_illegal=bind_loop(find_illegal, game, engine.source, functions),
        round=bind_loop(play_round, game, engine.source, functions),
        play=bind_loop(play_games, game, engine.source, functions),
        show=bind_loop(show_games, game, engine.source, functions),
        observe=bind_loop(observe_games, game, engine.source, functions),
        masks=bind_loop(mask_games, game, engine.source, functions),
        redeal=bind_loop(redeal_games, game, engine.source, functions),
    )
