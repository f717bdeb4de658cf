"""The numbers that a scripted bot of any game plays by: named weights with defaults, and styles that change some."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

HIGHEST = 10.0
"""The highest value of a weight."""


class Weights(NamedTuple):
    """The weights of the bot of one game."""

    parameters: tuple[tuple[str, float, str], ...]
    """Name, default and meaning of each weight, in the order of ``params``."""
    styles: dict[str, dict[str, float]]
    """Styles as differences from the defaults, by name."""

    def params_of(self, style: str = "balanced", **changes: str | float | None) -> np.ndarray:
        """Return the weights of a style, with some changed: float64[number of weights].

        Args:
            style: one of ``styles``.
            changes: weights by name; None leaves a weight as the style has it.

        Raises: ValueError naming an unknown style or weight, or a value that is not a number from 0 to 10.
        """
        if style not in self.styles:
            raise ValueError(f"style={style!r}: must be one of {', '.join(self.styles)}")
        values = {name: default for name, default, _ in self.parameters} | self.styles[style]
        for name, value in changes.items():
            if name not in values:
                raise ValueError(f"unknown parameter {name!r}; known are style, {', '.join(values)}")
            if value is not None:
                values[name] = _weight(name, value)
        return np.array([values[name] for name, _, _ in self.parameters], np.float64)


def _weight(name: str, value: str | float) -> float:
    try:
        weight = float(value)
    except (TypeError, ValueError):
        weight = -1.0
    if not 0.0 <= weight <= HIGHEST:
        raise ValueError(f"{name}={value!r}: must be a number from 0 to {HIGHEST:g}")
    return weight
