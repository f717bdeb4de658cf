"""The ladder of bots that people play against: names, ratings, what each plays like, and where a person stands on it.

Ratings of bots are those of ``benchmarks/results``, as the documents show them. A person is rated by their rated games
(``rated``) with those ratings fixed. The fit is asked for in one place, ``rating_of``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.arena.arena import Result
from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.journal import FILE
from shogun_env.benchmarks.arena.workers import Block
from shogun_env.benchmarks.rated import PERSON, Series
from shogun_env.play.opponents import Opponent, Rating
from shogun_env.play.table import Table
from shogun_env.shares import Z95
from shogun_env.spec.forms import json_of

__all__ = ["Ladder", "RatedGames", "rated_results", "rating_of", "ratings"]

RESULTS = Path(__file__).resolve().parent / "results"
POINTS = 400 / np.log(10)
"""Points of a rating for one unit of strength, by which odds are multiplied by e."""
RANGE = (-1500, 3000)
"""Ratings between which that of a person is looked for."""
PLAYS: dict[str, dict[str, str]] = {
    "shogun": {
        "champion": "the network trained longest: attacks most, holds most provinces, is often short of rice",
        "pool:champion-0.2": "the champion of version 0.2: much the same, a little weaker",
        "scripted": "rules of thumb: builds, attacks where it wins four times of five, keeps its rice",
        "scripted:style=warrior": "the same rules, fonder of attacks than of buildings",
        "scripted:style=builder": "the same rules: builds much, attacks little, guards what it has",
        "scripted:style=turtle": "the same rules: hardly attacks, guards everything",
        "pool:20min": "a network after twenty minutes of training",
        "pool:2min": "a network after two minutes of training: a good first opponent",
        "random": "any legal action",
    },
    "shitenno": {
        "champion": "the network trained longest: most placements and majorities, uses its jokers",
        "pool:champion-0.2": "the champion of version 0.2: much the same, a little weaker",
        "scripted": "rules of thumb: pays early, offers lots that are seldom taken",
        "scripted:style=rival": "the same rules, and gladly spoils what others could do",
        "scripted:style=lord": "the same rules, for majorities above all",
        "scripted:style=greedy": "the same rules: gathers cards and Koku",
        "pool:20min": "a network after twenty minutes of training",
        "pool:2min": "a network after two minutes of training: a good first opponent",
        "random": "any legal action",
    },
    "shikoku": {
        "solved": "an equilibrium: nobody can gain against it in the long run",
        "scripted": "the rules of thumb of Shogun",
        "random": "any legal action",
    },
}
"""What the bots that are offered play like, the strongest first; figures are in ``benchmarks/habits.json``."""
BALANCED = {"scripted": "scripted:style=balanced"}
"""Names under which the results have a bot."""


@cache
def ratings(game: str) -> dict[str, Rating]:
    """Return the ratings of the bots of a game by name; empty where the results are not installed or there are none."""
    path = RESULTS / f"{game}.json"
    if not path.exists():
        return {}
    rows = next(iter(json_of(path.read_text("utf-8"))["ratings"].values()))
    return {row["agent"]: Rating(value=row["rating"], low=row["low"], high=row["high"]) for row in rows}


def rating_of(results: Iterable[Result], person: str, known: Mapping[str, Rating]) -> tuple[Rating | None, int]:
    """Return the rating of a person from results of rated games, the bots' ratings being fixed, and how many there are.

    The interval is where the likelihood of Plackett and Luce is not much less than at its peak. Games with a bot that
    has no rating say nothing. None: there is no such game.
    """
    strengths, likelihood, n_games = np.arange(*RANGE) / POINTS, np.zeros(RANGE[1] - RANGE[0]), 0
    for result in results:
        order = [result.agents[player] for player in np.argsort(result.place, kind="stable")]
        if person not in order or not {*order} - {person} <= {*known}:
            continue
        n_games += 1
        for at, first in enumerate(order[: order.index(person) + 1]):
            others = sum(np.exp(known[name].value / POINTS) for name in order[at:] if name != person)
            own = strengths if first == person else known[first].value / POINTS
            likelihood += own - np.log(np.exp(strengths) + others)
    if not n_games:
        return None, 0
    inside = strengths[likelihood > likelihood.max() - Z95**2 / 2] * POINTS
    rating = Rating(value=float(strengths[likelihood.argmax()] * POINTS), low=float(inside[0]), high=float(inside[-1]))
    return rating, n_games


def rated_results(folder: Path, name: str, game: str) -> Iterator[Result]:
    """Yield the results of all rated games of a person in a folder."""
    for series in sorted(folder.glob(f"rated-{name}.{game}*")):
        with suppress(ValueError, OSError):
            history = History.at(series / FILE)
            columns = history.games.bots, history.games.seed, history.games.place, history.games.points
            for bots, seed, place, points in zip(*(column.tolist() for column in columns), strict=True):
                agents = tuple(history.entries[bot].spec for bot in bots)
                yield Result(agents=agents, seed=seed, place=place, points=points, faults=[{} for _ in agents])


class RatedGames:
    """Rated games of a person against some bots; see ``shogun_env.play.opponents.Series``."""

    def __init__(self, series: Series) -> None:
        self._series, self._lock = series, ExitStack()
        self._lock.enter_context(cli.only_run(series.out))
        self._playing: tuple[Block, Table] | None = None
        self._before = self._rated()

    def next_table(self) -> Table:
        """Return the table of the game that is begun and not over, or of the next one."""
        self._before = self._rated()
        self._playing = self._series.next_table()
        return self._playing[1]

    def standing(self) -> str:
        """Count the game if it is over; return in words how the person is rated, before it and after it."""
        was = self._words(self._before)
        if self._playing is None or not self._playing[1].game.is_over:
            return f"A rated game. Your rating: {was}."
        self._series.count(*self._playing)
        return f"Your rating: {self._words(self._rated())}; before this game: {was}."

    def close(self) -> None:
        """Let other processes play these games."""
        self._lock.close()

    def _rated(self) -> tuple[Rating | None, int]:
        folder, person, game = self._series.out.parent, self._series.settings.agents[0], self._series.settings.game
        return rating_of(rated_results(folder, person.removeprefix(PERSON), game), person, ratings(game))

    def _words(self, rated: tuple[Rating | None, int]) -> str:
        rating, n_games = rated
        return f"{rating}, {n_games} game{'s' if n_games != 1 else ''}" if rating else "none yet"


class Ladder:
    """The ladder; see ``shogun_env.play.opponents.Ladder``."""

    def opponents(self, game: str) -> list[Opponent]:
        """Return the bots of a game."""
        known = ratings(game)
        return [
            Opponent(name=name, plays=plays, rating=known.get(BALANCED.get(name, name)))
            for name, plays in PLAYS[game].items()
        ]

    def series(self, folder: Path, name: str, game: str, bots: Sequence[str], options: Mapping[str, Any]) -> RatedGames:
        """Return the rated games of a person against some bots; ValueError for a bad name."""
        named = tuple(BALANCED.get(bot, bot) for bot in bots)
        mark = hashlib.sha256(repr((named, sorted(options.items()))).encode()).hexdigest()[:8]
        return RatedGames(Series(folder / f"rated-{name}.{game}.{mark}", name, game, named, options))

    def standings(self, folder: Path, name: str, game: str) -> list[tuple[str, Rating | None, int]]:
        """Return a person among the bots of the ladder, best first."""
        known = ratings(game)
        mine, n_games = rating_of(rated_results(folder, name, game), PERSON + name, known)
        rows: list[tuple[str, Rating | None, int]] = [(bot, rating, 0) for bot, rating in known.items()]
        if mine is not None:
            rows.append((name, mine, n_games))
        return sorted(rows, key=lambda row: -row[1].value if row[1] else 0.0)
