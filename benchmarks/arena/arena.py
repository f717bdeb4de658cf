"""Seat-balanced games: every line-up plays every rotation of its seats on every seed; each game gives a result.

Compiled bots play inside the engine. The others are asked for whole batches (``policies.play_on``), each watched by a
``Referee``; those of strangers are programs, if ``limits`` say so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.agents.program.agent import Exec
from shogun_env.batch.batch import Batch
from shogun_env.benchmarks.arena.luck import ROUNDS, LuckFinder, Subtraction, check_replayable
from shogun_env.benchmarks.arena.programs import Limits, agent_of, is_stranger
from shogun_env.benchmarks.arena.referee import FAULTS, Referee, first_line, text_of
from shogun_env.benchmarks.arena.seating import Result, Seating, seatings, variant_name, without_repeated_seeds
from shogun_env.benchmarks.arena.seeds import NO_SECRET, bot_keys
from shogun_env.benchmarks.arena.story import Story, story_of
from shogun_env.kernel.jit import Policy
from shogun_env.policies import Agent, FaultError, View, play_on, wants_records
from shogun_env.records.record import record_text
from shogun_env.spec.faults import MachineError
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
        limits: how the bots of strangers are started. None: in this process, without limits.
        made_by: what the results say about who made them.
        stories_of: games on these seeds have a story in their results.
        luck: find the luck of every player, in this way; None: do not.
        secret: of the tournament; the seeds of games and the keys of bots are made from it.
        folder: of the tournament, which no isolated bot may see; None: there is none.

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
        folder: Path | None = None,
        records: bool = False,
    ) -> None:
        self.batch_class = batch_class
        self.options = batch_class.spec.check_options(options)
        self.players: int = self.options["num_players"]
        self.variant = variant_name(batch_class.spec, options)
        self.num_threads = num_threads
        self.limits = limits or Limits()
        self.folder = folder
        self.waiting: Callable[[str], None] | None = None
        """Called about once a second while a program is waited for, with its name."""
        self.made_by = dict(made_by or {})
        self.stories_of = stories_of
        self.luck = luck
        self.secret = secret
        self.records = records
        if luck is not None:
            luck.check(batch_class.spec)
        self.fault_texts: FaultTexts = {}
        self._agents = dict(agents or {})
        self._given = frozenset(self._agents)
        self._new: set[str] = set()
        """Names of agents that have been asked nothing yet."""

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
        remembers = is_stranger(name) and not hasattr(agent, "compiled") and not getattr(agent, "replayable", False)
        if is_new or not remembers or isinstance(agent, Exec):
            return agent
        try:
            self._agents[name] = self._make(name)
        except ValueError as error:
            return Lost(str(error))
        return self._agents[name]

    def _make(self, name: str) -> Agent:
        if self.limits.isolate is not None and is_stranger(name):
            batch = self.batch_class(1, **self.options)
            batch.load(View.of(batch, np.arange(1)).batch.save())  # compiles what programs cannot add to the cache
        waiting = lambda name: self.waiting(name) if self.waiting is not None else None  # noqa: E731
        return made(name, self.batch_class.spec, self.limits, self.folder, waiting)

    def close(self) -> None:
        """End the programs of bots; the next games start them again."""
        for agent in self._agents.values():
            if isinstance(agent, Exec):
                agent.close()

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
        names = sorted({name for game in games for name in game.line_up})
        agents = [self._renewed(name) for name in names]
        seats = np.array([[names.index(name) for name in game.agents] for game in games], np.int8)
        batch = self._new_batch(games, agents)
        watched = [self._watched(agent, len(games)) for agent in agents]
        try:
            luck = self._play_out(batch, watched, seats, games)
        except MachineError:
            raise
        except ValueError:  # a compiled bot played something illegal: play again, asked from Python, and see which
            batch = self._new_batch(games, agents)
            watched = [Referee(agent, len(games), self.players) for agent in agents]
            luck = self._play_out(batch, watched, seats, games)
        finally:
            self.close()  # so that no program has seen other games than these
        referees = {name: agent for name, agent in zip(names, watched, strict=True) if isinstance(agent, Referee)}
        for name, referee in referees.items():
            for kind, text in referee.texts.items():
                self.fault_texts.setdefault((name, kind), text)
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

    def _watched(self, agent: Agent, num_games: int) -> Agent:
        """Return an agent with a referee, or as it is if it is compiled."""
        if hasattr(agent, "compiled"):
            return agent
        seconds = self.limits.game_seconds if self.limits.isolate is not None else float("inf")
        return Referee(agent, num_games, self.players, seconds)

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


def made(
    name: str,
    game_spec: GameSpec,
    limits: Limits = Limits(),  # noqa: B008 - it cannot be changed
    folder: Path | None = None,
    waiting: Callable[[str], None] | None = None,
) -> Agent:
    """Return the agent with a name, as ``agent_of``.

    Raises: ValueError, in one line, whatever its factory raises.
    """
    try:
        agent = agent_of(name, game_spec, limits, folder, waiting)
        pair = getattr(agent, "compiled", None)
        if pair is not None and not (isinstance(pair, tuple) and isinstance(pair[0], Policy)):
            raise TypeError("its attribute compiled must be a pair: a function under @policy, and float64[K]")
        agent.act  # noqa: B018 - it may be missing
        return agent
    except (Exception, SystemExit) as error:
        if isinstance(error, ValueError) and name.partition(":")[0] in text_of(error):
            raise type(error)(text_of(error)) from None
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
