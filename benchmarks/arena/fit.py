"""Ratings of bots from the places in their games: Plackett–Luce, with intervals that hold what they say.

A rating is a strength on Elo's scale, where 400 points are odds of ten to one, and a distance: from bots with fixed
ratings, from an anchor, or from the mean of the bots that can be compared. Games bound this distance from below if a
chain of results leads down from the bot to there ("was not behind"), and from above if one leads up. With both there is
an interval, with one a bound, with none nothing is known. Bots that no chain joins are in different groups.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from shogun_env.benchmarks.arena.likelihood import SCALE, Choices, Peak, choices, climb, stages
from shogun_env.shares import Z95

LEVEL = 0.5 * Z95**2
"""The log-likelihood is lower by this at both ends of a 95 % interval,"""
LEVEL_OF_BOUND = math.log(100)
"""and by this at a bound: results as one-sided as these have a chance of 1 % there. At 2.5 % the bounds of twelve bots
after twelve games held the truth in 83 %, as the strengths of the others are adapted to the games as well."""
APART = 50.0
"""Strengths of bots that never lost to others are told as if they were this far above; no interval is as long."""
WELL_KNOWN = 0.1
"""Where the standard error of a strength is smaller, the interval is symmetric: the likelihood is close to a normal.
Among many bots twice as much will do, as one at a time takes long."""
MOST_JOINT = 40
"""For an interval by likelihood, the strengths of this many bots are varied with that of the bot itself."""
FEW = 20.0
"""The spread between games counts against that of the model as if the model had been seen in this many games."""


class Ratings(NamedTuple):
    """The ratings of n bots, in points."""

    rating: np.ndarray
    """float64[n]; where ``kind`` is a bound, the bound; not a number where nothing is known."""
    low: np.ndarray
    """float64[n], lower end of the 95 % interval; minus infinity where no game says so."""
    high: np.ndarray
    """float64[n], upper end; infinity where no game says so."""
    error: np.ndarray
    """float64[n], standard error of the rating; infinity for a bound, 0 for the anchor and for fixed bots."""
    kind: np.ndarray
    """str[n]: ``interval``, ``anchor``, ``fixed``, ``at least``, ``at most`` or ``unknown``."""
    group: np.ndarray
    """int64[n]: ratings of different groups, 0, 1, …, cannot be compared, as no chain of games leads across."""
    anchor: np.ndarray
    """int64[groups], the bot that the others of a group hang on; -1 where their mean is 0, or some are fixed."""
    compared: np.ndarray
    """bool[n], whether the bot is one of those that an interval or a bound of its group is measured from."""
    strength: np.ndarray
    """float64[n], to expect wins with: the most probable strengths, those of bots that never lost far above."""


# --- who can be compared ---------------------------------------------------------------------------------------------


def not_behind(bots: np.ndarray, place: np.ndarray, n_bots: int, fixed: Sequence[int]) -> np.ndarray:
    """Return whether the bot of the row was once not behind that of the column: bool[n, n]; fixed bots all were."""
    found = np.zeros((n_bots, n_bots), bool)
    for a, b in itertools.permutations(range(bots.shape[1]), 2):
        on = (bots[:, a] >= 0) & (bots[:, b] >= 0) & (place[:, a] <= place[:, b])
        found[bots[on, a], bots[on, b]] = True
    found[np.ix_(list(fixed), list(fixed))] = True
    return found


def chains_of(links: np.ndarray) -> np.ndarray:
    """Return whether a chain of links leads from the bot of the row to that of the column: bool[n, n]."""
    chains = links | np.eye(len(links), dtype=bool)
    while True:
        real = chains.astype(np.float32)
        longer = real @ real > 0
        if (longer == chains).all():
            return chains
        chains = longer


# --- ratings ---------------------------------------------------------------------------------------------------------


def rate(
    bots: np.ndarray,
    place: np.ndarray,
    n_bots: int,
    *,
    fixed: Mapping[int, float] | None = None,
    anchors: Mapping[int, float] | None = None,
) -> Ratings:
    """Return the ratings of bots; they do not depend on the order of the games, nor on that of the bots.

    Args:
        bots: int64[N, P], the bot of each player, -1 where there is none; a bot may sit at a table several times.
        place: float64[N, P], 1 is best; tied players have the mean of their places.
        n_bots: number of bots, also of those without a game.
        fixed: bots whose ratings are fixed, and in points.
        anchors: bots that others may hang on, best first, with their ratings. The first that has won and lost in its
            group is the anchor; without one the mean of the largest part of the group, in which all have, is 0.

    Example:
        >>> ratings = rate(np.array([[0, 1]] * 8), np.array([[1, 2], [2, 1]] * 4), 2, anchors={0: 100.0})
        >>> ratings.rating.tolist(), ratings.kind.tolist()
        ([100.0, 100.0], ['anchor', 'interval'])
    """
    fixed, anchors = dict(fixed or {}), dict(anchors or {})
    bots, place = np.asarray(bots, np.int64), np.asarray(place, np.float64)
    links = not_behind(bots, place, n_bots, list(fixed))
    group = chains_of(links | links.T).argmax(axis=1)
    fit = _Fit(bots, place, chains_of(links), fixed)
    played = np.bincount(bots[bots >= 0], minlength=n_bots)
    groups = sorted(set(group.tolist()), key=lambda each: (-played[group == each].sum(), each))
    out = Ratings(
        rating=np.full(n_bots, np.nan), low=np.full(n_bots, -np.inf), high=np.full(n_bots, np.inf),
        error=np.full(n_bots, np.inf), kind=np.full(n_bots, "unknown", dtype="<U8"), group=np.full(n_bots, -1),
        anchor=np.full(len(groups), -1), compared=np.zeros(n_bots, bool),
        strength=fit.peak.strength + APART * fit.chains.sum(1),
    )  # fmt: skip
    for number, which in enumerate(groups):
        inside = np.flatnonzero(group == which)
        anchor, others = _hold(fit, inside, played, anchors)
        base = anchors.get(anchor, 0.0)
        held = np.zeros(n_bots)
        if anchor >= 0:
            held[anchor] = 1.0
        elif others[0] not in fixed and not set(fixed) & set(others.tolist()):
            held[others] = 1 / len(others)
        out.group[inside], out.anchor[number], out.compared[others] = number, anchor, True
        for bot in inside.tolist():
            row = _row(fit, bot, held, base, int(others[0]))
            out.kind[bot], out.rating[bot], out.low[bot], out.high[bot], out.error[bot] = row
    return out


def _hold(fit: _Fit, inside: np.ndarray, played: np.ndarray, anchors: Mapping[int, float]) -> tuple[int, np.ndarray]:
    """Return the anchor of a group, or -1, and the part of the group that its ratings are measured from."""
    parts = [np.flatnonzero(fit.part == each) for each in np.unique(fit.part[inside])]
    best = max(
        parts,
        key=lambda some: (
            not fit.fixed.keys().isdisjoint(some.tolist()),
            len(some),
            not anchors.keys().isdisjoint(some.tolist()),
            played[some].sum(),
            -fit.chains[some[0]].sum(),
        ),
    )
    if fit.fixed.keys().isdisjoint(best.tolist()):
        for bot in anchors:
            mine = next((some for some in parts if bot in some), best[:0])
            if len(mine) > 1 or (len(mine) == len(best) == 1):
                return bot, mine
    return -1, best


class _Fit:
    """What the intervals of all bots are found from."""

    def __init__(self, bots: np.ndarray, place: np.ndarray, chains: np.ndarray, fixed: Mapping[int, float]) -> None:
        self.bots, self.place, self.chains, self.fixed = bots, place, chains, fixed
        size = len(chains)
        self.part = (chains & chains.T).argmax(axis=1)
        start = np.zeros(size)
        start[list(fixed)] = np.array(list(fixed.values())) / SCALE
        free = np.setdiff1d(np.arange(size), list(fixed))
        self.peak = climb(choices(bots, place, self.part), start, free)
        self.covariance = np.zeros((size, size))
        self.covariance[np.ix_(free, free)] = np.linalg.inv(self.peak.curvature)
        self.spread, self.played = self._spread(size)
        self.peaks: dict[bytes, tuple[Choices, Peak, np.ndarray, np.ndarray, np.ndarray]] = {}

    def _spread(self, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the sum of the squared slopes of all games, float64[n, n]; games by bot, int64[n]."""
        sets, weight, game = stages(self.bots, self.place, self.part)
        share = np.exp(np.append(self.peak.strength, -np.inf))[sets]
        share *= -(weight / share.sum(1))[:, None]
        on, there = self.bots >= 0, sets < size
        seats = (np.arange(len(self.bots))[:, None] * size + self.bots)[on]
        keys, which = np.unique(np.concatenate([seats, (game[:, None] * size + sets)[there]]), return_inverse=True)
        slope = np.bincount(which, np.concatenate([np.ones(len(seats)), share[there]]), len(keys))
        game, bot = np.divmod(keys, size)
        total = np.zeros(size * size)
        for gap in range(len(keys)):
            both = np.flatnonzero(game[gap:] == game[: len(game) - gap])
            if not len(both):
                break
            each = slope[both] * slope[both + gap] * (0.5 if gap == 0 else 1.0)
            total += np.bincount(bot[both] * size + bot[both + gap], each, size * size)
        square = total.reshape(size, size)
        return square + square.T, np.bincount(bot, minlength=size)

    def error(self, contrast: np.ndarray, bot: int) -> tuple[float, float]:
        """Return the standard error of a sum of strengths by the model, and by what the spread of games makes wider."""
        influence = self.covariance @ contrast
        model = float(contrast @ influence)
        ratio = float(influence @ self.spread @ influence) / model
        games = int(self.played[bot])
        return math.sqrt(model), math.sqrt(max(1.0, (games * ratio + FEW) / (games + FEW)))

    def local(self, bot: int, other: int) -> tuple[Choices, Peak, np.ndarray, np.ndarray, np.ndarray]:
        """Return what an interval by likelihood is found from.

        These are the games among the bots over which chains lead between two; their peak; the bots in these games,
        those that are free, and the places of these among those.
        """
        one, two = self.chains[[bot, other]], self.chains[:, [bot, other]].T
        over = (one[0] & two[1]) | (two[0] & one[1])
        mine, free = np.ones(len(self.bots), bool), np.setdiff1d(np.flatnonzero(over), list(self.fixed))
        if len(free) > MOST_JOINT:
            over = self.part == self.part[other]
            over[bot] = True
            mine, free = (self.bots == bot).any(axis=1), np.array([bot])
        key = over.tobytes() + free.tobytes()
        if key not in self.peaks:
            bots = self.bots[mine]
            bots = np.where((bots >= 0) & over[bots], bots, -1)
            here = np.union1d(bots[bots >= 0], free)
            number = np.full(len(over) + 1, -1)
            number[here] = np.arange(len(here))
            games = choices(number[bots], self.place[mine], np.zeros(len(here), np.int64))
            peak = climb(games, self.peak.strength[here], number[free])
            self.peaks[key] = (games, peak, here, free, number[free])
        return self.peaks[key]


