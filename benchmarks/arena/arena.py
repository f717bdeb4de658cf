"""Seat-balanced matches: every line-up plays every rotation of its seats on the same seeds, and each game leaves a row.

Rows go to ``results.jsonl`` as soon as their batch is played, so an interrupted tournament keeps what there is and goes
on from there. Compiled bots play inside the engine, the others are asked for whole batches (``policies.play_on``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np

import shogun_env.agents as _bots  # noqa: F401 - gives the bots their names
from shogun_env.batch.batch import Batch
from shogun_env.cli import Progress
from shogun_env.envs.base import legal_or_lowest
from shogun_env.policies import Agent, View, make_agent, play_on

SEEDS_A_BATCH = 64


@dataclass(frozen=True)
class Match:
    """A line-up on one seed, all its rotations: in rotation r, player k is ``line_up[(k + r) % n]``."""

    line_up: tuple[str, ...]
    seed: int


@dataclass(frozen=True)
class Result:
    """One game."""

    seed: int
    line_up: list[str]
    rotation: int
    agents: list[str]
    """By player."""
    place: list[float]
    """By player, 1 is best; tied players have the mean of their places."""
    points: list[int]
    win: list[float]
    """Shares of the win, which sum to 1."""
    decisions: int
    illegal: list[int]
    """Illegal actions by player; the lowest legal one was played instead."""

    @property
    def key(self) -> tuple[tuple[str, ...], int, int]:
        """What tells games of a tournament apart."""
        return tuple(self.line_up), self.seed, self.rotation


def line_ups(agents: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Return who meets whom.

    As many agents as players: that one line-up, names may stand twice. More: every choice of so many. Fewer: every
    line-up in which each plays at least once.

    Raises: ValueError for fewer than two agents, or a name that stands twice among more or fewer than ``players``.

    Example:
        >>> line_ups(["a", "b"], 3)
        [('a', 'a', 'b'), ('a', 'b', 'b')]
    """
    if len(agents) == players:
        return [tuple(agents)]
    if len(agents) < 2:
        raise ValueError("a tournament needs at least two agents")
    if len(set(agents)) < len(agents):
        raise ValueError(f"an agent may stand twice only where {players} are listed, one for each player")
    if len(agents) > players:
        return list(combinations(agents, players))
    return [found for found in combinations_with_replacement(agents, players) if set(found) == set(agents)]


def matches(agents: Sequence[str], players: int, games: int, seed: int = 0) -> list[Match]:
    """Plan at least ``games`` games: the same seeds ``seed, seed + 1, …`` for every line-up, every rotation of each."""
    tables = line_ups(agents, players)
    seeds = -(-games // (len(tables) * players))
    return [Match(table, seed + index) for index in range(seeds) for table in tables]


class Referee:
    """An agent whose illegal actions are counted and replaced by the lowest legal one."""

    def __init__(self, agent: Agent, num_games: int, num_players: int) -> None:
        """Watch ``agent`` over the games of one batch."""
        self.agent = agent
        self.illegal = np.zeros((num_games, num_players), np.int64)

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Ask the agent."""
        actions, wrong = legal_or_lowest(np.asarray(self.agent.act(view, rng)), view.masks)
        self.illegal[view.rows, view.players] += wrong
        return actions


class Arena:
    """Plays matches between agents named by specs.

    Args:
        batch_class: the game's ``Batch``.
        options: options of play, ``num_players`` among them.
        num_threads: threads of the engine; results do not depend on them.
        agents: agents by name, for names that are not specs.

    Raises: ValueError for bad options.
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
        """Return the agent of a name, made once."""
        if name not in self._agents:
            self._agents[name] = make_agent(name, self.batch_class.spec)
        return self._agents[name]

    def play(self, wanted: Sequence[Match], done: Iterable[Result] = ()) -> Iterator[Result]:
        """Play the games of matches that are not ``done`` yet, batch by batch; yield their results in order."""
        finished = {result.key for result in done}
        waiting = [
            (match, rotation)
            for match in wanted
            for rotation in range(self.players)
            if (match.line_up, match.seed, rotation) not in finished
        ]
        size = SEEDS_A_BATCH * self.players
        for begin in range(0, len(waiting), size):
            yield from self._play_batch(waiting[begin : begin + size])

    def _play_batch(self, games: Sequence[tuple[Match, int]]) -> list[Result]:
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
        """Return the agents to play with, a referee beside each that is no kernel (the engine refuses a kernel's)."""
        agents = [self.agent(name) for name in names]
        watched = [agent if hasattr(agent, "compiled") else Referee(agent, num_games, self.players) for agent in agents]
        return watched, [agent for agent in watched if isinstance(agent, Referee)]


# --- results on disk -------------------------------------------------------------------------------------------------


def read_results(path: Path) -> list[Result]:
    """Read the rows of a file, whose last one may be cut off; no file has none.

    Raises: ValueError naming a line that is no result.
    """
    if not path.exists():
        return []
    *whole, _ = path.read_bytes().split(b"\n")
    results = []
    for number, line in enumerate(whole, 1):
        try:
            results.append(Result(**json.loads(line)))
        except (ValueError, TypeError):
            raise ValueError(f"{path}, line {number}: this is no result of a game") from None
    return results


def play_to_file(
    arena: Arena, wanted: Sequence[Match], path: Path, report: Progress = lambda done, text: None
) -> list[Result]:
    """Play what is missing in ``path`` and append it; return the results of ``wanted`` that there are in the end.

    Ctrl-C ends play early and keeps every finished batch.
    """
    keys = {(match.line_up, match.seed) for match in wanted}
    results = [found for found in read_results(path) if (tuple(found.line_up), found.seed) in keys]
    total = len(wanted) * arena.players
    _drop_cut_line(path)
    with open(path, "a", encoding="utf-8") as stream:
        try:
            for result in arena.play(wanted, list(results)):
                stream.write(json.dumps(asdict(result)) + "\n")
                results.append(result)
                report(len(results), f"{len(results)} of {total} games")
        except KeyboardInterrupt:
            report(total, f"stopped after {len(results)} of {total} games; they are kept")
    return results


def _drop_cut_line(path: Path) -> None:
    """Cut off a last line without its end, which a killed process may leave."""
    if path.exists():
        data = path.read_bytes()
        if not data.endswith(b"\n"):
            path.write_bytes(data[: data.rfind(b"\n") + 1])
