"""``Batch``: many games of one kind, reset, stepped, observed, redealt, kept, and played whole by compiled bots."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from shogun_env.batch.policy_table import PolicySpec, policy_tables, seat_table
from shogun_env.batch.rows import Rows
from shogun_env.batch.serialization import SavedBatch, check_logs, to_bytes
from shogun_env.batch.validation import MAX_SEED, actions_of, players_of, rows_of, seeds_of
from shogun_env.kernel.log import HEAD, entries, set_tape
from shogun_env.spec.position import state_from_text, text_from_state

PLAYER_STEP = np.uint64(0xD1342543DE82EF95)
"""Separates the keys of the players' random rows in a redealt game: odd, no small multiple of the counter's step."""


def complete_lines(lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines that a game's record format yields, without the last one if the log ends inside it."""
    result = []
    with contextlib.suppress(EOFError):
        for line in lines:
            result.append(line)  # noqa: PERF402 - those made before the log ends are kept
    return result


class Batch(Rows):
    """A batch of games of one kind.

    Args:
        num_games: rows B.
        reward: what ``returns`` sums up; one of the game's rewards.
        seed: game i has seed ``seed + i``.
        num_threads: threads that share the rows of a call.
        record: keep a log of every game (64 kB per game), for ``records``.
        options: options that change play, see the game.

    Attributes, all overwritten in place by every call:
        player: int8[B], who decides; -1 when over.
        legal: int8[B, A], mask of that decision; action 0 alone in rows that are over.
        over: bool[B].
        returns: float32[B, P], rewards summed since the reset.
        points: int16[B, P].
        decisions: int64[B], decisions made since the reset; forced ones are nobody's and not counted.
        seeds: int64[B].
        games: the states, of the game's ``STATE`` dtype.
        rngs: uint64[B, 2], the random rows of the games; policy_rngs: uint64[B, P, 2], those of their players' bots.

    Results depend on each game's seed and actions only, never on batch size, row or number of threads.

    Raises: OptionError (a ValueError) for bad options.
    """

    # --- games -------------------------------------------------------------------------------------------------------

    @property
    def phase(self) -> np.ndarray:
        """What is decided, int8[B]: numbers of ``spec.phase_names``."""
        phases: np.ndarray = self.games["phase"]
        return phases

    def reset(
        self, which: Any = None, seeds: Any = None, tapes: Mapping[int, Sequence[tuple[int, int]]] | None = None
    ) -> None:
        """Start new games.

        Args:
            which: bool[B], or indices of rows; None for all.
            seeds: int[n] seeds below 2^53 for those rows; None adds ``num_games`` to each row's seed, so that no two
                games of a run share one.
            tapes: for each row the chance outcomes to come, as the game's ``Script`` makes them (needs
                ``record=True``).

        Raises: ValueError for rows or seeds out of range; nothing is changed then.
        """
        rows = rows_of(which, self.num_games)
        next_seeds = (self.seeds[rows] + self.num_games) % MAX_SEED if seeds is None else seeds_of(seeds, len(rows))
        if tapes and not self.record:
            raise ValueError("tapes need a batch made with record=True")
        if self.record:
            self.logs[rows, :HEAD] = 0
            for row, tape in (tapes or {}).items():
                set_tape(self.logs[row], tape)
        self.seeds[rows] = next_seeds
        loop = self.loops.reset
        state = (self.games, self.rngs, self.logs, self.policy_rngs, self._blank, rows, next_seeds)
        outputs = (*self._outputs(), self.decisions)
        self._run_in_threads(loop, len(rows), lambda lo, hi, _: loop(*state, *outputs, lo, hi))
        self._raise_errors()

    def step(self, actions: Any, rows: Any = None) -> None:
        """Play one decision in every game that is not over, or in ``rows`` only.

        Args:
            actions: int[B]; entries of rows that are over are ignored. With ``rows`` one for each of them.
            rows: bool[B] or indices; the games of other rows are left alone.

        Raises: ValueError naming row, decision and action if one is illegal; nothing is changed then.
        """
        if rows is None:
            self._step(actions_of(actions, self.num_games), self.over)
            return
        # The loops skip all other rows as if they were over.
        which = rows_of(rows, self.num_games)
        chosen = np.zeros(self.num_games, np.int64)
        chosen[which] = actions_of(actions, len(which))
        skipped = np.ones(self.num_games, np.bool_)
        skipped[which] = self.over[which]
        self._step(chosen, skipped)
        self.over[which] = skipped[which]

    def _step(self, chosen: np.ndarray, skipped: np.ndarray) -> None:
        """Step the rows not in ``skipped`` bool[B], which then says which of them are over."""
        bad = self.loops.find_illegal(self.legal, skipped, chosen, 0, self.num_games)
        if bad >= 0:
            raise ValueError(f"row {int(bad)}: {self.why_illegal(int(bad), int(chosen[bad]))}")
        loop = self.loops.step
        reward, player, legal, _, *rest = self._outputs()
        state = (self.games, self.rngs, self.logs, chosen, reward, player, legal, skipped, *rest, self.decisions)
        self._run_in_threads(loop, self.num_games, lambda lo, hi, _: loop(*state, lo, hi))
        self._raise_errors()

    def why_illegal(self, row: int, action: int) -> str:
        """Return in one line which decision an illegal action was meant for, and which actions are legal."""
        name = self.spec.action_name
        words = name(action) if 0 <= action < self.spec.n_actions else "no such action"
        legal = ", ".join(f"{a} {name(a)}" for a in np.flatnonzero(self.legal[row]).tolist())
        phase = self.spec.phase_names[int(self.phase[row])]
        who = f"player {int(self.player[row])} decides {phase}"
        return f"{who}; action {action} ({words}) is illegal; legal are {legal}"

    def refresh(self, rows: Any = None) -> None:
        """Write the outputs (``player``, ``legal``, …) again after ``games`` were changed by hand.

        Raises: ValueError naming the first row whose state is not valid between decisions; nothing is changed then.
        """
        which = rows_of(rows, self.num_games)
        codes = self.check()[which]
        if codes.any():
            first = int(np.flatnonzero(codes)[0])
            raise ValueError(f"row {int(which[first])}: {self.spec.check_messages[int(codes[first])]}")
        loop = self.loops.show
        self._run_in_threads(loop, len(which), lambda lo, hi, _: loop(self.games, which, *self._outputs(), lo, hi))

    def check(self) -> np.ndarray:
        """Return int64[B]: 0 for a state that is valid between decisions, else a key of ``spec.check_messages``."""
        codes = np.zeros(self.num_games, np.int64)
        scratch = np.zeros((1, self.spec.n_actions), np.int8)
        self.loops.check(self.games, codes, scratch, 0, self.num_games)
        return codes

    # --- seeing ------------------------------------------------------------------------------------------------------

    def observe(self, out: np.ndarray | None = None) -> np.ndarray:
        """Return uint8[B, D]: what each game's decider may know (player 0 in rows that are over).

        Args: out: buffer to write into; without it one that the next call overwrites.
        """
        return self._observe(self._rows, self.player, out)

    def observe_for(self, player: Any, out: np.ndarray | None = None, rows: Any = None) -> np.ndarray:
        """Return uint8[n, D]: what ``player`` (int, or int[n]) may know of each game, or of ``rows`` only."""
        which = rows_of(rows, self.num_games)
        return self._observe(which, players_of(player, len(which), self.num_players), out)

    def _observe(self, rows: np.ndarray, players: np.ndarray, out: np.ndarray | None) -> np.ndarray:
        """Return what ``players`` int8[n] may know of the games ``rows`` int64[n], in ``out`` or our own buffer."""
        shape = (len(rows), self.spec.obs_size)
        if out is None:
            if self._observations is None or len(self._observations) < len(rows):
                self._observations = np.zeros((max(len(rows), self.num_games), self.spec.obs_size), np.uint8)
            target = self._observations[: len(rows)]
        elif out.shape != shape or out.dtype != np.uint8 or not out.flags.c_contiguous:
            raise ValueError(f"out must be a contiguous uint8 array of shape {shape}")
        else:
            target = out
        loop = self.loops.observe
        self._run_in_threads(loop, len(rows), lambda lo, hi, _: loop(self.games, rows, players, target, lo, hi))
        return target

    def legal_for(self, player: Any, rows: Any = None) -> np.ndarray:
        """Return int8[n, A]: the mask of ``player`` (int, or int[n]), whoever is asked next.

        In a simultaneous phase every player has a mask; else only the decider has, and the others action 0 alone.
        """
        which = rows_of(rows, self.num_games)
        players = players_of(player, len(which), self.num_players)
        out = np.zeros((len(which), self.spec.n_actions), np.int8)
        loop = self.loops.masks
        self._run_in_threads(loop, len(which), lambda lo, hi, _: loop(self.games, which, players, out, lo, hi))
        return out

    # --- redealing, keeping ---------------------------------------------------------------------------------

    def redeal(self, rows: Any, player: Any, seed: Any) -> None:
        """Replace what ``player`` cannot know by a random completion, and with it chance to come and bots' own draws.

        Unseen cards become uniform over what ``player`` cannot tell apart. In Shogun others' hidden plans become
        uniform over the legal ones given what was shown, players keep their number of filled spaces, and cubes inside
        the tower are spread over the floors by the model's stationary share, which is not the exact posterior. In
        Shitennō unknown cards in other hands are redealt. What ``player`` sees and their mask stay the same.

        Args:
            rows: games to redeal.
            player: int, or int[n] one per row.
            seed: int: row i of ``rows`` uses stream i of it; or int[n], one seed per row.

        Raises: ValueError for a batch that keeps records, which would tell of other plans; ``take`` the games first.
        """
        if self.record:
            raise ValueError("redeal: this batch keeps records, which would tell of other plans; redeal take(rows)")
        which = rows_of(rows, self.num_games)
        players = players_of(player, len(which), self.num_players)
        given = np.asarray(seed)
        streams = np.arange(len(which)) if given.ndim == 0 else np.zeros(len(which), np.int64)
        seeds = np.broadcast_to(given, which.shape).astype(np.int64)
        loop = self.loops.redeal
        state = (self.games, self.rngs, which, players, seeds, streams, self.legal)
        self._run_in_threads(loop, len(which), lambda lo, hi, _: loop(*state, lo, hi))
        keys = self.rngs[which, :1] + np.arange(1, self.num_players + 1, dtype=np.uint64) * PLAYER_STEP
        self.policy_rngs[which] = np.stack([keys, np.zeros_like(keys)], axis=-1)

    def position(self, row: int = 0) -> str:
        """Return the state of a game as one line of text, which ``set_position`` reads."""
        return text_from_state(self.spec, self.games[row])

    def set_position(self, row: int, text: str) -> None:
        """Put the state that a position text describes into a row; its chance to come stays its own.

        Raises: ValueError if the text cannot be read, has other options than the batch, or describes a state that is
            not valid between decisions; nothing is changed then.
        """
        state = state_from_text(self.spec, text)
        for name in self.spec.position_format.options:
            if state[name] != self._blank[0][name]:
                raise ValueError(f"{name} is {state[name]} in the position, {self._blank[0][name]} in the batch")
        single = self.take([row])
        single.games[0] = state
        try:
            single.refresh()
        except ValueError as error:
            raise ValueError(f"not a valid position: {str(error).partition(': ')[2]}") from None
        self.games[row] = state
        self.refresh([row])

    def save(self) -> bytes:
        """Return the whole batch as bytes, with a version."""
        head = {"num_games": self.num_games, "reward": self.reward, "record": self.record, "options": self.options}
        return to_bytes(self._identity() | head, self.buffers())

    @classmethod
    def _identity(cls) -> dict[str, Any]:
        return {"game": cls.spec.name, "rules": cls.spec.rules_version}

    @classmethod
    def load(cls, data: bytes, num_threads: int = 1) -> Self:
        """Return the batch that ``save`` made ``data`` of.

        Raises: ValueError if the bytes are not a saved batch, or of another game, version or version of the rules, or
            if a state in it is not valid.
        """
        saved = SavedBatch(data, cls._identity(), cls.spec.state_dtype.itemsize)
        try:
            batch = cls(saved.num_games, num_threads=num_threads, **saved.arguments)
        except TypeError:
            raise ValueError("this saved batch is damaged") from None
        saved.fill(batch.buffers())
        check_logs(batch.logs)
        batch.refresh()
        return batch

    def records(self, rows: Any = None, agents: list[str] | None = None) -> list[list[dict[str, Any]]]:
        """Return the game records of rows as lists of lines, header first (needs ``record=True``).

        In mid-game these are the lines so far; one that the next decision may complete is left out.

        Args: agents: specs of the players' bots for the header.
        """
        if not self.record:
            raise ValueError("this batch keeps no records; make it with record=True")
        lines = self.spec.record_format.lines
        return [
            complete_lines(lines(entries(self.logs[row]), self.options, int(self.seeds[row]), agents))
            for row in rows_of(rows, self.num_games)
        ]

    # --- compiled play -----------------------------------------------------------------------------------------------

    def play(self, policies: Sequence[PolicySpec], seats: Any = None) -> None:
        """Play the games on with compiled policies, without returning to Python for each decision.

        Args:
            policies: functions with the policy signature, or (function, params) with params float64[K]; ``"random"``
                is the built-in uniform policy, which needs no observation.
            seats: int8[B, P], which policy plays where; -1 stops the game at that player's decisions. Default: policy p
                plays player p.

        Afterwards ``points``, ``returns``, ``over`` and the rest are set. Each player of each game has a random row of
        their own.

        Raises: ValueError for bad seats, or naming the row if a policy returns an illegal action.
        """
        table = seat_table(seats, self.num_games, self.num_players, len(policies))
        loop = self.loops.play
        outputs = (*self._outputs(), self.decisions)
        for part in policy_tables(policies, table):
            state = (self.games, self.rngs, self.logs, self.policy_rngs, *part.arguments())

            def run(lo: int, hi: int, worker: int, state: Any = state, begin: int = part.begin) -> int:
                scratch = (self._scratch[worker], self._epochs[worker])
                return int(loop(*state, *scratch, *outputs, begin + lo, begin + hi))

            bad = max(self._run_in_threads(loop, part.end - part.begin, run))
            if bad >= 0:
                raise ValueError(f"row {bad}: the policy of player {int(self.player[bad])} returned an illegal action")
        self._raise_errors()
