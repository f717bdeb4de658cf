"""The tables of a tournament: what ``leaderboard.md``, ``leaderboard.csv`` and ``summary.json`` hold.

They follow from the results and the settings alone, not from the order or the time in which games were played.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from shogun_env.benchmarks.arena import ratings as rate
from shogun_env.benchmarks.arena.outcomes import Outcomes
from shogun_env.benchmarks.arena.ratings import Rating
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
from shogun_env.benchmarks.markdown import markdown_table
from shogun_env.cli import commit, machine, versions, write_json
from shogun_env.files import write_whole

RATINGS_ARE = "Ratings: Plackett–Luce, 400 points are odds of ten to one."
INTERVAL = "95 %, bootstrap over seeds (Wilson where all seeds agree)"
EVERYTHING = "all variants"
"""Heading of the ratings over all games of a tournament with several variants."""


MOST_RECORDS = 100
"""Games of a variant whose records a summary names."""


class Tables(NamedTuple):
    """The tables of a tournament."""

    standings: dict[str, list[Standing]]
    """The leaderboard of each variant."""
    ratings: dict[str, list[Rating]]
    """The ratings of each variant, and over all games if there are several; empty without choix."""
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
    try:
        if len(parts) > 1:
            rated[EVERYTHING] = rate.ratings(outcomes, standings(outcomes, seed), settings["game"], seed)
        rated |= {name: rate.ratings(part, boards[name], settings["game"], seed) for name, part in parts.items()}
    except ValueError:
        rated = {}  # choix is not installed: the leaderboard needs no ratings
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
        parts.append(f"## {EVERYTHING}\n\n{markdown_table(*rate.rating_table(tables.ratings[EVERYTHING]))}")
    for variant in tables.summary["variants"]:
        name = variant["name"]
        games = variant["copies"] or f"{variant['games']} games."
        parts.append(f"## {name}\n\n{games}\n\n{markdown(tables.standings[name])}")
        if name in tables.ratings:
            parts.append(markdown_table(*rate.rating_table(tables.ratings[name], tables.standings[name])))
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
