"""Ratings of bots from the places in their games: Plackett–Luce, with intervals that hold what they say.

A rating is a strength on Elo's scale, where 400 points are odds of ten to one, and a distance: from one bot, the
anchor, or from the mean of the bots that can be compared. Games bound this distance from below if a chain of results
leads down from the bot to there ("was not behind"), and from above if one leads up. With both there is an interval,
with one a bound, with none nothing is known. Bots that no chain joins are in different groups.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
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
"""How much lower it is at the rating of a bot with a bound: one standard error away from the peak, which is infinitely
far. The bound itself, after a few games, is above bots that always won against this one, or below those that lost."""
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
    """float64[n]; beyond the bound where ``kind`` is one; not a number where nothing is known."""
    low: np.ndarray
    """float64[n], lower end of the 95 % interval; minus infinity where no game says so."""
    high: np.ndarray
    """float64[n], upper end; infinity where no game says so."""
    kind: np.ndarray
    """str[n]: ``interval``, ``anchor``, ``at least``, ``at most`` or ``unknown``."""
    group: np.ndarray
    """int64[n]: ratings of different groups, 0, 1, …, cannot be compared, as no chain of games leads across."""
    anchor: np.ndarray
    """int64[groups], the bot whose rating is 0 in each group; -1 where it is the mean of those compared."""
    compared: np.ndarray
    """bool[n], whether the bot is one of those that an interval or a bound of its group is measured from."""
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


def links_of(games: Outcomes, n_bots: int) -> np.ndarray:
    """Return links from bots that were not behind to those next to them, int64[2, E]."""
    found = [np.zeros((2, 0), np.int64)]
    for one, other, tied in zip(games.bots.T, games.bots.T[1:], games.tied.T[1:], strict=False):
        down, up = other < n_bots, tied & (other < n_bots)
        found += [np.array([one[down], other[down]]), np.array([other[up], one[up]])]
    above, below = np.concatenate(found, axis=1)
    return np.array(np.divmod(np.unique(above * n_bots + below), n_bots))


# --- ratings ---------------------------------------------------------------------------------------------------------


def rate(bots: np.ndarray, place: np.ndarray, n_bots: int, anchors: Sequence[int] = ()) -> Ratings:
    """Return the ratings of bots; they do not depend on the order of the games, nor on that of the bots.

    Args:
        bots: int[N, P], the bot of each player, -1 where there is none; a bot may sit at a table several times.
        place: float[N, P], 1 is best; tied players have the mean of their places.
        n_bots: number of bots, also of those without a game.
        anchors: bots that may be the anchor, best first. Ratings of a group are measured from its largest part in which
            all bots have won and lost: the first anchor there has 0, or without one the mean of the part.

    Example:
        >>> ratings = rate(np.array([[0, 1]] * 8), np.array([[1, 2], [2, 1]] * 4), 2, anchors=[0])
        >>> ratings.rating.tolist(), ratings.kind.tolist()
        ([0.0, 0.0], ['anchor', 'interval'])
    """
    fit = _Fit(outcomes(bots, place, n_bots), n_bots)
    out = Ratings(
        rating=np.full(n_bots, np.nan), low=np.full(n_bots, -np.inf), high=np.full(n_bots, np.inf),
        kind=np.full(n_bots, "unknown", dtype="<U8"), group=np.full(n_bots, -1),
        anchor=np.full(len(fit.groups), -1), compared=np.zeros(n_bots, bool),
        strength=fit.peak.strength + APART * fit.chains.leads.sum(1),
    )  # fmt: skip
    for number, inside in enumerate(fit.groups):
        others = _compared(fit, inside, anchors)
        anchor = next((bot for bot in anchors if bot in others), -1)
        held = np.zeros(n_bots)
        held[others if anchor < 0 else anchor] = 1 / len(others) if anchor < 0 else 1.0
        out.group[inside], out.anchor[number], out.compared[others] = number, anchor, True
        errors = fit.errors(inside, held) if len(inside) > 1 else np.zeros((1, 2))
        for bot, error in zip(inside.tolist(), errors.tolist(), strict=True):
            row = _row(fit, bot, held, int(others[0]), error)
            out.kind[bot], out.rating[bot], out.low[bot], out.high[bot] = row
    return out


def _compared(fit: _Fit, inside: np.ndarray, anchors: Sequence[int]) -> np.ndarray:
    """Return the part of a group that its ratings are measured from."""
    return max(
        _by_key(fit.chains.part[inside], inside),
        key=lambda some: (
            len(some),
            not set(anchors).isdisjoint(some.tolist()),
            fit.seats[some].sum(),
            -fit.chains.leads[some[0]].sum(),
        ),
    )


def _by_key(keys: np.ndarray, values: np.ndarray) -> list[np.ndarray]:
    """Return the values of each key, in the order of the keys."""
    order = np.argsort(keys, kind="stable")
    return np.split(values[order], np.flatnonzero(np.diff(keys[order])) + 1)


class _Fit:
    """What the intervals of all bots are found from."""

    def __init__(self, games: Outcomes, n_bots: int) -> None:
        self.games = games
        links = links_of(games, n_bots)
        self.chains = Chains.of(links, n_bots)
        at = games.bots.ravel()
        self.seats = np.bincount(at, np.repeat(games.often, games.bots.shape[1]), n_bots + 1)[:n_bots]
        """float64[n], how often each bot sat at a table."""
        group = Chains.of(np.concatenate([links, links[::-1]], axis=1), n_bots).part
        self.groups = sorted(_by_key(group, np.arange(n_bots)), key=lambda some: -self.seats[some].sum())
        """The bots that chains join, int64[m] each, those with most seats first."""
        self.peak = climb(choices(games, self.chains.part), np.zeros(n_bots), np.arange(n_bots))
        self.known = np.linalg.inv(self.peak.curvature)
        """float64[n, n], covariance of the errors of the strengths."""
        choices_made = float(self.seats.sum() - games.often.sum())
        self.fewer = choices_made / max(choices_made - n_bots, choices_made / 3) if n_bots > MOST_JOINT else 1.0
        """By how much squares of errors are larger because many strengths are fitted to few games."""
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

        The first column is the error by the model, the second the factor by which the spread between games changes it.

        Args: bots, int64[m]; held, float64[n], what each bot counts in the mean.
        """
        mean = self.known @ held
        along = self.known[bots] - mean
        model = np.maximum(self.known.diagonal()[bots] - 2 * mean[bots] + held @ mean, 0.0)
        ratio = (along @ self.spread * along).sum(1) / np.maximum(model, 1e-300)
        games = self.played[bots]
        wider = self.fewer * (games * ratio + FEW) / (games + FEW)
        return np.stack([np.sqrt(model), np.sqrt(wider)], axis=1)

    def local(self, bot: int, other: int) -> tuple[Choices, Peak, np.ndarray, np.ndarray, np.ndarray]:
        """Return what an exact interval of ``bot`` needs, measured from ``other``.

        Returns: the games of the bots on chains between the two; the peak of their likelihood; the bots in these
            games; the free ones; and the indices of the free ones among the bots.
        """
        games, leads = self.games, self.chains.leads
        over = (leads[bot] & leads[:, other]) | (leads[other] & leads[:, bot])
        mine, free = np.arange(len(games.bots)), np.flatnonzero(over)
        if len(free) > MOST_JOINT:
            near = np.intersect1d(games.bots[(games.bots == bot).any(axis=1)], free)
            free = near if len(near) <= MOST_JOINT else np.array([bot])
            mine = np.flatnonzero(np.isin(games.bots, free).any(axis=1))
            over = self.chains.part == self.chains.part[other]
            over[free] = True
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


