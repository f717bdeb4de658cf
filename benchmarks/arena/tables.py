"""The tables of a tournament: what ``leaderboard.md``, ``leaderboard.csv`` and ``summary.json`` hold.

They follow from the results and the settings alone, not from the order or the time in which games were played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from shogun_env.benchmarks.arena.fit import rate
from shogun_env.benchmarks.arena.outcomes import Outcomes
from shogun_env.benchmarks.arena.seating import about_copies
from shogun_env.benchmarks.arena.standings import (
    Standing,
    TableCells,
    ahead,
    comma_separated,
    markdown,
    percent_or_dash,
    standings,
)  # fmt: skip
from shogun_env.benchmarks.arena.story import mean_stories
from shogun_env.benchmarks.markdown import markdown_table, percent
from shogun_env.cli import commit, machine, versions, write_json
from shogun_env.files import write_whole

RATINGS_ARE = (
    "Ratings: Plackett–Luce, 400 points are odds of ten to one. A bound (≥, ≤) stands where no game says more; ratings"
    " of different groups cannot be compared, as no chain of games joins them."
)
INTERVAL = "95 %, bootstrap over seeds (Wilson where all seeds agree)"
EVERYTHING = "all variants"
"""Heading of the ratings over all games of a tournament with several variants."""


ANCHORS: dict[str, dict[str, float]] = {
    "shogun": {"scripted": 756.0, "pool:2min": 562.0, "pool:20min": 688.0, "pool:champion-0.2": 888.0},
    "shitenno": {"scripted": 731.0, "pool:2min": 642.0, "pool:20min": 789.0, "pool:champion-0.2": 833.0},
}
"""For each game the bots that the others may hang on, with their ratings, where ``random`` has 0: those of the league
of the reference pool, and for ``scripted`` that of the results book. Which one is told in ``arena.fit``."""

MOST_RECORDS = 100
"""Games of a variant whose records a summary names."""


class Rating(NamedTuple):
    """The rating of an agent."""

    agent: str
    rating: float | None
    """Points; a bound where ``kind`` says so, None where nothing is known."""
    low: float | None
    """Lower end of the 95 % interval; None where no game says so."""
    high: float | None
    """Upper end."""
    kind: str
    """``interval``, ``anchor``, ``at least``, ``at most`` or ``unknown``."""
    group: int
    """Ratings of different groups cannot be compared."""
    games: int
    expected: float
    """Share of the win that the ratings expect in the games that were played."""
    observed: float
    """Share of the win that the agent had."""

    @property
    def text(self) -> str:
        """The rating in words, such as ``1203`` or ``≥ 600``."""
        sign = {"at least": "≥ ", "at most": "≤ "}.get(self.kind, "")
        return "unknown" if self.rating is None else f"{sign}{self.rating:.0f}"

    @property
    def interval(self) -> str:
        """The interval in words."""
        if self.kind == "anchor":
            return "anchor"
        if self.low is not None and self.high is not None:
            return f"{self.low:.0f}–{self.high:.0f}"
        return "no game says" if self.rating is None else f"only a bound: {self.kind} {self.rating:.0f}"


def ratings(outcomes: Outcomes, table: Sequence[Standing], game: str) -> list[Rating]:
    """Return the rating of every agent of a leaderboard, best first, group after group.

    Args:
        outcomes: the games.
        table: their standings.
        game: its anchors apply.
    """
    shown = {row.agent: row for row in table}
    places = [index for index, name in enumerate(outcomes.names) if name in shown]
    names = [outcomes.names[index] for index in places]
    number = np.full(len(outcomes.names) + 1, -1)
    number[places] = np.arange(len(places))
    bots = number[outcomes.agents]
    anchors = {names.index(name): rating for name, rating in ANCHORS.get(game, {}).items() if name in names}
    found = rate(bots, outcomes.place, len(names), anchors=anchors, chance=outcomes.seed)
    expected = expected_wins(bots, found.strength)
    rows = [
        Rating(
            agent=name,
            rating=_finite(found.rating[bot]),
            low=_finite(found.low[bot]),
            high=_finite(found.high[bot]),
            kind=str(found.kind[bot]),
            group=int(found.group[bot]) + 1,
            games=shown[name].games,
            expected=float(expected[bot]),
            observed=shown[name].win_share,
        )
        for bot, name in enumerate(names)
    ]
    return sorted(rows, key=lambda row: (row.group, row.rating is None, -(row.rating or 0.0), row.agent))


def _finite(value: float) -> float | None:
    """Return a number without noise of rounding, None for infinity or what is not a number."""
    return round(float(value), 3) + 0.0 if np.isfinite(value) else None


def expected_wins(bots: np.ndarray, strength: np.ndarray) -> np.ndarray:
    """Return for each bot the share of the win that strengths float64[n] expect per game, of bots int64[N, P]."""
    on = bots >= 0
    there = np.where(on, strength[bots], -np.inf)
    weights = np.exp(there - there.max(axis=1, keepdims=True))
    shares = weights / weights.sum(1, keepdims=True)
    total = np.bincount(bots[on], weights=shares[on], minlength=len(strength))
    return np.asarray(total / np.maximum(np.bincount(bots[on], minlength=len(strength)), 1))


def rating_table(rows: Sequence[Rating], table: Sequence[Standing] = ()) -> TableCells:
    """Return ratings as a table; with standings also whether the win shares that they expect were observed."""
    standing_of = {row.agent: row for row in table}
    grouped = len({row.group for row in rows}) > 1
    head = [
        "agent",
        *(["group"] if grouped else []),
        "rating",
        "95 % interval",
        "games",
        "expected win share",
        "observed",
    ]
    head += ["check"] if table else []
    lines = [
        [
            row.agent,
            *([str(row.group)] if grouped else []),
            row.text,
            row.interval,
            str(row.games),
            percent(row.expected),
            percent(row.observed),
            *([verdict(row, standing_of[row.agent])] if table else []),
        ]
        for row in rows
    ]
    return head, lines


def verdict(row: Rating, standing: Standing) -> str:
    """Return whether the win share that the ratings expect lies in the interval of the observed one."""
    if standing.low <= row.expected <= standing.high:
        return "in the interval"
    return f"{100 * (row.expected - row.observed):+.1f} %"


class Tables(NamedTuple):
    """The tables of a tournament."""

    standings: dict[str, list[Standing]]
    """The leaderboard of each variant."""
    ratings: dict[str, list[Rating]]
    """The ratings of each variant, and over all games if there are several."""
    summary: dict[str, Any]
    """Everything, and where it comes from, as JSON values."""
    is_complete: bool = True
    """Whether all games were played that were asked for; after Ctrl-C it is false."""

    @property
    def widest(self) -> float:
        """Width of the widest interval of a win share, 0..1."""
        return max(row.high - row.low for table in self.standings.values() for row in table)


def tables_of(outcomes: Outcomes, settings: Mapping[str, Any], command: str = "") -> Tables:
    """Return the tables of a tournament.

    Args:
        outcomes: the games.
        settings: its settings; ``game`` and ``seed`` are used, the latter to draw samples of seeds.
        command: the command line.
    """
    seed = settings["seed"] or 0
    parts = {name: outcomes.of_variant(index) for index, name in enumerate(outcomes.variants)}
    boards = {name: standings(part, seed) for name, part in parts.items()}
    rated: dict[str, list[Rating]] = {}
    if len(parts) > 1:
        rated[EVERYTHING] = ratings(outcomes, standings(outcomes, seed), settings["game"])
    rated |= {name: ratings(part, boards[name], settings["game"]) for name, part in parts.items()}
    summary = {
        "command": command,
        "commit": commit(),
        "machine": machine(),
        "versions": versions(),
        "settings": dict(settings),
        "games": len(outcomes.seed),
        "interval": INTERVAL,
        "variants": [
            {
                "name": name,
                "games": len(part.seed),
                "copies": _about_copies(part, settings),
                "leaderboard": [row._asdict() for row in boards[name]],
                "ahead": {
                    "agents": [row.agent for row in boards[name]],
                    "share": ahead(part, [row.agent for row in boards[name]]),
                },
                "stories": mean_stories([story[1:] for story in part.stories]),
                "records": [
                    {"agents": agents, "points": points, "file": file}
                    for _, agents, points, file in part.records[:MOST_RECORDS]
                ],
            }
            for name, part in parts.items()
        ],
        "ratings": {name: [row._asdict() for row in rows] for name, rows in rated.items()},
    }
    return Tables(standings=boards, ratings=rated, summary=summary)


def _about_copies(part: Outcomes, settings: Mapping[str, Any]) -> str:
    """Return the sentence about copies of bots in the games of a variant, or an empty text."""
    players = int((part.agents[0] >= 0).sum())
    return about_copies(settings["agents"], players, len(part.seed)) if "agents" in settings else ""


def ahead_table(ahead: Mapping[str, Any]) -> TableCells:
    """Return who finished ahead of whom, ``ahead`` of a variant in a summary, as a table."""
    rows = zip(ahead["agents"], ahead["share"], strict=True)
    return ["", *ahead["agents"]], [[agent, *map(percent_or_dash, shares)] for agent, shares in rows]


def as_markdown(tables: Tables) -> str:
    """Return the tables as Markdown: leaderboards, ratings, and who finished ahead of whom."""
    parts = []
    if EVERYTHING in tables.ratings:
        parts.append(f"## {EVERYTHING}\n\n{markdown_table(*rating_table(tables.ratings[EVERYTHING]))}")
    for variant in tables.summary["variants"]:
        name = variant["name"]
        games = variant["copies"] or f"{variant['games']} games."
        parts.append(f"## {name}\n\n{games}\n\n{markdown(tables.standings[name])}")
        if name in tables.ratings:
            parts.append(markdown_table(*rating_table(tables.ratings[name], tables.standings[name])))
        parts.append(f"Finished ahead of:\n\n{markdown_table(*ahead_table(variant['ahead']))}")
    return "\n".join(parts) + f"\nIntervals: {INTERVAL}. {RATINGS_ARE}\n"


def times_of(outcomes: Outcomes) -> dict[str, float]:
    """Return the milliseconds per decision of each agent that is not compiled."""
    pairs = zip(outcomes.names, outcomes.seconds, outcomes.asked, strict=True)
    return {name: round(1000 * float(used / asked), 4) for name, used, asked in pairs if asked}


def write_tables(out: Path, tables: Tables, times: Mapping[str, float]) -> None:
    """Write the tables into a folder; times, which differ from run to run, into a file of their own."""
    boards: dict[str, Any] = dict(tables.standings)
    write_whole(out / "leaderboard.md", as_markdown(tables))
    write_whole(out / "leaderboard.csv", comma_separated(boards))
    write_json(out / "summary.json", tables.summary)
    write_json(out / "times.json", dict(times))
