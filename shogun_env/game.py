"""``Game``: one game to hold in a REPL, a notebook, a test, or the program behind a board.

Everything else plays many games at once; a ``Game`` is one of them, with names instead of numbers, and moves can be
taken back. The classes to use are those of the games, ``shogun_env.shogun.Game`` and ``shogun_env.shitenno.Game``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.batch.validation import MAX_SEED, whole_number
from shogun_env.kernel.log import HEAD, TAPE, set_tape
from shogun_env.kernel.rng import seed_stream
from shogun_env.policies import AgentSpec, ask, make_agent
from shogun_env.records.record import Line, check_lines, read_record
from shogun_env.records.replay import replay, written
from shogun_env.records.text import render_text
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.position import state_from_text

__all__ = ["Game", "Move"]

ROW = np.zeros(1, np.int64)


class Move(NamedTuple):
    """A decision that was made."""

    player: int
    phase: str
    """What was decided, one of ``spec.phase_names``."""
    action: str


@dataclass(frozen=True, kw_only=True)
class _Snapshot:
    """A game as it was before a move."""

    move: Move
    buffers: tuple[np.ndarray, ...]
    """What the batch holds, but for the log."""
    log_head: np.ndarray
    """What lies behind the entries that the head counts is overwritten when play goes on."""


class Game:
    """One game, with moves by name.

    Args:
        seed: a whole number below 2^53; the chance of the game. Games of one seed and one set of options in which the
            same moves are made are equal.
        position: a position text to begin from instead of the set-up; it holds the options.
        options: options of play, as for ``Batch``.

    Example:
        >>> from shogun_env import shogun
        >>> game = shogun.Game(seed=7, num_players=3)
        >>> game.player, game.phase, list(game.legal_actions())[:3]
        (0, 'plan', ['Harima', 'Izu', 'Mino'])
        >>> game.play("Izu")
        >>> game.undo()
        Move(player=0, phase='plan', action='Izu')

    Raises: OptionError for bad options; ValueError for a bad seed or position.
    """

    batch_class: ClassVar[type[Batch]]
    """The game's ``Batch``."""
    spec: ClassVar[GameSpec]
    """The specification of the game."""

    def __init_subclass__(cls) -> None:
        """Take over the specification of the game."""
        cls.spec = cls.batch_class.spec

    def __init__(self, seed: int = 0, *, position: str | None = None, **options: Any) -> None:
        """Set the game up."""
        if position is not None:
            if options:
                raise ValueError(f"{', '.join(options)} beside position=: the position holds the options")
            options = self.spec.position_format.options_of(state_from_text(self.spec, position))
        self.batch: Batch = self.batch_class(1, seed=seed, record=True, **options)
        """The game as a batch of one row; what changes it without ``play`` cannot be taken back."""
        self._begins_with_setup = position is None
        self._snapshots: list[_Snapshot] = []
        if position is not None:
            self.batch.set_position(0, position)
            self.batch.logs[:, :HEAD] = 0

    @classmethod
    def from_record(cls, record: str | Path | Sequence[Line], line: int | None = None, seed: int = 0) -> Self:
        """Return the game of a record, as it stood when ``line`` had been written.

        What follows may differ from the record: its moves can be taken back, and chance comes anew from ``seed``.

        Args:
            record: a file, or its lines.
            line: number of a line, the header being 1; the game stands at the last decision reached by then, or at the
                first one. None: at the end.
            seed: of the chance to come.

        Raises: RecordError naming the line that the rules do not allow; OSError if the file cannot be read.
        """
        if isinstance(record, str | Path):
            lines: Sequence[Line] = read_record(record, cls.spec)
        else:
            lines = record
            check_lines(lines, cls.spec)
        last = len(lines) if line is None else whole_number("line", line, 1, len(lines) + 1)
        game = cls(**cls.spec.record_format.options_of(lines[0]))
        next_action = None
        for batch, action in replay(cls.batch_class, lines):
            if next_action is not None:
                if len(written(batch)) > last:
                    break
                game._remember(next_action)
            game.batch, next_action = batch.take([0], record=True), action
        game._draw_anew(seed)
        return game

    # --- what there is to see ----------------------------------------------------------------------------------------

    @property
    def options(self) -> dict[str, Any]:
        """The options of play."""
        return dict(self.batch.options)

    @property
    def num_players(self) -> int:
        """How many play."""
        return self.batch.num_players

    @property
    def player(self) -> int | None:
        """Who decides; None when the game is over."""
        return None if self.is_over else int(self.batch.player[0])

    @property
    def phase(self) -> str:
        """What is decided, one of ``spec.phase_names``."""
        return self.spec.phase_names[int(self.batch.phase[0])]

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return bool(self.batch.over[0])

    @property
    def points(self) -> list[int]:
        """Points of the players."""
        points: list[int] = self.batch.points[0].tolist()
        return points

    @property
    def winners(self) -> list[int]:
        """Who has won; nobody before the game is over."""
        returns = self.returns("win")
        return [player for player, value in enumerate(returns) if self.is_over and value == max(returns)]

    def returns(self, reward: str = "win") -> list[float]:
        """Return the sum of each player's rewards so far.

        Raises: ValueError for a reward that the game does not have.
        """
        names = self.spec.rewards
        if reward not in names:
            raise ValueError(f"reward={reward!r}: must be one of {', '.join(names)}")
        so_far, g = self.spec.engine.reward_so_far, self.batch.games[0]
        return [float(so_far(g, player, names.index(reward))) for player in range(self.num_players)]

    @property
    def moves(self) -> list[Move]:
        """The decisions made since this object was set up, as far as ``undo`` can take them back."""
        return [snapshot.move for snapshot in self._snapshots]

    def legal_actions(self, player: int | None = None) -> dict[str, int]:
        """Return the legal actions of the player who decides, or of ``player``: name -> number.

        In a simultaneous phase every player has some; at other times only the one who decides.
        """
        mask = self.batch.legal[0] if player is None else self.mask(player)
        return {self.spec.action_name(action): action for action in np.flatnonzero(mask).tolist() if not self.is_over}

    def mask(self, player: int | None = None) -> np.ndarray:
        """Return the mask int8[A] of the player who decides, or of ``player``."""
        mask: np.ndarray = self.batch.legal_for(self._viewer(player))[0]
        return mask

    def observation(self, player: int | None = None) -> np.ndarray:
        """Return what the player who decides, or ``player``, may know: uint8[D], as ``spec.obs_layout`` lays it out."""
        observation: np.ndarray = self.batch.observe_for(self._viewer(player))[0].copy()
        return observation

    def features(self, player: int | None = None) -> dict[str, np.ndarray]:
        """Return the same by name of the feature: uint8 each, values before they are scaled."""
        observation = self.observation(player)
        return {piece.name: observation[piece.start : piece.stop] for piece in self.spec.obs_layout}

    def render(self, player: int | None = None) -> str:
        """Return the game in words and tables: what ``player`` may know, or all of it for None, the referee."""
        return render_text(self.batch, 0, player)

    def __str__(self) -> str:
        """Return the referee's view."""
        return self.render()

    def __repr__(self) -> str:
        """Return what makes a game in this position."""
        return f"{self.spec.name}.Game(position={self.position()!r})"

    def position(self) -> str:
        """Return the state as one line of text, which ``Game(position=…)`` reads; secrets included."""
        return self.batch.position()

    def record(self, agents: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """Return the record of the game so far, header first.

        Args: agents: who played, for the header.
        Raises: ValueError for a game that did not begin with the set-up.
        """
        if not self._begins_with_setup:
            raise ValueError("a record begins with the set-up, and this game began later; lines() has what followed")
        return self.batch.records(agents=None if agents is None else list(agents))[0]

    def lines(self) -> list[dict[str, Any]]:
        """Return the lines written since this object was set up, as they are in a record; no header.

        Raises: ValueError for a redealt game, which keeps none.
        """
        return self.batch.records()[0][1:]

    def _viewer(self, player: int | None) -> int:
        """Return the player meant by an argument; None: who decides, and player 0 when the game is over."""
        return max(int(self.batch.player[0]), 0) if player is None else player

    # --- playing -----------------------------------------------------------------------------------------------------

    def play(self, *actions: str | int) -> None:
        """Play decisions, each by name or number.

        Raises: ValueError naming the legal ones if one is illegal; those before it have been played.
        """
        for action in actions:
            number = self._number(action)
            self._remember(number)
            try:
                self.batch.step([number])
            except ValueError:
                self.undo()
                raise

    def _number(self, action: str | int) -> int:
        """Return the number of a legal action."""
        legal = self.legal_actions()
        if self.is_over:
            raise ValueError(f"{action!r}: the game is over")
        if isinstance(action, str):
            if action in legal:
                return legal[action]
            who = f"player {self.player} decides {self.phase}"
            raise ValueError(f"{who}; {action!r} is illegal; legal are {', '.join(legal)}")
        number = whole_number("action", action, 0)
        if number not in legal.values():
            raise ValueError(self.batch.why_illegal(0, number))
        return number

    def suggest(self, agent: AgentSpec) -> str:
        """Return the name of the action that a bot would play: ``game.play(game.suggest("scripted"))``.

        Raises: ValueError for an unknown bot, or when the game is over.
        """
        if self.is_over:
            raise ValueError("the game is over; there is nothing to suggest")
        (action,) = ask(make_agent(agent, self.spec), self.batch, ROW)
        return self.spec.action_name(int(action))

    def undo(self, count: int = 1) -> Move:
        """Take the last moves back, and return the first of those; chance to come is then what it was.

        Raises: ValueError if fewer were made; nothing is changed then.
        """
        if whole_number("count", count, 1) > len(self._snapshots):
            raise ValueError(f"undo({count}): only {len(self._snapshots)} moves can be taken back")
        snapshot = self._snapshots[-count]
        del self._snapshots[-count:]
        for target, source in zip(self._buffers(), snapshot.buffers, strict=True):
            target[...] = source
        head = self.batch.logs[:, :HEAD]
        head[...] = snapshot.log_head[:, : head.shape[1]]
        return snapshot.move

    def copy(self) -> Self:
        """Return a game that plays on by itself, chance to come and moves to take back included."""
        return self._with(self.batch.take([0], record=True), list(self._snapshots))

    def redeal(self, player: int, seed: int = 0) -> Self:
        """Return a game in which everything that ``player`` cannot know is drawn anew, and chance to come as well.

        It is what a search for that player may look into. It has no record, and nothing to take back.
        """
        batch = self.batch.take([0])
        batch.redeal([0], player, whole_number("seed", seed, 0, MAX_SEED))
        return self._with(batch, [])

    def force(self, outcomes: Iterable[tuple[int, int]]) -> None:
        """Let the chance to come be these outcomes, (kind of log entry, value) each, instead of being drawn.

        For tests and for positions met at a table: ``play`` raises a ValueError when an outcome does not fit, or when
        there are too few.
        """
        set_tape(self.batch.logs[0], list(outcomes))

    def _with(self, batch: Batch, snapshots: list[_Snapshot]) -> Self:
        game = object.__new__(type(self))
        game.batch, game._snapshots = batch, snapshots
        game._begins_with_setup = self._begins_with_setup
        return game

    def _buffers(self) -> tuple[np.ndarray, ...]:
        return tuple(buffer for buffer in self.batch.buffers() if buffer is not self.batch.logs)

    def _remember(self, action: int) -> None:
        """Keep the game as it is, before ``action`` is played."""
        move = Move(player=int(self.batch.player[0]), phase=self.phase, action=self.spec.action_name(action))
        buffers = tuple(buffer.copy() for buffer in self._buffers())
        self._snapshots.append(_Snapshot(move=move, buffers=buffers, log_head=self.batch.logs[:, :HEAD].copy()))

    def _draw_anew(self, seed: int) -> None:
        """Let chance come from ``seed``, now and after moves have been taken back."""
        row = np.zeros(2, np.uint64)
        seed_stream(row, whole_number("seed", seed, 0, MAX_SEED), 0)
        index = next(i for i, buffer in enumerate(self._buffers()) if buffer is self.batch.rngs)
        self.batch.rngs[0] = row
        self.batch.logs[0, TAPE] = 0
        for snapshot in self._snapshots:
            snapshot.buffers[index][0] = row
            snapshot.log_head[0, TAPE] = 0
