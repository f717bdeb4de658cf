"""Seat-balanced matches: every line-up plays every rotation of its seats on the same seeds; each game gives a result.

Results are written to ``results.jsonl`` as soon as their batch is played, so an interrupted tournament keeps them and
resumes from there. Compiled bots play inside the engine; the others are asked for whole batches (``policies.play_on``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np

import shogun_env.agents as _bots  # noqa: F401 - registers the bots
from shogun_env.batch.batch import Batch
from shogun_env.cli import Progress, no_progress
from shogun_env.envs.base import legal_or_lowest
from shogun_env.policies import Agent, View, make_agent, play_on

SEEDS_PER_BATCH = 64
"""A batch has this many seeds, each with all rotations."""


@dataclass(frozen=True)
class Match:
    """All rotations of a line-up on one seed; in rotation r, player k is ``line_up[(k + r) % n]``."""

    line_up: tuple[str, ...]
    """Names of the agents."""
    seed: int


@dataclass(frozen=True)
class Result:
    """The result of one game."""

    seed: int
    line_up: list[str]
    rotation: int
    agents: list[str]
    """Name of the agent that played each player."""
    place: list[float]
    """Place of each player; 1 is best, and tied players have the mean of their places."""
    points: list[int]
    """Points of each player."""
    win: list[float]
    """Share of the win of each player; the shares sum to 1."""
    decisions: int
    """Number of decisions, forced ones not counted."""
    illegal: list[int]
    """Number of illegal actions of each player; the lowest legal action was played instead."""

    @property
    def key(self) -> tuple[tuple[str, ...], int, int]:
        """What identifies a game within a tournament: line-up, seed and rotation."""
        return tuple(self.line_up), self.seed, self.rotation


def line_ups(agents: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Return the line-ups of a tournament.

    As many agents as players make one line-up, in which a name may appear twice. From more agents every selection of as
    many as there are players is a line-up. Of fewer agents every line-up is one in which each plays at least once.

    Raises: ValueError for fewer than two agents, or a name that appears twice among more or fewer than ``players``.

    Example:
        >>> line_ups(["a", "b"], 3)
        [('a', 'a', 'b'), ('a', 'b', 'b')]
    """
    if len(agents) == players:
        return [tuple(agents)]
    if len(agents) < 2:
        raise ValueError(f"{len(agents)} agents: a tournament needs at least two")
    if len(set(agents)) < len(agents):
        raise ValueError(f"an agent may be listed twice only among {players} agents, one for each player")
    if len(agents) > players:
        return list(combinations(agents, players))
    return [table for table in combinations_with_replacement(agents, players) if set(table) == set(agents)]


