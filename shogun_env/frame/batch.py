"""``Batch``: many games of one kind as arrays, stepped by compiled loops. Buffers, threads, errors, save and load."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, Self

import numpy as np

from shogun_env._jit import Loop
from shogun_env.errors import OptionError
from shogun_env.frame.arguments import MAX_SEED, actions_of, owned, players_of, rows_of, seeds_of, whole
from shogun_env.frame.game import Game
from shogun_env.frame.line_up import PolicySpec, line_ups, seat_table
from shogun_env.frame.saved import Saved, batch_classes, to_bytes
from shogun_env.log import ERRORS, HEAD, TAPE, TAPE_ERROR, entries

LOG_LENGTH = 32760
"""int16 numbers of a log row when records are kept: entries from the front, a tape at the end."""
PLAYER_STEP = np.uint64(0xD1342543DE82EF95)
"""Parts the keys of the players' random rows of a redealt game (odd, and no small multiple of the counter's step)."""


def whole_lines(made: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines that a game's ``record_lines`` makes, without the last one if the log breaks off inside it."""
    lines = []
    with contextlib.suppress(EOFError):
        for line in made:
            lines.append(line)  # noqa: PERF402 - those made before the log breaks off are kept
    return lines


class Batch:
    """A batch of games of one kind.

    Args:
        num_games: rows B.
        reward: what ``returns`` sums up; one of the game's rewards.
        seed: game i has seed ``seed + i``.
        num_threads: threads that share the rows of a call.
        record: keep a log of every game (64 kB a game), for ``records``.
        options: options that change play, see the game.

    Attributes, all overwritten in place by every call:
        player: int8[B], who decides; -1 when over.
        legal: int8[B, A], mask of that decision; action 0 alone in rows that are over.
        over: bool[B].
        returns: float32[B, P], rewards summed since the reset.
        points: int16[B, P].
        decisions: int64[B], decisions made since the reset; forced ones are nobody's and not counted.
        seeds: int64[B].
        games: the records, dtype of the game. rngs: uint64[B, 2].

    Results depend on each game's seed and actions only, never on batch size, row or number of threads.

    Raises: ValueError for bad options.
    """

    game: ClassVar[Game]

    def __init_subclass__(cls) -> None:
        """Remember whose ``Batch`` this is; a class derived from it is not another game's."""
        if "game" in vars(cls):
            batch_classes.setdefault(cls.game.name, cls)

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
        game = self.game
        self.options = game.check_options(options)
        self.num_games = whole("num_games", num_games, 1)
        self.num_threads = whole("num_threads", num_threads, 1)
        self.num_players: int = self.options["num_players"]
        if reward not in game.rewards:
            raise OptionError(f"reward={reward!r}: must be one of {', '.join(game.rewards)}")
        self.reward = reward
        self.record = bool(record)
        self._reward = game.rewards.index(reward)
        self._template = game.template(self.options)
        self._pool: ThreadPoolExecutor | None = None
        self._make_buffers()
        first = whole("seed", seed, 0, MAX_SEED)
        self.reset(seeds=(first + self._rows) % MAX_SEED)

    def _make_buffers(self) -> None:
        rows, players, game = self.num_games, self.num_players, self.game
        self.games = np.zeros(rows, game.dtype)
        self.rngs = np.zeros((rows, 2), np.uint64)
        self.policy_rngs = np.zeros((rows, players, 2), np.uint64)
        self.logs = np.zeros((rows, LOG_LENGTH if self.record else 1), np.int16)
        self.seeds = np.zeros(rows, np.int64)
        self.player = np.zeros(rows, np.int8)
        self.legal = np.zeros((rows, game.n_actions), np.int8)
        self.over = np.zeros(rows, np.bool_)
        self.points = np.zeros((rows, players), np.int16)
        self.returns = np.zeros((rows, players), np.float32)
        self.decisions = np.zeros(rows, np.int64)
        self._observations: np.ndarray | None = None
        self._rows = np.arange(rows)
        self._scratch = np.zeros((self.num_threads, players, game.obs_size), np.uint8)
        self._seen_at = np.zeros((self.num_threads, players), np.int64)

    # --- running loops -----------------------------------------------------------------------------------------------

    def _spread(self, loop: Loop, count: int, call: Callable[[int, int, int], Any]) -> list[Any]:
        """Run ``call(lo, hi, worker)`` over 0..count, shared by the threads; the first run of a loop by one alone."""
        workers = min(self.num_threads, count)
        if workers <= 1 or not loop.is_ready:
            return [call(0, count, 0)]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.num_threads)
        cuts = [count * worker // workers for worker in range(workers + 1)]
        futures = [self._pool.submit(call, cuts[w], cuts[w + 1], w) for w in range(workers)]
        return [future.result() for future in futures]

    def _shown(self) -> tuple[Any, ...]:
        """Return what loops report to."""
        return (self._reward, self.player, self.legal, self.over, self.points, self.returns, self.decisions)

    def _raise_errors(self) -> None:
        """Turn the error code of a record into an exception; only logs and tapes can make one."""
        if self.record and self.games["error"].any():
            row = int(np.flatnonzero(self.games["error"])[0])
            code = int(self.games["error"][row])
            raise ValueError(f"game in row {row}: {ERRORS.get(code, f'error {code}')}")

    # --- games -------------------------------------------------------------------------------------------------------

    def reset(
        self, which: Any = None, seeds: Any = None, tapes: Mapping[int, Sequence[tuple[int, int]]] | None = None
    ) -> None:
        """Start games anew.

        Args:
            which: bool[B], or indices of rows; None for all.
            seeds: int[n] seeds below 2^53 for those rows; None adds ``num_games`` to each row's seed, so that no two
                games of a run share one.
            tapes: per row the chance outcomes to come, as the game's record module makes them (needs ``record=True``).

        Raises: ValueError for rows or seeds out of range; nothing is changed then.
        """
        rows = rows_of(which, self.num_games)
        following = (self.seeds[rows] + self.num_games) % MAX_SEED
        given = following if seeds is None else seeds_of(seeds, len(rows))
        if self.record:
            self.logs[rows, :HEAD] = 0
            for row, tape in (tapes or {}).items():
                self._set_tape(row, tape)
        elif tapes:
            raise ValueError("tapes need a batch made with record=True")
        self.seeds[rows] = given
        loop = self.game.loops.reset
        state = (self.games, self.rngs, self.logs, self.policy_rngs, self._template, rows, given)
        self._spread(loop, len(rows), lambda lo, hi, _: loop(*state, *self._shown(), lo, hi))
        self._raise_errors()

    def _set_tape(self, row: int, tape: Sequence[tuple[int, int]]) -> None:
        log = self.logs[row]
        numbers = np.asarray([number for pair in tape for number in pair], np.int16)
        begin = len(log) - len(numbers)
        if begin < HEAD:
            raise ValueError(f"a tape of {len(tape)} outcomes is longer than any game's")
        log[begin:] = numbers
        log[TAPE] = begin
        log[TAPE_ERROR] = 0

    def step(self, actions: Any, rows: Any = None) -> None:
        """Play one decision in every game that is not over, or in ``rows`` only.

        Args:
            actions: int[B]; entries of rows that are over are not looked at. With ``rows`` one for each of them.
            rows: bool[B] or indices; the games of other rows stay as they are.

        Raises: ValueError naming row, decision and action if one is illegal; nothing is changed then.
        """
        if rows is None:
            self._step(actions_of(actions, self.num_games), self.over)
            return
        # The loops pass over all other rows as if they were over.
        which = rows_of(rows, self.num_games)
        chosen = np.zeros(self.num_games, np.int64)
        chosen[which] = actions_of(actions, len(which))
        skipped = np.ones(self.num_games, np.bool_)
        skipped[which] = self.over[which]
        self._step(chosen, skipped)
        self.over[which] = skipped[which]

    def _step(self, chosen: np.ndarray, skipped: np.ndarray) -> None:
        """Step the rows not in ``skipped`` bool[B], which then says which of them are over."""
        find = self.game.loops.find_illegal
        bad = find(self.legal, skipped, chosen, 0, self.num_games)
        if bad >= 0:
            raise ValueError(self._illegal(int(bad), int(chosen[bad])))
        loop = self.game.loops.step
        reward, player, legal, _, *rest = self._shown()
        state = (self.games, self.rngs, self.logs, chosen, reward, player, legal, skipped, *rest)
        self._spread(loop, self.num_games, lambda lo, hi, _: loop(*state, lo, hi))
        self._raise_errors()

    def _illegal(self, row: int, action: int) -> str:
        """Say what is wrong with an action and what would be right."""
        name = self.game.action_name
        words = name(action) if 0 <= action < self.game.n_actions else "no such action"
        legal = ", ".join(f"{a} {name(a)}" for a in np.flatnonzero(self.legal[row]).tolist())
        phase = self.game.phase_names[int(self.games["phase"][row])]
        who = f"row {row}: player {int(self.player[row])} decides {phase}"
        return f"{who}; action {action} ({words}) is illegal; legal are {legal}"

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
        shape = (len(rows), self.game.obs_size)
        if out is None:
            if self._observations is None or len(self._observations) < len(rows):
                self._observations = np.zeros((max(len(rows), self.num_games), self.game.obs_size), np.uint8)
            target = self._observations[: len(rows)]
        elif out.shape != shape or out.dtype != np.uint8 or not out.flags.c_contiguous:
            raise ValueError(f"out must be a contiguous uint8 array of shape {shape}")
        else:
            target = out
        loop = self.game.loops.observe
        self._spread(loop, len(rows), lambda lo, hi, _: loop(self.games, rows, players, target, lo, hi))
        return target

    def legal_for(self, player: Any, rows: Any = None) -> np.ndarray:
        """Return int8[n, A]: the mask of ``player`` (int, or int[n]), whoever is asked next.

        In a simultaneous phase every player has his own; else only the decider has one, and the others action 0 alone.
        """
        which = rows_of(rows, self.num_games)
        players = players_of(player, len(which), self.num_players)
        out = np.zeros((len(which), self.game.n_actions), np.int8)
        loop = self.game.loops.masks
        self._spread(loop, len(which), lambda lo, hi, _: loop(self.games, which, players, out, lo, hi))
        return out

    # --- copying, redealing, keeping ---------------------------------------------------------------------------------

    def copy_games(self, src: Any, dst: Any) -> None:
        """Copy the games of rows ``src`` over those of rows ``dst``, chance to come and log included."""
        source, target = rows_of(src, self.num_games), rows_of(dst, self.num_games)
        if len(source) == 1:
            source = np.repeat(source, len(target))
        if len(source) != len(target):
            raise ValueError(f"{len(source)} games to copy over {len(target)}")
        for buffer in self.buffers():
            buffer[target] = buffer[source]

    def take(self, rows: Any = None) -> Self:
        """Return a batch of one thread with copies of the games of ``rows``, chance to come included, without logs."""
        which = rows_of(rows, self.num_games)
        batch = copy.copy(self)
        batch.num_games, batch.num_threads, batch.record, batch._pool = len(which), 1, False, None
        batch._make_buffers()
        for target, source in zip(batch.buffers(), self.buffers(), strict=True):
            if target is not batch.logs:
                target[...] = source[which]
        return batch

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy or a pickle keeps: everything but the threads."""
        return {**self.__dict__, "_pool": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over what a pickle kept, as arrays that can be written to."""
        self.__dict__.update(owned(state))

    def buffers(self) -> tuple[np.ndarray, ...]:
        """Return all that changes in play, one row a game; copying every row copies the game."""
        return (
            self.games, self.rngs, self.policy_rngs, self.logs, self.seeds, self.player, self.legal, self.over,
            self.points, self.returns, self.decisions,
        )  # fmt: skip

    def redeal(self, rows: Any, player: Any, seed: Any) -> None:
        """Replace what ``player`` cannot know by a random completion, and with it chance to come and bots' own draws.

        Unseen cards become uniform over what ``player`` cannot tell apart. In Shogun others' hidden plans become
        uniform over the legal ones given what was shown, players keep their number of filled spaces, and cubes inside
        the tower are spread over the floors by the model's stationary share, which is not the exact posterior. In
        Shitennō unknown cards in other hands are dealt anew. What ``player`` sees and his mask stay the same.

        Args:
            rows: games to redeal.
            player: int, or int[n] one a row.
            seed: int: row i of ``rows`` uses stream i of it; or int[n], one seed a row.

        Raises: ValueError for a batch that keeps records, which would tell of other plans; ``take`` the games first.
        """
        if self.record:
            raise ValueError("redeal: this batch keeps records, which would tell of other plans; redeal take(rows)")
        which = rows_of(rows, self.num_games)
        players = players_of(player, len(which), self.num_players)
        given = np.asarray(seed)
        streams = np.arange(len(which)) if given.ndim == 0 else np.zeros(len(which), np.int64)
        seeds = np.broadcast_to(given, which.shape).astype(np.int64)
        loop = self.game.loops.redeal
        state = (self.games, self.rngs, which, players, seeds, streams, self.legal)
        self._spread(loop, len(which), lambda lo, hi, _: loop(*state, lo, hi))
        keys = self.rngs[which, :1] + np.arange(1, self.num_players + 1, dtype=np.uint64) * PLAYER_STEP
        self.policy_rngs[which] = np.stack([keys, np.zeros_like(keys)], axis=-1)

    def check(self) -> np.ndarray:
        """Return int64[B]: 0 for a valid record, else a key of the game's ``checks``."""
        codes = np.zeros(self.num_games, np.int64)
        self.game.loops.check(self.games, codes, 0, self.num_games)
        return codes

    def save(self) -> bytes:
        """Return the whole batch as bytes, with a version."""
        head = {"num_games": self.num_games, "reward": self.reward, "record": self.record, "options": self.options}
        return to_bytes(self._identity() | head, self.buffers())

    @classmethod
    def _identity(cls) -> dict[str, Any]:
        return {"game": cls.game.name, "rules": cls.game.rules_version}

    @classmethod
    def load(cls, data: bytes, num_threads: int = 1) -> Self:
        """Return the batch that ``save`` made ``data`` of.

        Raises: ValueError if it is no such thing, or of another game, version or version of the rules.
        """
        saved = Saved(data, cls._identity())
        head = saved.head
        own = {name: head[name] for name in ("reward", "record")}
        batch = cls(head["num_games"], num_threads=num_threads, **own, **head["options"])
        saved.fill(batch.buffers())
        return batch

    def records(self, rows: Any = None, agents: list[str] | None = None) -> list[list[dict[str, Any]]]:
        """Return the game records of rows as lists of lines, header first (needs ``record=True``).

        In mid-game these are the lines so far; one that the next decision may complete is left out.

        Args: agents: specs of the players' bots for the header.
        """
        if not self.record:
            raise ValueError("this batch keeps no records; make it with record=True")
        lines = self.game.record_lines
        which = rows_of(rows, self.num_games)
        return [
            whole_lines(lines(entries(self.logs[row]), self.options, int(self.seeds[row]), agents)) for row in which
        ]

    # --- compiled play -----------------------------------------------------------------------------------------------

    def play(self, policies: Sequence[PolicySpec], seats: Any = None) -> None:
        """Play the games on with compiled policies, without returning to Python per decision.

        Args:
            policies: functions with the policy signature, or (function, params) with params float64[K]; ``"random"``
                is the built-in uniform policy, which needs no observation.
            seats: int8[B, P], which policy plays where; -1 stops the game at that player's decisions. Default: policy p
                plays player p.

        Afterwards ``points``, ``returns``, ``over`` and the rest are set. Each player of each game has his own random
        row.

        Raises: ValueError for bad seats, or naming the row if a policy returns an illegal action.
        """
        table = seat_table(seats, self.num_games, self.num_players, len(policies))
        loop = self.game.loops.play
        for line_up in line_ups(policies, table):
            *setting, begin, end = line_up
            state = (self.games, self.rngs, self.logs, self.policy_rngs, *setting)

            def run(lo: int, hi: int, worker: int, state: Any = state, begin: int = begin) -> int:
                scratch = (self._scratch[worker], self._seen_at[worker])
                return int(loop(*state, *scratch, *self._shown(), begin + lo, begin + hi))

            bad = max(self._spread(loop, end - begin, run))
            if bad >= 0:
                raise ValueError(f"row {bad}: the policy of player {int(self.player[bad])} returned an illegal action")
        self._raise_errors()
