"""What a valid state is: the ranges of its numbers, and conditions that are asked of many states at once."""

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

Condition = Callable[[np.ndarray], np.ndarray]
"""``condition(g)`` says of which states something is true: bool[n]. ``g`` are states whose fields are widened to int64,
with all numbers in range; they need not be valid otherwise."""
BLOCK = 1024
"""States that are looked at together: widened they take some 10 kB each."""
TOO_MANY = "a player decides whom the batch does not have"
NO_CHOICE = "a decision with fewer than two legal actions is put to a player"


@dataclass(frozen=True)
class Validity:
    """What is true of a state between two decisions.

    What fulfils it can be played to its end: a state that is valid between two decisions is valid between all that
    follow (``tests/property/test_positions.py`` looks for one that is not).
    """

    ranges: Mapping[str, tuple[int, int]]
    """The lowest and the highest number of a field, by name; of others any number that fits is in range."""
    conditions: Mapping[str, Condition]
    """By what is wrong where a condition is not fulfilled; of several the first is told."""

    @functools.cached_property
    def messages(self) -> dict[int, str]:
        """What each code of ``Batch.check`` means; ``check`` here never returns the last two."""
        out_of_range = (f"a number of {name} is not from {low} to {high}" for name, (low, high) in self.ranges.items())
        return dict(enumerate((*out_of_range, *self.conditions, TOO_MANY, NO_CHOICE), 1))

    def check(self, games: np.ndarray) -> np.ndarray:
        """Return what is wrong with states STATE[n]: int64[n], 0 for nothing, else a key of ``messages``.

        Whether there is something to choose is not looked at.
        """
        blocks = [self._check(widened(games[begin : begin + BLOCK])) for begin in range(0, len(games), BLOCK)]
        return np.concatenate([np.zeros(0, np.int64), *blocks])

    def _check(self, g: np.ndarray) -> np.ndarray:
        codes = np.zeros(len(g), np.int64)
        for code, (name, (low, high)) in enumerate(self.ranges.items(), 1):
            numbers = g[name].reshape(len(g), -1)
            codes[(codes == 0) & ((numbers < low) | (numbers > high)).any(1)] = code
        inside = np.flatnonzero(codes == 0)
        if len(inside):
            found, g = np.zeros(len(inside), np.int64), g[inside]
            for code, holds in reversed(list(enumerate(self.conditions.values(), 1 + len(self.ranges)))):
                found[~holds(g)] = code
            codes[inside] = found
        return codes


def widened(games: np.ndarray) -> np.ndarray:
    """Return states whose fields are int64, so that their sums do not wrap around."""
    return games.astype([(name, np.int64, games.dtype[name].shape) for name in games.dtype.names or ()])


def is_blank(g: np.ndarray, blank: np.ndarray, names: Iterable[str], axes: int = 1) -> np.ndarray:
    """Say where some fields of widened states are as in a blank one: bool, of the fields' first ``axes`` axes."""
    parts = [(g[name] == blank[name]).reshape(*g[name].shape[:axes], -1).all(-1) for name in names]
    return np.all(parts, axis=0)


def are_distinct(rows: np.ndarray, least: int = 0) -> np.ndarray:
    """Say in which rows int64[n, k] no number from ``least`` on comes twice: bool[n]."""
    ordered = np.sort(rows)
    return ((ordered[:, 1:] != ordered[:, :-1]) | (ordered[:, 1:] < least)).all(1)
