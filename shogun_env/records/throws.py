"""A throw into the cube tower as a picture whose cubes can be shown one by one.

A record says how many cubes of each colour were thrown and how many lay in the tray afterwards. In which order they
came is not known: they are shown colour by colour, the players' first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shogun_env.svg.markup import group, label, rect

__all__ = ["HEIGHT", "WIDTH", "throw_picture"]

WIDTH = 640
"""Width of the picture."""
CUBE, STEP, PER_ROW, ROWS, LEFT = 16, 18, 29, 2, 90
HEIGHT = 118
"""Height of the picture: two rows of cubes that were thrown, and two of those in the tray."""
FARMERS = 5
"""Number of the colour of the farmers."""


def throw_picture(line: Mapping[str, Any], province: str | None) -> dict[str, Any]:
    """Return a throw as JSON values: ``ground``, markup of all but the cubes in the tray, and ``cubes``, one each.

    Args: line, of the type ``throw``; province, where the fight is, None for the throw of the set-up.
    """
    why = str(line["why"]).replace("_", " ")
    n_thrown, n_left = sum(line["thrown"].values()), sum(line["tray"].values())
    heading = f"Tower: {why}{f' in {province}' if province else ''}"
    ground = [
        rect(0, 0, WIDTH, HEIGHT, rx=6, class_="f-panel s-rule"),
        label(10, 18, heading, 12, class_="bold f-ink"),
        label(10, 42, "thrown", 11, class_="f-dim"),
        label(10, 90, "in the tray", 11, class_="f-dim"),
        *_cubes(line["thrown"], 28),
    ]
    text = f"{heading}: {n_thrown} cubes thrown, {n_left} in the tray"
    return {"ground": "".join(ground), "cubes": _cubes(line["tray"], 76), "text": text}


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
