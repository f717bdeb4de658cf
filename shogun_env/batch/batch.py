"""``Batch``: many games of one kind that are reset, stepped, observed, redealt, saved, and played by compiled bots."""

import contextlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

import numpy as np

from shogun_env.batch.arrays import Redeals
from shogun_env.batch.base import BatchBase
from shogun_env.batch.loops import (
    NO_ACTION,
    NO_FAULT,
    find_illegal,
    mask_games,
    observe_games,
    play_games,
    redeal_games,
    show_games,
    step_games,
)
from shogun_env.batch.policy_table import PolicySpec, player_scratch, policy_table
from shogun_env.batch.serialization import fill, from_bytes, to_bytes
from shogun_env.batch.validation import actions_of, distinct_rows_of, each_number, players_of, rows_of, stage_of
from shogun_env.kernel.jit import Loop
from shogun_env.kernel.log import HEAD, entries, log_entry
from shogun_env.spec.forms import fits, shown
from shogun_env.spec.options import one_of, whole_number
from shogun_env.spec.position import state_from_text, text_from_state

PLAYER_STEP = np.uint64(0xD1342543DE82EF95)
"""Separates the keys of the players' random rows in a redealt game: odd, not a small multiple of the counter's step."""


def complete_lines(lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines that a game's record format yields, without the last one if the log ends inside it."""
    result = []
    with contextlib.suppress(EOFError):
        for line in lines:
            result.append(line)  # noqa: PERF402 - those made before the log ends are kept
    return result


class Batch(BatchBase):
    """A batch of B games of one kind with P players each; game i is row i of every array.

    Each game has its own subclass, such as ``shogun_env.shogun.Batch``.

    Args:
        num_games: number of games, B.
        reward: what ``returns`` sums up; one of ``spec.rewards``.
        seed: game i has seed ``seed + i``.
        num_threads: threads that share the rows of a call.
        record: keep a log of every game (64 kB per game), for ``records``.
        options: options of play, as the game defines them.

    The attributes are arrays. Every call that changes the games overwrites them in place.

    A game depends on its seed, its options and its actions only, never on the size of the batch, its row or the number
    of threads.

    Raises: OptionError (a ValueError) for a bad option, number or seed.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> batch = Batch(2, num_players=3, seed=7)
        >>> batch.step(batch.legal.argmax(1))  # the lowest legal action in every game
        >>> batch.observe().shape == (2, batch.spec.obs_size), batch.decisions.tolist()
        (True, [1, 1])
    """

    player: np.ndarray
    """int8[B], who decides; -1 in games that are over."""
    legal: np.ndarray
    """int8[B, A], mask of that decision; action 0 alone in games that are over."""
    over: np.ndarray
    """bool[B], whether the game is over."""
    returns: np.ndarray
    """float32[B, P], sum of each player's rewards since the reset."""
    points: np.ndarray
    """int16[B, P], points of the players."""
    decisions: np.ndarray
    """int64[B], decisions made since the reset; forced ones are not counted."""
    seeds: np.ndarray
    """int64[B], seeds of the games."""
    games: np.ndarray
    """STATE[B], the states."""
    rngs: np.ndarray
    """uint64[B, 2], random rows of the games."""
    policy_rngs: np.ndarray
    """uint64[B, P, 2], random rows of the players' bots."""

    # --- games -------------------------------------------------------------------------------------------------------

    @property
    def phase(self) -> np.ndarray:
        """What is decided in each game: int8[B], indices into ``spec.phase_names``."""
        return self.games["phase"]

    def step(self, actions: Any, rows: Any = None) -> None:
        """Play one decision in every game that is not over, or in ``rows`` only.

        Args:
            actions: int[B], or int[n] with ``rows``, one action for each of them; those of games that are over are
                ignored.
            rows: bool[B], or int[n] indices; the games of other rows are left unchanged.

        Raises: ValueError naming row, decision and action if one is illegal; the batch is left unchanged.
        """
        if rows is None:
            chosen, skipped = actions_of(actions, self.num_games), self.over
        else:
            which = distinct_rows_of(rows, self.num_games)
            chosen = np.zeros(self.num_games, np.int64)
            chosen[which] = actions_of(actions, len(which))
            skipped = np.ones(self.num_games, np.bool_)
            skipped[which] = False
            skipped |= self.over
        loop, arrays = step_games.of(self.spec.engine), self._arrays
        if self.num_threads == 1:
            bad = loop(arrays, chosen, skipped, 0, self.num_games)
        else:  # each thread would check its own rows only
            bad = find_illegal(self.legal, skipped, chosen, 0, self.num_games)
            if bad < 0:
                self._run_in_threads(loop, self.num_games, lambda lo, hi: loop(arrays, chosen, skipped, lo, hi))
        if bad >= 0:
            raise ValueError(f"row {int(bad)}: {self.why_illegal(int(bad), int(chosen[bad]))}")
        self._raise_errors()

    def why_illegal(self, row: int, action: int) -> str:
        """Return in one line which decision ``action`` was given for, and which actions are legal."""
        name = self.spec.action_name
        words = name(action) if 0 <= action < self.spec.n_actions else "no such action"
        legal = ", ".join(f"{a} {name(a)}" for a in np.flatnonzero(self.legal[row]).tolist())
        phase = self.spec.phase_names[int(self.phase[row])]
        who = f"player {int(self.player[row])} decides {phase}"
        return f"{who}; action {action} ({words}) is illegal; legal are {legal}"

    def refresh(self, rows: Any = None, check: bool = True) -> None:
        """Write the outputs (``player``, ``legal``, …) again, after the states in ``games`` were edited.

        Args:
            rows: bool[B], or int[n] indices; None for all.
            check: whether the states are looked at first; False for those that are known to be valid.

        Raises: ValueError for a row out of range, or naming the first row whose state is not valid between decisions;
            the outputs are left unchanged.
        """
        which = rows_of(rows, self.num_games)
        codes = self._codes(which) if check else np.zeros(0)
        if codes.any():
            first = int(np.flatnonzero(codes)[0])
            raise ValueError(f"row {int(which[first])}: {self.spec.check_messages[int(codes[first])]}")
        loop, arrays = show_games.of(self.spec.engine), self._arrays
        self._run_in_threads(loop, len(which), lambda lo, hi: loop(arrays, which, lo, hi))

    def returns_by(self, reward: str, rows: Any = None) -> np.ndarray:
        """Return what ``returns`` would be with another reward: float32[n, P].

        Args: reward, one of ``spec.rewards``; rows, bool[B], or int[n] indices, None for all.
        Raises: OptionError (a ValueError) for a reward that the game does not have.
        """
        one_of("reward", reward, self.spec.rewards)
        copy = self.take(rows)
        copy._reward = self.spec.rewards.index(reward)
        copy._gather_arrays()
        copy.refresh(check=False)
        return copy.returns

    def check(self) -> np.ndarray:
        """Check all states: return int64[B], 0 if valid between decisions, else a key of ``spec.check_messages``."""
        return self._codes(self._rows)

    def _codes(self, rows: np.ndarray) -> np.ndarray:
        """Return what is wrong with the states of ``rows`` int64[n]: int64[n], see ``check``."""
        games = self.games[rows]
        codes, players = self.spec.validity.check(games), games["player"]
        no_choice = len(self.spec.check_messages)
        codes[(codes == 0) & (players >= self.num_players)] = no_choice - 1
        deciding = np.flatnonzero((codes == 0) & (players >= 0))
        choices = self.legal_for(players[deciding], rows[deciding]).sum(1)
        codes[deciding[choices < 2]] = no_choice
        return codes

    # --- observing ---------------------------------------------------------------------------------------------------

    def observe(self, out: np.ndarray | None = None) -> np.ndarray:
        """Return what the player who decides in each game may know: uint8[B, D], laid out as ``spec.obs_layout`` says.

        In games that are over it is what player 0 may know.

        Args: out: uint8[B, D], C-contiguous, to write into; without it a buffer that the next call overwrites.
        Raises: ValueError if ``out`` is not such an array.
        """
        return self._observe(self._rows, self.player, out)

    def observe_for(self, player: Any, out: np.ndarray | None = None, rows: Any = None) -> np.ndarray:
        """Return what players may know, no matter who decides: uint8[n, D].

        Args:
            player: int, or int[n], one for each row.
            out: uint8[n, D], C-contiguous, to write into; without it a buffer that the next call overwrites.
            rows: bool[B], or int[n] indices; None for all games.

        Raises: ValueError for a player or row out of range, or an ``out`` of another form.
        """
        which = rows_of(rows, self.num_games)
        return self._observe(which, players_of(player, len(which), self.num_players), out)

    def _observe(self, rows: np.ndarray, players: np.ndarray, out: np.ndarray | None) -> np.ndarray:
        """Return what ``players`` int8[n] may know of the games ``rows`` int64[n], in ``out`` or the batch's buffer."""
        shape = (len(rows), self.spec.obs_size)
        if out is None:
            if self._observations is None or len(self._observations) < len(rows):
                self._observations = np.zeros((max(len(rows), self.num_games), self.spec.obs_size), np.uint8)
            target = self._observations[: len(rows)]
        elif not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != np.uint8 or not out.flags.carray:
            given = f"shape {out.shape} and type {out.dtype}" if isinstance(out, np.ndarray) else type(out).__name__
            raise ValueError(f"out of {given}: must be a C-contiguous uint8 array of shape {shape}, not read-only")
        else:
            target = out
        loop = observe_games.of(self.spec.engine)
        self._run_in_threads(
            loop, len(rows), lambda lo, hi: loop(self.games, rows, players, target, lo, hi), least=1024
        )
        return target

    def legal_for(self, player: Any, rows: Any = None) -> np.ndarray:
        """Return the masks of players, no matter who is asked next: int8[n, A], 1 where an action is legal.

        In a simultaneous phase every player has a mask; in others only the player who decides has one, and the rest may
        only play action 0.

        Args:
            player: int, or int[n], one for each row.
            rows: bool[B], or int[n] indices; None for all games.

        Raises: ValueError for a player or row out of range.
        """
        which = rows_of(rows, self.num_games)
        players = players_of(player, len(which), self.num_players)
        out = np.zeros((len(which), self.spec.n_actions), np.int8)
        loop = mask_games.of(self.spec.engine)
        self._run_in_threads(loop, len(which), lambda lo, hi: loop(self.games, which, players, out, lo, hi))
        return out

    # --- redealing, saving -------------------------------------------------------------------------------------------

    def redeal(self, rows: Any, player: Any, seed: Any) -> None:
        """Replace what ``player`` cannot know by a random completion, and also chance to come and the bots' draws.

        Unseen cards become uniform over what ``player`` cannot tell apart. In Shogun the hidden plans of the others
        become uniform over the legal ones given what was shown, players keep their number of filled spaces, and cubes
        inside the tower are spread over the floors by the model's stationary share, which is not the exact posterior.
        In Shitennō unknown cards in other hands are redealt. What ``player`` sees and their mask stay the same.

        Args:
            rows: games to redeal: bool[B], or int[n] indices, each once; None for all.
            player: int, or int[n], one for each row.
            seed: int, of which row i of ``rows`` uses stream i; or int[n], one seed for each row.

        Raises: ValueError for a batch that keeps records, because they would describe other plans; redeal a copy of the
            games, ``take(rows)``, instead. ValueError for a row or player out of range, or a bad seed.
        """
        loop, arrays, redeals = redeal_games.of(self.spec.engine), self._arrays, self._redeals(rows, player, seed)
        self._run_redeals(loop, redeals, lambda lo, hi: loop(arrays, redeals, lo, hi))

    def _redeals(self, rows: Any, player: Any, seed: Any) -> Redeals:
        """Return the arguments of ``redeal`` as arrays; ValueError as there."""
        if self.record:
            raise ValueError("redeal: this batch keeps records, which would tell of other plans; redeal take(rows)")
        which = distinct_rows_of(rows, self.num_games)
        return Redeals(
            rows=which,
            players=players_of(player, len(which), self.num_players),
            seeds=each_number("seed", seed, len(which)),
            streams=np.arange(len(which)) if np.ndim(seed) == 0 else np.zeros(len(which), np.int64),
        )

    def _run_redeals(self, loop: Loop, redeals: Redeals, call: Callable[[int, int], Any]) -> None:
        """Run a loop that redeals games, and give the bots of these games new draws."""
        self._run_in_threads(loop, len(redeals.rows), call)
        keys = self.rngs[redeals.rows, :1] + np.arange(1, self.num_players + 1, dtype=np.uint64) * PLAYER_STEP
        self.policy_rngs[redeals.rows, :, 0], self.policy_rngs[redeals.rows, :, 1] = keys, 0

    def position(self, row: int = 0) -> str:
        """Return the state of a game as one line of text, which ``set_position`` reads; secrets included."""
        return text_from_state(self.spec, self.games[whole_number("row", row, 0, self.num_games)])

    def at_position(self, text: str) -> Self:
        """Return a batch with one game, in the position that a text describes, with the chance to come of row 0.

        Raises: ValueError if the text cannot be read, has other options than the batch, or describes a state that is
            not valid between decisions.
        """
        state = state_from_text(self.spec, text)
        for name in self.spec.position_format.options:
            if state[name] != self._blank[0][name]:
                raise ValueError(f"{name} is {state[name]} in the position, {self._blank[0][name]} in the batch")
        single = self.take([0])
        single.games[0] = state
        try:
            single.refresh()
        except ValueError as error:
            raise ValueError(f"not a valid position: {str(error).partition(': ')[2]}") from None
        return single

    def set_position(self, row: int, text: str) -> None:
        """Put the state that a position text describes into a row, whose chance to come stays the same.

        Raises: ValueError for a batch that keeps records, because they would tell of another game. ValueError if the
            text cannot be read, has other options than the batch, or describes a state that is not valid between
            decisions; the batch is left unchanged.
        """
        if self.record:
            raise ValueError(
                "set_position: this batch keeps records, which would tell of another game; make it with record=False"
            )
        self.begin_at(row, text)

    def begin_at(self, row: int, text: str) -> None:
        """Do as ``set_position``, also in a batch that keeps records: the log of the game begins at the position.

        Its entries make the lines of what follows, but no record, which begins with the set-up.
        """
        row = whole_number("row", row, 0, self.num_games)
        state = self.at_position(text).games[0]
        self.games[row] = state
        if self.record:
            self.logs[row, :HEAD] = 0
            for entry in self.spec.record_format.begun(state):
                log_entry(self.logs[row], *entry)
        self.refresh([row], check=False)

    def save(self) -> bytes:
        """Return the whole batch as bytes, which ``load`` reads: all arrays, options and versions."""
        head = {"num_games": self.num_games, "reward": self.reward, "record": self.record, "options": self.options}
        return to_bytes(self._identity() | head, self.buffers())

    @classmethod
    def _identity(cls) -> dict[str, Any]:
        return {"format": "shogun-env-batch", "version": 2, "game": cls.spec.name, "rules": cls.spec.rules_version}

    @classmethod
    def load(cls, data: bytes, num_threads: int = 1) -> Self:
        """Return the batch that ``save`` turned into ``data``.

        Raises: ValueError if the bytes are not a saved batch, or belong to another game, another format version or
            another version of the rules.

        Example:
            >>> from shogun_env.shogun import Batch
            >>> Batch.load(Batch(3, seed=5).save()).seeds.tolist()
            [5, 6, 7]
        """
        head, arrays = from_bytes(data, cls._identity())
        settings = {"reward": head["reward"], "record": head["record"], **head["options"]}
        batch = cls(max(1, head["num_games"]), num_threads=num_threads, **settings)
        if head["num_games"] == 0:  # as ``take([])`` makes it
            batch = batch.take([], record=True, num_threads=num_threads)
        fill(batch.buffers(), arrays)
        return batch

    def records(self, rows: Any = None, agents: Sequence[str] | None = None) -> list[list[dict[str, Any]]]:
        """Return the records of games, each as a list of lines, header first (needs ``record=True``).

        Of a game that is not over these are the lines so far; a line that the next decision may complete is left out.

        Args:
            rows: bool[B], or int[n] indices; None for all games.
            agents: who played, by player, for the header.

        Raises: ValueError for a batch that keeps no records, or if ``agents`` are not one name for each player.
        """
        if not self.record:
            raise ValueError("this batch keeps no records; make it with record=True")
        names: Any = list(agents) if isinstance(agents, Sequence) and not isinstance(agents, str) else agents
        if not fits(names, (None, [str, self.num_players])):
            raise ValueError(f"agents={shown(agents)}: must be None or {self.num_players} names, one for each player")
        lines, options = self.spec.record_format.lines, self.options
        return [
            complete_lines(lines(entries(self.logs[row]), options, int(self.seeds[row]), names))
            for row in rows_of(rows, self.num_games)
        ]

    # --- compiled play -----------------------------------------------------------------------------------------------

    def play(self, policies: Sequence[PolicySpec], seats: Any = None, until: str | None = None) -> None:
        """Play the games on with compiled policies, without returning to Python for each decision.

        A policy draws from the random row in ``policy_rngs`` of the player for whom it decides.

        Args:
            policies: N functions with the policy signature, or pairs (function, params) with params float64[K];
                ``"random"`` is the built-in uniform policy, which needs no observation.
            seats: int8[B, P], or what broadcasts to it: index of the policy that plays each player; -1 stops a game at
                that player's decisions. Default: policy p plays player p.
            until: one of ``spec.engine.stages``: play stops at the first decision after the next such stage is
                complete. None: play to the end of the game.

        Raises: ValueError for bad seats or an unknown stage, or naming row and policy if one returns an
            illegal action.
        """
        self.playing(policies, seats, until)()

    def playing(
        self, policies: Sequence[PolicySpec], seats: Any = None, until: str | None = None
    ) -> Callable[..., None]:
        """Return a function that does what ``play`` does, for games that are played on many times.

        It may be given ``rows`` int64[n], ascending, to play only these games, and ``actions`` int64[n], legal ones
        with which they begin.

        Raises: ValueError for bad seats or an unknown stage; the function raises the others.
        """
        table = policy_table(self.spec, policies, seats, self.num_games, self.num_players, is_whole=False)
        stage, loop, arrays = stage_of(until, self.spec.engine.stages), play_games.of(self.spec.engine), self._arrays

        def play(rows: np.ndarray | None = None, actions: np.ndarray | None = None) -> None:
            which = self._rows if rows is None else rows
            first = np.full(len(which), NO_ACTION) if actions is None else actions

            def run(lo: int, hi: int) -> int:
                scratch = player_scratch(self.spec, self.num_players, table.memory)
                return int(loop(arrays, table.policies, stage, scratch, which, first, lo, hi))

            if (bad := max(self._run_in_threads(loop, len(which), run))) > NO_FAULT:
                player = int(self.player[bad])
                who = f"policies[{table.policies.seats[bad, player]}], which plays player {player}"
                raise ValueError(f"row {bad}: {who}, returned an illegal action")
            self._raise_errors()

        return play
