"""The likelihood of Plackett–Luce in columns of games, and the most probable strengths by Newton's method.

The model: the first place falls to a player in proportion to ``exp(strength)`` among those at the table, the second in
the same way among the rest, and so on. A tie counts as the mean over all orders of the tied players. Games that ended
alike are counted (*outcomes*), and they enter the likelihood only through *choices*: how often each bot was placed, and
how often each set of bots was left to place.

The curvature of many bots is known by *layers*: bots of about the same strength, between whom it is summed. With few
bots each is a layer of its own, and everything is exact.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

SCALE = 400 / math.log(10)
"""Rating points per unit of strength."""
RIDGE = 1e-4
"""Added to the curvature, so that strengths are finite where a bot never lost. Intervals change by less than 1 %."""
MOST_STEPS, LONGEST_STEP, ENOUGH = 100, 3.0, 1e-9
"""Newton's method: most steps, longest step in units of strength, and the gain of log-likelihood at which it ends."""
PRIOR = (SCALE / 400.0) ** 2
"""Prior precision in ``expected``: strengths are normal around a centre, with a standard deviation of 400 points."""
MOST_EXACT = 2000
"""Up to this many free bots each bot is a layer of its own, and everything is exact."""
LAYERS = 64
"""Layers of more bots. With 1,000 bots and 40 games each, nine in ten standard errors are within 3 % of the exact."""
CLOSE = 1e-6
"""Conjugate gradients end when this part of the slope is left."""


class Outcomes(NamedTuple):
    """Games of n bots, those that ended alike counted together: M different ones of at most P players."""

    bots: np.ndarray
    """int32[M, P], from first to last, tied ones by number; n stands for nobody."""
    tied: np.ndarray
    """bool[M, P], whether a player has the place of the one before."""
    often: np.ndarray
    """float64[M], how often games ended so."""


class Choices(NamedTuple):
    """What the likelihood needs of games of n bots."""

    placed: np.ndarray
    """float64[n], how often each bot was placed."""
    sets: np.ndarray
    """int32[S, P], the bots that were left to place; n stands for nobody."""
    weight: np.ndarray
    """float64[S], how often each set was left."""


class Strengths(NamedTuple):
    """What is known of the strengths of n bots, whose errors have much in common within each of L layers."""

    mean: np.ndarray
    """float64[n]."""
    own: np.ndarray
    """float64[n], variance of the part of an error that others do not share; 0 where each bot is a layer."""
    layer: np.ndarray
    """int32[n], the layer of each bot; L - 1 for those that are fixed."""
    shared: np.ndarray
    """float64[L, L], covariance of the parts that layers share; 0 in the last one."""

    @property
    def variance(self) -> np.ndarray:
        """Of the errors, float64[n]."""
        return np.asarray(self.own + self.shared.diagonal()[self.layer])

    def times(self, values: np.ndarray) -> np.ndarray:
        """Return the product of the covariance matrix with values float64[n]."""
        of_layer = self.shared @ np.bincount(self.layer, values, len(self.shared))
        return np.asarray(self.own * values + of_layer[self.layer])

    def of_difference(self, a: np.ndarray, b: np.ndarray, shrink: np.ndarray) -> np.ndarray:
        """Return the variance of the error of differences, float64[...], if errors are ``shrink`` float64[n] of theirs.

        Args: a and b, int64[...], different bots.
        """
        one, other, variance = shrink[a], shrink[b], self.variance
        apart = variance[a] * one**2 + variance[b] * other**2
        return np.asarray(np.maximum(apart - 2 * self.shared[self.layer[a], self.layer[b]] * one * other, 0.0))

    def of_bots(self, which: np.ndarray) -> Strengths:
        """Return the strengths of some bots only, int64[m]."""
        return Strengths(self.mean[which], self.own[which], self.layer[which], self.shared)

    def rounded(self) -> Strengths:
        """Return the same with about three digits, so that a choice made with them is the same on every processor."""
        own, shared = (each.astype(np.float16).astype(np.float64) for each in (self.own, self.shared))
        return Strengths(self.mean.round(3), own, self.layer, shared)


# --- games -----------------------------------------------------------------------------------------------------------


