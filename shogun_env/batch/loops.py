"""Loops over the rows of a batch that call the engine of a game; written once, with a copy for each engine.

Loops take rows ``lo .. hi - 1`` so that a thread pool can share a batch; they write to the caller's buffers only, one
row per game.
"""

from typing import Any

import numpy as np

from shogun_env.batch.arrays import ASK, NO_PLANNER, UNIFORM, WITH_MEMORY, BatchArrays, PlayerScratch, Policies, Redeals
from shogun_env.batch.shared import NEVER, NO_SLOT, engine, shared
from shogun_env.kernel.jit import (
    call_memory_policy_at,
    call_planner_at,
    call_policy_at,
    inlined_kernel,
    kernel,
    loop,
    policy,
)
from shogun_env.kernel.log import ERR_NO_ACTION, OK, is_stepwise, log_status
from shogun_env.kernel.rng import choose, seed_stream
from shogun_env.kernel.types import Action, Bool, Int, Log, Mask, Observation, Params, Player, Rng, Row, Rows, State

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


@policy
def uniform(observation: Observation, legal: Mask, rng: Rng, params: Params) -> Int:
    """Choose a legal action, each with equal probability."""
    return choose(rng, legal)


@kernel
def lowest(mask: Mask) -> Int:
    """Return the lowest legal action of a mask."""
    action = np.int64(0)
    while mask[action] == 0:
        action += 1
    return action


@shared(kernel)
def advance(g: State, rng: Rng, log: Log, action: Action, mask: Mask) -> None:
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
        decides = action != NO_ACTION and g["phase"] <= engine.over
        if decides:
            engine.decide(g, rng, log, action)
        runs = not stepwise or (action != NO_ACTION and not decides)
        while runs and g["phase"] > engine.over and g["error"] == OK:
            engine.run(g, rng, log)
            runs = not stepwise
        if log_status(log) != OK:
            g["error"] = log_status(log)
        if stepwise and g["phase"] > engine.over:
            for index in range(mask.shape[0]):
                mask[index] = index == GO_ON
            return
        count = engine.legal(g, mask)
        if g["phase"] == engine.over or g["error"] != OK or count > 1 or (stepwise and count == 1):
            return
        if count == 0:
            g["error"] = ERR_NO_ACTION
            return
        action = lowest(mask)


@shared(kernel)
def write_outputs(batch: BatchArrays, row: Int) -> None:
    """Write the outputs of one game, except for its mask, which ``legal`` writes."""
    g = batch.games[row]
    batch.player[row] = g["player"]
    batch.over[row] = g["phase"] == engine.over
    for index in range(batch.returns.shape[1]):
        batch.points[row, index] = g["points"][index]
        batch.returns[row, index] = engine.reward_so_far(g, index, batch.reward)


@shared(loop)
def reset_games(batch: BatchArrays, template: Row, rows: Row, seeds: Row, lo: Int, hi: Int) -> None:
    """Start the games ``rows[lo:hi]`` from ``template`` STATE[1], blank but for its options, with ``seeds[lo:hi]``."""
    for index in range(lo, hi):
        row = rows[index]
        batch.games[row] = template[0]
        batch.decisions[row] = 0
        seed_stream(batch.rngs[row], seeds[index], 0)
        for player in range(batch.policy_rngs.shape[1]):
            seed_stream(batch.policy_rngs[row, player], seeds[index], 1 + player)
        engine.start(batch.games[row], batch.rngs[row], batch.logs[row])
        advance(batch.games[row], batch.rngs[row], batch.logs[row], NO_ACTION, batch.legal[row])
        write_outputs(batch, row)


@kernel
def is_legal(mask: Mask, action: Action) -> Bool:
    """Say whether an action, which may be any number, is legal."""
    return action >= 0 and action < mask.shape[0] and mask[action] == 1


@loop
def find_illegal(masks: Rows, skipped: Row, actions: Row, lo: Int, hi: Int) -> Int:
    """Return the first of the rows ``lo .. hi - 1`` that is not skipped and has an illegal action, or -1."""
    for row in range(lo, hi):
        if not skipped[row] and not is_legal(masks[row], actions[row]):
            return row
    return -1


