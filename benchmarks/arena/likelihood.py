"""The likelihood of Plackett–Luce in columns of games, and the most probable strengths by Newton's method.

The model: the first place falls to a player in proportion to ``exp(strength)`` among those at the table, the second in
the same way among the rest, and so on. A tie counts as the mean over all orders of the tied players. The games enter
the likelihood only through *choices*: how often each bot was placed, and how often each set of bots was left to place.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

SCALE = 400 / math.log(10)
"""Rating points per unit of strength."""
RIDGE = 1e-4
"""Added to the curvature, so that strengths are finite where a bot never lost. Its part in an interval is below 1 %."""
MOST_STEPS, LONGEST_STEP, ENOUGH = 100, 3.0, 1e-9
"""Of Newton's method: how many, how long in units of strength, and the gain of log-likelihood below which it ends."""
PRIOR = (SCALE / 400.0) ** 2
"""What ``expected`` takes for granted: strengths are normal around a centre, with a deviation of 400 points."""


class Choices(NamedTuple):
    """What the likelihood needs of games of n bots."""

    placed: np.ndarray
    """float64[n], how often each bot was placed."""
    sets: np.ndarray
    """int64[S, P], the bots that were left to place; n stands for nobody."""
    weight: np.ndarray
    """float64[S], how often each set was left."""


class Strengths(NamedTuple):
    """What is known of the strengths of n bots."""

    mean: np.ndarray
    """float64[n]."""
    covariance: np.ndarray
    """float64[n, n], of the errors; 0 for bots that are fixed."""

    @property
    def variance(self) -> np.ndarray:
        """Of the errors, float64[n]."""
        return np.asarray(self.covariance.diagonal())

    def of_difference(self, a: np.ndarray, b: np.ndarray, shrink: np.ndarray) -> np.ndarray:
        """Return the variance of the error of differences, float64[...], if errors are ``shrink`` float64[n] of theirs.

        Args: a and b, int64[...], bots.
        """
        one, other = shrink[a], shrink[b]
        apart = self.variance[a] * one**2 + self.variance[b] * other**2
        return np.asarray(np.maximum(apart - 2 * self.covariance[a, b] * one * other, 0.0))

    def of_bots(self, which: np.ndarray) -> Strengths:
        """Return the strengths of some bots only, int64[m]."""
        return Strengths(self.mean[which], self.covariance[np.ix_(which, which)])

    def rounded(self) -> Strengths:
        """Return the same with about three digits, so that a choice made with them is the same on every processor."""
        return Strengths(self.mean.round(3), self.covariance.astype(np.float16).astype(np.float64))