def _row(fit: _Fit, bot: int, held: np.ndarray, base: float, other: int) -> tuple[str, float, float, float, float]:
    """Return kind, rating, both ends and error of a bot, measured from ``held``, a mean of strengths float64[n]."""
    contrast = -held
    contrast[bot] += 1.0
    if bot in fit.fixed:
        return "fixed", fit.fixed[bot], fit.fixed[bot], fit.fixed[bot], 0.0
    if not contrast.any():
        return "anchor", base, base, base, 0.0
    above, below = fit.chains[bot, other], fit.chains[other, bot]
    nothing = ("unknown", math.nan, -math.inf, math.inf, math.inf)
    if not above and not below:
        return nothing
    rating, error = base + SCALE * float(contrast @ fit.peak.strength), math.inf
    if above and below:
        plain, wider = fit.error(contrast, bot)
        error = SCALE * plain * wider
        if plain < WELL_KNOWN * (1 if len(held) <= MOST_JOINT else 2):
            return "interval", rating, rating - Z95 * error, rating + Z95 * error, error
    games, peak, here, free, places = fit.local(bot, other)
    along = contrast[free] if len(free) > 1 else np.ones(1)
    if above and below:
        more = plain**2 * float(peak.curvature[0, 0]) if len(free) == 1 else 1.0  # others are not known, but held
        level = LEVEL * wider**2 * max(more, 1.0)
    else:
        level = LEVEL_OF_BOUND
    top = rating + SCALE * float(contrast[here] @ (peak.strength - fit.peak.strength[here]))
    low = top + SCALE * _fall(games, peak, places, along, -1, level) if above else -math.inf
    high = top + SCALE * _fall(games, peak, places, along, 1, level) if below else math.inf
    if above and below:
        return "interval", rating, low, high, error
    if not math.isfinite(low if above else high):
        return nothing
    return ("at least", low, low, high, error) if above else ("at most", high, low, high, error)