def matches(agents: Sequence[str], players: int, games: int, seed: int = 0) -> list[Match]:
    """Return the matches of a tournament: every line-up on the same seeds ``seed``, ``seed + 1``, …

    Args:
        agents: names of the agents.
        players: number of players of a game.
        games: least number of games, all rotations counted.
        seed: the first seed.

    Raises: ValueError as for ``line_ups``.

    Example:
        >>> [match.seed for match in matches(["a", "b", "c"], 3, games=6, seed=5)]
        [5, 6]
    """
    tables = line_ups(agents, players)
    seeds = -(-games // (len(tables) * players))
    return [Match(table, seed + index) for index in range(seeds) for table in tables]


class Referee:
    """An agent whose illegal actions are counted and replaced by the lowest legal one."""

    def __init__(self, agent: Agent, num_games: int, num_players: int) -> None:
        """Watch an agent over the games of one batch."""
        self.agent = agent
        self.illegal = np.zeros((num_games, num_players), np.int64)

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return the actions of the agent, int64[n], with illegal ones replaced."""
        actions, wrong = legal_or_lowest(np.asarray(self.agent.act(view, rng)), view.masks)
        self.illegal[view.rows, view.players] += wrong
        return actions


class Arena:
    """Plays matches between agents that are named by their specs.

    Args:
        batch_class: the game's ``Batch``.
        options: options of play, ``num_players`` among them.
        num_threads: threads of the engine; results do not depend on their number.
        agents: agents by name, for names that are not specs.

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
    ) -> None:
        self.batch_class = batch_class
        self.options = batch_class.spec.check_options(options)
        self.players: int = self.options["num_players"]
        self.num_threads = num_threads
        self._agents = dict(agents or {})

    def agent(self, name: str) -> Agent:
        """Return the agent with a name; it is made once."""
        if name not in self._agents:
            self._agents[name] = make_agent(name, self.batch_class.spec)
        return self._agents[name]

    def play(self, planned: Sequence[Match], done: Iterable[Result] = ()) -> Iterator[Result]:
        """Play the games of the planned matches that are not among ``done``, batch by batch; yield their results."""
        finished = {result.key for result in done}
        waiting = [
            (match, rotation)
            for match in planned
            for rotation in range(self.players)
            if (match.line_up, match.seed, rotation) not in finished
        ]
        size = SEEDS_PER_BATCH * self.players
        for begin in range(0, len(waiting), size):
            yield from self._play_batch(waiting[begin : begin + size])

    def _play_batch(self, games: Sequence[tuple[Match, int]]) -> list[Result]:
        """Play games, each a match and a rotation, as one batch; return their results."""
        names = sorted({name for match, _ in games for name in match.line_up})
        by_player = [[match.line_up[(k + turn) % self.players] for k in range(self.players)] for match, turn in games]
        seats = np.array([[names.index(name) for name in row] for row in by_player], np.int8)
        batch = self.batch_class(len(games), reward="rank", num_threads=self.num_threads, **self.options)
        batch.reset(seeds=np.array([match.seed for match, _ in games]))
        agents, referees = self._watched(names, len(games))
        play_on(batch, agents, seats)
        illegal = sum((referee.illegal for referee in referees), np.zeros((len(games), self.players), np.int64))
        place = 1 + (1 - batch.returns) * (self.players - 1) / 2
        first = np.isclose(place, place.min(1, keepdims=True))
        win = first / first.sum(1, keepdims=True)
        return [
            Result(
                seed=match.seed,
                line_up=list(match.line_up),
                rotation=rotation,
                agents=by_player[row],
                place=[round(float(value), 2) for value in place[row]],
                points=batch.points[row].tolist(),
                win=[round(float(value), 4) for value in win[row]],
                decisions=int(batch.decisions[row]),
                illegal=illegal[row].tolist(),
            )
            for row, (match, rotation) in enumerate(games)
        ]

    def _watched(self, names: Sequence[str], num_games: int) -> tuple[list[Agent], list[Referee]]:
        """Return the agents to play with and the referees among them.

        An agent that is not compiled gets a referee; the engine itself refuses illegal actions of compiled ones.
        """
        agents = [self.agent(name) for name in names]
        watched = [agent if hasattr(agent, "compiled") else Referee(agent, num_games, self.players) for agent in agents]
        return watched, [agent for agent in watched if isinstance(agent, Referee)]


# --- results on disk -------------------------------------------------------------------------------------------------


def read_results(path: Path) -> list[Result]:
    """Return the results in a file, none if it does not exist; a last line that is cut off is ignored.

    Raises: ValueError naming a line that is not a result.
    """
    if not path.exists():
        return []
    *complete, _ = path.read_bytes().split(b"\n")
    results = []
    for number, line in enumerate(complete, 1):
        try:
            results.append(Result(**json.loads(line)))
        except (ValueError, TypeError):
            raise ValueError(f"{path}, line {number}: not the result of a game") from None
    return results


def play_to_file(arena: Arena, planned: Sequence[Match], path: Path, report: Progress = no_progress) -> list[Result]:
    """Play the planned games whose results are not in a file yet, and append their results to it.

    Ctrl-C stops early; every finished batch is kept.

    Args:
        arena: plays the games.
        planned: the matches.
        path: the file.
        report: shows progress, in games.

    Returns: all results of the planned matches that are then in the file.
    Raises: ValueError naming a line of the file that is not a result.
    """
    keys = {(match.line_up, match.seed) for match in planned}
    results = [result for result in read_results(path) if (tuple(result.line_up), result.seed) in keys]
    total = len(planned) * arena.players
    _drop_cut_line(path)
    with open(path, "a", encoding="utf-8") as stream:
        try:
            for result in arena.play(planned, list(results)):
                stream.write(json.dumps(asdict(result)) + "\n")
                results.append(result)
                report(len(results), f"{len(results)} of {total} games")
        except KeyboardInterrupt:
            report(total, f"stopped after {len(results)} of {total} games; they are kept")
    return results


def _drop_cut_line(path: Path) -> None:
    """Remove a last line without a newline, which a killed process may leave."""
    if path.exists():
        data = path.read_bytes()
        if not data.endswith(b"\n"):
            path.write_bytes(data[: data.rfind(b"\n") + 1])
