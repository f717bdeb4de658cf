"""What ``Batch`` is built on: its arrays, how games start and are copied, pickled and shared among threads."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np

from shogun_env.batch.arrays import BatchArrays
from shogun_env.batch.loops import reset_games
from shogun_env.batch.serialization import batch_classes
from shogun_env.batch.validation import MAX_SEED, WritableArrays, distinct_rows_of, rows_of, seeds_of
from shogun_env.kernel.jit import Loop
from shogun_env.kernel.log import ERRORS, STEPWISE, new_tape, set_tape
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.options import flag, one_of, whole_number

LOG_LENGTH = 32760
"""Numbers of a log row (int16) if records are kept: entries from the front, a tape at the end."""


BUFFERS = (
    "games", "rngs", "policy_rngs", "logs", "seeds", "player", "legal", "over", "points", "returns", "decisions",
)  # fmt: skip
"""Attributes of a batch that change in play, one row per game."""


class ShowsArrays(type):
    """The type of classes whose ``dir`` has the arrays of their objects, too."""

    def __dir__(cls) -> list[str]:
        """Return the names of methods and arrays."""
        return [*super().__dir__(), *BUFFERS]


class BatchBase(WritableArrays, metaclass=ShowsArrays):
    """The part of ``Batch`` that holds its arrays; ``Batch`` says what each of them is."""

    spec: ClassVar[GameSpec]
    """The game; set by each game's own class."""

    def __init_subclass__(cls) -> None:
        """Remember the class as that of its game, if it names its ``spec``."""
        if "spec" in vars(cls):
            batch_classes.setdefault(cls.spec.name, cls)

    def __init__(
        self,
        num_games: int,
        *,
        reward: str = "win",
        seed: int = 0,
        num_threads: int = 1,
        record: bool = False,
        **options: Any,
    ) -> None:
        """Make the buffers and start every game."""
        spec = self.spec
        self.options = spec.check_options(options)
        self.num_games = whole_number("num_games", num_games, 1)
        self.num_threads = whole_number("num_threads", num_threads, 1)
        self.num_players: int = self.options["num_players"]
        one_of("reward", reward, spec.rewards)
        self.reward = reward
        self.record = flag("record", record)
        self._reward = spec.rewards.index(reward)
        self._blank = spec.blank_state(self.options)
        self._pool: ThreadPoolExecutor | None = None
        self._pool_process = 0
        self._make_buffers()
        first = whole_number("seed", seed, 0, MAX_SEED)
        self.reset(seeds=(first + self._rows) % MAX_SEED)

    def _make_buffers(self) -> None:
        rows, players, spec = self.num_games, self.num_players, self.spec
        self.games = np.zeros(rows, spec.state_dtype)
        self.rngs = np.zeros((rows, 2), np.uint64)
        self.policy_rngs = np.zeros((rows, players, 2), np.uint64)
        self.logs = np.zeros((rows, LOG_LENGTH if self.record else 1), np.int16)
        self.seeds = np.zeros(rows, np.int64)
        self.player = np.zeros(rows, np.int8)
        self.legal = np.zeros((rows, spec.n_actions), np.int8)
        self.over = np.zeros(rows, np.bool_)
        self.points = np.zeros((rows, players), np.int16)
        self.returns = np.zeros((rows, players), np.float32)
        self.decisions = np.zeros(rows, np.int64)
        self._observations: np.ndarray | None = None
        self._gather_arrays()
        self._rows = np.arange(rows)

    def _gather_arrays(self) -> None:
        """Make ``_arrays``, the argument of loops; the arrays do not change places while games are played."""
        arrays = {name: getattr(self, name) for name in BatchArrays._fields if name in BUFFERS}
        self._arrays = BatchArrays(**arrays, reward=self._reward)

    def keep_records(self) -> None:
        """Keep records of the games that begin from now on, as with ``record=True``."""
        self.record, self.logs = True, np.zeros((self.num_games, LOG_LENGTH), np.int16)
        self._gather_arrays()

    def buffers(self) -> tuple[np.ndarray, ...]:
        """Return all arrays that change in play, one row per game; copying a row of each copies the game."""
        return tuple(getattr(self, name) for name in BUFFERS)

    def reset(
        self, which: Any = None, seeds: Any = None, tapes: Mapping[int, Sequence[tuple[int, int]]] | None = None
    ) -> None:
        """Start new games.

        Args:
            which: bool[B], or int[n] indices of rows, each once; None for all.
            seeds: int[n], seeds below 2^53 of those rows; None adds ``num_games`` to the seed of each row, so that no
                two games of a run have the same seed.
            tapes: chance outcomes to come, by row, as (kind, value); ``Script.tape`` makes them from a record. They
                need ``record=True``.

        Raises: ValueError for rows or seeds out of range; the batch is left unchanged. ValueError for a tape that does
            not fit the game.
        """
        rows = distinct_rows_of(which, self.num_games)
        next_seeds = (self.seeds[rows] + self.num_games) % MAX_SEED if seeds is None else seeds_of(seeds, len(rows))
        if tapes and not self.record:
            raise ValueError("tapes need a batch made with record=True")
        if others := set(tapes or {}) - set(rows.tolist()):
            raise ValueError(f"tapes for rows that are not reset: {sorted(others)}")
        given = {row: new_tape(tape, self.logs.shape[1]) for row, tape in (tapes or {}).items()}
        if self.record:
            self.logs[rows, :STEPWISE] = 0
            for row, tape in given.items():
                set_tape(self.logs[row], tape)
        self.seeds[rows] = next_seeds
        loop, arrays = reset_games.of(self.spec.engine), self._arrays
        self._run_in_threads(
            loop, len(rows), lambda lo, hi: loop(arrays, self._blank, rows, next_seeds, lo, hi), least=128
        )
        self._raise_errors()

    # --- copies ------------------------------------------------------------------------------------------------------

    def copy_games(self, src: Any, dst: Any) -> None:
        """Copy the games of rows ``src`` over those of rows ``dst``, chance to come and log included.

        Args: src, dst: bool[B], or int[n] indices; one row in ``src`` is copied to all rows in ``dst``.
        Raises: ValueError if the numbers of rows differ otherwise, or ``dst`` names a row twice.
        """
        source, target = rows_of(src, self.num_games), distinct_rows_of(dst, self.num_games)
        if len(source) == 1:
            source = np.repeat(source, len(target))
        if len(source) != len(target):
            raise ValueError(f"{len(source)} games to copy over {len(target)}: give one, or as many")
        for buffer in self.buffers():
            buffer[target] = buffer[source]

    def take(self, rows: Any = None, record: bool = False, num_threads: int = 1) -> Self:
        """Return a batch with copies of the games of ``rows``, chance to come included.

        Args:
            rows: bool[B], or int[n] indices, in the order of the new batch; None for all.
            record: also copy the logs and go on writing them, if this batch keeps records.
            num_threads: threads of the new batch.
        """
        which, num_threads = rows_of(rows, self.num_games), whole_number("num_threads", num_threads, 1)
        batch = self.__class__.__new__(self.__class__)  # not copy.copy, which gathers the arrays of this batch first
        batch.__dict__.update(self.__dict__)
        batch.options, batch._blank = dict(self.options), self._blank.copy()
        batch.num_games, batch.num_threads, batch._pool = len(which), num_threads, None
        batch.record = record and self.record
        for name in BUFFERS:
            if name != "logs" or batch.record:
                setattr(batch, name, getattr(self, name)[which])
        if not batch.record:
            batch.logs = np.zeros((len(which), 1), np.int16)
        batch._observations, batch._rows = None, np.arange(len(which))
        batch._gather_arrays()
        return batch

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy or a pickle keeps: everything except the threads."""
        return {**self.__dict__, "_pool": None, "_arrays": None}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Restore the attributes from a pickle."""
        super().__setstate__(state)
        self._gather_arrays()

    # --- running loops -----------------------------------------------------------------------------------------------

    def _run_in_threads(self, loop: Loop, count: int, call: Callable[[int, int], Any], least: int = 1) -> list[Any]:
        """Split 0..count among the threads and return what ``call(lo, hi)`` returns in each.

        The first run of a loop, which compiles it, is left to one thread.

        Args: least: rows for each thread, fewer do not pay for waking it, which takes some 0.2 ms.
        """
        workers = min(self.num_threads, count // least)
        if workers <= 1 or not loop.is_ready:
            return [call(0, count)]
        if self._pool is None or self._pool_process != os.getpid():  # a fork of a process inherits none of its threads
            self._pool, self._pool_process = ThreadPoolExecutor(self.num_threads - 1), os.getpid()
        cuts = [count * worker // workers for worker in range(workers + 1)]
        futures = [self._pool.submit(call, lo, hi) for lo, hi in pairwise(cuts[1:])]
        return [call(0, cuts[1]), *(future.result() for future in futures)]

    def _raise_errors(self) -> None:
        """Raise ValueError if a state has an error code; in a valid state only logs and tapes can cause one."""
        if self.record and self.games["error"].any():
            row = int(np.flatnonzero(self.games["error"])[0])
            code = int(self.games["error"][row])
            raise ValueError(f"game in row {row}: {ERRORS.get(code, f'error {code}')}")
