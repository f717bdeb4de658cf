"""The strengths of the bots of a league from the places in its games: Plackett–Luce, some bots fixed, with errors.

The model is that of ``arena.ratings``. Strengths are the most probable ones if those of all bots that are not fixed are
normal around one value beforehand, which keeps them finite. scipy finds them. choix can hold no bot fixed, and looks at
games one by one: 1.8 s for 10,000 games of 1,000 bots, so three minutes for a million.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MOST_DENSE = 4000
"""With more bots than this the errors of two bots are taken as independent: what all pairs need grows as the square."""
PRIOR_DEVIATION = 400.0
"""Of ratings before the first game, in rating points."""
PART = 20_000
"""Of more games a quarter is fitted first, from which few steps lead to the rest."""
SCALE = 400 / np.log(10)
"""Rating points per unit of strength, as for Elo's ratings: 400 points are odds of ten to one."""
PRIOR = (SCALE / PRIOR_DEVIATION) ** 2
"""What is known of a strength before the first game: one over the variance."""
ENOUGH = {"maxiter": 500, "ftol": 1e-15, "gtol": 1e-4}
"""When scipy stops: about this part of an error from the best strengths."""


class Strengths(NamedTuple):
    """What the games of n bots say about their strengths."""

    mean: np.ndarray
    """float64[n]."""
    variance: np.ndarray
    """float64[n], of the error; 0 for bots that are fixed."""
    covariance: np.ndarray | None
    """float64[n, n]; None for more than ``MOST_DENSE`` bots."""

    def of_difference(self, a: np.ndarray, b: np.ndarray, shrink: np.ndarray) -> np.ndarray:
        """Return the variance of the error of differences, float64[...], if errors are ``shrink`` float64[n] of theirs.

        Args: a and b, int64[...], bots.
        """
        one, other = shrink[a], shrink[b]
        both: np.ndarray = self.variance[a] * one**2 + self.variance[b] * other**2
        return both if self.covariance is None else np.maximum(both - 2 * self.covariance[a, b] * one * other, 0.0)

    def of_bots(self, which: np.ndarray) -> Strengths:
        """Return the strengths of some bots only, int64[m]."""
        covariance = None if self.covariance is None else self.covariance[np.ix_(which, which)]
        return Strengths(mean=self.mean[which], variance=self.variance[which], covariance=covariance)

    def rounded(self) -> Strengths:
        """Return the same with about three digits, so that a choice made with them is the same on every processor."""
        covariance = None if self.covariance is None else _three_digits(self.covariance)
        return Strengths(mean=self.mean.round(3), variance=_three_digits(self.variance), covariance=covariance)


def _three_digits(values: np.ndarray) -> np.ndarray:
    """Return values, below 65,504, as float16 holds them, which small errors need as much as large ones."""
    return values.astype(np.float16).astype(np.float64)


def fit(orders: np.ndarray, n_bots: int, fixed: dict[int, float], centre: float = 0.0) -> Strengths:
    """Return the strengths of bots; the result depends on nothing but the arguments.

    Args:
        orders: int32[N, P], the bots of each game from first to last.
        n_bots: number of bots, also of those without a game.
        fixed: strengths of the bots that are fixed, by number.
        centre: the strength that is expected of a bot without a game.

    Raises: ValueError if scipy is not installed.

    Example:
        >>> strengths = fit(np.array([[1, 0], [1, 0], [0, 1]], np.int32), 2, {0: 0.0})
        >>> bool(strengths.mean[1] > 0), bool(strengths.variance[0] == 0)
        (True, True)
    """
    by_place = np.ascontiguousarray(orders.T, np.intp)
    mean = np.full(n_bots, centre)
    mean[list(fixed)] = list(fixed.values())
    free = np.setdiff1d(np.arange(n_bots), list(fixed))
    parts = 0
    while len(orders) >> (2 * parts) > PART:
        parts += 1
    for part in range(parts, -1, -1):
        mean = _fitted(np.ascontiguousarray(by_place[:, : len(orders) >> (2 * part)]), mean, free, centre)
    return _with_errors(by_place, mean, free)


def _fitted(by_place: np.ndarray, start: np.ndarray, free: np.ndarray, centre: float) -> np.ndarray:
    """Return the most probable strengths, found from ``start``; only those of ``free``, int64[m], are changed."""
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise ValueError("ratings need pip install 'shogun-env[eval]'") from None
    if not by_place.size or not len(free):
        return start
    mean = start.copy()
    size = 1 / np.sqrt(_known(by_place, start)[free] + PRIOR)
    """About the errors: with strengths in this unit scipy needs half the steps."""

    def value_and_slope(part: np.ndarray) -> tuple[float, np.ndarray]:
        mean[free] = part * size
        off = mean[free] - centre
        value, slope = loss(by_place, mean)
        return value + 0.5 * PRIOR * float(off @ off), np.asarray((slope[free] + PRIOR * off) * size)

    mean[free] = minimize(value_and_slope, start[free] / size, jac=True, method="L-BFGS-B", options=ENOUGH).x * size
    return mean