def stages(bots: np.ndarray, place: np.ndarray, part: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the sets of bots that were left to place in each game, int64[R, P], their weights and their games.

    Of k tied players each set of m is left in one of C(k, m) orders.

    Args: bots and place, as for ``rate``; part, int64[n], only bots of one part are compared with each other.
    """
    n_bots = len(part)
    players = bots.shape[1]
    where = np.where(bots < 0, np.inf, place)
    order = np.argsort(where, axis=1, kind="stable")
    who, where = np.take_along_axis(np.where(bots < 0, n_bots, bots), order, axis=1), np.sort(where, axis=1)
    present, part_of = np.isfinite(where), np.append(part, -1)
    same = np.concatenate([np.zeros((len(bots), 1), bool), where[:, 1:] == where[:, :-1]], axis=1) & present
    code = (same @ (1 << np.arange(players))) * (players + 1) + present.sum(1)
    found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = [
        (np.zeros((0, players), np.int64), np.zeros(0), np.zeros(0, np.int64))
    ]
    for pattern in np.unique(code):
        games = np.flatnonzero(code == pattern)
        count = int(pattern % (players + 1))
        begins = [at for at in range(count) if not same[games[0], at]]
        for begin, end in itertools.pairwise([*begins, count]):
            for left in range(1, end - begin + 1):
                for some in itertools.combinations(range(begin, end), left):
                    sets = np.full((len(games), players), n_bots, np.int64)
                    sets[:, : left + count - end] = who[games][:, [*some, *range(end, count)]]
                    sets[part_of[sets] != part_of[who[games, begin]][:, None]] = n_bots
                    found.append((sets, np.full(len(games), 1 / math.comb(end - begin, left)), games))
    sets, weight, game = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return np.sort(sets, axis=1), weight, game


def choices(bots: np.ndarray, place: np.ndarray, part: np.ndarray) -> Choices:
    """Return what the likelihood needs of games; equal sets are counted, so that the order of games is gone."""
    n_bots = len(part)
    sets, weight, _ = stages(bots, place, part)
    placed = np.bincount(bots[bots >= 0], minlength=n_bots).astype(np.float64)
    if (n_bots + 1) ** sets.shape[1] < 2**63:
        key = sets @ ((n_bots + 1) ** np.arange(sets.shape[1])[::-1])
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
        sets, weight = sets[first], np.bincount(which, weight, len(first))
    return Choices(placed=placed, sets=sets, weight=weight)


def likelihood(games: Choices, strength: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the log-likelihood of strengths float64[n], its slope, and minus its curvature, float64[n, n]."""
    size = len(strength)
    part = np.exp(np.append(strength, -np.inf))[games.sets]
    total = part.sum(1)
    part /= total[:, None]
    heavy = part * games.weight[:, None]
    chosen = np.bincount(games.sets.ravel(), heavy.ravel(), size + 1)[:size]
    met = np.zeros((size + 1) ** 2)
    for a, b in itertools.combinations_with_replacement(range(games.sets.shape[1]), 2):
        each = heavy[:, a] * part[:, b] * (0.5 if a == b else 1.0)
        met += np.bincount(games.sets[:, a] * (size + 1) + games.sets[:, b], each, len(met))
    pairs = met.reshape(size + 1, size + 1)[:size, :size]
    value = float(games.placed @ strength - games.weight @ np.log(total))
    return value, games.placed - chosen, np.diag(chosen) - pairs - pairs.T


class Peak(NamedTuple):
    """The most probable strengths."""

    strength: np.ndarray
    value: float
    """Their log-likelihood."""
    curvature: np.ndarray
    """float64[f, f], minus the curvature in the f strengths that are free."""


def climb(
    games: Choices,
    start: np.ndarray,
    free: np.ndarray,
    along: np.ndarray | None = None,
    prior: float = RIDGE,
    centre: float = 0.0,
) -> Peak:
    """Return the most probable strengths by Newton's method.

    Args:
        games: what happened.
        start: float64[n], strengths to begin at.
        free: int64[f], the bots whose strengths change.
        along: float64[f], a sum of their strengths that does not change; None: all change freely.
        prior: the precision with which they are known beforehand,
        centre: to be this.
    """

    def look(strength: np.ndarray) -> tuple[float, Peak, np.ndarray]:
        value, slope, curvature = likelihood(games, strength)
        off = strength[free] - centre
        inner = curvature[np.ix_(free, free)]
        inner[np.diag_indices(len(free))] += prior
        return (
            value - 0.5 * prior * float(off @ off),
            Peak(strength=strength, value=value, curvature=inner),
            slope[free] - prior * off,
        )

    height, peak, slope = look(start)
    for _ in range(MOST_STEPS if len(free) else 0):
        aims = slope[:, None] if along is None else np.stack([slope, along], axis=1)
        steps = np.linalg.solve(peak.curvature, aims)
        step = steps[:, 0]
        if along is not None:
            step = step - steps[:, 1] * (along @ step) / (along @ steps[:, 1])
        step = step * min(1.0, LONGEST_STEP / max(np.abs(step).max(), 1e-300))
        gain = float(slope @ step)
        while gain > ENOUGH:
            moved = peak.strength.copy()
            moved[free] += step
            there = look(moved)
            if there[0] > height:
                height, peak, slope = there
                break
            step, gain = step / 2, gain / 2
        else:
            break
    return peak


def expected(
    bots: np.ndarray, place: np.ndarray, n_bots: int, fixed: Mapping[int, float], centre: float = 0.0
) -> Strengths:
    """Return what is to be expected of bots, also of those without a game: for choosing games, not for tables.

    Args: as for ``rate``; fixed, strengths of bots by number; centre, the strength that a bot has beforehand.
    """
    start = np.full(n_bots, centre)
    start[list(fixed)] = list(fixed.values())
    free = np.setdiff1d(np.arange(n_bots), list(fixed))
    peak = climb(choices(bots, place, np.zeros(n_bots, np.int64)), start, free, prior=PRIOR, centre=centre)
    covariance = np.zeros((n_bots, n_bots))
    covariance[np.ix_(free, free)] = np.linalg.inv(peak.curvature)
    return Strengths(peak.strength, covariance)
