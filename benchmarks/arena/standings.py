"""Standings of agents from the results of games: a leaderboard with intervals, and who finishes ahead of whom."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from shogun_env.benchmarks.arena.arena import Result
from shogun_env.benchmarks.arena.shares import wilson

RESAMPLES = 2000
"""Number of bootstrap samples."""
LEVEL = 0.95
"""Confidence of the intervals."""


class Standing(NamedTuple):
    """The results of an agent in a tournament."""

    agent: str
    """Its name."""
    games: int
    """Number of seats that it played; a game in which it played two counts twice."""
    win_share: float
    """Mean share of the win, 0..1; 1 / players if all are equally strong."""
    low: float
    """Lower end of the 95 % interval of the win share, by bootstrap over seeds: games on the same seed are one draw."""
    high: float
    """Upper end of that interval."""
    mean_place: float
    """Mean place; 1 is best."""
    mean_points: float
    seat_shares: tuple[float, ...]
    """Win share as player 0, 1, …; not a number for a seat that it never played."""
    illegal: int
    """Number of illegal actions in all its games."""


def standings(results: Sequence[Result], seed: int = 0) -> list[Standing]:
    """Return the standing of every agent, best win share first.

    Args:
        results: of a tournament; at least one.
        seed: of the bootstrap.
    """
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
    samples = np.random.default_rng(seed).integers(len(seeds), size=(RESAMPLES, len(seeds)))
    table = []
    for at, name in enumerate(names):
        games = int(played[at].sum())
        low, high = _interval(won[at].sum(1), played[at].sum(1), samples)
        by_seat = [float(w / p) if p else math.nan for w, p in zip(won[at].sum(0), played[at].sum(0), strict=True)]
        table.append(
            Standing(
                agent=name,
                games=games,
                win_share=float(won[at].sum() / games),
                low=low,
                high=high,
                mean_place=float(places[at] / games),
                mean_points=float(points[at] / games),
                seat_shares=tuple(by_seat),
                illegal=int(illegal[at]),
            )
        )
    return sorted(table, key=lambda standing: -standing.win_share)


def _interval(won: np.ndarray, played: np.ndarray, samples: np.ndarray) -> tuple[float, float]:
    """Return the bootstrap interval of a share of wins, or Wilson's if all seeds agree, which gives no spread.

    Args:
        won: float64[S], wins on each seed.
        played: float64[S], games on each seed.
        samples: int64[RESAMPLES, S], the seeds of each bootstrap sample.
    """
    if np.ptp(won / played) == 0:
        return wilson(float(won.sum()), int(played.sum()))
    shares = won[samples].sum(1) / played[samples].sum(1)
    low, high = np.quantile(shares, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def ahead(results: Sequence[Result], names: Sequence[str]) -> list[list[float | None]]:
    """Return for every two agents the share of their games in which the first finished ahead; a tie counts half.

    It is None for two agents that never met.
    """
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
    """Return the leaderboard as CSV; numbers are not rounded."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    seats = range(len(table[0].seat_shares))
    writer.writerow([*Standing._fields[:-2], *(f"seat_{k}" for k in seats), "illegal"])
    for row in table:
        writer.writerow([*row[:-2], *row.seat_shares, row.illegal])
    return out.getvalue()


def as_json(table: Sequence[Standing]) -> list[dict[str, Any]]:
    """Return the leaderboard as JSON values; what is not a number is None."""
    rows = []
    for row in table:
        shares = [None if math.isnan(share) else share for share in row.seat_shares]
        rows.append({**row._asdict(), "seat_shares": shares})
    return rows
