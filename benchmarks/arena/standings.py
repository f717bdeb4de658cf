"""Standings of agents from the results of games: a leaderboard with intervals, and who finishes ahead of whom."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from shogun_env.benchmarks.arena.outcomes import Outcomes
from shogun_env.benchmarks.arena.referee import FAULTS
from shogun_env.benchmarks.arena.seating import Result
from shogun_env.benchmarks.markdown import markdown_table, percent, percent_interval
from shogun_env.shares import wilson

TableCells = tuple[list[str], list[list[str]]]
"""The headings of a table and the cells of its rows."""
RESAMPLES = 1000
"""Number of bootstrap samples."""
LEVEL = 0.95
"""Confidence of the intervals."""
_CHUNK = 4_000_000
"""This many numbers are drawn at a time."""


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
    seat_shares: tuple[float | None, ...]
    """Win share as player 0, 1, …; None for a seat that it never played."""
    faults: dict[str, int]
    """Number of faults by kind in all its games."""
    places: tuple[float, ...]
    """Share of the games in which it came in first, second, …; tied players share their places evenly."""
    without_luck: tuple[float, float, float] | None = None
    """Win share less the mean of its luck, with the ends of the 95 % interval; None if the luck was not found. Its
    expectation is that of the win share, and it may lie outside 0..1."""


def resamples(groups: int, seed: int) -> Iterator[np.ndarray]:
    """Yield bootstrap samples of groups, a few at a time: float64[r, groups], how often each group is drawn.

    Args:
        groups: number of groups.
        seed: of the draws.
    """
    rng = np.random.default_rng(seed)
    at_once = max(1, _CHUNK // groups)
    for begin in range(0, RESAMPLES, at_once):
        rows = min(at_once, RESAMPLES - begin)
        draws = rng.integers(groups, size=(rows, groups)) + groups * np.arange(rows)[:, None]
        yield np.bincount(draws.ravel(), minlength=rows * groups).reshape(rows, groups).astype(np.float64)


def interval_of(samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends of the 95 % interval of each column of ``samples`` float64[R, n].

    NaN stands for a sample without a game of the agent, which says nothing; a column of NaN has no interval.
    """
    ends = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    low, high = np.quantile(samples, ends, axis=0)
    known = ~np.isnan(samples)
    for column in np.flatnonzero(known.any(0) & ~known.all(0)):
        low[column], high[column] = np.quantile(samples[known[:, column], column], ends)
    return low, high


def standings(results: Iterable[Result] | Outcomes, seed: int = 0) -> list[Standing]:
    """Return the standing of every agent that played, best win share first.

    Args:
        results: of a tournament; at least one.
        seed: of the bootstrap.
    """
    outcomes = results if isinstance(results, Outcomes) else Outcomes.of(results)
    agents = len(outcomes.names)
    players = outcomes.players
    game, player = np.nonzero(outcomes.agents >= 0)
    who = outcomes.agents[game, player]
    seeds, group = np.unique(outcomes.seed, return_inverse=True)
    won = _sums((who, group[game]), (agents, len(seeds)), outcomes.win[game, player])
    rest = won - _sums((who, group[game]), (agents, len(seeds)), outcomes.luck[game, player])  # NaN: luck is not known
    played = _sums((who, group[game]), (agents, len(seeds)))
    seat_won = _sums((who, player), (agents, players), outcomes.win[game, player])
    seat_played = _sums((who, player), (agents, players))
    games = played.sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = interval_of(np.concatenate([(w @ won.T) / (w @ played.T) for w in resamples(len(seeds), seed)]))
        ends_of_rest = _rest_intervals(rest, played, seed)
        seat_shares = seat_won / seat_played
    place = _sums((who,), (agents,), outcomes.place[game, player])
    points = _sums((who,), (agents,), outcomes.points[game, player])
    places = _places(outcomes, players)
    faults = outcomes.faults.sum(0)
    table = []
    for at in np.flatnonzero(games):
        ends = (float(low[at]), float(high[at]))
        on = played[at] > 0
        if np.ptp(won[at, on] / played[at, on]) == 0:  # all seeds agree: a bootstrap shows no spread
            ends = wilson(float(won[at].sum()), int(games[at]))
        table.append(
            Standing(
                agent=outcomes.names[at],
                games=int(games[at]),
                win_share=float(won[at].sum() / games[at]),
                low=ends[0],
                high=ends[1],
                mean_place=float(place[at] / games[at]),
                mean_points=float(points[at] / games[at]),
                seat_shares=tuple(None if math.isnan(share) else share for share in seat_shares[at].tolist()),
                faults={kind: int(count) for kind, count in zip(FAULTS, faults[at], strict=True) if count},
                places=tuple((places[at] / games[at]).tolist()),
                without_luck=None if ends_of_rest is None else (float(rest[at].sum() / games[at]), *ends_of_rest[at]),
            )
        )
    return sorted(table, key=lambda standing: (-standing.win_share, standing.agent))


