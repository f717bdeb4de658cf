"""The core of every environment for one learner: rows with one learner each, whose opponents play inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np
from gymnasium.utils import seeding

from shogun_env.batch.batch import Batch
from shogun_env.batch.validation import MAX_SEED, WritableArrays
from shogun_env.envs.base import Observer, Settings, legal_or_lowest
from shogun_env.policies import Agent, AgentSpec, agent_text, make_agent, play_on
from shogun_env.spec.forms import COUNT, finite
from shogun_env.spec.options import OptionError


@runtime_checkable
class ChangingOpponents(Protocol):
    """Opponents that change from game to game, for ``opponents=``.

    They may also have the attribute ``texts``: the names of its agents for records.
    """

    agents: Sequence[Agent]
    """The agents. The list may grow at any time; as long as games run, an index must mean the same agent."""

    def line_up(self, seeds: np.ndarray, num_opponents: int) -> np.ndarray:
        """Return who plays the games with ``seeds`` int64[n]: indices of agents, int[n, num_opponents].

        The opponents of a game are in player order after the learner.
        """


Opponents = AgentSpec | Sequence[AgentSpec] | ChangingOpponents
"""One bot for all, P - 1 bots in player order after the learner, or opponents that change from game to game."""
LearnerSeat = int | Literal["rotate"]
"""The player that the learner plays; ``rotate``: the next player in each game."""


class FixedOpponents:
    """The same opponents in every game."""

    def __init__(self, opponents: AgentSpec | Sequence[AgentSpec], batch: Batch) -> None:
        """Make the agents of one spec for all, or of a list of P - 1 specs in player order after the learner."""
        count = batch.num_players - 1
        one_each = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        specs: list[AgentSpec] = list(opponents) if one_each else [opponents] * count  # type: ignore[arg-type, list-item]
        if len(specs) != count:
            raise OptionError(
                f"opponents: {len(specs)} given, {batch.num_players} players need {count} (or one for all)"
            )
        keys = [spec if isinstance(spec, str) else id(spec) for spec in specs]
        distinct = dict(zip(keys, specs, strict=True))
        self.agents: Sequence[Agent] = [make_agent(spec, batch.spec) for spec in distinct.values()]
        self.texts = [agent_text(spec) for spec in distinct.values()]
        self._places = np.array([list(distinct).index(key) for key in keys], np.int8)

    def line_up(self, seeds: np.ndarray, num_opponents: int) -> np.ndarray:
        """Return the same opponents for every game."""
        return np.tile(self._places, (len(seeds), 1))


class Outcome(NamedTuple):
    """The result of a step, one entry per row."""

    rewards: np.ndarray
    """float64[B], the reward of the learner since the last decision."""
    terminated: np.ndarray
    """bool[B], whether the game is over."""
    truncated: np.ndarray
    """bool[B], whether the game is truncated."""
    illegal: np.ndarray
    """bool[B], whether the learner's action was illegal and replaced."""


