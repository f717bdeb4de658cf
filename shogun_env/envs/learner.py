"""The core of every single-learner environment: rows with one learner each, the opponents played inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from gymnasium.utils import seeding

from shogun_env.batch.batch import Batch
from shogun_env.batch.validation import MAX_SEED, writable
from shogun_env.envs.base import Observer, Settings, legal_or_lowest
from shogun_env.policies import Agent, AgentSpec, agent_text, make_agent, play_on
from shogun_env.spec.options import OptionError

OPTIONS: dict[str, Any] = {"opponents": "random", "learner_seat": 0}
"""Options of every single-learner environment beside those of all, with their defaults."""


@runtime_checkable
class Pool(Protocol):
    """Opponents that change from game to game, for ``opponents=``. Optional: ``texts``, their names in records."""

    agents: Sequence[Agent]
    """Asked anew in every step, so it may grow; an agent's index must keep its meaning while games run."""

    def line_up(self, seeds: np.ndarray, num_opponents: int) -> np.ndarray:
        """Return int[n, num_opponents], agents of the games ``seeds`` int64[n], in player order after the learner."""


class FixedPool:
    """The same opponents in every game."""

    def __init__(self, opponents: Any, batch: Batch) -> None:
        """Make the agents of one spec for all, or of a list of n - 1 in player order after the learner."""
        wanted = batch.num_players - 1
        specs: list[AgentSpec] = list(opponents) if isinstance(opponents, list | tuple) else [opponents] * wanted
        if len(specs) != wanted:
            raise OptionError(
                f"opponents: {len(specs)} given, {batch.num_players} players need {wanted} (or one for all)"
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
    """What a step came to, one entry a row."""

    rewards: np.ndarray
    """float64[B], what the learner gained since his last decision."""
    terminated: np.ndarray
    """bool[B]"""
    truncated: np.ndarray
    """bool[B]"""
    illegal: np.ndarray
    """bool[B], whose action was replaced."""


class Learners:
    """Games in which one player each, the learner, is asked; it is always his turn, or the game is over.

    Attributes:
        batch: the games.
        seats: int64[B], which player the learner is.
        cycles: int64[B], his decisions so far.

    Raises: ValueError for bad opponents or a bad learner_seat.
    """

    def __init__(self, batch: Batch, settings: Settings, opponents: Any = "random", learner_seat: Any = 0) -> None:
        """Take over the rows of ``batch``; ``restart`` starts games."""
        players = batch.num_players
        whole = isinstance(learner_seat, int | np.integer) and not isinstance(learner_seat, bool)
        if learner_seat != "rotate" and not (whole and 0 <= learner_seat < players):
            raise OptionError(f"learner_seat={learner_seat!r}: must be 0 to {players - 1} or 'rotate'")
        self.batch, self.settings = batch, settings
        self.pool: Pool = opponents if isinstance(opponents, Pool) else FixedPool(opponents, batch)
        self.observer = Observer(batch.spec, settings.observation)
        self.seats = np.full(batch.num_games, 0 if learner_seat == "rotate" else learner_seat, np.int64)
        self.cycles = np.zeros(batch.num_games, np.int64)
        self._rotate = learner_seat == "rotate"
        self._rows = np.arange(batch.num_games)
        self._games_begun = np.zeros(batch.num_games, np.int64)
        self._paid = np.zeros(batch.num_games, np.float32)
        self._table = np.full((batch.num_games, players), -1, np.int8)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over what a pickle kept, as arrays that can be written to."""
        self.__dict__.update(writable(state))

    def restart(self, rows: np.ndarray, seeds: np.ndarray) -> None:
        """Start games anew in ``rows`` int64[n] with ``seeds`` int64[n], up to the learners' first decisions."""
        players = self.batch.num_players
        self.batch.reset(rows, seeds)
        if self._rotate:  # row i begins i seats on, so that a batch holds every seat at any time
            self.seats[rows] = (rows + self._games_begun[rows]) % players
        self._games_begun[rows] += 1
        places = (self.seats[rows, None] + np.arange(1, players)) % players
        self._table[rows] = -1
        self._table[rows[:, None], places] = self.pool.line_up(seeds, players - 1)
        self.cycles[rows] = 0
        self._paid[rows] = 0
        play_on(self.batch, self.pool.agents, self._table)

    def step(self, actions: Any, rows: np.ndarray | None = None) -> Outcome:
        """Play the learners' actions int[B], then their opponents up to the learners' next decisions.

        Args: rows: int64[n], to play only there; ``actions`` of other rows are not looked at.
        Raises: ValueError for an illegal action if so chosen; nothing is changed then.
        """
        batch = self.batch
        chosen = np.asarray(actions)
        if chosen.shape != (batch.num_games,) or chosen.dtype.kind not in "iu":
            wanted = f"one whole number for each of {batch.num_games} rows"
            raise ValueError(f"actions of shape {chosen.shape} and type {chosen.dtype}: {wanted}")
        illegal = np.zeros(batch.num_games, np.bool_)
        if self.settings.illegal_action == "fallback":
            chosen, illegal = legal_or_lowest(chosen, batch.legal)
        batch.step(chosen if rows is None else chosen[rows], rows)
        play_on(batch, self.pool.agents, self._table)
        self.cycles[self._rows if rows is None else rows] += 1
        total = batch.returns[self._rows, self.seats]
        rewards = (total - self._paid).astype(np.float64)
        self._paid[:] = total
        terminated = batch.over.copy()
        limit = self.settings.max_cycles
        truncated = ~terminated & (self.cycles >= limit) if limit else np.zeros_like(terminated)
        return Outcome(rewards, terminated, truncated, illegal)

    def texts(self, row: int) -> list[str]:
        """Return who plays in a row, by player."""
        texts = getattr(self.pool, "texts", None) or [agent_text(agent) for agent in self.pool.agents]
        return ["learner" if place < 0 else texts[place] for place in self._table[row]]

    def arrays(self) -> dict[str, np.ndarray]:
        """Return what changes in play beside the batch."""
        return {
            "seats": self.seats,
            "cycles": self.cycles,
            "games_begun": self._games_begun,
            "paid": self._paid,
            "table": self._table,
        }

    def seen(self, rows: np.ndarray | None = None) -> np.ndarray:
        """Return uint8[n, D], what the learners know, in a buffer that is used again."""
        return self.batch.observe_for(self.seats if rows is None else self.seats[rows], rows=rows)


class RowSeeds:
    """Seeds of games, row by row: the one given first, then numbers below 2^53 from that row's own generator.

    So a row of a vector environment plays the games of a single environment that was reset with the row's seed.
    """

    def __init__(self, num_rows: int) -> None:
        """Begin without seeds; rows never given one draw their own."""
        self._seeds: list[int | None] = [None] * num_rows
        self._generators: list[np.random.Generator | None] = [None] * num_rows

    def first(self, seeds: Sequence[int | None], rows: np.ndarray) -> np.ndarray:
        """Return int64[n], the seeds with which ``rows`` int64[n] are reset; None goes on with the row's generator.

        Args: seeds: one for each row there is; those of other rows are not looked at.
        """
        given = [seeds[row] for row in rows]
        for row, seed in zip(rows, given, strict=True):
            if seed is not None:
                self._seeds[row], self._generators[row] = int(seed), None
        return np.array(
            [self._draw(row) if seed is None else seed for row, seed in zip(rows, given, strict=True)], np.int64
        )

    def next(self, rows: np.ndarray) -> np.ndarray:
        """Return int64[n], seeds of the next games of ``rows`` int64[n]."""
        return np.array([self._draw(row) for row in rows], np.int64)

    def _draw(self, row: int) -> int:
        """Return the next seed of a row, whose generator is made when first needed."""
        generator = self._generators[row]
        if generator is None:
            generator = self._generators[row] = seeding.np_random(self._seeds[row])[0]
        return int(generator.integers(MAX_SEED))
