"""``Game``: one game to hold in a REPL, a notebook, a test, or the program behind a board.

Everything else plays many games at once; a ``Game`` is one game, with names instead of numbers, and its moves can be
taken back. Use the classes of the games, ``shogun_env.shogun.Game`` and ``shogun_env.shitenno.Game``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from shogun_env.batch.base import BUFFERS
from shogun_env.batch.batch import Batch
from shogun_env.batch.validation import MAX_SEED
from shogun_env.kernel.log import HEAD, TAPE, new_tape, set_tape
from shogun_env.kernel.rng import seed_stream
from shogun_env.policies import AgentSpec, Bot, View, ask, make_agent, tell_begun
from shogun_env.records.events import stop_of
from shogun_env.records.picture import draw_svg
from shogun_env.records.record import check_lines, read_record
from shogun_env.records.replay import replay
from shogun_env.records.text import full_rules, prompt_text, render_text, short_rules
from shogun_env.spec.game_spec import GameSpec, Line
from shogun_env.spec.options import one_of, whole_number
from shogun_env.spec.position import state_from_text

__all__ = ["Game", "Move"]

ROW = np.zeros(1, np.int64)
"""The only row of the batch."""


class Move(NamedTuple):
    """A decision that was made."""

    player: int
    """Who decided."""
    phase: str
    """What was decided, one of ``spec.phase_names``."""
    action: str
    """Name of the action."""


@dataclass(frozen=True, kw_only=True)
class _Snapshot:
    """A game as it was before a move."""

    move: Move
    buffers: dict[str, np.ndarray]
    """Copies of the arrays of the batch by name, except for the log."""
    log_head: np.ndarray
    """Copy of the head of the log; entries beyond those that it counts are overwritten when play goes on."""


class Game:
    """One game, with moves by name.

    Args:
        seed: whole number below 2^53 that determines chance: games with the same seed, options and moves are equal.
        position: position text to begin from, instead of the set-up; it also holds the options.
        options: options of play, as for ``Batch``.

    Example:
        >>> from shogun_env import shogun
        >>> game = shogun.Game(seed=7, num_players=3)
        >>> game.player, game.phase, list(game.legal_actions())[:3]
        (0, 'plan', ['Harima', 'Izu', 'Mino'])
        >>> game.play("Izu")
        >>> game.undo()
        Move(player=0, phase='plan', action='Izu')

    Raises: OptionError (a ValueError) for bad options; ValueError for a bad seed or position.
    """

    batch_class: ClassVar[type[Batch]]
    """The game's ``Batch``."""
    spec: ClassVar[GameSpec]
    """The specification of the game."""

    def __init_subclass__(cls) -> None:
        """Set ``spec`` to that of the game's ``Batch``."""
        cls.spec = cls.batch_class.spec

    def __init__(self, seed: int = 0, *, position: str | None = None, **options: Any) -> None:
        """Set up the game, or the position."""
        if position is not None:
            if options:
                raise ValueError(f"{', '.join(options)} with position=: the position holds the options")
            options = self.spec.position_format.options_of(state_from_text(self.spec, position))
        self.batch: Batch = self.batch_class(1, seed=seed, record=True, **options)
        """The game as a batch of one row; changes made to it directly, without ``play``, cannot be taken back."""
        self._begins_with_setup = position is None
        self._snapshots: list[_Snapshot] = []
        self._bots: dict[str | int, Bot] = {}
        if position is not None:
            self.batch.begin_at(0, position)

    @classmethod
    def from_record(cls, record: str | Path | Sequence[Line], line: int | None = None, seed: int = 0) -> Self:
        """Return the game of a record as it was after a given line.

        The moves up to there can be taken back, and what follows may differ from the record.

        Args:
            record: path of a file, or its lines.
            line: number of a line, the header being 1: the game is at the last decision reached by that line, or at the
                first decision. None: at the end, of the game or of what is written of it.
            seed: determines the chance to come.

        Raises: RecordError naming the line that the rules do not allow; ValueError for a bad line or seed; OSError if
            the file cannot be read.
        """
        if isinstance(record, str | Path):
            lines: Sequence[Line] = read_record(record, cls.spec)
        else:
            lines = record
            check_lines(lines, cls.spec)
        last = len(lines) if line is None else whole_number("line", line, 1, len(lines) + 1)
        game = cls(**cls.spec.record_format.options_of(lines[0]))
        next_action, stop = None, None
        for batch, action in replay(cls.batch_class, lines, partial=True):
            stop = stop_of(batch, stop)
            if next_action is not None:
                if stop.n_lines > last:
                    break
                game._remember(next_action)
            game.batch, next_action = batch.take([0], record=True), action
        game._reseed(seed)
        return game

    # --- looking -----------------------------------------------------------------------------------------------------

    @property
    def options(self) -> dict[str, Any]:
        """The options of play."""
        return dict(self.batch.options)

    @property
    def num_players(self) -> int:
        """The number of players."""
        return self.batch.num_players

    @property
    def player(self) -> int | None:
        """The player who decides; None if the game is over."""
        return None if self.is_over else int(self.batch.player[0])

    @property
    def phase(self) -> str:
        """What is decided now, one of ``spec.phase_names``."""
        return self.spec.phase_names[int(self.batch.phase[0])]

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return bool(self.batch.over[0])

    @property
    def points(self) -> list[int]:
        """The points of each player."""
        return self.batch.points[0].tolist()

    @property
    def winners(self) -> list[int]:
        """The players who have won; none before the game is over."""
        returns = self.returns("win")
        return [player for player, value in enumerate(returns) if self.is_over and value == max(returns)]

    def returns(self, reward: str = "win") -> list[float]:
        """Return the sum of each player's rewards so far.

        Args: reward: one of ``spec.rewards``.
        Raises: ValueError for a reward that the game does not have.
        """
        names, so_far, g = self.spec.rewards, self.spec.engine.reward_so_far, self.batch.games[0]
        number = names.index(one_of("reward", reward, names))
        return [float(so_far(g, player, number)) for player in range(self.num_players)]

    @property
    def moves(self) -> list[Move]:
        """The decisions that ``undo`` can take back, oldest first."""
        return [snapshot.move for snapshot in self._snapshots]

    @property
    def draws(self) -> list[int]:
        """For each of the ``moves``, how many random numbers the bot of its player had drawn when it was made."""
        return [int(each.buffers["policy_rngs"][0, each.move.player, 1]) for each in self._snapshots]

    def legal_actions(self, player: int | None = None) -> dict[str, int]:
        """Return the numbers of the legal actions by name, of the player who decides or of ``player``.

        In a simultaneous phase every player has some; in others only the player who decides has. None when the game is
        over.

        Raises: ValueError for a player who does not exist.
        """
        mask = self.batch.legal[0] if player is None else self.mask(player)
        return {self.spec.action_name(action): action for action in np.flatnonzero(mask).tolist() if not self.is_over}

    def mask(self, player: int | None = None) -> np.ndarray:
        """Return the mask of the player who decides, or of ``player``: int8[A], 1 where an action is legal."""
        return self.batch.legal_for(self._viewer(player))[0]

    def observation(self, player: int | None = None) -> np.ndarray:
        """Return what the player who decides, or ``player``, may know: uint8[D], see ``spec.obs_layout``."""
        return self.batch.observe_for(self._viewer(player))[0].copy()

    def features(self, player: int | None = None) -> dict[str, np.ndarray]:
        """Return the observation as arrays by name of the feature: uint8 each, not scaled."""
        observation = self.observation(player)
        return {piece.name: observation[piece.start : piece.stop] for piece in self.spec.obs_layout}

    def render(self, player: int | None = None) -> str:
        """Return the game in words and tables: what ``player`` may know, or everything for None, the referee."""
        return render_text(self.batch, 0, player)

    def prompt(self, player: int | None = None) -> str:
        """Return the position and the legal actions in words, as a language model needs them to choose an action.

        It holds what the player who decides, or ``player``, may know, and nothing else. The answer, one of the names,
        is what ``play`` takes.

        Raises: ValueError for a player who does not exist.

        Example:
            >>> from shogun_env import shitenno
            >>> print(shitenno.Game(seed=1).prompt().splitlines()[0])
            You are player 0 in a game of Shitennō. This is the position as you see it:
        """
        return prompt_text(self.batch, 0, self._viewer(player))

    @classmethod
    def rules(cls, full: bool = False) -> str:
        """Return the rules in words: in at most 4,000 characters, or with ``full`` in 18,000, with all rulings.

        Example:
            >>> from shogun_env import shitenno
            >>> print(shitenno.Game.rules().splitlines()[0])
            # Shitennō in short
        """
        return full_rules(cls.spec) if full else short_rules(cls.spec)

    def draw(self, player: int | None = None, theme: str = "auto") -> str:
        """Return the board drawn, as an SVG document: what ``player`` may know, or everything for None, the referee.

        Args: player; theme, ``light``, ``dark``, or ``auto`` for what the reader's system prefers.
        Raises: ValueError for a player or theme that does not exist.

        Example:
            >>> from pathlib import Path
            >>> from shogun_env import shitenno
            >>> Path("board.svg").write_text(shitenno.Game().draw(player=0), "utf-8")  # doctest: +SKIP
        """
        return draw_svg(self.batch, 0, player, theme)

    def _repr_svg_(self) -> str:
        """Return the referee's view, drawn, for a notebook."""
        return self.draw()

    def __str__(self) -> str:
        """Return the referee's view."""
        return self.render()

    def __repr__(self) -> str:
        """Return an expression that makes a game in this position."""
        return f"{self.spec.name}.Game(position={self.position()!r})"

    def position(self) -> str:
        """Return the state as one line of text, secrets included, which ``Game(position=…)`` reads."""
        return self.batch.position()

    def record(self, agents: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """Return the lines of the record of the game so far, header first.

        Args: agents: who played, by player, for the header.
        Raises: ValueError for a game that did not begin with the set-up, or that was redealt; if ``agents`` are not one
            name for each player.
        """
        if not self._begins_with_setup:
            raise ValueError(
                "a record begins with the set-up, and this game began later; lines() returns what followed"
            )
        self._check_recorded()
        return self.batch.records(agents=agents)[0]

    def lines(self) -> list[dict[str, Any]]:
        """Return the lines of the record since the game or the position was set up, without a header.

        A line that had begun at the position, such as a famine whose order is to be decided, is the first of them.

        Raises: ValueError for a redealt game, which keeps no record.
        """
        self._check_recorded()
        return self.batch.records()[0][1:]

    def _check_recorded(self) -> None:
        """Raise ValueError for a redealt game."""
        if not self.batch.record:
            raise ValueError("a redealt game keeps no records: its past is not the one that was played")

    def _viewer(self, player: int | None) -> int:
        """Return ``player``, or for None the player who decides, who is player 0 if the game is over."""
        return max(int(self.batch.player[0]), 0) if player is None else player

    # --- playing -----------------------------------------------------------------------------------------------------

    def play(self, *actions: str | int) -> None:
        """Play actions, one decision each, given by name or number.

        Raises: ValueError naming the legal actions if one is illegal; those before it have been played.
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
        """Return the number of a legal action; ValueError naming the legal ones for another."""
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

        Args: agent: what ``make_agent`` takes: the name of a bot, a policy, or an agent.
        Raises: ValueError for an unknown bot, one that answers with no legal action, or if the game is over.
        """
        if self.is_over:
            raise ValueError("the game is over; there is nothing to suggest")
        return self.spec.action_name(int(ask(self.bot(agent), self.batch, ROW)[0]))

    def bot(self, agent: AgentSpec) -> Bot:
        """Return the bot that ``suggest`` asks, which is told once that the game begins; not how it ends."""
        key = agent if isinstance(agent, str) else id(agent)
        if key not in self._bots:
            bot = make_agent(agent, self.spec)
            tell_begun([bot], ROW)
            self._bots[key] = bot  # which keeps the agent, so that no other one has its id
        return self._bots[key]

    def resume(self, actions: Sequence[str], draws: Sequence[int], bots: Mapping[int, Bot]) -> None:
        """Play what was played before, and let bots, by player, recall the decisions of their players.

        Args: actions, bots; draws, what ``draws`` was for these actions, empty if that is not known.
        Raises: ValueError if an action is illegal, or there are too few or too many draws.
        """
        for action, drawn in zip(actions, draws or [0] * len(actions), strict=True):
            if bot := bots.get(int(self.batch.player[0])):
                bot.recall(View.of(self.batch, ROW), self.batch.policy_rngs[ROW, self.batch.player])
            self.batch.policy_rngs[0, self.batch.player, 1] = drawn
            self.play(action)

    def undo(self, count: int = 1) -> Move:
        """Take back the last ``count`` moves, and chance with them; return the earliest of these moves.

        Raises: ValueError if fewer moves can be taken back; the game is left unchanged.
        """
        if whole_number("count", count, 1) > len(self._snapshots):
            raise ValueError(f"undo({count}): only {len(self._snapshots)} moves can be taken back")
        snapshot = self._snapshots[-count]
        del self._snapshots[-count:]
        for name, source in snapshot.buffers.items():
            getattr(self.batch, name)[...] = source
        head = self.batch.logs[:, :HEAD]
        head[...] = snapshot.log_head[:, : head.shape[1]]
        return snapshot.move

    def copy(self) -> Self:
        """Return an independent copy of the game, chance to come and moves to take back included."""
        return self._with(self.batch.take([0], record=True), list(self._snapshots))

    def redeal(self, player: int, seed: int = 0) -> Self:
        """Return a copy of the game in which all that ``player`` cannot know, future chance included, is resampled.

        A search for that player may look into this copy. It has no record, and no moves to take back.

        Raises: ValueError for a player who does not exist, or a bad seed.
        """
        batch = self.batch.take([0])
        batch.redeal([0], player, whole_number("seed", seed, 0, MAX_SEED))
        return self._with(batch, [])

    def force(self, outcomes: Iterable[tuple[int, int]]) -> None:
        """Set the chance to come to ``outcomes``, (kind of log entry, value) each, so that it is not drawn.

        This is for tests and for positions met at a table. ``play`` raises a ValueError if an outcome does not fit, or
        if there are too few.

        Raises: ValueError for a redealt game, more outcomes than its log can hold, or one that is no pair of numbers.
        """
        self._check_recorded()
        log = self.batch.logs[0]
        set_tape(log, new_tape(list(outcomes), len(log)))

    def _with(self, batch: Batch, snapshots: list[_Snapshot]) -> Self:
        """Return a game like this one around another batch."""
        game = object.__new__(type(self))
        game.batch, game._snapshots, game._bots = batch, snapshots, self._bots
        game._begins_with_setup = self._begins_with_setup
        return game

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy in memory or a file begins with: no bots, which may be programs."""
        return {**self.__dict__, "_bots": {}}

    def _remember(self, action: int) -> None:
        """Keep a snapshot of the game before ``action`` is played."""
        move = Move(player=int(self.batch.player[0]), phase=self.phase, action=self.spec.action_name(action))
        buffers = {name: getattr(self.batch, name).copy() for name in BUFFERS if name != "logs"}
        self._snapshots.append(_Snapshot(move=move, buffers=buffers, log_head=self.batch.logs[:, :HEAD].copy()))

    def _reseed(self, seed: int) -> None:
        """Make chance come from ``seed``, also after moves have been taken back."""
        row = np.zeros(2, np.uint64)
        seed_stream(row, whole_number("seed", seed, 0, MAX_SEED), 0)
        self.batch.rngs[0] = row
        self.batch.logs[0, TAPE] = 0
        for snapshot in self._snapshots:
            snapshot.buffers["rngs"][0] = row
            snapshot.log_head[0, TAPE] = 0
