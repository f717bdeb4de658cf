"""What games say about agents: leaderboard with intervals, and who finishes ahead of whom."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from shogun_env.benchmarks.arena.arena import Result

RESAMPLES = 2000
LEVEL = 0.95
_Z95 = 1.959964


class Standing(NamedTuple):
    """An agent's results over a tournament."""

    agent: str
    games: int
    """Seats it played: twice in a game where it sat twice."""
    win_share: float
    """Mean share of the win; 1 / players where all are equally strong."""
    low: float
    """Lower end of the 95 % interval of the win share: bootstrap over seeds, so games on one seed count as one draw."""
    high: float
    mean_place: float
    mean_points: float
    seat_shares: tuple[float, ...]
    """Win share as player 0, 1, …; not a number where it never sat."""
    illegal: int
    """Illegal actions in all its games."""


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share, games taken as independent.

    Example:
        >>> [round(end, 3) for end in wilson(10, 10)]
        [0.722, 1.0]
    """
    share, square = wins / games, _Z95 * _Z95
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = _Z95 * math.sqrt(share * (1 - share) / games + square / (4 * games * games)) / (1 + square / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def standings(results: Sequence[Result], seed: int = 0) -> list[Standing]:
    """Return every agent's standing, best win share first. ``seed`` is that of the bootstrap."""
    names = sorted({name for result in results for name in result.agents})
    seeds = {value: index for index, value in enumerate(sorted({result.seed for result in results}))}
    players = len(results[0].agents)
    won = np.zeros((len(names), len(seeds), players))
    played = np.zeros((len(names), len(seeds), players))
    places, points, illegal = np.zeros(len(names)), np.zeros(len(names)), np.zeros(len(names), np.int64)
    for result in results:
        for player, name in enumerate(result.agents):
            at = names.index(name)
            won[at, seeds[result.seed], player] += result.win[player]
            played[at, seeds[result.seed], player] += 1
            places[at] += result.place[player]
            points[at] += result.points[player]
            illegal[at] += result.illegal[player]
    drawn = np.random.default_rng(seed).integers(len(seeds), size=(RESAMPLES, len(seeds)))
    found = []
    for at, name in enumerate(names):
        games = int(played[at].sum())
        low, high = _interval(won[at].sum(1), played[at].sum(1), drawn)
        by_seat = [float(w / p) if p else math.nan for w, p in zip(won[at].sum(0), played[at].sum(0), strict=True)]
        share = float(won[at].sum() / games)
        means = (float(places[at] / games), float(points[at] / games))
        found.append(Standing(name, games, share, low, high, *means, tuple(by_seat), int(illegal[at])))
    return sorted(found, key=lambda standing: -standing.win_share)


def _interval(won: np.ndarray, played: np.ndarray, drawn: np.ndarray) -> tuple[float, float]:
    """Return the bootstrap interval of a share; Wilson's where all seeds agree, which resampling cannot widen."""
    if np.ptp(won / played) == 0:
        return wilson(float(won.sum()), int(played.sum()))
    shares = won[drawn].sum(1) / played[drawn].sum(1)
    low, high = np.quantile(shares, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def ahead(results: Sequence[Result], names: Sequence[str]) -> list[list[float | None]]:
    """Return for each two agents how often the first finished ahead of the second where both played (a tie is half)."""
    better, met = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    for result in results:
        seats = [names.index(name) for name in result.agents]
        for a, i in enumerate(seats):
            for b, j in enumerate(seats):
                if i != j:
                    met[i, j] += 1
                    gap = result.place[b] - result.place[a]
                    better[i, j] += 0.5 if gap == 0 else float(gap > 0)
    return [[float(w / m) if m else None for w, m in zip(*rows, strict=True)] for rows in zip(better, met, strict=True)]


def markdown(table: Sequence[Standing]) -> str:
    """Return the leaderboard as a Markdown table."""
    seats = range(len(table[0].seat_shares))
    head = ["agent", "games", "win share", "95 % interval", "mean place", "mean points"] + [f"seat {k}" for k in seats]
    rows = [
        [
            row.agent,
            str(row.games),
            f"{row.win_share:.1%}",
            f"{row.low:.1%} – {row.high:.1%}",
            f"{row.mean_place:.2f}",
            f"{row.mean_points:.1f}",
            *("–" if math.isnan(share) else f"{share:.1%}" for share in row.seat_shares),
        ]
        for row in table
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, ["---"] * len(head), *rows)) + "\n"


def comma_separated(table: Sequence[Standing]) -> str:
    """Return the leaderboard as CSV, numbers unrounded."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    seats = range(len(table[0].seat_shares))
    writer.writerow([*Standing._fields[:-2], *(f"seat_{k}" for k in seats), "illegal"])
    for row in table:
        writer.writerow([*row[:-2], *row.seat_shares, row.illegal])
    return out.getvalue()


def as_json(table: Sequence[Standing]) -> list[dict[str, Any]]:
    """Return the leaderboard as JSON values, null for what is not a number."""
    rows = []
    for row in table:
        shares = [None if math.isnan(share) else share for share in row.seat_shares]
        rows.append({**row._asdict(), "seat_shares": shares})
    return rows
