"""Games between bots: each is given who plays which player and a seed, and gives a result.

Compiled bots play inside the engine. The others are asked for whole batches (``policies.play_on``), each watched by a
``Referee``; those of strangers are programs, if ``limits`` say so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shogun_env.agents.parts import is_stranger, may_remember
from shogun_env.agents.program.agent import Exec
from shogun_env.benchmarks.arena.games import Result
from shogun_env.benchmarks.arena.programs import Limits, agent_of
from shogun_env.benchmarks.arena.referee import Referee
from shogun_env.benchmarks.arena.schedule import line_ups
from shogun_env.benchmarks.arena.seeds import bot_keys
from shogun_env.policies import Agent, Bot, FaultError, View, bot_of, play_on, wants_records
from shogun_env.records.record import record_text
from shogun_env.spec.bots import FAULTS, MachineError, first_line, text_of
from shogun_env.spec.forms import shown
from shogun_env.spec.options import whole_number
from shogun_env.views import places_and_wins

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch

GAMES_AT_ONCE = 96
"""Games that ``Arena.play`` plays as one batch."""
FaultTexts = dict[tuple[str, str], str]
"""For an agent and a kind of fault what was wrong the first time."""


class Seating(NamedTuple):
    """A game that is to be played: who plays each player, and its seed."""

    agents: tuple[str, ...]
    seed: int


class Arena:
    """Plays games of one variant between agents that are named by their specs.

    Args:
        batch_class: the game's ``Batch``.
        options: options of play, ``num_players`` among them.
        num_threads: threads of the engine; results do not depend on their number.
        agents: agents by name, for names that are not specs.
        records: keep the records of all games in their results.
        limits: how the bots of strangers are started. None: in this process, without limits.
        salt: of the keys that bots are given (``seeds.bot_keys``).
        folder: of the tournament, which no isolated bot may see; None: there is none.

    Attributes:
        fault_texts: for each agent and kind of fault that occurred, what was wrong the first time.

    Raises: ValueError for bad options.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> arena = Arena(Batch, {"num_players": 3})
        >>> results = arena.play(["random", "random", "scripted"], games=3, seed=1)
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
        salt: bytes = b"",
        folder: Path | None = None,
        records: bool = False,
    ) -> None:
        self.batch_class = batch_class
        self.options = batch_class.spec.check_options(options)
        self.players: int = self.options["num_players"]
        self.num_threads = num_threads
        self.limits = limits or Limits()
        self.folder = folder
        self.waiting: Callable[[str], None] | None = None
        """Called about once a second while a program is waited for, with its name."""
        self.salt = salt
        self.records = records
        self.fault_texts: FaultTexts = {}
        self.gone: frozenset[str] = frozenset()
        """Names of agents that play no more, and lose all their decisions."""
        self._agents = {name: bot_of(agent) for name, agent in (agents or {}).items()}
        self._given = frozenset(self._agents)
        self._new: set[str] = set()
        """Names of agents that have been asked nothing yet."""

    def agent(self, name: str) -> Bot:
        """Return the agent with a name; it is made once.

        Raises: ValueError if it cannot be made.
        """
        if name not in self._agents:
            self._agents[name] = self._make(name)
            self._new.add(name)
        return self._agents[name]

    def _renewed(self, name: str) -> Bot:
        """Return the agent with a name for the next games: one not of the package that may remember is made anew."""
        agent = self.agent(name)
        is_new = name in self._new or name in self._given
        self._new.discard(name)
        if is_new or not may_remember(agent, name, self.batch_class.spec) or isinstance(agent, Exec):
            return agent
        try:
            with suppress(Exception):
                agent.close()
            self._agents[name] = self._make(name)
        except ValueError as error:
            return Lost(str(error))
        return self._agents[name]

    def _make(self, name: str) -> Bot:
        """Return a new agent with a name; ValueError, in one line, whatever its factory raises."""
        if self.limits.isolate is not None and is_stranger(name):
            batch = self.batch_class(1, **self.options)
            batch.load(View.of(batch, np.arange(1)).batch.save())  # compiles what programs cannot add to the cache
        waiting = lambda name: self.waiting(name) if self.waiting is not None else None  # noqa: E731
        try:
            return agent_of(name, self.batch_class.spec, self.limits, self.folder, waiting)
        except (Exception, SystemExit) as error:
            if isinstance(error, ValueError) and name.partition(":")[0] in text_of(error):
                raise type(error)(text_of(error)) from None
            raise ValueError(f"agent {name!r} cannot be made: {first_line(error)}") from None

    def close(self) -> None:
        """End the programs of bots; the next games start them again."""
        for agent in self._agents.values():
            if isinstance(agent, Exec):
                agent.close()

    def play(self, agents: Sequence[str], games: int, seed: int = 0) -> list[Result]:
        """Play a seat-balanced tournament, every line-up in all rotations of its seats; return the results.

        Args:
            agents: specs or names; ``line_ups`` says who plays whom.
            games: least number of games.
            seed: that of the first game; the next has the next.

        Raises: ValueError for agents that are no names or make no line-up, or one that cannot be made.
        """
        if isinstance(agents, str) or not all(isinstance(name, str) for name in agents):
            raise ValueError(f"agents={shown(agents)}: must be a list of names; Arena(agents=...) names objects")
        whole_number("games", games, 1)
        every = [(*who[turn:], *who[:turn]) for who in line_ups(agents, self.players) for turn in range(self.players)]
        count = -(-games // len(every)) * len(every)
        seatings = [Seating(every[number % len(every)], seed + number) for number in range(count)]
        parts = (seatings[begin : begin + GAMES_AT_ONCE] for begin in range(0, count, GAMES_AT_ONCE))
        return [result for part in parts for result in self.play_games(part)]

    def play_games(self, games: Sequence[Seating]) -> list[Result]:
        """Play games as one batch; return their results, in the same order."""
        names = sorted({name for game in games for name in game.agents})
        agents = [Lost("it plays no more") if name in self.gone else self._renewed(name) for name in names]
        seats = np.array([[names.index(name) for name in game.agents] for game in games], np.int8)
        batch = self._new_batch(games, agents)
        watched = [self._watched(agent, len(games)) for agent in agents]
        try:
            play_on(batch, watched, seats)
        except MachineError:
            raise
        except Exception:  # a compiled bot raised it, or played what is illegal: ask it from Python, and see which
            batch = self._new_batch(games, agents)
            watched = [Referee(agent, len(games), self.players) for agent in agents]
            play_on(batch, watched, seats)
        finally:
            self.close()  # so that no program has seen other games than these
        referees = {name: agent for name, agent in zip(names, watched, strict=True) if isinstance(agent, Referee)}
        for name, referee in referees.items():
            for kind, text in referee.texts.items():
                self.fault_texts.setdefault((name, kind), text)
        return self._results(batch, games, list(referees.values()))

    def _new_batch(self, games: Sequence[Seating], agents: Sequence[Bot]) -> Batch:
        """Return a batch at the start of these games, with the keys that bots are given, for these agents."""
        record = self.records or wants_records(agents)
        batch = self.batch_class(len(games), reward="rank", num_threads=self.num_threads, record=record, **self.options)
        batch.reset(seeds=np.array([game.seed for game in games]))
        batch.policy_rngs[..., 0] = [bot_keys(game.seed, self.players, self.salt) for game in games]
        return batch

    def _watched(self, agent: Bot, num_games: int) -> Bot:
        """Return an agent with a referee, or as it is if it is compiled."""
        if agent.compiled is not None:
            return agent
        seconds = self.limits.game_seconds if self.limits.isolate is not None else float("inf")
        return Referee(agent, num_games, self.players, seconds)

    def _results(self, batch: Batch, games: Sequence[Seating], referees: Sequence[Referee]) -> list[Result]:
        """Return the results of a batch that is over; seconds and questions only where a referee counted them."""
        places, _ = places_and_wins(batch.returns)
        shape = batch.num_games, batch.num_players
        faults = sum((referee.faults for referee in referees), np.zeros((*shape, len(FAULTS)), np.int64))
        seconds = sum((referee.seconds for referee in referees), np.zeros(shape)).round(6)
        asked = sum((referee.asked for referee in referees), np.zeros(shape, np.int64))
        return [
            Result(
                agents=game.agents,
                seed=game.seed,
                place=places[row].tolist(),
                points=batch.points[row].tolist(),
                faults=[{k: n for k, n in zip(FAULTS, own, strict=True) if n} for own in faults[row].tolist()],
                seconds=seconds[row].tolist() if referees else None,
                asked=asked[row].tolist() if referees else None,
                record_text=record_text(batch.records([row], list(game.agents))[0]) if self.records else None,
            )
            for row, game in enumerate(games)
        ]


class Lost(Bot):
    """An agent that plays no more, or could be made once, and then not again; ``text`` says why."""

    def __init__(self, text: str) -> None:
        self.text = text

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Raise FaultError."""
        raise FaultError("error", self.text)