@shared(loop)
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


@shared(loop)
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
        engine.legal_for(g, np.int64(player), masks[player])
        engine.observe(g, np.int64(player), observations[player])
    return -1


@kernel
def copy_row(source: Row, target: Row) -> None:
    """Copy numbers of a row over another one, as many as that has."""
    for index in range(target.shape[0]):
        target[index] = source[index]


@inlined_kernel
def lent(
    policies: Policies, index: Int, observation: Observation, mask: Mask, params: Params, scratch: PlayerScratch
) -> Any:
    """Return the observation, the mask and the parameters that a policy is given.

    Whatever a policy of others writes there, the game is judged and shown by what is true. Its parameters end where
    they do, not where those of the policy with the most do.
    """
    if not policies.is_lent[index]:
        return observation, mask, params
    copy_row(observation, scratch.lent_observation)
    copy_row(mask, scratch.lent_mask)
    return scratch.lent_observation, scratch.lent_mask, params[: policies.n_params[index]]


@inlined_kernel
def call_policy(
    policies: Policies, index: Int, observation: Observation, mask: Mask, rng: Rng, params: Params,
    scratch: PlayerScratch, player: Player,
) -> Action:  # fmt: skip
    """Return what the function of a policy chooses.

    Args:   policies; index of the policy; what policies take; scratch; player, whose memory it uses
    Writes: the player's memory and keeper, and what is lent
    """
    function = policies.functions[index]
    given, legal, own = lent(policies, index, observation, mask, params, scratch)
    if policies.kinds[index] != WITH_MEMORY:
        return call_policy_at(function, (given, legal, rng, own))
    memory = scratch.memories[player]
    if scratch.keepers[player] != index:
        memory[0] = EMPTY
        scratch.keepers[player] = index
    return call_memory_policy_at(function, (given, legal, rng, own, memory))


@shared(kernel)
def look(g: State, player: Player, epoch: Int, observations: Rows, observed_at: Row) -> None:
    """Bring what a player sees up to date: the last observation of the same epoch is updated, any other made again.

    Args:   g; player; epoch of g; observations uint8[P, D]; observed_at int64[P], the epochs of the observations
    Writes: the player's row of both
    """
    if epoch != NEVER and epoch == observed_at[player]:
        engine.update_observation(g, player, observations[player])
    else:
        engine.observe(g, player, observations[player])
    observed_at[player] = epoch


@shared(inlined_kernel)
def choose_action(
    g: State, decider: Player, policies: Policies, index: Int, params: Params, scratch: PlayerScratch, mask: Mask,
    rng: Rng,
) -> Action:  # fmt: skip
    """Return what a policy chooses for the player who decides, from their plan if they have one.

    As a call, which takes many named tuples, it was a third of the time of an observed decision.

    Args:   g; decider; policies; index of the policy; params, its parameters; scratch; mask of the decision; rng
    Writes: the decider's rows of the scratch
    """
    kind = policies.kinds[index]
    if kind == UNIFORM and scratch.planned_at[decider] == NEVER:
        return choose(rng, mask)
    slot = engine.plan_slot(g)
    epoch = engine.observation_epoch(g)
    plan = scratch.plans[decider]
    if slot != NO_SLOT and scratch.planned_at[decider] == epoch and is_legal(mask, plan[slot]):
        return plan[slot]
    if kind == UNIFORM:
        return choose(rng, mask)
    look(g, decider, epoch, scratch.observations, scratch.observed_at)
    observation = scratch.observations[decider]
    planner = policies.planners[index]
    if slot != NO_SLOT and planner != NO_PLANNER and scratch.planned_at[decider] != epoch:
        given, legal, own = lent(policies, index, observation, mask, params, scratch)
        call_planner_at(planner, (given, legal, rng, own, plan))
        scratch.planned_at[decider] = epoch
        scratch.observed_at[decider] = NEVER  # the spaces of a plan are played without observing
        if is_legal(mask, plan[slot]):
            return plan[slot]
    return call_policy(policies, index, observation, mask, rng, params, scratch, decider)


