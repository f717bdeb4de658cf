"""The ladder of bots that people play against: names, ratings, what each plays like, and where a person stands on it.

Ratings of bots are those of ``benchmarks/results``, as the documents show them. A person is rated by their rated games
(``rated``) with those ratings fixed.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np

from shogun_env.benchmarks.arena.fit import rate
from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.journal import FILE
from shogun_env.spec.forms import json_of

PERSON_PREFIX = "person:"
"""How the names of people begin among those of bots."""
PLAYS: dict[str, dict[str, str]] = {
    "shogun": {
        "champion": "the strongest network: attacks most, holds most provinces, is often short of rice",
        "pool:champion-by-hand": "the champion before it, trained in sixteen steps by hand",
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
        "champion": "the strongest network: most placements and majorities, uses its jokers",
        "pool:champion-by-hand": "the champion before it, trained in four steps by hand",
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


class Rating(NamedTuple):
    """A rating in points, 400 for odds of ten to one, with its 95 % interval.

    Of somebody who has always won or always lost only a bound is known: ``high`` or ``low`` is infinite, the other end
    is the bound, and ``value`` is where a table puts them.
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return it as a person reads it."""
        value, low, high = (f"{number:.0f}".replace("-", "−") for number in self)
        if math.isinf(self.low) or math.isinf(self.high):
            return f"at most {high}" if math.isinf(self.low) else f"at least {low}"
        return f"{value} ({low}–{high})"


class Opponent(NamedTuple):
    """A bot that a person can play against."""

    name: str
    """As ``make_agent`` takes it."""
    plays: str
    """What it plays like, in a few words."""
    rating: Rating | None = None
    """None: it was not rated."""


@cache
def ratings(game: str) -> dict[str, Rating]:
    """Return the ratings of the bots of a game by name; empty where the results are not installed or there are none."""
    results = resources.files("shogun_env.benchmarks").joinpath("results", f"{game}.json")
    if not results.is_file():
        return {}
    rows = next(iter(json_of(results.read_text("utf-8"))["ratings"].values()))
    return {row["agent"]: Rating(value=row["rating"], low=row["low"], high=row["high"]) for row in rows}


def opponents(game: str) -> list[Opponent]:
    """Return the bots of a game that are offered, the strongest first."""
    known = ratings(game)
    return [
        Opponent(name=name, plays=plays, rating=known.get(BALANCED.get(name, name)))
        for name, plays in PLAYS[game].items()
    ]


def strongest(game: str) -> str:
    """Return the bot of a game that is offered first, which also gives hints unless another is asked to."""
    return next(iter(PLAYS[game]))


class Finished(NamedTuple):
    """Who came where in a rated game."""

    agents: Sequence[str]
    """Names by player; a person's begins with ``PERSON_PREFIX``."""
    place: Sequence[float]
    """Places by player, 1 the best."""


def finished_games(folder: Path, name: str, game: str) -> list[Finished]:
    """Return all rated games of a person in a folder that are counted: the one place that knows how they are kept."""
    found = []
    for series in sorted(folder.glob(f"rated-{name}.{game}*")):
        with suppress(ValueError, OSError):
            history = History.at(series / FILE)
            games = zip(history.games.bots.tolist(), history.games.place.tolist(), strict=True)
            found += [
                Finished(agents=[history.entries[bot].spec for bot in bots], place=place) for bots, place in games
            ]
    return found


def rating_of(games: Iterable[Finished], person: str, known: Mapping[str, Rating]) -> tuple[Rating | None, int]:
    """Return the rating of a person from rated games, those of bots being fixed, and how many games say something.

    Games with a bot that has no rating say nothing. Of somebody who was always first or always last only a bound is
    known. None: there is no such game.
    """
    at = {name: index for index, name in enumerate([person, *known])}
    played = [game for game in games if person in game.agents and {*game.agents} <= {*at}]
    if not played:
        return None, 0
    shape = len(played), max(len(game.agents) for game in played)
    bots, place = np.full(shape, -1), np.ones(shape)
    for row, game in enumerate(played):
        bots[row, : len(game.agents)] = [at[name] for name in game.agents]
        place[row, : len(game.agents)] = game.place
    found = rate(bots, place, len(at), fixed={at[name]: rating.value for name, rating in known.items()})
    value, low, high = (float(column[0]) for column in (found.likely, found.low, found.high))
    return Rating(value=value, low=low, high=high), len(played)


def standings(folder: Path, name: str, game: str) -> list[tuple[str, Rating | None, int]]:
    """Return a person and the bots of the ladder, best first: name, rating, rated games of the person (else 0)."""
    known = ratings(game)
    mine, n_games = rating_of(finished_games(folder, name, game), PERSON_PREFIX + name, known)
    rows: list[tuple[str, Rating | None, int]] = [(bot, rating, 0) for bot, rating in known.items()]
    if mine is not None:
        rows.append((name, mine, n_games))
    return sorted(rows, key=lambda row: -row[1].value if row[1] else 0.0)
