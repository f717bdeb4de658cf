"""The numbers that a scripted bot of any game plays by: one table with value, unit and meaning, and styles."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from shogun_env.files import text_in
from shogun_env.spec.forms import meant, toml_of


class Number(NamedTuple):
    """One number of a bot."""

    name: str
    value: float
    highest: float
    """The highest value that makes sense; the lowest is 0."""
    unit: str
    meaning: str


class Numbers(NamedTuple):
    """The numbers of the bot of one game, which are kept in a TOML file."""

    numbers: tuple[Number, ...]
    """In the order of ``params``."""
    styles: dict[str, dict[str, float]]
    """Styles as differences from the table, by name."""
    origin: str
    """How the values were found: by commands of their day, some of whose styles are gone; the last commit with
    ``shogun-env tune`` is 91c31a4."""

    @classmethod
    def read(cls, path: Path) -> Numbers:
        """Return the numbers in a file; ValueError for one that holds no such table."""
        text = text_in(path)
        try:
            table = toml_of(text)
            numbers = tuple(Number(name, **about) for name, about in table["numbers"].items())
            return cls(numbers=numbers, styles=table["styles"], origin=table["origin"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path}: not a table of numbers ({error})") from None

    def params_of(self, style: str = "balanced", **changes: str | float | None) -> np.ndarray:
        """Return the numbers of a style, with some changed: float64[number of numbers].

        Args:
            style: one of ``styles``.
            changes: numbers by name; None leaves a number as the style has it.

        Raises: ValueError naming an unknown style or number, or a value that is not between 0 and the highest.
        """
        if style not in self.styles:
            raise ValueError(f"style={style!r}: must be one of {', '.join(self.styles)}")
        values = {number.name: number.value for number in self.numbers} | self.styles[style]
        highest = {number.name: number.highest for number in self.numbers}
        for name, value in changes.items():
            if name not in values:
                raise ValueError(f"unknown parameter {name!r}; {meant(name, ('style', *values))}")
            if value is not None:
                values[name] = _number(name, value, highest[name])
        return np.array(list(values.values()), np.float64)


def _number(name: str, value: str | float, highest: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not 0.0 <= number <= highest:
        raise ValueError(f"{name}={value!r}: must be a number from 0 to {highest:g}")
    return number
