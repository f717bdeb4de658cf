"""A throw into the cube tower as a picture whose cubes can be shown one by one.

A record says how many cubes of each colour were thrown and how many lay in the tray afterwards. In which order they
came is not known: they are shown colour by colour, the players' first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shogun_env.svg.markup import group, label, rect

__all__ = ["throw_picture"]

CUBE, STEP, PER_ROW, ROWS, LEFT = 16, 18, 29, 2, 90
"""Size of a cube, distance to the next one, cubes in a row, rows at most, and where they begin."""
HEADING_WIDTH = 300
FARMERS = 5
"""Number of the colour of the farmers."""


def throw_picture(line: Mapping[str, Any], province: str | None) -> dict[str, Any]:
    """Return a throw as JSON values.

    Args: line, of the type ``throw``; province, where the fight is, None for the throw of the set-up.

    Returns: ``ground``, markup of all but the cubes in the tray; ``cubes``, markup of each of these; ``size`` of the
        picture, width and height; ``text``, what it shows.
    """
    n_thrown, n_left = sum(line["thrown"].values()), sum(line["tray"].values())
    why = str(line["why"]).replace("_", " ")
    heading = f"Tower: {why}{f' in {province}' if province else ''}"
    second = 40 + STEP * _rows(n_thrown)
    width = max(
        HEADING_WIDTH, LEFT + STEP * min(PER_ROW, max(n_thrown, n_left)) + 10 + 24 * (n_thrown > ROWS * PER_ROW)
    )
    height = second + STEP * _rows(n_left) + 8
    ground = [
        rect(0, 0, width, height, rx=6, class_="f-panel s-rule"),
        label(10, 18, heading, 12, class_="bold f-ink"),
        label(10, 42, "thrown", 11, class_="f-dim"),
        label(10, second + 14, "in the tray", 11, class_="f-dim"),
        *_cubes(line["thrown"], 28),
    ]
    text = f"{heading}: {n_thrown} cubes thrown, {n_left} in the tray"
    cubes = _cubes(line["tray"], second)
    return {"ground": "".join(ground), "cubes": cubes, "size": (width, height), "text": text}


def _rows(count: int) -> int:
    """Return the number of rows that cubes fill, at least 1."""
    return max(1, min(ROWS, -(-count // PER_ROW)))


def _cubes(counts: Mapping[str, int], top: float) -> list[str]:
    """Return a square with the name of its owner for every cube."""
    owners = [name for name, count in counts.items() for _ in range(count)]
    cubes, most = [], ROWS * PER_ROW
    for index, name in enumerate(owners[:most]):
        x, y = LEFT + STEP * (index % PER_ROW), top + STEP * (index // PER_ROW)
        colour, text = (FARMERS, "F") if name == "farmers" else (int(name), name)
        cubes.append(
            group(
                rect(x, y, CUBE, CUBE, rx=2, class_=f"f-p{colour} s-edge"),
                label(x + CUBE / 2, y + 12, text, 10, class_=f"mid bold f-on-p{colour}"),
            )
        )
    if len(owners) > most:
        cubes.append(label(LEFT + STEP * PER_ROW + 4, top + STEP + 12, f"+{len(owners) - most}", 10, class_="f-ink"))
    return cubes