def _stages(by_place: np.ndarray, strengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return exp(strength) of the bots at each place, and their sum from each place on: float64[P, N] each."""
    weights = np.exp(strengths)[by_place]
    left = weights.copy()
    for place in range(len(left) - 2, -1, -1):
        left[place] += left[place + 1]
    return weights, left


def loss(by_place: np.ndarray, strengths: np.ndarray) -> tuple[float, np.ndarray]:
    """Return minus the logarithm of the probability of all orders, and its gradient: float64[n].

    Args: by_place, int64[P, N], the bots of the games at each place; strengths, float64[n].
    """
    slopes, part = slopes_of(by_place, strengths)
    return -float(np.log(part).sum()), np.bincount(by_place.ravel(), slopes.ravel(), len(strengths))


def slopes_of(by_place: np.ndarray, strengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradient of the loss of each game by its players' strengths, and the probability of each game.

    Returns: float64[P, N] and float64[N].
    """
    weights, left = _stages(by_place, strengths)
    probability, sums = np.ones(weights.shape[1]), np.zeros(weights.shape[1])
    slopes = weights
    for place in range(len(left) - 1):
        probability *= weights[place] / left[place]
        sums += 1 / left[place]
        slopes[place] = weights[place] * sums - 1
    slopes[-1] *= sums  # the last place is no choice
    return slopes, probability


def curvature(by_place: np.ndarray, strengths: np.ndarray) -> np.ndarray:
    """Return the second derivatives of the loss: float64[n, n]."""
    size, players = len(strengths), len(by_place)
    weights, left = _stages(by_place, strengths)
    squares = (1 / left[:-1] ** 2).cumsum(0)
    total = np.zeros(size * size)
    for a in range(players):
        for b in range(a):
            met = weights[a] * weights[b] * squares[min(b, players - 2)]
            total += np.bincount(by_place[a] * size + by_place[b], met, size * size)
    met = total.reshape(size, size) + total.reshape(size, size).T
    return np.asarray(np.diag(met.sum(1)) - met)


def _known(by_place: np.ndarray, strengths: np.ndarray) -> np.ndarray:
    """Return the diagonal of the curvature, float64[n]."""
    weights, left = _stages(by_place, strengths)
    first, second = (1 / left[:-1]).cumsum(0), (1 / left[:-1] ** 2).cumsum(0)
    each = weights * np.concatenate([first, first[-1:]]) - weights**2 * np.concatenate([second, second[-1:]])
    return np.asarray(np.bincount(by_place.ravel(), each.ravel(), len(strengths)))


def _with_errors(by_place: np.ndarray, mean: np.ndarray, free: np.ndarray) -> Strengths:
    """Return strengths with the errors that follow from the curvature at them."""
    size = len(mean)
    variance = np.zeros(size)
    if size > MOST_DENSE:
        variance[free] = 1 / (_known(by_place, mean)[free] + PRIOR)
        return Strengths(mean=mean, variance=variance, covariance=None)
    covariance = np.zeros((size, size))
    inside = curvature(by_place, mean)[np.ix_(free, free)] + PRIOR * np.eye(len(free))
    covariance[np.ix_(free, free)] = np.linalg.inv(inside)
    return Strengths(mean=mean, variance=covariance.diagonal().copy(), covariance=covariance)


def errors_by_meeting(orders: np.ndarray, meeting: np.ndarray, strengths: Strengths) -> np.ndarray:
    """Return the standard errors of strengths, where games of one meeting may resemble each other: float64[n].

    They are the larger of two: what the curvature says, and what it says with the spread of the slopes of whole
    meetings (the sandwich estimator, White 1982), which also holds where the model does not fit.

    Args:
        orders: int32[N, P], as for ``fit``.
        meeting: int64[N], which meeting each game belongs to, 0, 1, …; in a meeting the same bots play all games.
        strengths: what ``fit`` found.
    """
    plain = np.asarray(np.sqrt(strengths.variance))
    if strengths.covariance is None or not len(orders):
        return plain
    slopes, _ = slopes_of(orders.T.astype(np.intp), strengths.mean)
    size, players = len(strengths.mean), orders.shape[1]
    by_bot = np.argsort(orders, axis=1, kind="stable")
    bots = np.zeros((int(meeting.max()) + 1, players), np.int64)
    bots[meeting] = np.take_along_axis(orders, by_bot, axis=1)
    sorted_slopes = np.take_along_axis(slopes.T, by_bot, axis=1)
    sums = np.stack([np.bincount(meeting, column, len(bots)) for column in sorted_slopes.T], axis=1)
    spread = np.zeros(size * size)
    for a in range(players):
        for b in range(players):
            spread += np.bincount(bots[:, a] * size + bots[:, b], sums[:, a] * sums[:, b], size * size)
    middle = strengths.covariance @ spread.reshape(size, size)
    variance = np.einsum("ij,ij->i", middle, strengths.covariance)
    return np.asarray(np.maximum(plain, np.sqrt(np.maximum(variance, 0.0))))