def counted(rows: np.ndarray, base: int, count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the different rows of numbers below ``base``, and how often each is there; all, if a row has no number.

    Args: rows, int[N, P]; count, float64[N], how often each of them is there.
    """
    if base ** rows.shape[1] >= 2**63:
        return rows.astype(np.int32), count
    powers = base ** np.arange(rows.shape[1])[::-1]
    keys, which = np.unique(rows @ powers, return_inverse=True)
    return (keys[:, None] // powers % base).astype(np.int32), np.bincount(which, count, len(keys))


def outcomes(bots: np.ndarray, place: np.ndarray, n_bots: int, count: np.ndarray | None = None) -> Outcomes:
    """Return how games ended; the order of games and of players is gone.

    Args: bots and place, as for ``rate``; count, float64[N], how often each game was played; None for once.
    """
    where, rank = np.where(bots < 0, np.inf, place), np.zeros(bots.shape, np.int64)
    for player in range(bots.shape[1]):
        rank += where[:, [player]] < where
    rank *= n_bots + 1
    rank += np.where(bots < 0, n_bots, bots)
    rank.sort(axis=1)
    rank, who = np.divmod(rank, n_bots + 1)
    who *= 2
    who[:, 1:] += (rank[:, 1:] == rank[:, :-1]) & (who[:, 1:] < 2 * n_bots)
    rows, count = counted(who, 2 * n_bots + 2, np.ones(len(who)) if count is None else count)
    return Outcomes(bots=rows // 2, tied=rows % 2 == 1, often=count)


def stages(games: Outcomes, part: np.ndarray) -> Iterator[tuple[np.ndarray, list[int], np.ndarray, float]]:
    """Yield the stages of games: in which, the players left to place, their bots int32[m, k], and its weight.

    Of k tied players each set of m is left in one of C(k, m) orders.

    Args: games; part, int64[n], only bots of one part are compared with each other.
    """
    n_bots, players, part_of = len(part), games.bots.shape[1], np.append(part, -1)
    code = (games.tied @ (1 << np.arange(players))) * (players + 1) + (games.bots < n_bots).sum(1)
    for pattern in np.unique(code):
        which = np.flatnonzero(code == pattern)
        count = int(pattern % (players + 1))
        begins = [at for at in range(count) if not games.tied[which[0], at]]
        for begin, end in itertools.pairwise([*begins, count]):
            for left in range(1, end - begin + 1):
                for some in itertools.combinations(range(begin, end), left):
                    seats = [*some, *range(end, count)]
                    bots = games.bots[which[:, None], seats]
                    bots[part_of[bots] != part_of[bots[:, :1]]] = n_bots
                    yield which, seats, bots, 1 / math.comb(end - begin, left)


def choices(games: Outcomes, part: np.ndarray) -> Choices:
    """Return what the likelihood needs of games; equal sets are counted."""
    n_bots, players = len(part), games.bots.shape[1]
    found = [(np.zeros((0, players), np.int32), np.zeros(0))]
    for which, _, bots, weight in stages(games, part):
        sets = np.pad(bots, ((0, 0), (0, players - bots.shape[1])), constant_values=n_bots)
        sets.sort(axis=1)
        found.append(counted(sets, n_bots + 1, weight * games.often[which]))
    every, weights = (np.concatenate(parts) for parts in zip(*found, strict=True))
    sets, weights = counted(every, n_bots + 1, weights)
    placed = np.bincount(games.bots.ravel(), np.repeat(games.often, players), n_bots + 1)[:n_bots]
    return Choices(placed=placed, sets=sets, weight=weights)


# --- the likelihood --------------------------------------------------------------------------------------------------


def layers(strength: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Return the layer of each bot and of nobody, int32[n + 1]: bots that are not free are in the last, with nobody."""
    count = len(free) if len(free) <= MOST_EXACT else LAYERS
    order = free if count == len(free) else free[np.argsort(strength[free].round(3), kind="stable")]
    layer = np.full(len(strength) + 1, count, np.int32)
    layer[order] = np.arange(len(free)) * count // max(len(free), 1)
    return layer


class Slopes(NamedTuple):
    """The log-likelihood of strengths of n bots, and how it changes with them."""

    value: float
    slope: np.ndarray
    """float64[n]."""
    own: np.ndarray
    """float64[n], minus the curvature in each strength alone."""
    curvature: np.ndarray
    """float64[L, L], minus the curvature, summed over the bots of each two layers but the last."""


def chances(games: Choices, strength: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the chance of each bot of a set to be placed next, float64[S, P], and the sums of their weights."""
    part = np.exp(np.append(strength, -np.inf))[games.sets]
    total = part.sum(1)
    part /= total[:, None]
    return part, total


def likelihood(games: Choices, strength: np.ndarray, layer: np.ndarray) -> Slopes:
    """Return the log-likelihood of strengths float64[n] and its slopes, by ``layers``."""
    size, count = len(strength), int(layer[-1]) + 1
    part, total = chances(games, strength)
    chosen, alone, met = np.zeros(size + 1), np.zeros(size + 1), np.zeros(count**2)
    at = [layer[column] for column in games.sets.T]
    for a, bots in enumerate(games.sets.T):
        heavy = part[:, a] * games.weight
        chosen += np.bincount(bots, heavy, size + 1)
        alone += np.bincount(bots, heavy * part[:, a], size + 1)
        for b in range(a + 1):
            each = heavy * part[:, b] * (0.5 if a == b else 1.0)
            met += np.bincount(at[a] * count + at[b], each, count**2)
    pairs = met.reshape(count, count)[:-1, :-1]
    return Slopes(
        value=float(games.placed @ strength - games.weight @ np.log(total)),
        slope=games.placed - chosen[:size],
        own=(chosen - alone)[:size],
        curvature=np.diag(np.bincount(layer, chosen, count)[:-1]) - pairs - pairs.T,
    )


class Peak(NamedTuple):
    """The most probable strengths of n bots, of which f are free."""

    strength: np.ndarray
    value: float
    """Their log-likelihood."""
    own: np.ndarray
    """float64[n], minus the curvature in each strength alone,"""
    curvature: np.ndarray
    """float64[L, L], and by layers, each with what is known beforehand; L is f up to ``MOST_EXACT``."""
    layer: np.ndarray
    """int32[n + 1]; see ``layers``."""

    @property
    def known(self) -> Strengths:
        """The strengths with their errors.

        With layers these are an approximation: what the curvature says of whole layers, and in each layer the error of
        a single bot, as if it met only bots whose strengths are known.
        """
        count, layer, own = len(self.curvature), self.layer[:-1], np.zeros(len(self.strength))
        shared = np.pad(np.linalg.inv(self.curvature), (0, 1))
        free = layer < count
        if count < free.sum():
            own[free] = 1 / self.own[free]
            shared[:-1, :-1] -= np.diag(1 / np.bincount(layer[free], self.own[free]))
        return Strengths(self.strength, own, layer, shared)


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
        layer = layers(strength, free)
        found = likelihood(games, strength, layer)
        off = strength[free] - centre
        curvature = found.curvature + np.diag(prior * np.bincount(layer[free], minlength=len(found.curvature)))
        return (
            found.value - 0.5 * prior * float(off @ off),
            Peak(strength, found.value, found.own + prior, curvature, layer),
            found.slope[free] - prior * off,
        )

    height, peak, slope = look(start)
    for _ in range(MOST_STEPS if len(free) else 0):
        if len(peak.curvature) == len(free):
            aims = slope[:, None] if along is None else np.stack([slope, along], axis=1)
            steps = np.linalg.solve(peak.curvature, aims)
            step = steps[:, 0]
            if along is not None:
                step = step - steps[:, 1] * (along @ step) / (along @ steps[:, 1])
        else:
            step = by_gradients(games, peak, free, slope, prior)
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


def by_gradients(games: Choices, peak: Peak, free: np.ndarray, slope: np.ndarray, prior: float) -> np.ndarray:
    """Return the step of Newton's method for many free bots, float64[f], by conjugate gradients from layers."""
    part, _ = chances(games, peak.strength)
    known, size = peak.known, len(peak.strength)

    def on_all(values: np.ndarray) -> np.ndarray:
        everyone = np.zeros(size + 1)
        everyone[free] = values
        return everyone

    def curved(way: np.ndarray) -> np.ndarray:
        mine = on_all(way)[games.sets]
        mine -= (part * mine).sum(1)[:, None]
        mine *= part * games.weight[:, None]
        return np.asarray(np.bincount(games.sets.ravel(), mine.ravel(), size + 1)[free] + prior * way)

    step, left = np.zeros(len(free)), slope
    way = near = known.times(on_all(left)[:-1])[free]
    size_of_left = begin = left @ near
    while size_of_left > CLOSE**2 * begin:
        bent = curved(way)
        far = size_of_left / (way @ bent)
        step, left = step + far * way, left - far * bent
        near = known.times(on_all(left)[:-1])[free]
        before, size_of_left = size_of_left, left @ near
        way = near + size_of_left / before * way
    return step


def expected(
    bots: np.ndarray, place: np.ndarray, n_bots: int, fixed: Mapping[int, float], centre: float = 0.0
) -> Strengths:
    """Return what is to be expected of bots, also of those without a game: for choosing games, not for tables.

    Args: as for ``rate``; fixed, strengths of bots by number; centre, the strength that a bot has beforehand.
    """
    start = np.full(n_bots, centre)
    start[list(fixed)] = list(fixed.values())
    free = np.setdiff1d(np.arange(n_bots), list(fixed))
    games = choices(outcomes(bots, place, n_bots), np.zeros(n_bots, np.int64))
    return climb(games, start, free, prior=PRIOR, centre=centre).known
