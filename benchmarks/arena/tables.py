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
from shogun_env.benchmarks.arena.standings import (
    Standing,
    ahead,
    as_json,
    comma_separated,
    markdown,
    standings,
)  # fmt: skip
from shogun_env.benchmarks.arena.story import mean_stories
from shogun_env.benchmarks.markdown import markdown_table, percent
from shogun_env.cli import commit, machine, versions, write_json
from shogun_env.files import write_whole

INTERVAL = "95 %, bootstrap over seeds (Wilson where all seeds agree)"
EVERYTHING = "all variants"
"""Heading of the ratings over all games of a tournament with several variants."""


class Tables(NamedTuple):
    """The tables of a tournament."""

    standings: dict[str, list[Standing]]
    """The leaderboard of each variant."""
    ratings: dict[str, list[Rating]]
    """The ratings of each variant, and over all games if there are several; empty without choix."""
    summary: dict[str, Any]
    """Everything, and where it comes from, as JSON values."""

    @property
    def widest(self) -> float:
        """Width of the widest interval of a win share, 0..1."""
        return max(row.high - row.low for table in self.standings.values() for row in table)


def tables_of(outcomes: Outcomes, settings: Mapping[str, Any], command: str = "") -> Tables:
    """Return the tables of a tournament.

    Args:
        outcomes: the games.
        settings: its settings; ``game`` and ``seed`` are used.
        command: the command line.
    """
    seed = settings["seed"]
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
                "leaderboard": as_json(boards[name]),
                "ahead": {
                    "agents": [row.agent for row in boards[name]],
                    "share": ahead(part, [row.agent for row in boards[name]]),
                },
                "stories": mean_stories([story[1:] for story in part.stories]),
            }
            for name, part in parts.items()
        ],
        "ratings": {name: rate.as_json(rows) for name, rows in rated.items()},
    }
    return Tables(standings=boards, ratings=rated, summary=summary)


def as_markdown(tables: Tables) -> str:
    """Return the tables as Markdown: leaderboards, ratings, and who finished ahead of whom."""
    parts = []
    for variant in tables.summary["variants"]:
        name, agents = variant["name"], variant["ahead"]["agents"]
        parts.append(f"## {name}\n\n{variant['games']} games.\n\n{markdown(tables.standings[name])}")
        if name in tables.ratings:
            parts.append(rate.rating_table(tables.ratings[name], tables.standings[name]))
        rows = [
            [agent, *("–" if share is None else percent(share) for share in shares)]
            for agent, shares in zip(agents, variant["ahead"]["share"], strict=True)
        ]
        parts.append("Finished ahead of:\n\n" + markdown_table(["", *agents], rows))
    if EVERYTHING in tables.ratings:
        everything = markdown_table(
            ["agent", "rating", "95 % interval", "games"],
            [
                [row.agent, f"{row.rating:.0f}", f"{row.low:.0f}–{row.high:.0f}", str(row.games)]
                for row in tables.ratings[EVERYTHING]
            ],
        )
        parts.insert(0, f"## {EVERYTHING}\n\n{everything}")
    return "\n".join(parts) + f"\nIntervals: {INTERVAL}. Ratings: Plackett–Luce, 400 points are odds of ten to one.\n"


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