def _rest_intervals(rest: np.ndarray, played: np.ndarray, seed: int) -> list[tuple[float, float]] | None:
    """Return for each agent the ends of the interval of its win share without luck; None if luck is not known.

    Args:
        rest: float64[agents, seeds], sums of wins less luck.
        played: float64[agents, seeds], numbers of seats.
        seed: of the bootstrap.
    """
    if np.isnan(rest).any():
        return None
    low, high = interval_of(np.concatenate([(w @ rest.T) / (w @ played.T) for w in resamples(len(played.T), seed)]))
    return list(zip(low.tolist(), high.tolist(), strict=True))


def _sums(where: tuple[np.ndarray, ...], shape: tuple[int, ...], values: np.ndarray | None = None) -> np.ndarray:
    """Return an array of ``shape`` with the sum of ``values`` at each place, or their number."""
    index = np.ravel_multi_index(where, shape)
    return np.bincount(index, weights=values, minlength=math.prod(shape)).reshape(shape).astype(np.float64)


def _places(outcomes: Outcomes, players: int) -> np.ndarray:
    """Return float64[agents, players], how often each agent had each place; k tied players have 1/k of each of k."""
    counts = np.zeros((len(outcomes.names), players))
    place = outcomes.place
    for mine in range(players):
        ok = outcomes.agents[:, mine] >= 0
        better = (place < place[:, mine, None]).sum(1)
        tied = np.maximum((place == place[:, mine, None]).sum(1), 1)
        for at in range(players):
            share = np.where(ok & (better <= at) & (at < better + tied), 1 / tied, 0.0)
            np.add.at(counts[:, at], outcomes.agents[ok, mine], share[ok])
    return counts


def ahead(results: Iterable[Result] | Outcomes, names: Sequence[str]) -> list[list[float | None]]:
    """Return for every two agents the share of their games in which the first finished ahead; a tie counts half.

    It is None for two agents that never met.
    """
    outcomes = results if isinstance(results, Outcomes) else Outcomes.of(results)
    size, players = len(outcomes.names), outcomes.players
    better, met = np.zeros((size, size)), np.zeros((size, size))
    for a in range(players):
        for b in range(players):
            one, other = outcomes.agents[:, a], outcomes.agents[:, b]
            both = (one >= 0) & (other >= 0) & (one != other)
            gap = outcomes.place[both, b] - outcomes.place[both, a]
            np.add.at(met, (one[both], other[both]), 1)
            np.add.at(better, (one[both], other[both]), np.where(gap == 0, 0.5, gap > 0))
    which = [outcomes.names.index(name) for name in names]
    return [[float(better[i, j] / met[i, j]) if met[i, j] else None for j in which] for i in which]


def fault_text(faults: dict[str, int]) -> str:
    """Return the faults of an agent in words, such as ``12 illegal, 3 late``."""
    return ", ".join(f"{count} {kind}" for kind, count in faults.items()) or "–"


def leaderboard(table: Sequence[Standing]) -> TableCells:
    """Return the leaderboard as a table, with a column for the share as each player at its end."""
    seats = [f"player {player}" for player in range(len(table[0].seat_shares))]
    lucky = ["luck subtracted"] if table[0].without_luck else []
    head = ["agent", "games", "win share", "95 % interval", *lucky, "mean place", "mean points", "faults", *seats]
    rows = [
        [
            row.agent,
            str(row.games),
            percent(row.win_share),
            f"{100 * row.low:.1f}–{100 * row.high:.1f}",
            *([percent_interval(*row.without_luck)] if row.without_luck else []),
            f"{row.mean_place:.2f}",
            f"{row.mean_points:.1f}",
            fault_text(row.faults),
            *map(percent_or_dash, row.seat_shares),
        ]
        for row in table
    ]
    return head, rows


def percent_or_dash(share: float | None) -> str:
    """Return a share in per cent, a dash for None."""
    return "–" if share is None else percent(share)


def markdown(table: Sequence[Standing]) -> str:
    """Return the leaderboard as a Markdown table."""
    return markdown_table(*leaderboard(table))


def comma_separated(tables: Sequence[Standing] | dict[str, Sequence[Standing]]) -> str:
    """Return leaderboards as CSV, each with the name of its variant; numbers are not rounded."""
    by_variant = tables if isinstance(tables, dict) else {"": tables}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    players = max(len(row.seat_shares) for table in by_variant.values() for row in table)
    columns = Standing._fields[:7]
    seats, places = [f"seat_{k}" for k in range(players)], [f"place_{k + 1}" for k in range(players)]
    lucky = any(row.without_luck for table in by_variant.values() for row in table)
    last = ["variant", *(["without_luck", "without_luck_low", "without_luck_high"] if lucky else [])]
    writer.writerow([*columns, *seats, *places, *(f"fault_{kind}" for kind in FAULTS), *last])
    for variant, table in by_variant.items():
        for row in table:
            blank = [""] * (players - len(row.seat_shares))
            counts = [row.faults.get(kind, 0) for kind in FAULTS]
            cells = [*row[:7], *row.seat_shares, *blank, *row.places, *blank, *counts, variant]
            writer.writerow([*cells, *(row.without_luck or ())])
    return out.getvalue()