def _row(fit: _Fit, bot: int, held: np.ndarray, other: int, errors: Sequence[float]) -> tuple[str, float, float, float]:
    """Return kind, rating and both ends of a bot, measured from ``held``, a mean of strengths.

    Args: held, float64[n]; other, a bot that is measured from; errors, of the bot by the model, and the factor of the
        spread between games.
    """
    if held[bot] == 1.0:
        return "anchor", 0.0, 0.0, 0.0
    above, below = fit.chains.leads[bot, other], fit.chains.leads[other, bot]
    nothing = ("unknown", math.nan, -math.inf, math.inf)
    if not above and not below:
        return nothing
    strength = fit.peak.strength
    rating, (plain, wider) = SCALE * float(strength[bot] - held @ strength), errors
    if above and below and plain < WELL_KNOWN * (1 if len(held) <= MOST_JOINT else 2):
        half = Z95 * SCALE * plain * wider
        return "interval", rating, rating - half, rating + half
    games, peak, here, free, places = fit.local(bot, other)
    contrast = -held
    contrast[bot] += 1.0
    along = contrast[free]
    if above and below:  # more than 1 where others are held as if they were known
        more = plain**2 / float(along @ np.linalg.solve(peak.curvature, along))
        level = LEVEL * wider**2 * max(more, 1.0)
    else:
        level = LEVEL_OF_BOUND * fit.fewer
    top = rating + SCALE * float(contrast[here] @ (peak.strength - fit.peak.strength[here]))
    low = top + SCALE * _fall(games, peak, places, along, -1, level) if above else -math.inf
    high = top + SCALE * _fall(games, peak, places, along, 1, level) if below else math.inf
    if above and below:
        return "interval", rating, low, high
    bound = low if above else high
    if not math.isfinite(bound):
        return nothing
    rating = top + SCALE * _fall(games, peak, places, along, -1 if above else 1, LEVEL_OF_PLACE)
    return "at least" if above else "at most", rating, low, high


def _fall(games: Choices, top: Peak, free: np.ndarray, along: np.ndarray, sign: int, level: float) -> float:
    """Return how far a sum of strengths moves from its peak until the log-likelihood is lower by ``level``.

    The other strengths follow, so that it is the profile of the likelihood. Found by regula falsi (Illinois) on the
    root of the difference, which is nearly straight.
    """
    peak = top

    def excess(offset: float) -> float:
        nonlocal peak
        moved = peak.strength.copy()
        way = np.linalg.solve(peak.curvature, along)
        now = float(along @ (moved[free] - top.strength[free]))
        moved[free] += way * (offset - now) / float(along @ way)
        peak = climb(games, moved, free, along)
        return math.sqrt(max(top.value - peak.value, 0.0)) - math.sqrt(level)

    near, at_near = 0.0, -math.sqrt(level)
    step = math.sqrt(2 * level * float(along @ np.linalg.solve(top.curvature, along)))
    far = sign * min(max(0.05, step), 2.0)
    while (at_far := excess(far)) < 0:
        if abs(far) > APART:
            return sign * math.inf
        near, at_near, far = far, at_far, far + sign * min(abs(far), 2.0)
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