@kernel
def forget_game(scratch: PlayerScratch) -> None:
    """Mark observations and plans as those of another game."""
    scratch.observed_at[:] = NEVER
    scratch.planned_at[:] = NEVER


@shared(loop)
def play_games(
    batch: BatchArrays, policies: Policies, until: Int, scratch: PlayerScratch, rows: Row, actions: Row, lo: Int,
    hi: Int,
) -> Int:  # fmt: skip
    """Play the games ``rows[lo:hi]`` on with compiled policies, until the next decision is made outside, a stage is
    complete, or the game is over.

    Args:
        until: which kind of stage of the engine to stop after, or NO_STAGE.
        actions: int64[n], a legal action to begin with in each of the rows, or NO_ACTION.

    Returns: the first row whose policy returned an illegal action, which is not played; or NO_FAULT.
    """
    for index in range(lo, hi):
        row = rows[index]
        g, mask = batch.games[row], batch.legal[row]
        forget_game(scratch)
        complete, action = engine.stage(g, until), actions[index]
        while g["phase"] != engine.over:
            if action == NO_ACTION:
                decider = np.int64(g["player"])
                seat = np.int64(policies.seats[row, decider])
                if seat == ASK or (until != NO_STAGE and engine.stage(g, until) != complete):
                    break
                rng = batch.policy_rngs[row, decider]
                if policies.kinds[seat] == UNIFORM and scratch.planned_at[decider] == NEVER:
                    # As in ``choose_action``, whose call alone takes 20 of 200 ns of a random decision.
                    action = choose(rng, mask)
                else:
                    action = choose_action(g, decider, policies, seat, policies.params[seat], scratch, mask, rng)
                    if not is_legal(mask, action):
                        write_outputs(batch, row)
                        return row
            advance(g, batch.rngs[row], batch.logs[row], action, mask)
            batch.decisions[row] += 1
            action = np.int64(NO_ACTION)
        write_outputs(batch, row)
    return NO_FAULT


@shared(loop)
def show_games(batch: BatchArrays, rows: Row, lo: Int, hi: Int) -> None:
    """Write the outputs of games ``rows[lo:hi]`` again, after their states were changed from outside."""
    for index in range(lo, hi):
        row = rows[index]
        engine.legal(batch.games[row], batch.legal[row])
        write_outputs(batch, row)


@shared(loop)
def observe_games(games: Row, rows: Row, players: Row, out: Rows, lo: Int, hi: Int) -> None:
    """Write into ``out[i]`` what ``players[i]`` may know of game ``rows[i]``, for i in ``lo .. hi - 1``.

    Player -1, who decides in a game that is over, means player 0.
    """
    for index in range(lo, hi):
        engine.observe(games[rows[index]], max(np.int64(players[index]), np.int64(0)), out[index])


@shared(loop)
def mask_games(games: Row, rows: Row, players: Row, out: Rows, lo: Int, hi: Int) -> None:
    """Write into ``out[i]`` the mask of ``players[i]`` in game ``rows[i]``, for i in ``lo .. hi - 1``."""
    for index in range(lo, hi):
        engine.legal_for(games[rows[index]], np.int64(players[index]), out[index])


@shared(loop)
def redeal_games(batch: BatchArrays, redeals: Redeals, lo: Int, hi: Int) -> None:
    """Redeal the games ``lo .. hi - 1`` of ``redeals``; later chance comes from the same streams."""
    for index in range(lo, hi):
        row = redeals.rows[index]
        g, rng, mask = batch.games[row], batch.rngs[row], batch.legal[row]
        seed_stream(rng, redeals.seeds[index], FIRST_REDEAL + redeals.streams[index])
        engine.redeal(g, rng, np.int64(redeals.players[index]), mask)
        engine.legal(g, mask)
