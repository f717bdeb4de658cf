"""The core of every environment for one learner: rows with one learner each, whose opponents play inside."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from gymnasium.utils import seeding

from shogun_env.batch.batch import Batch
from shogun_env.batch.float_view import ByteView
from shogun_env.batch.loops import find_illegal
from shogun_env.batch.validation import MAX_SEED, MOST_POLICIES, WritableArrays, actions_of, seeds_of
from shogun_env.envs.base import LastViews, Observer, Settings, begin_at, start_at, warn_of_fallback
from shogun_env.policies import AgentSpec, Bot, agent_text, make_agent, play_on, tell_begun, wants_records
from shogun_env.spec.bots import legal_or_lowest
from shogun_env.spec.options import OptionError, is_whole

OPPONENT_DRAWS = 0x6F70706F
"""Separates the draws of opponents from whatever else is drawn with the seed of a game."""


Opponents = AgentSpec | Sequence[AgentSpec] | Mapping[Any, float]
"""One bot for all; P - 1 bots in player order after the learner; or a mapping of either, a tuple in place of a list, to
weights, by which one is drawn for each game."""
LearnerSeat = int | Literal["rotate"]
"""The player that the learner plays; ``rotate``: player s mod P in the game with seed s."""


class LineUps:
    """Who plays against the learner: the same agents in every game, or drawn from the seed of the game.

    Attributes:
        agents: the agents, each once.
        texts: their names in records.
    """

    def __init__(self, opponents: Opponents, batch: Batch) -> None:
        """Make the agents of one spec for all, of P - 1 specs in player order after the learner, or of a mapping.

        Weights in the mapping that change later count for the games that begin from then on.

        Raises: OptionError (a ValueError) for what is no bot, for another number of specs, or for weights of which none
            can be drawn.
        """
        count = batch.num_players - 1
        self._weights = opponents if isinstance(opponents, Mapping) else {"always": 1}
        """The mapping that was given: its owner may change the weights in it."""
        specs: list[Any] = list(opponents) if isinstance(opponents, Mapping) else [opponents]
        _bounds_of(self._weights, len(specs))
        is_list = [isinstance(spec, Sequence) and not isinstance(spec, str) for spec in specs]
        line_ups = [tuple(spec) if many else (spec,) * count for spec, many in zip(specs, is_list, strict=True)]
        if wrong := [each for each in line_ups if len(each) != count]:
            words = f"{batch.num_players} players need {count} (or one for all)"
            raise OptionError(f"opponents: {len(wrong[0])} given, {words}")
        distinct = {_key_of(spec): spec for line_up in line_ups for spec in line_up}
        if len(distinct) > MOST_POLICIES:
            raise OptionError(f"opponents: {len(distinct)} bots, at most {MOST_POLICIES} fit, as seats are bytes")
        try:
            self.agents: Sequence[Bot] = [make_agent(spec, batch.spec) for spec in distinct.values()]
        except ValueError as error:
            raise OptionError(f"opponents: {error}") from error
        self.texts = [agent_text(spec) for spec in distinct.values()]
        self._made = [bot for spec, bot in zip(distinct.values(), self.agents, strict=True) if isinstance(spec, str)]
        places = {key: place for place, key in enumerate(distinct)}
        self._line_ups = np.array([[places[_key_of(spec)] for spec in line_up] for line_up in line_ups], np.int8)
        """int8[L, P - 1], of which one is drawn by the weights."""

    def line_up(self, seeds: np.ndarray) -> np.ndarray:
        """Return who plays the games with ``seeds`` int64[n]: indices of agents, int8[n, P - 1], after the learner."""
        if len(self._line_ups) == 1:
            return np.repeat(self._line_ups, len(seeds), 0)
        bounds = _bounds_of(self._weights, len(self._line_ups))
        return self._line_ups[np.searchsorted(bounds, [_draw_of(seed) for seed in seeds.tolist()], "right")]

    def close(self) -> None:
        """End the programs of the bots that were made here; one that was given as an object is its owner's."""
        for agent in self._made:
            agent.close()


def _key_of(spec: AgentSpec) -> Any:
    """Return what tells the agents of specs apart: an object is itself, whatever it is equal to."""
    return spec if isinstance(spec, str) else id(spec)


