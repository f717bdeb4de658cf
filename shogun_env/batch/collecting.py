"""The decisions of whole games as arrays: what players were shown, what was legal, and what they chose.

Compiled policies play, and a compiled loop writes their decisions down, so that learning from games costs little more
than playing them.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.batch.fillers import NEVER
from shogun_env.batch.loops import (
    COMPILED,
    WITH_MEMORY,
    advance,
    call_policy,
    choose_action,
    is_over,
    observation_epoch,
    observe,
    update_observation,
    write_outputs,
)
from shogun_env.batch.policy_table import PolicySpec, policy_tables, whole_table
from shogun_env.batch.serialization import batch_classes
from shogun_env.kernel.jit import LOG_PROB, OWN_VALUE, Functions, Loop, bind_loop, kernel, loop
from shogun_env.kernel.types import Int, Params, Row, Rows

LONGEST = 2048
"""Decisions for which there must be room before a game is begun; no game has so many."""
LEAST_MEMORY = OWN_VALUE + 1
"""How many numbers a memory needs for what is read of it here."""
ROOM = 128
"""Decisions of a player for which memory is laid out to begin with; most games have fewer."""


class Decisions(NamedTuple):
    """Decisions of players, n of them; those of a game stand together, in order."""

    observations: np.ndarray
    """uint8[n, D], what the player was shown."""
    masks: np.ndarray
    """int8[n, A], 1 where an action was legal."""
    actions: np.ndarray
    """int64[n], what the player chose."""
    rows: np.ndarray
    """int64[n], the row of the game."""
    players: np.ndarray
    """int64[n], the player."""
    log_probs: np.ndarray
    """float32[n], logarithm of the probability with which a policy with memory chose the action; 0 for other policies.
    """
    values: np.ndarray
    """float32[n], the share of the win that a policy with memory expected for the player; 0 for other policies."""

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self.actions)


@kernel
def copy_row(source: Row, target: Row) -> None:
    """Copy a row of bytes over another one of the same length."""
    for index in range(target.shape[0]):
        target[index] = source[index]


def collect_games(
    games: Row, rngs: Rows, logs: Rows, policy_rngs: Rows, seats: Rows, kinds: Row, which: Row, params: Rows,
    functions: Functions, planner_of: Row, collected: Row, observations: Rows, epochs: Row, plans: Rows, planned: Row,
    memories: Rows, keepers: Row, shown: Rows, shown_epochs: Row, reward: Int, player: Row, mask: Rows, over: Row,
    points: Rows, returns: Rows, decisions: Row, out_observations: Rows, out_masks: Rows, out_actions: Row,
    out_rows: Row, out_players: Row, out_log_probs: Row, out_values: Row, lo: Int, hi: Int,
) -> Int:  # fmt: skip
    """Play the rows ``lo .. hi - 1`` to their end, as long as there is room for the decisions of another game.

    Args:
        seats .. planner_of, observations .. keepers: as in ``play_games``; every player needs a policy.
        collected: int8[N], 1 for the policies whose decisions are written down.
        shown, shown_epochs: uint8[P, D] and int64[P], scratch: what was written down last for each player.
        out_observations .. out_values: ``Decisions``, with room for n of them.

    Returns: how many decisions were written; -1 if a policy returned an illegal action, which is not played.
    """
    count = 0
    for row in range(lo, hi):
        if over[row]:
            continue
        if out_actions.shape[0] - count < LONGEST:
            break
        g = games[row]
        for index in range(epochs.shape[0]):
            epochs[index] = NEVER
            planned[index] = NEVER
            shown_epochs[index] = NEVER
        while not is_over(g):
            decider = np.int64(g["player"])
            seat = np.int64(seats[row, decider])
            if collected[seat] == 1:
                epoch = observation_epoch(g)
                if epoch != NEVER and epoch == shown_epochs[decider]:
                    update_observation(g, decider, shown[decider])
                else:
                    observe(g, decider, shown[decider])
                shown_epochs[decider] = epoch
                copy_row(shown[decider], out_observations[count])
                copy_row(mask[row], out_masks[count])
            memories[decider, LOG_PROB], memories[decider, OWN_VALUE] = np.float32(0.0), np.float32(0.0)
            action = choose_action(
                g, decider, kinds[seat], which[seat], params[seat], functions, planner_of[seat], observations, epochs,
                plans, planned, memories, keepers, mask[row], policy_rngs[row, decider],
            )  # fmt: skip
            if action < 0 or action >= mask.shape[1] or mask[row, action] == 0:
                write_outputs(g, row, reward, player, over, points, returns)
                return -1
            if collected[seat] == 1:
                out_actions[count], out_rows[count], out_players[count] = action, row, decider
                out_log_probs[count], out_values[count] = memories[decider, LOG_PROB], memories[decider, OWN_VALUE]
                count += 1
            advance(g, rngs[row], logs[row], action, mask[row])
            decisions[row] += 1
        write_outputs(g, row, reward, player, over, points, returns)
    return count


@functools.cache
def _loop_of(game: str) -> Loop:
    batch_class = batch_classes[game]
    return bind_loop(collect_games, game, batch_class.spec.engine.source, batch_class.loops.functions)


def collect(
    batch: Batch, policies: Sequence[PolicySpec], seats: Any = None, collected: Collection[int] | None = None
) -> Decisions:
    """Play all games of a batch to their end and return the decisions of some policies.

    Args:
        batch: the games; those that are over have no decisions.
        policies, seats: as in ``Batch.play``; every player needs a policy, and at most five functions differ.
        collected: indices of the policies whose decisions are returned; None for all.

    Raises: ValueError for bad seats, or if a policy returns an illegal action.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> batch = Batch(2, num_players=3)
        >>> decisions = collect(batch, ["random"], seats=0)
        >>> bool(batch.over.all()), len(decisions) == int(batch.decisions.sum())
        (True, True)
    """
    part = whole_table(policies, seats, batch.num_games, batch.num_players)
    spec, players = batch.spec, batch.num_players
    flags = np.zeros(len(policies), np.int8)
    flags[list(range(len(policies)) if collected is None else collected)] = 1
    loop = _loop_of(spec.name)
    state = (batch.games, batch.rngs, batch.logs, batch.policy_rngs, *part.arguments(), flags)
    pieces: list[Decisions] = []

    def run(lo: int, hi: int, worker: int) -> Decisions:
        room = LONGEST + (hi - lo) * players * ROOM
        out = Decisions(
            observations=np.empty((room, spec.obs_size), np.uint8),
            masks=np.empty((room, spec.n_actions), np.int8),
            actions=np.empty(room, np.int64),
            rows=np.empty(room, np.int64),
            players=np.empty(room, np.int64),
            log_probs=np.empty(room, np.float32),
            values=np.empty(room, np.float32),
        )
        scratch = (
            batch._scratch[worker], batch._epochs[worker], batch._plans[worker], batch._planned[worker],
            *part.new_memory(players, LEAST_MEMORY),
            np.zeros((players, spec.obs_size), np.uint8), np.zeros(players, np.int64),
        )  # fmt: skip
        count = int(loop(*state, *scratch, *batch._outputs(), batch.decisions, *out, lo, hi))
        if count < 0:
            raise ValueError("a policy returned an illegal action")
        return Decisions(*(array[:count] for array in out))

    while not (pieces and batch.over.all()):
        pieces += batch._run_in_threads(loop, batch.num_games, run)
    batch._raise_errors()
    return Decisions(*(np.concatenate(arrays) for arrays in zip(*pieces, strict=True)))


def answer_decisions(
    observations: Rows, masks: Rows, kind: Int, functions: Functions, params: Params, rng: Row, memory: Row,
    keeper: Row, out: Row, lo: Int, hi: Int,
) -> None:  # fmt: skip
    """Write into ``out`` int64[n] what the first policy chooses in the decisions ``lo .. hi - 1``.

    Args: kind: WITH_MEMORY if it is the policy with memory that chooses; memory, keeper: as in ``call_policy``.
    """
    for index in range(lo, hi):
        out[index] = call_policy(kind, 0, functions, observations[index], masks[index], rng, params, memory, keeper)


_answer = loop(answer_decisions)


def answers(decisions: Decisions, policy: Any, seed: int = 0) -> np.ndarray:
    """Return what another bot chooses in the same decisions: int64[n].

    Args:
        decisions: as ``collect`` returns them.
        policy: a compiled policy of a bot; it works out every decision by itself, without whole plans.
        seed: of what it draws.
    """
    part = next(policy_tables([policy], np.zeros((1, 1), np.int8)))
    kind = WITH_MEMORY if part.kinds[0] == WITH_MEMORY else COMPILED
    memories, keepers = part.new_memory(players=1)
    out, rng = np.zeros(len(decisions), np.int64), np.array([seed, 0], np.uint64)
    state = (decisions.observations, decisions.masks, kind, part.functions, part.params[0], rng, memories[0], keepers)
    _answer(*state, out, 0, len(out))
    return out