def _fall(games: Choices, top: Peak, free: np.ndarray, along: np.ndarray, sign: int, level: float) -> float:
    """Return how far a sum of strengths moves from its peak until the log-likelihood is lower by ``level``.

    The other strengths follow, so that it is the profile of the likelihood. Found by regula falsi (Illinois) on the
    root of the difference, which is nearly straight.
    """
    peak = top

    def excess(offset: float) -> float:
        nonlocal peak
        moved = top.strength.copy() if peak is top else peak.strength.copy()
        way = np.linalg.solve(peak.curvature, along)
        now = float(along @ (moved[free] - top.strength[free]))
        moved[free] += way * (offset - now) / float(along @ way)
        peak = climb(games, moved, free, along)
        return math.sqrt(max(top.value - peak.value, 0.0)) - math.sqrt(level)

    near, at_near = 0.0, -math.sqrt(level)
    far = sign * max(0.05, math.sqrt(2 * level * float(along @ np.linalg.solve(top.curvature, along))))
    far = sign * min(abs(far), 2.0)
    at_far = excess(far)
    while at_far < 0:
        if abs(far) > APART:
            return sign * math.inf
        near, at_near, far = far, at_far, far + sign * min(abs(far), 2.0)
        at_far = excess(far)
    for _ in range(60):
        middle = far - at_far * (far - near) / (at_far - at_near)
        at_middle = excess(middle)
        if abs(at_middle) < 1e-3 * math.sqrt(level):
            return middle
        if at_middle < 0:
            near, at_near, at_far = middle, at_middle, at_far / 2
        else:
            far, at_far, at_near = middle, at_middle, at_near / 2
    return middle
