"""The standings of a league: ratings with intervals, with and without games that had faults; who met whom."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.arena.fit import rate
from shogun_env.benchmarks.arena.standings import TableCells
from shogun_env.benchmarks.league.history import Games, History
from shogun_env.benchmarks.markdown import markdown_table, percent
from shogun_env.files import write_whole

STANDINGS, TABLE = "standings.json", "standings.md"
"""Files of the folder of a league."""


class Row(NamedTuple):
    """What a league says about a bot."""

    name: str
    rating: float | None
    """Points; a bound where one end is None, None where nothing is known."""
    low: float | None
    """Lower end of the 95 % interval of the rating; None where no game says so."""
    high: float | None
    games: int
    win_share: float | None
    """Mean share of the win; None without a game."""
    faults: dict[str, int]
    """Number of faults by kind."""
    faultless_games: int
    """Number of its games in which nobody had a fault."""
    faultless: tuple[float | None, float | None, float | None]
    """Rating and interval from the games in which nobody had a fault."""
    fixed: bool
    """Whether the rating is one of the reference pool."""
    mark: str
    why: str


def rows_of(history: History) -> list[Row]:
    """Return the standings, best first."""
    games = history.games
    good = np.logical_not(games.faulty.any(axis=1))
    everything, faultless = _ratings(history, None), _ratings(history, good)
    counts, clean = (
        np.bincount(bots.ravel(), minlength=len(history.entries)) for bots in (games.bots, games.bots[good])
    )
    won = np.bincount(games.bots.ravel(), games.wins.ravel(), len(history.entries))
    rows = [
        Row(
            name=entry.name,
            rating=everything[bot][0],
            low=everything[bot][1],
            high=everything[bot][2],
            games=int(counts[bot]),
            win_share=float(won[bot] / counts[bot]) if counts[bot] else None,
            faults=dict(sorted(history.faults.get(bot, {}).items())),
            faultless_games=int(clean[bot]),
            faultless=everything[bot] if good.all() else faultless[bot],
            fixed=entry.rating is not None,
            mark="" if entry.plays else entry.mark,
            why="" if entry.plays else entry.why,
        )
        for bot, entry in enumerate(history.entries)
    ]
    return sorted(rows, key=lambda row: (row.rating is None, -(row.rating or 0.0), row.name))


def _ratings(history: History, which: np.ndarray | None) -> list[tuple[float | None, float | None, float | None]]:
    """Return rating and interval of every entry, from all games or from some, bool[N]."""
    if which is not None and which.all():
        return []
    games = history.games if which is None else history.games.some(which)
    fixed = {bot: entry.rating for bot, entry in enumerate(history.entries) if entry.rating is not None}
    meeting = np.arange(len(history.games.bots)) // history.players
    meeting = meeting if which is None else meeting[which]
    found = rate(games.bots, games.place, len(history.entries), fixed=fixed, chance=meeting)
    ends = np.stack([found.rating, found.low, found.high], axis=1).round(3).tolist()
    return [(_known(rating), _known(low), _known(high)) for rating, low, high in ends]


def _known(value: float) -> float | None:
    """Return a number, None for infinity or what is not a number."""
    return value if math.isfinite(value) else None


def met(games: Games, bots: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return how often bots met, and how often the one of the row finished ahead: int64[n, n] and float64[n, n].

    A tie counts half.
    """
    size = len(bots)
    number = np.full(int(max(games.bots.max(initial=0), *bots)) + 1, -1)
    number[list(bots)] = np.arange(size)
    who = number[games.bots]
    count, ahead = np.zeros((size, size), np.int64), np.zeros((size, size))
    players = games.bots.shape[1]
    for one in range(players):
        for other in range(players):
            on = (who[:, one] >= 0) & (who[:, other] >= 0) & (one != other)
            pair = (who[on, one], who[on, other])
            np.add.at(count, pair, 1)
            np.add.at(ahead, pair, 0.5 + 0.5 * np.sign(games.place[on, other] - games.place[on, one]))
    return count, ahead


def summary_of(history: History) -> dict[str, Any]:
    """Return the standings as JSON values, with what they follow from."""
    return {
        "settings": history.settings,
        "commitment": history.commitment.hex(),
        "journal": history.chain,
        "games": history.n_games,
        "rounds": len(history.rounds),
        "standings": [row._asdict() for row in rows_of(history)],
    }


def write(folder: Path, history: History) -> dict[str, Any]:
    """Write the standings into the folder of a league; return them."""
    summary = summary_of(history)
    cli.write_json(folder / STANDINGS, summary)
    write_whole(folder / TABLE, as_markdown(summary))
    return summary


def ends(low: float | None, high: float | None) -> str:
    """Return an interval in words, a bound if one end is None."""
    if low is None or high is None:
        return f"at least {whole(low)}" if low is not None else f"at most {whole(high)}" if high is not None else "–"
    return f"{whole(low)}–{whole(high)}"


def interval(rating: float | None, low: float | None, high: float | None) -> str:
    """Return a rating with its interval, such as ``1203 (1180–1226)``, or what is known of it."""
    if rating is None or low is None or high is None:
        return "unknown" if rating is None else ends(low, high)
    return f"{whole(rating)} ({ends(low, high)})" if high > low else whole(rating)


def counted(games: int, rounds: int) -> str:
    """Return in words how many games were played in how many rounds."""
    return f"{games} games in {rounds} round{'' if rounds == 1 else 's'}"


def whole(number: float) -> str:
    """Return a number without decimals, with a real minus sign.

    Example:
        >>> whole(-403.2)
        '−403'
    """
    return f"{number:.0f}".replace("-", "−")


def without_faults(row: Mapping[str, Any]) -> str:
    """Return in words what the games without faults say about a bot."""
    return f"{interval(*row['faultless'])}, {row['faultless_games']} games" if row["faultless_games"] else "–"


def table_of(rows: Sequence[Mapping[str, Any]]) -> TableCells:
    """Return the standings as a table."""
    head = ["place", "bot", "rating (95 %)", "games", "wins", "faults", "without games with faults", "remarks"]
    cells = []
    for place, row in enumerate(rows, 1):
        faults = ", ".join(f"{number} {kind}" for kind, number in row["faults"].items())
        remark = "fixed" if row["fixed"] else ": ".join(filter(None, (row["mark"], row["why"])))
        wins = "–" if row["win_share"] is None else percent(row["win_share"])
        cells.append([
            str(place), row["name"], interval(row["rating"], row["low"], row["high"]), str(row["games"]), wins,
            faults or "–", without_faults(row), remark or "–",
        ])  # fmt: skip
    return head, cells


def as_markdown(summary: Mapping[str, Any]) -> str:
    """Return the standings as Markdown."""
    settings = summary["settings"]
    told = f"{settings['game']}, {settings['preset']}: {counted(summary['games'], summary['rounds'])}."
    return f"{told}\n\n{markdown_table(*table_of(summary['standings']))}"


def read(folder: Path) -> Any:
    """Return the standings that the folder of a league holds; None if there are none that can be read."""
    try:
        return json.loads((folder / STANDINGS).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
