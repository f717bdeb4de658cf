"""Ratings from the places in many games: Plackett–Luce, with intervals, and a check against the observed win shares.

The model: the first place falls to a player in proportion to ``exp(strength)`` among those at the table, the second in
the same way among the rest, and so on. choix fits the strengths (maximum likelihood). A rating is a strength on the
scale of Elo's ratings, where 400 points are odds of ten to one, moved so that an anchor has its fixed rating: runs with
the same anchor can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shogun_env.benchmarks.arena.outcomes import Outcomes
from shogun_env.benchmarks.arena.standings import Standing, TableCells, interval_of, resamples
from shogun_env.benchmarks.markdown import percent
from shogun_env.shares import Z95

ANCHORS: dict[str, dict[str, float]] = {
    "shogun": {"random": 0.0},
    "shitenno": {"random": 0.0},
}
"""For each game the agents whose ratings are fixed. The first that plays in a tournament is its anchor; in a tournament
without one the mean of all ratings is 0."""
SCALE = 400 / np.log(10)
"""Rating points per unit of strength."""


class Rating(NamedTuple):
    """The rating of an agent."""

    agent: str
    rating: float
    low: float
    """Lower end of the 95 % interval: a bootstrap over seeds, one step of Newton's method for each sample; where an
    agent, or the anchor, has come in first in all games or last in all, from the curvature of the likelihood."""
    high: float
    """Upper end of that interval; the anchor's has no width."""
    games: int
    expected: float
    """Share of the win that the ratings expect in the games that were played."""
    observed: float
    """Share of the win that the agent had."""


def orders_of(outcomes: Outcomes) -> np.ndarray:
    """Return the agents of each game from first to last, -1 where there are no more: int64[N, P].

    Tied players are ordered by seat, in games on an odd seed in reverse.
    """
    seat = np.arange(outcomes.agents.shape[1]) * 1e-6
    place = outcomes.place + np.where(outcomes.seed[:, None] % 2 == 1, -seat, seat)
    order = np.argsort(np.where(outcomes.agents < 0, np.inf, place), axis=1, kind="stable")
    return np.take_along_axis(outcomes.agents, order, axis=1)


def with_virtual_games(orders: np.ndarray) -> np.ndarray:
    """Return the orders of the games and of two virtual games per pair of agents that met, one won by each.

    With them the strength of an agent is finite even if it won or lost every game.
    """
    pairs = {
        (int(a), int(b))
        for row in np.unique(np.sort(orders, axis=1), axis=0)
        for a in row[row >= 0]
        for b in row[row >= 0]
        if a != b
    }
    virtual = np.full((len(pairs), orders.shape[1]), -1)
    for row, pair in zip(virtual, sorted(pairs), strict=True):
        row[:2] = pair
    return np.concatenate([orders, virtual])


def strengths_of(orders: np.ndarray, agents: int) -> np.ndarray:
    """Return the strengths of agents by maximum likelihood, mean 0: float64[agents].

    Raises: ValueError if choix is not installed, which the extra ``eval`` brings.
    """
    try:
        import choix
    except ImportError:
        raise ValueError("ratings need pip install 'shogun-env[eval]'") from None
    data = [tuple(row[row >= 0].tolist()) for row in orders]
    strengths = np.asarray(choix.ilsr_rankings(agents, data, max_iter=1000))
    return np.asarray(strengths - strengths.mean())


