"""Which bots of a league meet next: where their games tell most about strengths.

A bot leads a meeting in proportion to the variance of its strength. Several tables are drawn for it: the others sit
around a strength that it may have, drawn from what is known (Thompson sampling), so that bots meet who may be equal.
The table that tells most is played: the sum over its pairs of log(1 + p (1 - p) v), where p is the chance that one
finishes ahead of the other, and v the variance of the difference of their strengths. That is the information of the
game about each difference, for a Bradley–Terry model with normal errors.
"""

from __future__ import annotations

import numpy as np

from shogun_env.benchmarks.arena.fit import Strengths

TABLES = 16
"""Tables that are drawn for a leader. With 48 orders are known no sooner."""
WIDTH = 0.6
"""Deviation of the strengths around which others sit, from the leader's: 104 rating points. 0.3 and 1 do as well."""
PART = 8
"""Meetings are chosen at a time for this part of the seats of all bots, in long rounds for more:"""
LAPS = 64
"""so that there are no more laps than this."""


def choose(rng: np.random.Generator, strengths: Strengths, meetings: int, players: int) -> np.ndarray:
    """Return the bots that meet: int64[meetings, players], numbers of bots, no bot twice at a table.

    Meetings are chosen a few at a time; what those before will have told makes the bots at them less interesting.

    Args:
        rng: where chance comes from.
        strengths: what is known of n bots, at least ``players``.
        meetings: number of meetings.
        players: number of players of a game.

    Raises: ValueError for fewer bots than players.
    """
    size = len(strengths.mean)
    if size < players:
        raise ValueError(f"{size} bots for games of {players} players: enter more")
    shrink = np.ones(size)
    chosen: list[np.ndarray] = []
    total = meetings
    while meetings:
        some = min(meetings, max(1, size // (PART * players), total // LAPS))
        meetings -= some
        tables = _best_tables(rng, strengths, shrink, some, players)
        told = np.zeros(size)
        for seat in range(players):
            others = np.delete(tables, seat, axis=1)
            each = players * _unsure(strengths.mean[tables[:, [seat]]] - strengths.mean[others]).sum(axis=1)
            np.add.at(told, tables[:, seat], each)
        shrink /= np.sqrt(1 + told * strengths.variance * shrink**2)
        chosen.append(tables)
    return np.concatenate(chosen)


def _best_tables(
    rng: np.random.Generator, strengths: Strengths, shrink: np.ndarray, meetings: int, players: int
) -> np.ndarray:
    """Return a few meetings, int64[meetings, players]; errors are ``shrink`` float64[n] of what they were."""
    size = len(shrink)
    errors = np.sqrt(strengths.variance) * shrink
    may_be = strengths.mean + rng.normal(size=size) * errors
    by_strength = np.argsort(may_be, kind="stable")
    leaders = _leaders(rng, errors**2, meetings)
    wanted = may_be[leaders][:, None, None] + WIDTH * rng.normal(size=(meetings, TABLES, players - 1))
    at = np.minimum(np.searchsorted(may_be[by_strength], wanted), size - 1)
    everyone = np.broadcast_to(leaders[:, None, None], (meetings, TABLES, 1))
    tables = np.concatenate([everyone, by_strength[at]], axis=2)
    ranks = np.argsort(by_strength, kind="stable")[leaders]
    first = np.clip(ranks - players // 2, 0, size - players)
    neighbours = by_strength[first[:, None] + np.arange(players)]
    tables = np.concatenate([tables, neighbours[:, None]], axis=1)
    best = information(strengths, tables, shrink).argmax(axis=1)
    return np.asarray(tables[np.arange(meetings), best])


def choose_any(rng: np.random.Generator, size: int, meetings: int, players: int) -> np.ndarray:
    """Return bots that meet by chance alone, every bot as often as any other: int64[meetings, players].

    Example:
        >>> sorted(choose_any(np.random.default_rng(1), 6, 2, 3).ravel().tolist())
        [0, 1, 2, 3, 4, 5]
    """
    rounds = -(-meetings * players // (size - size % players))
    seats = [rng.permutation(size)[: size - size % players] for _ in range(rounds)]
    return np.concatenate(seats).reshape(-1, players)[:meetings]


def _leaders(rng: np.random.Generator, variance: np.ndarray, meetings: int) -> np.ndarray:
    """Return the leader of each meeting, in proportion to the variances as nearly as whole numbers allow."""
    total = variance.sum()
    if not total:  # all are fixed
        return rng.integers(len(variance), size=meetings)
    order = rng.permutation(len(variance))
    ends = np.cumsum(variance[order] / total)
    at = np.searchsorted(ends, (rng.random() + np.arange(meetings)) / meetings)
    return np.asarray(order[np.minimum(at, len(variance) - 1)])


def _unsure(difference: np.ndarray) -> np.ndarray:
    """Return p (1 - p), where p is the chance of a bot to finish ahead of one that is weaker by ``difference``."""
    ahead = 1 / (1 + np.exp(-difference))
    return np.asarray(ahead * (1 - ahead))


def information(strengths: Strengths, tables: np.ndarray, shrink: np.ndarray) -> np.ndarray:
    """Return what a game at each table tells: float64[...]; less than nothing where a bot sits twice.

    Args:
        strengths: what is known of n bots.
        tables: int64[..., P], bots.
        shrink: float64[n], what their errors are multiplied with.
    """
    total = np.zeros(tables.shape[:-1])
    for a in range(tables.shape[-1]):
        for b in range(a):
            one, other = tables[..., a], tables[..., b]
            tells = _unsure(strengths.mean[one] - strengths.mean[other])
            total += np.log1p(tells * strengths.of_difference(one, other, shrink))
            total[one == other] = -np.inf
    return total
