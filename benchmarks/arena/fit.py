"""Ratings of bots from the places in their games: Plackett–Luce, with intervals that hold what they say.

A rating is a strength on Elo's scale, where 400 points are odds of ten to one, and a distance: from bots with fixed
ratings, from an anchor, or from the mean of the bots that can be compared. Games bound this distance from below if a
chain of results leads down from the bot to there ("was not behind"), and from above if one leads up. With both there is
an interval, with one a bound, with none nothing is known. Bots that no chain joins are in different groups.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from shogun_env.benchmarks.arena.likelihood import SCALE, Choices, Outcomes, Peak, choices, climb, outcomes, stages
from shogun_env.shares import Z95

LEVEL = 0.5 * Z95**2
"""How much lower the log-likelihood is at both ends of a 95 % interval."""
LEVEL_OF_BOUND = math.log(100)
"""How much lower it is at a bound: results as one-sided as these have a chance of 1 % there. At 2.5 %, only 83 % of the
bounds of twelve bots after twelve games held the truth, because the other strengths are fitted to the games as well."""
LEVEL_OF_PLACE = 0.5
"""How much lower it is one standard error away, where tables put a bot with a bound. The bound itself, after a few
games, is above bots that always won against this one, or below bots that always lost."""
APART = 50.0
"""How far above others a bot counts that never lost to them; no interval is as long."""
WELL_KNOWN = 0.1
"""Below this standard error of a strength the interval is symmetric, as the likelihood is close to a normal. Among more
than ``MOST_JOINT`` bots the limit is twice as high, because the exact interval of each takes long."""
MOST_JOINT = 40
"""An exact interval varies the strengths of up to this many bots together with that of the bot itself."""
FEW = 20.0
"""Weight, in games, of the model's spread when it is compared with the spread between games."""


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
    likely: np.ndarray
    """float64[n], what tables are ordered by: the rating, and of a bound one standard error from the peak."""
    strength: np.ndarray
    """float64[n], to expect wins with: the most probable strengths, those of bots that never lost far above."""


# --- who can be compared ---------------------------------------------------------------------------------------------


class Chains(NamedTuple):
    """Which bots can be compared: chains of links, each from a bot to one that it was not behind in a game."""

    leads: np.ndarray
    """bool[n, n], whether the bot of the row leads to that of the column, or is the same."""
    part: np.ndarray
    """int64[n], the part of each bot, by the lowest number in it: bots that lead to each other are in the same part."""

    @classmethod
    def of(cls, links: np.ndarray, n_bots: int) -> Chains:
        """Return the chains of links int64[2, E]."""
        leads = np.eye(n_bots, dtype=np.float32)
        leads[tuple(links)] = 1
        for _ in range(n_bots.bit_length()):  # chains of up to 2, 4, 8 … links
            leads = np.minimum(leads @ leads, 1)
        return cls(leads > 0, (leads * leads.T).argmax(axis=1))


def links_of(games: Outcomes, n_bots: int, fixed: Sequence[int]) -> np.ndarray:
    """Return links from bots that were not behind to those next to them, int64[2, E]; fixed bots are in a circle."""
    found = [np.array([fixed, np.roll(fixed, 1)], np.int64)]
    for one, other, tied in zip(games.bots.T, games.bots.T[1:], games.tied.T[1:], strict=False):
        down, up = other < n_bots, tied & (other < n_bots)
        found += [np.array([one[down], other[down]]), np.array([other[up], one[up]])]
    above, below = np.concatenate(found, axis=1)
    return np.array(np.divmod(np.unique(above * n_bots + below), n_bots))


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
        bots: int[N, P], the bot of each player, -1 where there is none; a bot may sit at a table several times.
        place: float[N, P], 1 is best; tied players have the mean of their places.
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
    fit = _Fit(outcomes(bots, place, n_bots), n_bots, fixed)
    out = Ratings(
        rating=np.full(n_bots, np.nan), low=np.full(n_bots, -np.inf), high=np.full(n_bots, np.inf),
        error=np.full(n_bots, np.inf), kind=np.full(n_bots, "unknown", dtype="<U8"), group=np.full(n_bots, -1),
        anchor=np.full(len(fit.groups), -1), compared=np.zeros(n_bots, bool), likely=np.full(n_bots, np.nan),
        strength=fit.peak.strength + APART * fit.chains.leads.sum(1),
    )  # fmt: skip
    for number, inside in enumerate(fit.groups):
        anchor, others = _hold(fit, inside, anchors)
        held = np.zeros(n_bots)
        if anchor >= 0:
            held[anchor] = 1.0
        elif others[0] not in fixed and not set(fixed) & set(others.tolist()):
            held[others] = 1 / len(others)
        out.group[inside], out.anchor[number], out.compared[others] = number, anchor, True
        errors = fit.errors(inside, held) if len(inside) > 1 else np.zeros((1, 2))
        for bot, error in zip(inside.tolist(), errors.tolist(), strict=True):
            row = _row(fit, bot, held, anchors.get(anchor, 0.0), int(others[0]), error)
            out.kind[bot], out.rating[bot], out.low[bot], out.high[bot], out.error[bot], out.likely[bot] = row
    return out