class Learners(WritableArrays):
    """Games with one learner each; in every game either the learner decides, or the game is over.

    Attributes:
        batch: the games.
        seats: int64[B], the player that the learner plays.
        cycles: int64[B], decisions of the learner in this game.

    Raises: OptionError (a ValueError) for bad opponents or a bad ``learner_seat``.
    """

    def __init__(self, batch: Batch, settings: Settings, opponents: Opponents, learner_seat: LearnerSeat) -> None:
        """Use the rows of ``batch``; ``restart`` starts games in them."""
        players = batch.num_players
        is_whole = isinstance(learner_seat, int | np.integer) and not isinstance(learner_seat, bool)
        if learner_seat != "rotate" and not (is_whole and 0 <= learner_seat < players):
            raise OptionError(f"learner_seat={learner_seat!r}: must be 0 to {players - 1} or 'rotate'")
        self.batch, self.settings = batch, settings
        self.opponents: ChangingOpponents = (
            opponents if isinstance(opponents, ChangingOpponents) else FixedOpponents(opponents, batch)
        )
        self.observer = Observer(batch.spec, settings)
        self.seats = np.full(batch.num_games, 0 if learner_seat == "rotate" else learner_seat, np.int64)
        self.cycles = np.zeros(batch.num_games, np.int64)
        self._rotate = learner_seat == "rotate"
        self._rows = np.arange(batch.num_games)
        self._games_begun = np.zeros(batch.num_games, np.int64)
        self._paid = np.zeros(batch.num_games, np.float32)
        self._table = np.full((batch.num_games, players), -1, np.int8)

    def restart(self, rows: np.ndarray, seeds: np.ndarray) -> None:
        """Start games in ``rows`` int64[n] with ``seeds`` int64[n], and play up to the learners' first decisions."""
        players = self.batch.num_players
        self.batch.reset(rows, seeds)
        if self._rotate:  # row i begins with seat i, so that a batch has learners on every seat at any time
            self.seats[rows] = (rows + self._games_begun[rows]) % players
        self._games_begun[rows] += 1
        places = (self.seats[rows, None] + np.arange(1, players)) % players
        self._table[rows] = -1
        self._table[rows[:, None], places] = self.opponents.line_up(seeds, players - 1)
        self.cycles[rows] = 0
        self._paid[rows] = 0
        play_on(self.batch, self.opponents.agents, self._table)

    def step(self, actions: Any, rows: np.ndarray | None = None) -> Outcome:
        """Play the learners' actions, and then the opponents up to the learners' next decisions.

        Args:
            actions: int[B].
            rows: int64[n], to play only in these rows; the actions of the others are ignored.

        Raises: ValueError for actions of another form, or for an illegal action with ``illegal_action="raise"``; the
            games are left unchanged.
        """
        batch = self.batch
        chosen = np.asarray(actions)
        if chosen.shape != (batch.num_games,) or chosen.dtype.kind not in "iu":
            form = f"actions of shape {chosen.shape} and type {chosen.dtype}"
            raise ValueError(f"{form}: must be whole numbers, one for each of {batch.num_games} rows")
        illegal = np.zeros(batch.num_games, np.bool_)
        if self.settings.illegal_action == "fallback":
            chosen, illegal = legal_or_lowest(chosen, batch.legal)
        batch.step(chosen if rows is None else chosen[rows], rows)
        play_on(batch, self.opponents.agents, self._table)
        self.cycles[self._rows if rows is None else rows] += 1
        total = batch.returns[self._rows, self.seats]
        rewards = (total - self._paid).astype(np.float64)
        self._paid[:] = total
        terminated = batch.over.copy()
        limit = self.settings.max_cycles
        truncated = ~terminated & (self.cycles >= limit) if limit else np.zeros_like(terminated)
        return Outcome(rewards=rewards, terminated=terminated, truncated=truncated, illegal=illegal)

    def texts(self, row: int) -> list[str]:
        """Return the names of those who play in a row, by player."""
        texts = getattr(self.opponents, "texts", None) or [agent_text(agent) for agent in self.opponents.agents]
        return ["learner" if place < 0 else texts[place] for place in self._table[row]]

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays that change in play besides those of the batch, by name."""
        return {
            "seats": self.seats,
            "cycles": self.cycles,
            "games_begun": self._games_begun,
            "paid": self._paid,
            "table": self._table,
        }

    def state_forms(self, learner: int | None) -> dict[str, Any]:
        """Return the forms (``spec.forms``) of what ``arrays`` has in one game, as lists.

        Args: learner, who decides in a game that is running; None if none is, and no line-up is needed.
        """
        players, others = range(self.batch.num_players), range(len(self.opponents.agents))
        anybody, nobody = range(-1, len(others)), range(-1, 0)
        seat = players if learner is None else range(learner, learner + 1)
        return {
            "seats": [seat, 1],
            "cycles": [COUNT, 1],
            "games_begun": [COUNT, 1],
            "paid": [finite, 1],
            "table": [[anybody if learner is None else nobody if p == learner else others for p in players], 1],
        }

    def observations(self, rows: np.ndarray | None = None) -> np.ndarray:
        """Return what the learners of ``rows``, or of all, may know: uint8[n, D], in a buffer that is overwritten."""
        return self.batch.observe_for(self.seats if rows is None else self.seats[rows], rows=rows)


class RowSeeds:
    """Seeds of games by row: first the one given, then numbers below 2^53 from a generator of the row with that seed.

    In this way a row of a vector environment plays the games of a single environment that was reset with its seed.
    """

    def __init__(self, num_rows: int) -> None:
        """Begin without seeds; the generator of a row that is never given one is seeded at random."""
        self._seeds: list[int | None] = [None] * num_rows
        self._generators: list[np.random.Generator | None] = [None] * num_rows

    def first(self, seeds: Sequence[int | None], rows: np.ndarray) -> np.ndarray:
        """Return the seeds of the games that start when ``rows`` int64[n] are reset: int64[n].

        Args:
            seeds: one for each row of the environment; for None the row's generator draws the next one.
            rows: the rows that are reset; the seeds of others are ignored.
        """
        own_seeds = [seeds[row] for row in rows]
        for row, seed in zip(rows, own_seeds, strict=True):
            if seed is not None:
                self._seeds[row], self._generators[row] = int(seed), None
        return np.array(
            [self._draw(row) if seed is None else seed for row, seed in zip(rows, own_seeds, strict=True)], np.int64
        )

    def next(self, rows: np.ndarray) -> np.ndarray:
        """Return the seeds of the next games of ``rows`` int64[n]: int64[n]."""
        return np.array([self._draw(row) for row in rows], np.int64)

    def _draw(self, row: int) -> int:
        """Return the next seed of a row; its generator is made when it is first needed."""
        generator = self._generators[row]
        if generator is None:
            generator = self._generators[row] = seeding.np_random(self._seeds[row])[0]
        return int(generator.integers(MAX_SEED))