def slopes_and_curvature(orders: np.ndarray, strengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradient of each game's log-likelihood, float64[N, k], and the curvature of the sum, float64[k, k]."""
    kinds, kind_of, counts = np.unique(orders, axis=0, return_inverse=True, return_counts=True)
    size = len(strengths)
    slopes, curvature = np.zeros((len(kinds), size)), np.zeros((size, size))
    present = kinds >= 0
    one_hot = np.eye(size + 1)[kinds][..., :size]  # [K, P, k]; -1 is the last row, cut off
    weights = np.where(present, np.exp(np.append(strengths, 0.0)[kinds]), 0.0)
    for stage in range(orders.shape[1] - 1):
        chosen = present[:, stage] & present[:, stage + 1]
        left = weights[:, stage:]
        share = left / np.maximum(left.sum(1, keepdims=True), 1e-300)
        mean = np.einsum("kp,kpa->ka", share, one_hot[:, stage:])
        slopes += np.where(chosen[:, None], one_hot[:, stage] - mean, 0.0)
        second = np.einsum("k,kp,kpa->a", counts * chosen, share, one_hot[:, stage:])
        curvature += np.diag(second) - np.einsum("k,ka,kb->ab", counts * chosen, mean, mean)
    return slopes[kind_of.ravel()], curvature


def expected_wins(outcomes: Outcomes, strengths: np.ndarray) -> np.ndarray:
    """Return for each agent the share of the win that strengths expect per game: float64[k], 0 without a game."""
    weights = np.where(outcomes.agents >= 0, np.exp(np.append(strengths, 0.0)[outcomes.agents]), 0.0)
    shares = weights / weights.sum(1, keepdims=True)
    on = outcomes.agents >= 0
    size = len(strengths)
    total = np.bincount(outcomes.agents[on], weights=shares[on], minlength=size)
    return np.asarray(total / np.maximum(np.bincount(outcomes.agents[on], minlength=size), 1))


def ratings(outcomes: Outcomes, table: Sequence[Standing], game: str, seed: int = 0) -> list[Rating]:
    """Return the rating of every agent of a leaderboard, best first.

    Args:
        outcomes: the games.
        table: their standings.
        game: its anchors apply.
        seed: of the bootstrap.

    Raises: ValueError if choix is not installed.
    """
    shown = {row.agent: row for row in table}
    agents = [index for index, name in enumerate(outcomes.names) if name in shown]
    compact = np.full(len(outcomes.names) + 1, -1)
    compact[agents] = np.arange(len(agents))
    names = [outcomes.names[index] for index in agents]
    orders = compact[orders_of(outcomes)]
    everything = with_virtual_games(orders)
    strengths = strengths_of(everything, len(names))
    slopes, curvature = slopes_and_curvature(everything, strengths)
    anchor = next((name for name in ANCHORS.get(game, {}) if name in names), None)
    low, high = _interval(outcomes, slopes[: len(orders)], curvature, names.index(anchor) if anchor else None, seed)
    wald = _curvature_errors(curvature, names.index(anchor) if anchor else None)
    extreme = np.array([not 1.0 < shown[name].mean_place < len(shown[name].places) for name in names])
    if anchor and extreme[names.index(anchor)]:
        extreme[:] = True  # all ratings are distances from it
    low, high = np.where(extreme, -wald, low), np.where(extreme, wald, high)
    shift = ANCHORS[game][anchor] - SCALE * strengths[names.index(anchor)] if anchor else 0.0
    base = SCALE * strengths + shift
    expected = expected_wins(outcomes, _at(strengths, agents, len(outcomes.names)))
    rows = [
        Rating(
            agent=name,
            rating=float(base[at]),
            low=float(base[at] + SCALE * low[at]),
            high=float(base[at] + SCALE * high[at]),
            games=shown[name].games,
            expected=float(expected[agents[at]]),
            observed=shown[name].win_share,
        )
        for at, name in enumerate(names)
    ]
    return sorted(rows, key=lambda row: (-row.rating, row.agent))


def _at(strengths: np.ndarray, agents: Sequence[int], size: int) -> np.ndarray:
    """Return an array float64[size] with the strengths at the numbers of their agents."""
    values = np.zeros(size)
    values[list(agents)] = strengths
    return values


def _interval(
    outcomes: Outcomes, slopes: np.ndarray, curvature: np.ndarray, anchor: int | None, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends of the bootstrap intervals of strengths, as differences from them: float64[k] each."""
    seeds, group = np.unique(outcomes.seed, return_inverse=True)
    sums = np.stack([np.bincount(group, weights=column, minlength=len(seeds)) for column in slopes.T], axis=1)
    inverse = np.linalg.pinv(curvature)
    steps = np.concatenate([(weights - 1) @ sums @ inverse for weights in resamples(len(seeds), seed)])
    return interval_of(steps - (steps[:, [anchor]] if anchor is not None else steps.mean(1, keepdims=True)))


def _curvature_errors(curvature: np.ndarray, anchor: int | None) -> np.ndarray:
    """Return half the width of the intervals that follow from the curvature: float64[k]."""
    inverse = np.linalg.pinv(curvature)
    variance = np.diag(inverse).copy()
    if anchor is not None:
        variance += inverse[anchor, anchor] - 2 * inverse[anchor]
    errors: np.ndarray = Z95 * np.sqrt(np.maximum(variance, 0.0))
    return errors


def rating_table(rows: Sequence[Rating], table: Sequence[Standing] = ()) -> TableCells:
    """Return ratings as a table; with standings also whether the win shares that they expect were observed."""
    standing_of = {row.agent: row for row in table}
    head = ["agent", "rating", "95 % interval", "games", "expected win share", "observed"]
    head += ["check"] if table else []
    lines = [
        [
            row.agent,
            f"{row.rating:.0f}",
            f"{row.low:.0f}–{row.high:.0f}",
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