def _hold(fit: _Fit, inside: np.ndarray, anchors: Mapping[int, float]) -> tuple[int, np.ndarray]:
    """Return the anchor of a group, or -1, and the part of the group that its ratings are measured from."""
    parts = sorted(_by_key(fit.chains.part[inside], inside), key=lambda some: int(some[0]))
    best = max(
        parts,
        key=lambda some: (
            not fit.fixed.keys().isdisjoint(some.tolist()),
            len(some),
            not anchors.keys().isdisjoint(some.tolist()),
            fit.seats[some].sum(),
            -fit.chains.leads[some[0]].sum(),
        ),
    )
    if fit.fixed.keys().isdisjoint(best.tolist()):
        for bot in anchors:
            mine = next((some for some in parts if bot in some), best[:0])
            if len(mine) > 1 or (len(mine) == len(best) == 1):
                return bot, mine
    return -1, best


def _by_key(keys: np.ndarray, values: np.ndarray) -> list[np.ndarray]:
    """Return the values of each key, in the order of the keys."""
    order = np.argsort(keys, kind="stable")
    return np.split(values[order], np.flatnonzero(np.diff(keys[order])) + 1)


class _Fit:
    """What the intervals of all bots are found from."""

    def __init__(self, games: Outcomes, n_bots: int, fixed: Mapping[int, float]) -> None:
        self.games, self.fixed = games, fixed
        links = links_of(games, n_bots, list(fixed))
        self.chains = Chains.of(links, n_bots)
        at = games.bots.ravel()
        self.seats = np.bincount(at, np.repeat(games.often, games.bots.shape[1]), n_bots + 1)[:n_bots]
        """float64[n], how often each bot sat at a table."""
        group = Chains.of(np.concatenate([links, links[::-1]], axis=1), n_bots).part
        self.groups = sorted(
            _by_key(group, np.arange(n_bots)), key=lambda some: (-self.seats[some].sum(), int(some[0]))
        )
        """The bots that chains join, int64[m] each, those with most seats first."""
        start = np.zeros(n_bots)
        start[list(fixed)] = np.array(list(fixed.values())) / SCALE
        free = np.setdiff1d(np.arange(n_bots), list(fixed))
        self.peak = climb(choices(games, self.chains.part), start, free)
        self.known = np.zeros((n_bots, n_bots))
        """float64[n, n], covariance of the errors of the strengths; 0 for fixed ones."""
        self.known[np.ix_(free, free)] = np.linalg.inv(self.peak.curvature)
        self._look_at_spread()
        self.peaks: dict[bytes, tuple[Choices, Peak, np.ndarray, np.ndarray, np.ndarray]] = {}

    def _look_at_spread(self) -> None:
        """Find how far games lie apart: sums of products of their slopes, and the number of games of each bot."""
        bots, count, size = self.games.bots, self.games.often, len(self.peak.strength)
        slope, weights = (bots < size).astype(np.float64), np.exp(np.append(self.peak.strength, -np.inf))
        for which, seats, sets, weight in stages(self.games, self.chains.part):
            share = weights[sets]
            slope[which[:, None], seats] -= weight * share / share.sum(1)[:, None]
        spread, self.played = np.zeros((size + 1) ** 2), np.zeros(size + 1)
        for a, bot in enumerate(bots.T):
            self.played += np.bincount(bot, np.where((bots[:, :a] == bot[:, None]).any(axis=1), 0.0, count), size + 1)
            for b, other in enumerate(bots.T):
                pair = bot.astype(np.int64) * (size + 1) + other
                spread += np.bincount(pair, count * slope[:, a] * slope[:, b], len(spread))
        self.spread = spread.reshape(size + 1, -1)[:-1, :-1]

    def errors(self, bots: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Return standard errors of the strengths of bots, measured from a mean of strengths, float64[m, 2].

        The first column is the error by the model, the second the factor by which the spread between games widens it.

        Args: bots, int64[m]; held, float64[n], what each bot counts in the mean.
        """
        mean = self.known @ held
        along = self.known[bots] - mean
        model = np.maximum(self.known.diagonal()[bots] - 2 * mean[bots] + held @ mean, 0.0)
        ratio = (along @ self.spread * along).sum(1) / np.maximum(model, 1e-300)
        games = self.played[bots]
        return np.stack([np.sqrt(model), np.sqrt(np.maximum(1.0, (games * ratio + FEW) / (games + FEW)))], axis=1)

    def local(self, bot: int, other: int) -> tuple[Choices, Peak, np.ndarray, np.ndarray, np.ndarray]:
        """Return what an exact interval of ``bot`` needs, measured from ``other``.

        Returns: the games of the bots on chains between the two; the peak of their likelihood; the bots in these
            games; the free ones; and the indices of the free ones among the bots.
        """
        games, leads = self.games, self.chains.leads
        over = (leads[bot] & leads[:, other]) | (leads[other] & leads[:, bot])
        mine, free = np.arange(len(games.bots)), np.setdiff1d(np.flatnonzero(over), list(self.fixed))
        if len(free) > MOST_JOINT:
            over = self.chains.part == self.chains.part[other]
            over[bot] = True
            mine, free = np.flatnonzero((games.bots == bot).any(axis=1)), np.array([bot])
        key = over.tobytes() + free.tobytes()
        if key not in self.peaks:
            bots = games.bots[mine]
            here = np.union1d(bots[np.append(over, False)[bots]], free)
            number = np.full(len(over) + 1, -1)
            number[here] = np.arange(len(here))
            place = np.cumsum(~games.tied[mine], axis=1)
            some = outcomes(number[bots], place, len(here), games.often[mine])
            chosen = choices(some, np.zeros(len(here), np.int64))
            peak = climb(chosen, self.peak.strength[here], number[free])
            self.peaks[key] = (chosen, peak, here, free, number[free])
        return self.peaks[key]


def _row(
    fit: _Fit, bot: int, held: np.ndarray, base: float, other: int, errors: Sequence[float]
) -> tuple[str, float, float, float, float, float]:
    """Return kind, rating, both ends, error and likely rating of a bot, measured from ``held``, a mean of strengths.

    Args: held, float64[n]; other, a bot that is measured from; errors, of the bot by the model, and by how much the
        spread is wider.
    """
    if bot in fit.fixed:
        return "fixed", fit.fixed[bot], fit.fixed[bot], fit.fixed[bot], 0.0, fit.fixed[bot]
    if held[bot] == 1.0:
        return "anchor", base, base, base, 0.0, base
    above, below = fit.chains.leads[bot, other], fit.chains.leads[other, bot]
    nothing = ("unknown", math.nan, -math.inf, math.inf, math.inf, math.nan)
    if not above and not below:
        return nothing
    strength = fit.peak.strength
    rating, error, (plain, wider) = base + SCALE * float(strength[bot] - held @ strength), math.inf, errors
    if above and below:
        error = SCALE * plain * wider
        if plain < WELL_KNOWN * (1 if len(held) <= MOST_JOINT else 2):
            return "interval", rating, rating - Z95 * error, rating + Z95 * error, error, rating
    games, peak, here, free, places = fit.local(bot, other)
    contrast = -held
    contrast[bot] += 1.0
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
        return "interval", rating, low, high, error, rating
    bound = low if above else high
    if not math.isfinite(bound):
        return nothing
    likely = top + SCALE * _fall(games, peak, places, along, -1 if above else 1, LEVEL_OF_PLACE)
    return "at least" if above else "at most", bound, low, high, error, likely


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
