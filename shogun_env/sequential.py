"""Tests that stop as soon as they know: is the mean of values in [0, 1] above a bound?

Two bets are made on the values as they come. One can only win in the long run if the mean is above ``low``, the other
if it is below ``high``. As soon as one of them has multiplied its capital by 1 / ``error``, the claim against which it
was made is refuted. By Ville's inequality a true claim is refuted with a probability of at most ``error``, whenever one
looks and whatever the values are distributed like, as long as the mean of each, given those before, is the same (I.
Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86, 2024). What is staked
suits a mean at the other bound, so that about as many values are needed as by Wald's test (SPRT).

Where the mean is between the bounds either answer is right, so every test ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

YES, NO, UNDECIDED = "yes", "no", "undecided"
PRIOR = 4.0
"""The first guesses of mean and variance count as this many values."""
SMALLEST = 0.25
"""The first guess of the variance is this part of the variance of a coin with the mean of the bound: a value is mostly
the mean of a few games."""
STAKE = 0.5
"""At most this part of the capital can be lost by one value."""
GRID = 1000
"""The interval is that of the means 1 / GRID, 2 / GRID, … that are not refuted, one step wider on either side."""
SECONDS = 2.0
"""A call for values should take about as long: what is played when a run is stopped is lost."""


class Bounds(NamedTuple):
    """The question, fixed before the first value is seen."""

    low: float
    """``yes`` says that the mean is above this."""
    high: float
    """``no`` says that the mean is below this, which is above ``low``."""
    error: float = 0.05
    """The highest probability of ``yes`` if the mean is at most ``low``, and of ``no`` if it is at least ``high``."""

    def check(self) -> None:
        """Raise ValueError for bounds that ask nothing."""
        if not 0.0 < self.low < self.high < 1.0:
            raise ValueError(f"bounds {self.low:g} and {self.high:g}: must be 0 < low < high < 1")
        if not 0.0 < self.error < 0.5:
            raise ValueError(f"error={self.error:g}: must be more than 0 and less than 0.5")


class Decision(NamedTuple):
    """What a test says."""

    verdict: str
    """``yes``, ``no``, or ``undecided`` if the values do not suffice."""
    used: int
    """Number of values up to the verdict; what comes after them is left out."""
    mean: float
    """Their mean, 0 without values."""


def log_capital(values: np.ndarray, bound: np.ndarray | float, zone: float) -> np.ndarray:
    """Return the logarithm of the capital of a bet that the mean of ``values`` is above a bound, after each value.

    Args:
        values: float64[..., n], in [0, 1].
        bound: between 0 and 1, or an array that broadcasts to ``values``, such as float64[m, 1].
        zone: the bet suits a mean at least this far above the bound.

    Returns: float64[..., n]; it starts from 0 before the first value.
    """
    number = PRIOR + np.arange(values.shape[-1])
    mean = (PRIOR * bound + np.cumsum(values, -1) - values) / number  # of the values before
    square = (values - mean) ** 2
    variance = (PRIOR * SMALLEST * bound * (1.0 - bound) + np.cumsum(square, -1) - square) / number
    gain = np.maximum(mean - bound, zone)
    bet = np.minimum(gain / (variance + gain**2), STAKE / bound)
    capital: np.ndarray = np.cumsum(np.log1p(bet * (values - bound)), -1)
    return capital


def decide(values: Sequence[float] | np.ndarray, bounds: Bounds) -> Decision:
    """Return what a test says of the values so far; their number need not be fixed before.

    Args:
        values: in [0, 1], in the order in which they came.
        bounds: the question.

    Raises: ValueError for values out of range, or bounds that ask nothing.

    Example:
        >>> decide([1.0, 0.5] * 12, Bounds(low=0.25, high=0.3)).verdict
        'yes'
    """
    bounds.check()
    x = np.asarray(values, np.float64)
    if x.size and not (x.min() >= 0.0 and x.max() <= 1.0):
        raise ValueError(f"values from {x.min():g} to {x.max():g}: must be in [0, 1]")
    zone, enough = bounds.high - bounds.low, -np.log(bounds.error)
    ends = {}
    for verdict, capital in (
        (YES, log_capital(x, bounds.low, zone)),
        (NO, log_capital(1.0 - x, 1.0 - bounds.high, zone)),
    ):
        if (capital >= enough).any():
            ends[verdict] = int((capital >= enough).argmax()) + 1
    verdict = min(ends, key=ends.__getitem__, default=UNDECIDED)
    used = ends.get(verdict, x.size)
    return Decision(verdict=verdict, used=used, mean=float(x[:used].mean()) if used else 0.0)


def interval(values: np.ndarray, error: float = 0.05) -> tuple[float, float]:
    """Return an interval that holds the mean of values float64[n] with a probability of 1 - ``error``, whenever asked.

    It is wider than an interval for a number of values fixed before, which a test that stops may not use.
    """
    grid = np.arange(1, GRID)[:, None] / GRID
    if not values.size:
        return 0.0, 1.0
    enough = np.log(2.0 / error)
    above = log_capital(values, grid, 0.0).max(1) < enough
    below = log_capital(1.0 - values, 1.0 - grid, 0.0).max(1) < enough
    kept = np.flatnonzero(above & below)
    if not kept.size:  # the values change in time: no one mean fits them all
        return float(values.mean()), float(values.mean())
    return float(kept[0] / GRID), float((kept[-1] + 2) / GRID)


def run_test(play: Callable[[int, int], Any], bounds: Bounds, most: int, values: list[float]) -> Iterator[Decision]:
    """Ask for values until the test knows, or there are ``most``; yield what it says at first and after each call.

    Args:
        play: ``play(first, count)`` returns the values number ``first`` to ``first + count - 1``, float64[count].
        bounds: the question.
        most: values are asked for up to this number.
        values: those of an earlier run with the same question, to be resumed; new ones are appended.

    Raises: ValueError for bounds that ask nothing.
    """
    decision, count = decide(values, bounds), 1
    yield decision
    while decision.verdict == UNDECIDED and len(values) < most:
        begin = time.perf_counter()
        values.extend(np.asarray(play(len(values), min(count, most - len(values))), np.float64).tolist())
        count = 2 * count if time.perf_counter() - begin < SECONDS / 2 else max(1, count // 2)
        decision = decide(values, bounds)
        yield decision
