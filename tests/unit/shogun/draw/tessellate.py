"""Make ``map.json``, the drawn map of Shogun, from the positions, borders and sea routes in ``data.json``.

``python -m tests.unit.shogun.draw.tessellate`` writes the file; a test compares it with the data. The shapes are our
own: a province is the land nearest to its centre and to the inner halves of the lines to its neighbours, so that
provinces touch where a border is printed. Where others would touch, there is water between them. The coast keeps a
distance from those lines. All lengths are in pixels of a drawing 1280 wide.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.shogun.board import DATA, PROVINCE_NAMES
from shogun_env.shogun.draw import geometry

WIDTH, HEIGHT, STEP = 1280, 545, 2
SCALE, ORIGIN = (1270.0, 1430.0), (10.0, 16.0)
"""A position (x, y) of the data is drawn at ORIGIN + SCALE * (x, y)."""
ROOM, STRETCH, MARGIN = 90.0, (1.0, 1.25), (48.0, 46.0)
"""Least distance of two centres, heights counting more; least distance from the edges of the drawing."""
SEA = -1
COAST_OF_CENTRE, COAST_OF_BORDER = 43.0, 25.0
"""How far the land reaches from the centre of a province, and from the line between two centres."""
PENALTY = 17.0
"""How much farther than its centre the lines of a province count."""
CHANNEL = 11.0
"""Width of the water between provinces without a border."""
LABEL = (33.0, 25.0)
"""Half the width and height of what is written in a province."""
ROUTE_BENDS = (0, 30, -30, 60, -60, 90, -90, 120, -120, 150, -150)

Array = np.ndarray
Lines = list[tuple[int, int]]


def centres() -> Array:
    """Return the centres of the provinces, pushed apart where there is too little room: float64[45, 2]."""
    places = np.array([(p["x"], p["y"]) for p in DATA["provinces"]]) * SCALE + ORIGIN
    for _ in range(200):
        ways = places[:, None] - places
        away = np.hypot(*np.moveaxis(ways * STRETCH, -1, 0)) + 1e3 * np.eye(len(places))
        push = np.maximum(ROOM - away, 0) / away
        places = places + 0.05 * (ways * push[..., None]).sum(1)
        places = np.clip(places, MARGIN, (WIDTH - MARGIN[0], HEIGHT - MARGIN[1]))
    return places


def pairs(name: str) -> Lines:
    """Return the pairs of provinces in a list of the data."""
    return [(PROVINCE_NAMES.index(one), PROVINCE_NAMES.index(other)) for one, other in DATA[name]]


def _grid() -> Array:
    """Return the centres of the cells: float64[rows, columns, 2]."""
    y, x = np.mgrid[STEP / 2 : HEIGHT : STEP, STEP / 2 : WIDTH : STEP]
    return np.stack([x, y], -1)


def _warped(cells: Array) -> Array:
    """Return points moved a little by waves, which makes borders and coasts look drawn by hand."""
    x, y = cells[..., 0], cells[..., 1]
    dx = 3.4 * np.sin(y / 17 + 0.8 * np.sin(x / 41)) + 1.5 * np.sin(y / 6.1 + x / 23)
    dy = 3.4 * np.sin(x / 15 + 0.9 * np.sin(y / 37)) + 1.5 * np.sin(x / 6.7 - y / 19)
    return cells + np.stack([dx, dy], -1)


def _to_segment(cells: Array, start: Array, end: Array) -> Array:
    """Return the distance of every cell from a line segment."""
    along = np.clip(((cells - start) @ (end - start)) / ((end - start) @ (end - start)), 0, 1)
    distance: Array = np.hypot(*np.moveaxis(cells - start - along[..., None] * (end - start), -1, 0))
    return distance


def _inside(cells: Array, corners: Array) -> Array:
    """Say which cells are inside a triangle."""
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, 0), strict=True):
        edge, to = end - start, cells - start
        sides.append(edge[0] * to[..., 1] - edge[1] * to[..., 0] >= 0)
    inside: Array = np.all(sides, 0) | ~np.any(sides, 0)
    return inside


def label_cells() -> Array:
    """Return the province of every cell, SEA for water: int64[rows, columns]."""
    cells, places, borders = _warped(_grid()), centres(), pairs("land_borders")
    distance = np.stack([np.hypot(*np.moveaxis(cells - place, -1, 0)) for place in places])
    land = distance.min(0) < COAST_OF_CENTRE
    neighbours: dict[int, set[int]] = defaultdict(set)
    for one, other in borders:
        neighbours[one].add(other)
        neighbours[other].add(one)
        middle = (places[one] + places[other]) / 2
        for prov in (one, other):
            near = _to_segment(cells, places[prov], middle)
            land |= near < COAST_OF_BORDER
            distance[prov] = np.minimum(distance[prov], near + PENALTY)
    for one, other in borders:
        for third in neighbours[one] & neighbours[other]:
            land |= _inside(cells, places[[one, other, third]])
    first, second = np.argsort(distance, 0)[:2]
    gap = np.take_along_axis(distance, second[None], 0)[0] - np.take_along_axis(distance, first[None], 0)[0]
    apart = np.array([[b not in neighbours[a] and a != b for b in range(len(places))] for a in range(len(places))])
    return _largest_parts(np.where(land & ~(apart[first, second] & (gap < CHANNEL)), first, SEA))


def _largest_parts(labels: Array) -> Array:
    """Leave of every province only the cells that hang together with its largest part."""
    kept = np.full_like(labels, SEA)
    for prov in range(len(PROVINCE_NAMES)):
        rest = {(int(y), int(x)) for y, x in zip(*np.nonzero(labels == prov), strict=True)}
        best: set[tuple[int, int]] = set()
        while rest:
            part, edge = set(), [rest.pop()]
            while edge:
                y, x = edge.pop()
                part.add((y, x))
                for cell in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                    if cell in rest:
                        rest.discard(cell)
                        edge.append(cell)
            best = max(best, part, key=len)
        kept[tuple(np.array(sorted(best)).T)] = prov
    return kept


# --- lines -----------------------------------------------------------------------------------------------------------


def trace(labels: Array) -> list[tuple[int, int, Array]]:
    """Return the lines between provinces, or province and sea: left, right, and the points, float64[n, 2]."""
    padded = np.pad(labels, 1, constant_values=SEA)
    steps: dict[tuple[int, int], list[tuple[tuple[int, int], int, int]]] = defaultdict(list)
    for y in range(padded.shape[0] - 1):
        for x in range(padded.shape[1] - 1):
            here, right, below = int(padded[y, x]), int(padded[y, x + 1]), int(padded[y + 1, x])
            if here != right:
                _join(steps, (y - 1, x), (y, x), right, here)
            if here != below:
                _join(steps, (y, x - 1), (y, x), here, below)
    junctions = sorted(corner for corner, ways in steps.items() if len(ways) != 2)
    lines: list[tuple[int, int, Array]] = []
    walked: set[Any] = set()
    for corner in [*junctions, *sorted(steps)]:
        for to, left, right in steps[corner]:
            if (corner, to) not in walked:
                path = _walk(steps, corner, to, set(junctions), walked)
                points = np.array(path, float)[:, ::-1] * STEP
                lines.append((left, right, _smooth(points)))
    return lines


def _join(steps: Any, start: tuple[int, int], end: tuple[int, int], left: int, right: int) -> None:
    """Note a step between two corners, both ways, with what lies to the left and right of it."""
    steps[start].append((end, left, right))
    steps[end].append((start, right, left))


def _walk(steps: Any, corner: Any, to: Any, junctions: set[Any], walked: set[Any]) -> list[tuple[int, int]]:
    """Return the corners of a line from a step on, up to a junction or back to its beginning."""
    path = [corner, to]
    walked |= {(corner, to), (to, corner)}
    while path[-1] not in junctions and path[-1] != path[0]:
        following = next((end for end, _, _ in steps[path[-1]] if (path[-1], end) not in walked), None)
        if following is None:
            break
        walked |= {(path[-1], following), (following, path[-1])}
        path.append(following)
    return path


def _smooth(points: Array) -> Array:
    """Return a line without the stairs of the grid, and with few points; its ends stay."""
    for _ in range(6):
        inner = (points[:-2] + 2 * points[1:-1] + points[2:]) / 4
        points = np.vstack([points[:1], inner, points[-1:]])
    return np.round(_thinned(points, 0.55), 1)


def _thinned(points: Array, tolerance: float) -> Array:
    """Return the points of a line that no straight line replaces (Ramer, Douglas and Peucker)."""
    if len(points) < 3:
        return points
    if np.allclose(points[0], points[-1]):
        away = np.hypot(*(points - points[0]).T)
    else:
        away = _to_segment(points, points[0], points[-1])
    far = int(away[1:-1].argmax()) + 1
    if away[far] <= tolerance:
        return points[[0, -1]]
    return np.vstack([_thinned(points[: far + 1], tolerance)[:-1], _thinned(points[far:], tolerance)])


# --- places of labels and sea routes ---------------------------------------------------------------------------------


def label_places(labels: Array) -> list[list[float]]:
    """Return for every province the point with most room around it for what is written there."""
    cells, places = _grid(), []
    padded = np.pad(labels, 1, constant_values=SEA)
    for prov in range(len(PROVINCE_NAMES)):
        inside = labels == prov
        edges = [padded[1 + dy :, 1 + dx :][: labels.shape[0], : labels.shape[1]] for dy, dx in _SIDES]
        rim = cells[inside & np.any([edge != prov for edge in edges], 0)]
        own = cells[inside]
        room = np.max(np.abs(own[:, None] - rim) / LABEL, -1).min(1)
        away = np.hypot(*(own - centres()[prov]).T)
        places.append([round(float(value), 1) for value in own[(np.minimum(room, 1.1) - away / 400).argmax()]])
    return places


_SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))


def route_curves(labels: Array, places: list[list[float]]) -> list[list[float]]:
    """Return for every sea route its two ends and the point that bends it, so that it crosses little other land."""
    curves = []
    for one, other in pairs("sea_routes"):
        start, end = np.array(places[one]), np.array(places[other])
        across = np.array([end[1] - start[1], start[0] - end[0]]) / np.hypot(*(end - start))
        bends = [(start + end) / 2 + bend * across for bend in ROUTE_BENDS]
        best = min(bends, key=lambda bend: _land_crossed(labels, start, bend, end, (one, other)))
        curves.append([round(float(value), 1) for value in (*start, *best, *end)])
    return curves


def _land_crossed(labels: Array, start: Array, bend: Array, end: Array, own: tuple[int, int]) -> int:
    """Return how many of the points of a curve are on land of other provinces."""
    at = np.linspace(0, 1, 80)[:, None]
    points = ((1 - at) ** 2 * start + 2 * at * (1 - at) * bend + at**2 * end) / STEP
    x, y = points[:, 0].astype(int), points[:, 1].astype(int)
    if (x < 0).any() or (y < 0).any() or (x >= labels.shape[1]).any() or (y >= labels.shape[0]).any():
        return len(at)
    return int((~np.isin(labels[y, x], (SEA, *own))).sum())


def make_map() -> dict[str, Any]:
    """Return the map as numbers for JSON."""
    labels = label_cells()
    places = label_places(labels)
    lines = [[left, right, points.ravel().tolist()] for left, right, points in trace(labels)]
    return {
        "about": "made by python -m tests.unit.shogun.draw.tessellate; lines: left, right (-1 the sea), x, y, x, y ...",
        "size": [WIDTH, HEIGHT],
        "lines": lines,
        "labels": places,
        "routes": route_curves(labels, places),
    }


def map_text() -> str:
    """Return ``map.json`` as text, with one line per line of the map."""
    parts = []
    for name, value in make_map().items():
        rows = ",\n  ".join(json.dumps(row) for row in value) if name in ("lines", "labels", "routes") else None
        parts.append(f' "{name}": {json.dumps(value)}' if rows is None else f' "{name}": [\n  {rows}\n ]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    Path(geometry.__file__).with_name("map.json").write_text(map_text(), "utf-8")
