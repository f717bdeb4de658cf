"""The map as shapes: outlines of provinces, coasts, borders, sea routes, loaded from ``map.json``.

The shapes are our own. They were computed from the positions, borders and sea routes in ``data.json`` by a script that
the history keeps (``tests/unit/shogun/draw/tessellate.py``); a test compares them with the data.
"""

import json
from importlib import resources
from typing import Any

from shogun_env.shogun import constants as c
from shogun_env.svg.markup import number

MAP: dict[str, Any] = json.loads(resources.files(__package__).joinpath("map.json").read_text("utf-8"))
SEA = -1

Point = tuple[float, float]

LINES: list[tuple[int, int, list[Point]]] = [
    (left, right, list(zip(flat[::2], flat[1::2], strict=True))) for left, right, flat in MAP["lines"]
]
"""Every line of the map with the province to its left and right, or SEA."""
PLACES: list[Point] = [(x, y) for x, y in MAP["labels"]]
"""The middle of what is written in each province."""
ROUTES: list[list[float]] = MAP["routes"]
"""Every sea route: x and y of its start, of the point that bends it, of its end."""


def _d(points: list[Point]) -> str:
    """Return points as the data of a path."""
    return "M" + "L".join(f"{number(x)},{number(y)}" for x, y in points)


def _outline(prov: int) -> str:
    """Return the outline of a province as the data of a closed path."""
    pieces = [points for left, _, points in LINES if left == prov]
    pieces += [points[::-1] for _, right, points in LINES if right == prov]
    ring = pieces.pop(0)
    while ring[-1] != ring[0]:
        following = next(piece for piece in pieces if piece[0] == ring[-1])
        pieces.remove(following)
        ring = ring + following[1:]
    return _d(ring) + "Z"


OUTLINES = [_outline(prov) for prov in range(c.N_PROVINCES)]
"""The outline of every province as the data of a path."""
COAST = "".join(_d(points) for left, right, points in LINES if SEA in (left, right))
BORDERS = [(left, right, _d(points)) for left, right, points in LINES if SEA not in (left, right)]
"""Every border on land: the two provinces, the data of a path."""
