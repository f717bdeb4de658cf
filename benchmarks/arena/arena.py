"""Seat-balanced matches: every line-up plays every rotation of its seats on the same seeds; each game gives a result.

Compiled bots play inside the engine. The others are asked for whole batches (``policies.play_on``), each watched by a
``Referee``, and with ``limits`` in a process of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.benchmarks.arena.isolation import IsolatedAgent, Limits
from shogun_env.benchmarks.arena.matches import Match, Result, variant_name, without_repeated_seeds
from shogun_env.benchmarks.arena.matches import matches as matches
from shogun_env.benchmarks.arena.referee import FAULTS, FaultError, Referee
from shogun_env.benchmarks.arena.story import Story, story_of
from shogun_env.policies import Agent, is_built_in, make_agent, play_on

MATCHES_PER_BLOCK = 64
"""So many matches, each with all rotations, are played together."""

Game = tuple[Match, int]
"""A match and one of its rotations."""


class Arena:
    """Plays matches between agents that are named by their specs.

    Args:
        batch_class: the game's ``Batch``.
        options: options of play, ``num_players`` among them.
        num_threads: threads of the engine; results do not depend on their number.
        agents: agents by name, for names that are not specs.
        limits: keep every agent that is not one of this package's compiled bots in a process of its own, within these
            limits. None: in this process, without limits.
        made_by: what the results say about who made them.
        stories_before: games on seeds below this one have a story in their results.

    Attributes:
        fault_texts: for each agent and kind of fault that occurred, what was wrong the first time.

    Raises: ValueError for bad options.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> arena = Arena(Batch, {"num_players": 3})
        >>> results = list(arena.play([Match(("random", "random", "scripted"), seed=1)]))
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
        stories_before: int = 0,
    ) -> None:
        self.batch_class = batch_class
        self.options = batch_class.spec.check_options(options)
        self.players: int = self.options["num_players"]
        self.variant = variant_name(batch_class.spec, options)
        self.num_threads = num_threads
        self.limits = limits
        self.made_by = dict(made_by or {})
        self.stories_before = stories_before
        self.fault_texts: dict[tuple[str, str], str] = {}
        self._agents = dict(agents or {})

    def agent(self, name: str) -> Agent:
        """Return the agent with a name; it is made once.

        Raises: ValueError if it cannot be made.
        """
        if name not in self._agents:
            self._agents[name] = self._make(name)
        return self._agents[name]

    def _make(self, name: str) -> Agent:
        spec = self.batch_class.spec
        if self.limits is None:
            return make_agent(name, spec)
        if is_built_in(name, spec):
            agent = make_agent(name, spec)
            if hasattr(agent, "compiled"):
                return agent
        isolated = IsolatedAgent(name, self.batch_class.__module__, self.limits)
        try:
            isolated.start()
        except FaultError as fault:
            self.fault_texts.setdefault((name, fault.kind), str(fault))
        isolated.renew()
        return isolated

    def play(self, planned: Sequence[Match], done: Iterable[Result] = ()) -> Iterator[Result]:
        """Play the games of the planned matches that are not among ``done``, block by block; yield their results."""
        finished = {result.key for result in done}
        for begin in range(0, len(planned), MATCHES_PER_BLOCK):
            block = planned[begin : begin + MATCHES_PER_BLOCK]
            games = [
                (match, rotation)
                for match in block
                for rotation in range(self.players)
                if (self.variant, match.line_up, match.seed, rotation) not in finished
            ]
            yield from self.play_games(games)

    def play_games(self, games: Sequence[Game]) -> list[Result]:
        """Play games and return their results, in the same order."""
        if not games:
            return []
        names = {name for match, _ in games for name in match.line_up}
        if all(hasattr(self.agent(name), "compiled") for name in sorted(names)):
            return self._play_batch(games)
        results: dict[int, Result] = {}
        for group in without_repeated_seeds(games):
            results |= zip(group, self._play_batch([games[index] for index in group]), strict=True)
        return [results[index] for index in range(len(games))]

    def _play_batch(self, games: Sequence[Game]) -> list[Result]:
        """Play games as one batch; return their results."""
        names = sorted({name for match, _ in games for name in match.line_up})
        agents = [self.agent(name) for name in names]
        by_player = [[match.line_up[(k + turn) % self.players] for k in range(self.players)] for match, turn in games]
        seats = np.array([[names.index(name) for name in row] for row in by_player], np.int8)
        batch = self._new_batch(games)
        watched = [agent if hasattr(agent, "compiled") else self._referee(agent, len(games)) for agent in agents]
        try:
            play_on(batch, watched, seats)
        except ValueError:  # a compiled agent returned an illegal action: ask them all from Python
            batch = self._new_batch(games)
            watched = [self._referee(agent, len(games)) for agent in agents]
            play_on(batch, watched, seats)
        referees = {index: agent for index, agent in enumerate(watched) if isinstance(agent, Referee)}
        for index, referee in referees.items():
            for kind, text in referee.texts.items():
                self.fault_texts.setdefault((names[index], kind), text)
            if isinstance(referee.agent, IsolatedAgent):
                referee.agent.renew()
        return self._results(batch, games, by_player, list(referees.values()))

    def _new_batch(self, games: Sequence[Game]) -> Batch:
        """Return a batch at the start of these games, whose bots' keys do not tell the seed of the game."""
        record = any(match.seed < self.stories_before for match, _ in games)
        batch = self.batch_class(len(games), reward="rank", num_threads=self.num_threads, record=record, **self.options)
        batch.reset(seeds=np.array([match.seed for match, _ in games]))
        digests = [hashlib.blake2b(b"%d" % match.seed, digest_size=8 * self.players).digest() for match, _ in games]
        batch.policy_rngs[..., 0] = np.frombuffer(b"".join(digests), np.uint64).reshape(len(games), self.players)
        return batch

    def _referee(self, agent: Agent, num_games: int) -> Referee:
        seconds = agent.limits.game_seconds if isinstance(agent, IsolatedAgent) else float("inf")
        return Referee(agent, num_games, self.players, seconds)

    def _results(
        self, batch: Batch, games: Sequence[Game], by_player: list[list[str]], referees: Sequence[Referee]
    ) -> list[Result]:
        """Return the results of a batch that is over."""
        place = 1 + (1 - batch.returns) * (self.players - 1) / 2
        first = np.isclose(place, place.min(1, keepdims=True))
        win = (first / first.sum(1, keepdims=True)).round(4).tolist()
        places, points, decisions = (
            place.astype(np.float64).round(2).tolist(),
            batch.points.tolist(),
            batch.decisions.tolist(),
        )
        faults = sum((referee.faults for referee in referees), np.zeros((*seats_of(batch), len(FAULTS)), np.int64))
        seconds: list[Any] = sum((referee.seconds for referee in referees), np.zeros(seats_of(batch))).round(6).tolist()
        asked = sum((referee.asked for referee in referees), np.zeros(seats_of(batch), np.int64)).tolist()
        clean = not faults.any()
        return [
            Result(
                seed=match.seed,
                line_up=list(match.line_up),
                rotation=rotation,
                agents=by_player[row],
                place=places[row],
                points=points[row],
                win=win[row],
                decisions=decisions[row],
                faults=[{}] * self.players if clean else [by_kind(counts) for counts in faults[row]],
                variant=self.variant,
                seconds=seconds[row] if referees else None,
                asked=asked[row] if referees else None,
                story=self._story(batch, row) if match.seed < self.stories_before else None,
                made_by=self.made_by,
            )
            for row, (match, rotation) in enumerate(games)
        ]

    def _story(self, batch: Batch, row: int) -> Story | None:
        return story_of(batch.spec.name, batch.records([row])[0])


def seats_of(batch: Batch) -> tuple[int, int]:
    """Return the numbers of games and of players."""
    return batch.num_games, batch.num_players


def by_kind(counts: np.ndarray) -> dict[str, int]:
    """Return the kinds of faults that occurred, each with its number."""
    return {kind: int(count) for kind, count in zip(FAULTS, counts, strict=True) if count}
