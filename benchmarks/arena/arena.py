"""Seat-balanced games: every line-up plays every rotation of its seats on every seed; each game gives a result.

Compiled bots play inside the engine. The others are asked for whole batches (``policies.play_on``), each watched by a
``Referee``, and with ``limits`` in a process of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.benchmarks.arena.compiled import CompiledStranger, kept_apart
from shogun_env.benchmarks.arena.isolation import IsolatedAgent
from shogun_env.benchmarks.arena.luck import ROUNDS, LuckFinder, Subtraction, check_replayable
from shogun_env.benchmarks.arena.nursery import Limits, nursery_of
from shogun_env.benchmarks.arena.process_state import ProcessState
from shogun_env.benchmarks.arena.referee import FAULTS, Referee, first_line, text_of
from shogun_env.benchmarks.arena.seating import Result, Seating, seatings, variant_name, without_repeated_seeds
from shogun_env.benchmarks.arena.seeds import NO_SECRET, bot_keys
from shogun_env.benchmarks.arena.story import Story, story_of
from shogun_env.benchmarks.arena.strangers import is_simple, needs_network, runs_a_program
from shogun_env.policies import Agent, FaultError, View, is_built_in, make_agent, play_on, wants_records
from shogun_env.records.record import record_text
from shogun_env.spec.game_spec import GameSpec
from shogun_env.views import places_and_wins

ROTATIONS_PER_BLOCK = 64
"""A block is this many line-ups on a seed, each in all its rotations; fewer, if they are of too many bots."""
MOST_BOTS = 128
"""Bots in a block: who sits where is a byte for each seat."""

Block = Sequence[Seating]
"""Games of one variant that are played together, the same ones in every run."""
FaultTexts = dict[tuple[str, str], str]
"""For an agent and a kind of fault what was wrong the first time."""


class Arena:
    """Plays games of one variant between agents that are named by their specs.

    Args:
        batch_class: the game's ``Batch``.
        options: options of play, ``num_players`` among them.
        num_threads: threads of the engine; results do not depend on their number.
        agents: agents by name, for names that are not specs.
        records: keep the records of all games in their results.
        check_bounds: ask compiled bots of strangers from Python, compiled with bounds checks.
        limits: keep every agent that is not wholly the package's own and compiled in a process of its own, within these
            limits. None: in this process, without limits.
        made_by: what the results say about who made them.
        stories_of: games on these seeds have a story in their results.
        luck: find the luck of every player, in this way; None: do not.
        secret: of the tournament; the seeds of games and the keys of bots are made from it.

    Attributes:
        variant: name of the options of play.
        fault_texts: for each agent and kind of fault that occurred, what was wrong the first time.

    Raises: ValueError for bad options.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> arena = Arena(Batch, {"num_players": 3})
        >>> results = list(arena.play(["random", "random", "scripted"], games=3, seed=1))
        >>> [result.agents.index("scripted") for result in results]
        [2, 1, 0]
    """

    def __init__(
        self,
        batch_class: type[Batch],
        options: dict[str, Any],
        num_threads: int = 1,
        agents: dict[str, Agent] | None = None,
        limits: Limits | None = None,
        made_by: dict[str, Any] | None = None,
        stories_of: Set[int] = frozenset(),
        luck: Subtraction | None = None,
        secret: bytes = NO_SECRET,
        check_bounds: bool = False,
        records: bool = False,
    ) -> None:
        self.batch_class = batch_class
        self.options = batch_class.spec.check_options(options)
        self.players: int = self.options["num_players"]
        self.variant = variant_name(batch_class.spec, options)
        self.num_threads = num_threads
        self.limits = limits
        self.made_by = dict(made_by or {})
        self.stories_of = stories_of
        self.luck = luck
        self.secret = secret
        self.check_bounds = check_bounds
        self.records = records
        if luck is not None:
            luck.check(batch_class.spec)
        self.fault_texts: FaultTexts = {}
        self._agents = {name: kept_apart(agent) for name, agent in (agents or {}).items()}
        self._given = frozenset(self._agents)
        self._new: set[str] = set()
        """Names of agents that have been asked nothing yet."""
        self._group: tuple[str, ...] = ()

    def agent(self, name: str) -> Agent:
        """Return the agent with a name; it is made once.

        Raises: ValueError if it cannot be made.
        """
        if name not in self._agents:
            self._agents[name] = self._make(name)
            self._new.add(name)
        return self._agents[name]

    def _renewed(self, name: str) -> Agent:
        """Return the agent with a name for the next games: a stranger's that may remember others is made anew."""
        agent = self.agent(name)
        is_new = name in self._new or name in self._given
        self._new.discard(name)
        lives_here = not isinstance(agent, IsolatedAgent) and not hasattr(agent, "compiled")
        is_ours = is_built_in(name, self.batch_class.spec) and not runs_a_program(name)
        if is_new or not lives_here or getattr(agent, "replayable", False) or is_ours:
            return agent
        try:
            self._agents[name] = made(name, self.batch_class.spec)
        except ValueError as error:
            return Lost(str(error))
        return self._agents[name]

    @property
    def trusted(self) -> tuple[str, ...]:
        """Specs of agents that need no sandbox."""
        return () if self.limits is None else self.limits.trusted

    def prepare(self, names: Iterable[str]) -> None:
        """Begin to import the engine for the agents of a tournament that will be isolated, all in one sandbox.

        Raises: ValueError if there can be no sandbox here, or an agent cannot do without what it keeps from it.
        """
        if self.limits is None or not self.limits.sandbox:
            return
        spec = self.batch_class.spec
        inside = [name for name in dict.fromkeys(names) if name not in self.trusted]
        for name in filter(needs_network, inside):
            raise ValueError(f"{name}: --isolate keeps the network from it; if you trust it, add --trust {name}")
        self._group = tuple(name for name in inside if not is_simple(name, spec))
        if self._group:
            batch = self.batch_class(1)
            View.of(batch, np.arange(1))  # compiles what is not in the cache yet, which a sandbox could not add to
            nursery_of(self.batch_class.__module__, self._group)

    def _make(self, name: str) -> Agent:
        spec = self.batch_class.spec
        limits = self.limits
        if limits is None or is_simple(name, spec):
            return made(name, spec)
        if name in self.trusted:
            limits = replace(limits, sandbox=False)
            agent = made(name, spec)
            if hasattr(agent, "compiled"):
                return agent
        group = self._group if name in self._group else (name,)
        isolated = IsolatedAgent(name, self.batch_class.__module__, limits, group)
        try:
            isolated.start(tries=True)
        except FaultError as fault:
            self.fault_texts.setdefault((name, fault.kind), str(fault))
        isolated.renew()
        return isolated

    def play(self, agents: Sequence[str], games: int, seed: int = 0) -> Iterator[Result]:
        """Play a seat-balanced tournament, block by block; yield the results.

        Args:
            agents: specs or names; ``line_ups`` says who plays whom.
            games: least number of games.
            seed: the first seed.

        Raises: ValueError for agents that make no line-up, or one that cannot be made.
        """
        for block in self.blocks(agents, games, seed):
            yield from self.play_games(block)

    def blocks(self, agents: Sequence[str], games: int, seed: int = 0, drawn: bool = False) -> list[Block]:
        """Return the games of a tournament in the blocks in which they are played; see ``play`` and ``seatings``."""
        every = seatings(self.variant, agents, self.players, games, seed, self.secret, drawn)
        size = ROTATIONS_PER_BLOCK * self.players
        blocks = (every[begin : begin + size] for begin in range(0, len(every), size))
        return [part for block in blocks for part in self._of_few_bots(block)]

    def _of_few_bots(self, block: Block) -> list[Block]:
        """Return a block, or its parts if more bots play in it than a batch can tell apart."""
        half = len(block) // 2 // self.players * self.players
        if len({name for game in block for name in game.line_up}) <= MOST_BOTS or not half:
            return [block]
        return [part for each in (block[:half], block[half:]) for part in self._of_few_bots(each)]

    def play_games(self, games: Sequence[Seating]) -> list[Result]:
        """Play games and return their results, in the same order."""
        names = {name for game in games for name in game.line_up}
        if self.luck is not None and self.luck.events == ROUNDS:
            check_replayable({name: self.agent(name) for name in sorted(names)})
        if all(hasattr(self.agent(name), "compiled") for name in sorted(names)):
            return self._play_batch(games)
        results: dict[int, Result] = {}
        for group in without_repeated_seeds(games):
            results |= zip(group, self._play_batch([games[index] for index in group]), strict=True)
        return [results[index] for index in range(len(games))]

    def _play_batch(self, games: Sequence[Seating]) -> list[Result]:
        """Play games as one batch; return their results."""
        with ProcessState() as state:
            return self._play_watched(games, state)

    def _play_watched(self, games: Sequence[Seating], state: ProcessState) -> list[Result]:
        """Play games as one batch in a process whose state is put back after each answer; return their results."""
        names = sorted({name for game in games for name in game.line_up})
        agents = [self._renewed(name) for name in names]
        seats = np.array([[names.index(name) for name in game.agents] for game in games], np.int8)
        batch = self._new_batch(games, agents)
        from_python = self.check_bounds or self.luck is not None  # luck is found outside the engine
        watched = [self._watched(agent, len(games), state, from_python) for agent in agents]
        try:
            luck = self._play_out(batch, watched, seats, games)
        except ValueError:  # a compiled agent did something wrong: play again, and see which, and what
            batch = self._new_batch(games, agents)
            watched = [self._watched(agent, len(games), state, from_python=True) for agent in agents]
            luck = self._play_out(batch, watched, seats, games)
        referees = {name: agent for name, agent in zip(names, watched, strict=True) if isinstance(agent, Referee)}
        for name, referee in referees.items():
            for kind, text in referee.texts.items():
                self.fault_texts.setdefault((name, kind), text)
            if isinstance(referee.agent, IsolatedAgent):
                referee.agent.renew()
        results = self._results(batch, games, list(referees.values()))
        if self.records:
            results = [self._recorded(batch, row, result) for row, result in enumerate(results)]
        if luck is None:
            return results
        return [replace(result, luck=row) for result, row in zip(results, luck.round(6).tolist(), strict=True)]

    def _play_out(
        self, batch: Batch, agents: Sequence[Agent], seats: np.ndarray, games: Sequence[Seating]
    ) -> np.ndarray | None:
        """Play games to the end; return the luck of every player, float64[B, P], if it is wanted."""
        if self.luck is None:
            play_on(batch, agents, seats)
            return None
        keys = [repr(tuple(game)) for game in games]
        return LuckFinder(batch, agents, seats, self.luck, keys).play()

    def _new_batch(self, games: Sequence[Seating], agents: Sequence[Agent]) -> Batch:
        """Return a batch at the start of these games, with the keys that bots are given, for these agents."""
        record = self.records or any(game.seed in self.stories_of for game in games) or wants_records(agents)
        batch = self.batch_class(len(games), reward="rank", num_threads=self.num_threads, record=record, **self.options)
        batch.reset(seeds=np.array([game.seed for game in games]))
        batch.policy_rngs[..., 0] = [bot_keys(game.seed, self.players, self.secret) for game in games]
        return batch

    def _watched(self, agent: Agent, num_games: int, state: ProcessState, from_python: bool) -> Agent:
        """Return an agent with a referee, or as it is if it is compiled.

        Args: from_python: give compiled ones of strangers a referee, too, who asks them from Python.
        """
        if hasattr(agent, "compiled") and not (from_python and isinstance(agent, CompiledStranger)):
            return agent
        if isinstance(agent, IsolatedAgent):
            return Referee(agent, num_games, self.players, agent.limits.game_seconds)
        return Referee(agent, num_games, self.players, state=state)

    def _results(self, batch: Batch, games: Sequence[Seating], referees: Sequence[Referee]) -> list[Result]:
        """Return the results of a batch that is over; seconds and questions only where a referee counted them."""
        places, wins = places_and_wins(batch.returns)
        shape = batch.num_games, batch.num_players
        faults = sum((referee.faults for referee in referees), np.zeros((*shape, len(FAULTS)), np.int64))
        seconds = sum((referee.seconds for referee in referees), np.zeros(shape)).round(6)
        asked = sum((referee.asked for referee in referees), np.zeros(shape, np.int64))
        columns = (places, wins, batch.points, batch.decisions, seconds, asked)
        rows = zip(games, faults_by_kind(faults), *(column.tolist() for column in columns), strict=True)
        return [
            Result(
                seed=game.seed,
                line_up=list(game.line_up),
                rotation=game.rotation,
                agents=game.agents,
                place=place,
                points=points,
                win=win,
                decisions=decisions,
                faults=kinds,
                variant=game.variant,
                seconds=used if referees else None,
                asked=questions if referees else None,
                story=self._story(batch, row) if game.seed in self.stories_of else None,
                made_by=self.made_by,
            )
            for row, (game, kinds, place, win, points, decisions, used, questions) in enumerate(rows)
        ]

    def _recorded(self, batch: Batch, row: int, result: Result) -> Result:
        """Return a result with the record of its game."""
        text = record_text(batch.records([row], result.agents)[0])
        name = result.seating.record_name(batch.spec)
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        return replace(result, record={"file": name, "sha256": sha256}, record_text=text)

    def _story(self, batch: Batch, row: int) -> Story | None:
        return story_of(batch.spec.name, batch.records([row])[0])


