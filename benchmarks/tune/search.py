"""The search for better numbers: CMA-ES by the library cmaes, resumable from the values of its generations alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:  # it imports all games, and --help is quick
    from shogun_env.agents.scripted.numbers import Number

DIGITS = 4
"""Significant digits of the numbers that a search yields."""
_SMALL = 0.1
"""A number below this part of its highest value is searched in steps of that part."""


def rounded(value: float) -> float:
    """Return a value with as many digits as are worth writing down."""
    return float(f"{value:.{DIGITS}g}")


class Search:
    """CMA-ES over some of the numbers of a bot, in units in which a step of each is about as large.

    A number is searched in units of its value at the start, or of a tenth of its highest value if that is more, within
    0 and the highest value.

    Args:
        numbers: those that are searched.
        start: their values at the start.
        sigma: standard deviation of the first candidates, in these units.
        seed: of the search; the candidates of a generation follow from it and the values of earlier generations.
        population: candidates per generation; None leaves it to the library.

    Raises: ValueError if the library is not installed.
    """

    def __init__(
        self, numbers: Sequence[Number], start: Sequence[float], sigma: float, seed: int, population: int | None = None
    ) -> None:
        try:
            from cmaes import CMA
        except ImportError:
            raise ValueError("tuning needs the library cmaes: pip install 'shogun-env[eval]'") from None
        self._highest = np.array([number.highest for number in numbers])
        self.units = np.maximum(start, _SMALL * self._highest)
        bounds = np.stack([np.zeros(len(numbers)), self._highest / self.units], 1)
        self._cma = CMA(start / self.units, sigma, bounds=bounds, seed=seed, population_size=population)

    @property
    def population(self) -> int:
        """Number of candidates per generation."""
        return int(self._cma.population_size)

    @property
    def mean(self) -> np.ndarray:
        """The numbers around which the next candidates are drawn: float64[K]."""
        values: np.ndarray = np.clip(self._cma.mean * self.units, 0.0, self._highest)
        return values

    def generation(self, value_of: Callable[[np.ndarray], float]) -> list[float]:
        """Draw candidates, ask for the value of each, learn from them, and return the values, higher being better."""
        points = [self._cma.ask() for _ in range(self.population)]
        values = [value_of(point * self.units) for point in points]
        self._learn(points, values)
        return values

    def replay(self, values: Sequence[float]) -> None:
        """Do again what a generation did whose candidates had these values."""
        self._learn([self._cma.ask() for _ in range(self.population)], values)

    def _learn(self, points: Sequence[np.ndarray], values: Sequence[float]) -> None:
        self._cma.tell([(point, -value) for point, value in zip(points, values, strict=True)])
