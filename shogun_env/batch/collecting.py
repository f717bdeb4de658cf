"""The decisions of whole games as arrays: what players were shown, what was legal, and what they chose.

Compiled policies play, and a compiled loop writes their decisions down, so that learning from games costs little more
than playing them. Other bots may play against them, by ``play_on``.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from shogun_env.batch.arrays import BatchArrays, PlayerScratch, Policies
from shogun_env.batch.batch import Batch
from shogun_env.batch.loops import (
    advance,
    call_policy,
    choose_action,
    copy_row,
    forget_game,
    is_legal,
    look,
    write_outputs,
)
from shogun_env.batch.policy_table import PolicySpec, player_scratch, policy_table
from shogun_env.batch.shared import NEVER, engine, shared
from shogun_env.kernel.jit import LOG_PROB, OWN_VALUE, loop
from shogun_env.kernel.types import Int, Row, Rows
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.options import whole_number

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


class Shown(NamedTuple):
    """Scratch of a thread: what the players of a game were shown last."""

    observations: np.ndarray
    """uint8[P, D]."""
    observed_at: np.ndarray
    """int64[P], the epoch of each, or NEVER."""


@shared(loop)
def collect_games(
    batch: BatchArrays, policies: Policies, is_collected: Row, scratch: PlayerScratch, shown: Shown, out: Decisions,
    lo: Int, hi: Int,
) -> Int:  # fmt: skip
    """Play the rows ``lo .. hi - 1`` on, each to its end or to a player without a policy, while there is room for the
    decisions of another game.

    Args:
        policies: who plays.
        is_collected: int8[N], 1 for the policies whose decisions are written down.
        out: where they are written, with room for n of them.

    Returns: how many decisions were written; -1 if a policy returned an illegal action, which is not played.
    """
    count = 0
    for row in range(lo, hi):
        if batch.over[row]:
            continue
        if out.actions.shape[0] - count < LONGEST:
            break
        g, mask = batch.games[row], batch.legal[row]
        forget_game(scratch)
        shown.observed_at[:] = NEVER
        while g["phase"] != engine.over:
            decider = np.int64(g["player"])
            index = np.int64(policies.seats[row, decider])
            if index < 0:
                break
            if is_collected[index] == 1:
                look(g, decider, engine.observation_epoch(g), shown.observations, shown.observed_at)
                copy_row(shown.observations[decider], out.observations[count])
                copy_row(mask, out.masks[count])  # playing the action overwrites it
            memory = scratch.memories[decider]
            memory[LOG_PROB], memory[OWN_VALUE] = np.float32(0.0), np.float32(0.0)  # other policies leave them alone
            action = choose_action(
                g, decider, policies, index, policies.params[index], scratch, mask, batch.policy_rngs[row, decider]
            )
            if not is_legal(mask, action):
                write_outputs(batch, row)
                return -1
            if is_collected[index] == 1:
                out.actions[count], out.rows[count], out.players[count] = action, row, decider
                out.log_probs[count], out.values[count] = memory[LOG_PROB], memory[OWN_VALUE]
                count += 1
            advance(g, batch.rngs[row], batch.logs[row], action, mask)
            batch.decisions[row] += 1
        write_outputs(batch, row)
    return count


class Collector:
    """Plays games of a batch as ``Batch.play`` does, and keeps the decisions of some policies.

    Args: batch, the games; collected, indices of the policies whose decisions are kept; None for all.
    """

    def __init__(self, batch: Batch, collected: Collection[int] | None = None) -> None:
        self.batch, self.collected = batch, collected
        self._pieces: list[Decisions] = []

    def playing(self, policies: Sequence[PolicySpec], seats: Any = None, is_whole: bool = False) -> Callable[..., None]:
        """Return a function that plays all games on, as that of ``Batch.playing`` does.

        Args: policies, seats: as there; is_whole, whether every player needs a policy.
        Raises: ValueError for bad seats, or one in ``collected`` that is no policy; the function raises it if a policy
            returns an illegal action.
        """
        batch, spec, players = self.batch, self.batch.spec, self.batch.num_players
        table = policy_table(spec, policies, seats, batch.num_games, players, is_whole)
        is_collected = np.zeros(len(policies), np.int8)
        for index in range(len(policies)) if self.collected is None else self.collected:
            is_collected[whole_number("collected", index, 0, len(policies))] = 1
        collecting, arrays, rows = collect_games.of(spec.engine), batch._arrays, np.arange(batch.num_games)

        def run(lo: int, hi: int) -> Decisions:
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
            scratch = player_scratch(spec, players, max(LEAST_MEMORY, table.memory))
            shown = Shown(np.zeros((players, spec.obs_size), np.uint8), np.zeros(players, np.int64))
            count = int(collecting(arrays, table.policies, is_collected, scratch, shown, out, lo, hi))
            if count < 0:
                raise ValueError("a policy returned an illegal action")
            return Decisions(*(array[:count].copy() for array in out))  # the rest is given back

        def play(*_: Any) -> None:
            is_done = False
            while not is_done:
                self._pieces += batch._run_in_threads(collecting, batch.num_games, run)
                is_done = bool((batch.over | (table.policies.seats[rows, batch.player] < 0)).all())
            batch._raise_errors()

        return play

    def decisions(self) -> Decisions:
        """Return what was decided, game after game; ValueError before anything was played."""
        if not self._pieces:
            raise ValueError("no game has been played: call what `playing` returns first")
        together = Decisions(*(np.concatenate(arrays) for arrays in zip(*self._pieces, strict=True)))
        if (np.diff(together.rows) < 0).any():  # they were played on after others had been asked
            order = np.argsort(together.rows, kind="stable")
            return Decisions(*(array[order] for array in together))
        return together


def collect(
    batch: Batch, policies: Sequence[PolicySpec], seats: Any = None, collected: Collection[int] | None = None
) -> Decisions:
    """Play all games of a batch to their end and return the decisions of some policies.

    Args:
        batch: the games; those that are over have no decisions.
        policies, seats: as in ``Batch.play``; every player needs a policy.
        collected: indices of the policies whose decisions are returned; None for all.

    Raises: ValueError for bad seats, or if a policy returns an illegal action.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> batch = Batch(2, num_players=3)
        >>> decisions = collect(batch, ["random"], seats=0)
        >>> bool(batch.over.all()), len(decisions) == int(batch.decisions.sum())
        (True, True)
    """
    collector = Collector(batch, collected)
    collector.playing(policies, seats, is_whole=True)()
    return collector.decisions()


@loop
def answer_decisions(
    observations: Rows, masks: Rows, policies: Policies, rng: Row, scratch: PlayerScratch, out: Row, lo: Int, hi: Int
) -> None:
    """Write into ``out`` int64[n] what the first of ``policies`` chooses in the decisions ``lo .. hi - 1``.

    Args: observations, masks: as in ``Decisions``; rng, scratch: as in ``call_policy``.
    """
    params = policies.params[0]
    for index in range(lo, hi):
        out[index] = call_policy(policies, 0, observations[index], masks[index], rng, params, scratch, 0)


def answers(decisions: Decisions, policy: Any, spec: GameSpec, seed: int = 0) -> np.ndarray:
    """Return what another bot chooses in the same decisions: int64[n].

    Args:
        decisions: as ``collect`` returns them.
        policy: a compiled policy of a bot; it works out every decision by itself, without whole plans.
        spec: of the game.
        seed: of what it draws.
    """
    table = policy_table(spec, [policy], 0, 1, 1)
    out, rng = np.zeros(len(decisions), np.int64), np.array([seed, 0], np.uint64)
    scratch = player_scratch(spec, 1, table.memory)
    answer_decisions(decisions.observations, decisions.masks, table.policies, rng, scratch, out, 0, len(out))
    return out
