"""The numbers that a scripted bot of any game plays by: one table with value, unit and meaning, and styles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from shogun_env.files import text_in, write_whole
from shogun_env.spec.forms import toml_of


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
    origin: str = "chosen by hand"
    """How the values were found: the command that did, and what it measured; after ``history:`` one that names bots of
    before, and cannot be run any more."""

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

    def write(self, path: Path) -> None:
        """Write the numbers into a file, a line for each."""
        lines = [f"origin = {_toml(self.origin)}", "", "[numbers]"]
        for name, *about in self.numbers:
            lines.append(f"{name} = {_toml(dict(zip(Number._fields[1:], about, strict=True)))}")
        lines += ["", "[styles]", *(f"{name} = {_toml(style)}" for name, style in self.styles.items())]
        write_whole(path, "\n".join(lines) + "\n")

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
                raise ValueError(f"unknown parameter {name!r}; known are style, {', '.join(values)}")
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


def _toml(value: dict[str, Any] | str | float) -> str:
    """Return a value, or a table in one line, as TOML."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name} = {_toml(one)}' for name, one in value.items())}}}"
    return json.dumps(value, ensure_ascii=False)
