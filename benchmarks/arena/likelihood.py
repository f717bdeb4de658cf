"""The likelihood of Plackett–Luce in columns of games, and the most probable strengths by Newton's method.

The model: the first place falls to a player in proportion to ``exp(strength)`` among those at the table, the second in
the same way among the rest, and so on. A tie counts as the mean over all orders of the tied players. Games that ended
alike are counted (*outcomes*), and they enter the likelihood only through *choices*: how often each bot was placed, and
how often each set of bots was left to place.
"""

import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

SCALE = 400 / math.log(10)
"""Rating points per unit of strength."""
RIDGE = 1e-4
"""Added to the curvature, so that strengths are finite where a bot never lost. Intervals change by less than 1 %."""
MOST_STEPS, LONGEST_STEP, ENOUGH = 100, 3.0, 1e-9
"""Newton's method: most steps, longest step in units of strength, and the gain of log-likelihood at which it ends."""


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


class Slopes(NamedTuple):
    """The log-likelihood of strengths of n bots, and how it changes with them."""

    value: float
    slope: np.ndarray
    """float64[n]."""
    curvature: np.ndarray
    """float64[n, n], minus the curvature."""


def likelihood(games: Choices, strength: np.ndarray) -> Slopes:
    """Return the log-likelihood of strengths float64[n] and its slopes."""
    size = len(strength)
    part = np.exp(np.append(strength, -np.inf))[games.sets]
    total = part.sum(1)
    part /= total[:, None]
    chosen, met = np.zeros(size + 1), np.zeros((size + 1) ** 2)
    for a, bots in enumerate(games.sets.T):
        heavy = part[:, a] * games.weight
        chosen += np.bincount(bots, heavy, size + 1)
        for b in range(a + 1):
            each = heavy * part[:, b] * (0.5 if a == b else 1.0)
            met += np.bincount(bots * (size + 1) + games.sets[:, b], each, len(met))
    pairs = met.reshape(size + 1, -1)[:-1, :-1]
    return Slopes(
        value=float(games.placed @ strength - games.weight @ np.log(total)),
        slope=games.placed - chosen[:size],
        curvature=np.diag(chosen[:size]) - pairs - pairs.T,
    )


class Peak(NamedTuple):
    """The most probable strengths of n bots, of which f are free."""

    strength: np.ndarray
    value: float
    """Their log-likelihood."""
    curvature: np.ndarray
    """float64[f, f], minus the curvature of the free ones, with ``RIDGE``."""


def climb(games: Choices, start: np.ndarray, free: np.ndarray, along: np.ndarray | None = None) -> Peak:
    """Return the most probable strengths by Newton's method.

    Args:
        games: what happened.
        start: float64[n], strengths to begin at.
        free: int64[f], the bots whose strengths change.
        along: float64[f], a sum of their strengths that does not change; None: all change freely.
    """

    def look(strength: np.ndarray) -> tuple[float, Peak, np.ndarray]:
        found, mine = likelihood(games, strength), strength[free]
        peak = Peak(strength, found.value, found.curvature[np.ix_(free, free)] + RIDGE * np.eye(len(free)))
        return found.value - 0.5 * RIDGE * float(mine @ mine), peak, found.slope[free] - RIDGE * mine

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
