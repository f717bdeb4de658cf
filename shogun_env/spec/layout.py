"""How observations are laid out: named slices of bytes, grouped in blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np


class Slice(NamedTuple):
    """One feature of an observation: bytes ``start .. stop - 1`` hold values 0..high; ``flat`` divides them by
    ``high``.
    """

    name: str
    block: str
    """The block that it belongs to, such as provinces or players; it has the same number of values for each row."""
    start: int
    stop: int
    high: int
    known_to: str
    """Who may know it."""
    meaning: str


Feature = tuple[str, str, int, int, str, str]
"""Name, block, bytes per row of the block, highest value, who may know it, meaning."""


def lay_out(features: Iterable[Feature], rows: Mapping[str, int]) -> tuple[Slice, ...]:
    """Return features as slices, one after the other.

    Args:
        features: in the order of the observation.
        rows: number of rows of each block, by name; a feature has its bytes once per row.
    """
    slices: list[Slice] = []
    start = 0
    for name, block, width, high, known_to, meaning in features:
        stop = start + width * rows[block]
        slices.append(
            Slice(name=name, block=block, start=start, stop=stop, high=high, known_to=known_to, meaning=meaning)
        )
        start = stop
    return tuple(slices)


def scales(layout: tuple[Slice, ...]) -> np.ndarray:
    """Return what ``flat`` divides each byte by: float32[D]."""
    out = np.empty(layout[-1].stop, np.float32)
    for piece in layout:
        out[piece.start : piece.stop] = piece.high
    return out
