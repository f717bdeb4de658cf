"""A throw into the cube tower as a picture whose cubes come one by one; with what was before a fight, and after it.

A record says how many cubes of each colour were thrown and how many lay in the tray afterwards. In which order they
came is not known: they are shown colour by colour, the players' first.
"""

from collections.abc import Mapping
from typing import Any

from shogun_env.spec.pages import FARMERS, Fight
from shogun_env.svg.markup import label, path, rect
from shogun_env.svg.style import PLAYER_SHAPES

SCALE, STEP, PER_ROW, ROWS, LEFT = 0.62, 18, 29, 2, 98
"""Size of a cube next to a counter, distance to the next one, cubes in a row, rows at most, and middle of the first."""
TOP, GAP = 28, 4
"""Where the first row begins, and the distance between rows of different kinds."""
HEADING_WIDTH = 300
FARMERS_COLOUR = 5
"""Number of the colour of the farmers."""


def fight_picture(fight: Fight) -> dict[str, Any]:
    """Return a throw as JSON values.

    Returns: ``ground``, markup of the forces before the throw and of what is thrown; ``cubes``, markup of each of those
        in the tray; ``after``, markup of who holds the province then; ``size`` of the picture, width and height;
        ``text``, what it shows.
    """
    heading = f"Tower: {fight.why}{f' in {fight.province}' if fight.province else ''}"
    sides = [(_role(colour, at, fight.why), {colour: count}) for at, (colour, count) in enumerate(fight.sides)]
    rows: list[tuple[str, Mapping[str, int]]] = [*sides, ("thrown", fight.thrown)]
    most = max(sum(cubes.values()) for _, cubes in [*rows, ("", fight.tray)])
    parts, top = [], TOP
    for name, cubes in rows:
        parts += [_name(name, top), *_cubes(cubes, top)]
        top = _below(top, cubes)
    parts.append(_name("in the tray", top, data_word="tray"))
    tray, top = _cubes(fight.tray, top), _below(top, fight.tray)
    after, text = "", f"{heading}: {sum(fight.thrown.values())} cubes thrown, {sum(fight.tray.values())} in the tray"
    if fight.province:
        parts.append(_name("afterwards", top))
        held = {fight.holder: fight.remaining} if fight.holder else {}
        after = "".join(_cubes(held, top)) or label(LEFT, top + 12, "neutral, no armies", 11, class_="f-ink")
        text += f"; {_who(fight.holder)} holds it with {fight.remaining}" if fight.holder else "; neutral afterwards"
        top = _below(top, held)
    width = max(HEADING_WIDTH, LEFT + STEP * min(PER_ROW, most) + 10 + 24 * (most > ROWS * PER_ROW))
    ground = rect(0, 0, width, top + 4, rx=6, class_="f-panel s-rule") + label(10, 18, heading, 12, class_="bold f-ink")
    return {"ground": ground + "".join(parts), "cubes": tray, "after": after, "size": (width, top + 4), "text": text}


def _who(colour: str) -> str:
    return colour if colour == FARMERS else f"P{colour}"


def _role(colour: str, at: int, why: str) -> str:
    """Return what a side does: the first attacks."""
    verb = "defends" if at else "attacks" if why == "battle" else "revolts"
    return FARMERS if colour == FARMERS else f"{_who(colour)} {verb}"


def _name(name: str, top: float, **attributes: str) -> str:
    """Return the name of a row."""
    return label(10, top + 12, name, 11, class_="f-dim", **attributes)


def _below(top: int, cubes: Mapping[str, int]) -> int:
    """Return where the row after one with these cubes begins."""
    return top + STEP * max(1, min(ROWS, -(-sum(cubes.values()) // PER_ROW))) + GAP


def _cubes(counts: Mapping[str, int], top: float) -> list[str]:
    """Return for every cube the shape of its owner, in their colour, as the counters on the board have it."""
    owners = [name for name, count in counts.items() for _ in range(count)]
    cubes, most = [], ROWS * PER_ROW
    for index, name in enumerate(owners[:most]):
        x, y = LEFT + STEP * (index % PER_ROW), top + STEP * (index // PER_ROW)
        colour = FARMERS_COLOUR if name == FARMERS else int(name)
        place = f"translate({x},{y + STEP / 2 - 1:g}) scale({SCALE})"
        cubes.append(path(PLAYER_SHAPES[colour], transform=place, class_=f"f-p{colour} s-edge"))
    if len(owners) > most:
        cubes.append(label(LEFT + STEP * PER_ROW + 4, top + STEP + 12, f"+{len(owners) - most}", 10, class_="f-ink"))
    return cubes