class Lost:
    """An agent that could be made once, and then not again.

    Args: text: why.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Raise FaultError."""
        raise FaultError("error", self.text)


def made(name: str, game_spec: GameSpec) -> Agent:
    """Return the agent with a name, as ``make_agent``.

    Raises: ValueError, in one line, whatever its factory raises; KeyboardInterrupt if the user stops it.
    """
    with ProcessState() as state:
        try:
            agent = kept_apart(make_agent(name, game_spec))
            agent.act  # noqa: B018 - it may be missing, and a property may raise
            return agent
        except BaseException as error:
            if state.is_stopped:
                raise KeyboardInterrupt from None
            if type(error) is ValueError and name.partition(":")[0] in text_of(error):
                raise ValueError(text_of(error)) from None
            raise ValueError(f"agent {name!r} cannot be made: {first_line(error)}") from None


def faults_by_kind(faults: np.ndarray) -> list[list[dict[str, int]]]:
    """Return for every player of every game the kinds of faults that occurred, each with its number.

    Args: faults: int64[B, P, len(FAULTS)].
    """
    if not faults.any():
        return [[{}] * faults.shape[1]] * len(faults)
    return [
        [{kind: n for kind, n in zip(FAULTS, counts, strict=True) if n} for counts in row] for row in faults.tolist()
    ]
