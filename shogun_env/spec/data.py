"""Checks of a game's printed data when it is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

__all__ = ["check_order"]


def check_order(constants: ModuleType, names: Sequence[str], first: int = 0) -> None:
    """Check that constants number things in the order of the data: ``names`` are first, first + 1, …

    Raises: ValueError naming the constant that is missing or has another number.
    """
    for number, name in enumerate(names, first):
        if (value := getattr(constants, name.upper(), None)) != number:
            raise ValueError(f"{constants.__name__}.{name.upper()} is {value}, in the data {name} is number {number}")
