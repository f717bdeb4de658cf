"""How observations are laid out, for both games: named slices of bytes, by block."""

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
    start: int
    stop: int
    high: int
    known_to: str
    meaning: str


Feature = tuple[str, str, int, int, str, str]
"""Name, block, bytes a row, highest value, who may know it, meaning."""


def lay_out(features: Iterable[Feature], rows: Mapping[str, int]) -> tuple[Slice, ...]:
    """Place features one behind the other; each takes its bytes once for every row of its block."""
    slices: list[Slice] = []
    start = 0
    for name, block, width, high, known_to, meaning in features:
        stop = start + width * rows[block]
        slices.append(Slice(name, block, start, stop, high, known_to, meaning))
        start = stop
    return tuple(slices)


def scales(layout: tuple[Slice, ...]) -> np.ndarray:
    """Return what ``flat`` divides each byte by: float32[D]."""
    out = np.empty(layout[-1].stop, np.float32)
    for piece in layout:
        out[piece.start : piece.stop] = piece.high
    return out