def _bounds_of(weights: Mapping[Any, float], count: int) -> np.ndarray:
    """Return which draws from 0 to 1 mean which line-up, float64[count], the ends of their ranges; OptionError."""
    values = list(weights.values())
    if len(values) != count:
        raise OptionError(f"opponents: {len(values)} weights, must stay {count}: only their values may be changed")
    is_number = all(isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in values)
    if not is_number or not all(math.isfinite(v) and v >= 0 for v in values) or not sum(values) > 0:
        raise OptionError(f"opponents={dict(weights)!r}: weights must be numbers from 0 up, one of them more than 0")
    bounds = np.cumsum(values, dtype=np.float64)
    return np.asarray(bounds / bounds[-1])


def _draw_of(seed: int) -> float:
    """Return a number from 0 to below 1 that follows from the seed of a game, and from nothing that happens in it."""
    return int(np.random.SeedSequence((seed, OPPONENT_DRAWS)).generate_state(1, np.uint64)[0] >> 11) / 2**53


class Learners(WritableArrays):
    """Games with one learner each; in every game either the learner decides, or the game is over.

    Attributes:
        batch: the games.
        seats: int64[B], the player that the learner plays.
        cycles: int64[B], decisions of the learner in this game.
        learner_seat: as it was given.

    Raises: OptionError (a ValueError) for bad opponents or a bad ``learner_seat``.
    """

    def __init__(self, batch: Batch, settings: Settings, opponents: Opponents, learner_seat: LearnerSeat) -> None:
        """Use the rows of ``batch``; ``restart`` starts games in them."""
        players = batch.num_players
        if learner_seat != "rotate" and not (is_whole(learner_seat) and 0 <= learner_seat < players):
            raise OptionError(f"learner_seat={learner_seat!r}: must be 0 to {players - 1} or 'rotate'")
        self.batch, self.settings = batch, settings
        self.opponents = LineUps(opponents, batch)
        if wants_records(self.opponents.agents) and not batch.record:
            batch.keep_records()
        self.observer = Observer(batch.spec, settings)
        self.seats = np.full(batch.num_games, 0 if learner_seat == "rotate" else learner_seat, np.int64)
        self.cycles = np.zeros(batch.num_games, np.int64)
        self.learner_seat = learner_seat if learner_seat == "rotate" else int(learner_seat)
        self._rows = np.arange(batch.num_games)
        self._paid = np.zeros(batch.num_games, np.float32)
        self._table = np.full((batch.num_games, players), -1, np.int8)
        self._bytes = np.empty((batch.num_games, batch.spec.obs_size), np.uint8)
        self._last: LastViews | None = None
        """What ``show`` has shown without copying, once it is asked to."""

    def starts(self, positions: Sequence[Any]) -> list[Batch | None]:
        """Return where games begin, as ``restart`` takes it.

        Args: positions, position texts, or None for the set-up of the game.
        Raises: ValueError for a bad position.
        """
        known: dict[Any, Batch] = {}
        for position in positions:
            if position is not None and not (isinstance(position, str) and position in known):
                known[position] = start_at(self.batch, position)
        return [None if position is None else known[position] for position in positions]

    def restart(self, rows: np.ndarray, seeds: np.ndarray, starts: Sequence[Batch | None] = ()) -> None:
        """Start games in ``rows`` int64[n] with ``seeds`` int64[n], and play up to the learners' first decisions.

        Args: rows; seeds; starts, for each row the position in which its game begins, or None; empty: all None.
        """
        players = self.batch.num_players
        self.batch.reset(rows, seeds)
        for start in {id(start): start for start in starts if start is not None}.values():
            begin_at(self.batch, rows[[each is start for each in starts]], start)
        if self.learner_seat == "rotate":
            self.seats[rows] = seeds % players
        places = (self.seats[rows, None] + np.arange(1, players)) % players
        self._table[rows] = -1
        self._table[rows[:, None], places] = self.opponents.line_up(seeds)
        self.cycles[rows] = 0
        self._paid[rows] = self.batch.returns[rows, self.seats[rows]]
        tell_begun(self.opponents.agents, rows)
        play_on(self.batch, self.opponents.agents, self._table, rows=rows)

    def checked(self, actions: Any, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the learners' actions as ``step`` takes them, and which were illegal and replaced, bool[B].

        Args:
            actions: int[B].
            rows: int64[n], to play only in these rows; the actions of the others are ignored.

        Raises: ValueError for actions of another form, or for an illegal action with ``illegal_action="raise"``.
        """
        batch, chosen = self.batch, actions_of(actions, self.batch.num_games)
        ignored = np.full(batch.num_games, rows is not None)
        ignored[rows] = False
        row = int(find_illegal(batch.legal, ignored, chosen, 0, batch.num_games))
        if row < 0:
            return chosen, np.zeros(batch.num_games, np.bool_)
        if self.settings.illegal_action == "raise":
            raise ValueError(f"row {row}: {batch.why_illegal(row, int(chosen[row]))}")
        legal, illegal = legal_or_lowest(chosen, batch.legal)
        who = f"player_{self.seats[row]}" + (f" in row {row}" if batch.num_games > 1 else "")
        warn_of_fallback(batch.spec, who, int(chosen[row]), int(legal[row]))
        return legal, illegal & ~ignored

    def step(self, actions: np.ndarray, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Play the learners' actions, in all rows or ``rows``, and the opponents up to the learners' next decisions.

        Returns: the rewards since the last decisions, float64[B]; which games are over, and which truncated, bool[B].
        """
        batch, which = self.batch, self._rows if rows is None else rows
        play_on(batch, self.opponents.agents, self._table, rows=which, actions=actions[which])
        self.cycles[which] += 1
        total = batch.returns[self._rows, self.seats]
        rewards = (total - self._paid).astype(np.float64)
        self._paid[:] = total
        terminated = batch.over.copy()
        limit = self.settings.max_cycles
        truncated = ~terminated & (self.cycles >= limit) if limit else np.zeros_like(terminated)
        return rewards, terminated, truncated

    def texts(self, row: int) -> list[str]:
        """Return the names of those who play in a row, by player."""
        return ["learner" if place < 0 else self.opponents.texts[place] for place in self._table[row]]

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays that change in play besides those of the batch, by name."""
        return {"seats": self.seats, "cycles": self.cycles, "paid": self._paid, "table": self._table}

    def observations(self, rows: np.ndarray | None = None) -> np.ndarray:
        """Return what the learners of ``rows``, or of all, may know: uint8[n, D], in a buffer that is overwritten."""
        seats = self.seats if rows is None else self.seats[rows]
        return self.batch.observe_for(seats, self._bytes[: len(seats)], rows)

    def show(self, copy: bool = True) -> Any:
        """Return what all learners may know as the options say, with masks in new arrays if they belong there.

        Args: copy: return new arrays; False: read-only views of arrays that the next call overwrites.
        """
        batch, view = self.batch, self.observer.view
        if isinstance(view, ByteView):  # written once, where they are shown
            views = batch.observe_for(self.seats, np.empty_like(self._bytes) if copy else self._bytes)
        elif copy:
            views = view.show(self.observations())
        else:
            self._last = self._last or LastViews(view, batch.num_games)
            views = self._last.show(self.observations())
        if not copy:
            views = views[:]
            views.flags.writeable = False
        return self.observer.show(views, batch.legal.copy())


class RowSeeds:
    """Seeds of games by row: first the one given, then numbers below 2^53 from a generator of the row with that seed.

    In this way a row of a vector environment plays the games of a single environment that was reset with its seed.
    """

    def __init__(self) -> None:
        """Begin without seeds; the generator of a row that is never given one is seeded at random."""
        self._seeds: dict[int, int] = {}
        self._generators: dict[int, np.random.Generator] = {}

    def first(self, seeds: Sequence[int | None], rows: np.ndarray) -> np.ndarray:
        """Return the seeds of the games that start when ``rows`` int64[n] are reset: int64[n].

        Args:
            seeds: one for each row of the environment; for None the row's generator draws the next one.
            rows: the rows that are reset; the seeds of others are ignored.

        Raises: ValueError for a bad seed; nothing is changed then.
        """
        given = {row: seed for row in rows.tolist() if (seed := seeds[row]) is not None}
        if given:
            seeds_of([*given.values()], len(given))
        self._seeds |= {row: int(seed) for row, seed in given.items()}
        self._generators = {row: each for row, each in self._generators.items() if row not in given}
        return np.array([given[row] if row in given else self._draw(row) for row in rows.tolist()], np.int64)

    def next(self, rows: np.ndarray) -> np.ndarray:
        """Return the seeds of the next games of ``rows`` int64[n]: int64[n]."""
        return np.array([self._draw(row) for row in rows.tolist()], np.int64)

    def _draw(self, row: int) -> int:
        """Return the next seed of a row; its generator is made when it is first needed."""
        if row not in self._generators:
            self._generators[row] = seeding.np_random(self._seeds.get(row))[0]
        return int(self._generators[row].integers(MAX_SEED))
