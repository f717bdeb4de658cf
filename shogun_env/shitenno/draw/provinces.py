"""The board of Shitennō: eight provinces with their positions, Kamon and tiles, and chips for troops and cards."""

from collections.abc import Sequence

import numpy as np

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.text.names import PROVINCES_IN_ORDER
from shogun_env.shitenno.text.render import need, sees
from shogun_env.svg.markup import circle, group, label, rect
from shogun_env.svg.style import around, counter

PANEL = (252, 122)
"""Width and height of a province."""
SCALE, ORIGIN = (1050.0, 950.0), (14.0, 12.0)
"""A centre (x, y) of the data is drawn at ORIGIN + SCALE * (x, y)."""
PLACES = [
    (
        ORIGIN[0] + SCALE[0] * province["drawing_centre_x_in_board_widths"],
        ORIGIN[1] + SCALE[1] * province["drawing_centre_y_in_board_widths"],
    )
    for province in board.DATA["provinces"]["list"]
]
TROOPS = [str(board.DATA["troop_types"]["names"][name]) for name in board.TROOP_NAMES]
"""Troop types by their display names."""


def chip(x: float, y: float, text: str, colour: str, width: float) -> str:
    """Return a small card with a word; y is the baseline of the word."""
    return rect(x, y - 11, width, 15, rx=3, class_=f"f-{colour} s-border", stroke_width=0.6) + label(
        x + width / 2, y, text, 9.5, class_=f"mid bold f-on-{colour}"
    )


def troop_chip(x: float, y: float, troop: int) -> str:
    """Return the chip of a troop type, 58 wide."""
    return chip(x, y, TROOPS[troop], f"troop-{board.TROOP_NAMES[troop]}", 58)


def ground() -> str:
    """Return what never changes: the table, and the provinces with their printed numbers."""
    parts = [rect(0, 0, 1280, 720, class_="f-back"), rect(0, 0, 1280, 462, class_="f-sea")]
    for prov, name in enumerate(PROVINCES_IN_ORDER):
        words = label(48, -40, "native", 9, class_="end f-dim")
        words += label(114, 34, f"majority: {board.MAJORITY[prov]} points", 9, class_="end f-dim")
        title = label(-112, -39, name, 14, class_="bold f-ink name")
        native = group(troop_chip(54, -39, int(board.NATIVE[prov])), class_="native")
        parts.append(around(PLACES[prov], _panel("f-panel s-coast", 1.6), title, native, group(words, class_="small")))
    return "".join(parts)


def _panel(colours: str, width: float) -> str:
    """Return the outline of a province around its middle."""
    return rect(-PANEL[0] / 2, -PANEL[1] / 2, *PANEL, rx=14, class_=f"panel {colours}", stroke_width=width)


def province(g: np.void, prov: int, player: int | None) -> str:
    """Return the positions of a province with their Kamon, the tile on top, and what the next position costs.

    Nobody but the player who pays knows yet for which province they pay.
    """
    filled, tile = int(g["filled"][prov]), int(g["top"][prov])
    parts, positions = [], []
    if prov == g["target"] and sees(g, player):
        parts.append(_panel("hollow s-mark", 4.0))
    for position in range(c.N_POSITIONS):
        owner, is_next = int(g["owner"][prov, position]), position == filled
        rim, width, ink = ("s-mark", 2.2, "bold f-ink") if is_next else ("s-rule", 1.2, "f-dim")
        inside = (
            label(0, 5.5, str(board.NUMBER[prov, position]), 15, class_=f"mid {ink}")
            if owner == c.NONE
            else counter(owner, 0, 0, f"P{owner}", 1.15, bool(g["golden"][prov, position]))
        )
        place = circle(0, 0, 20, class_=f"f-back {rim}", stroke_width=width)
        positions.append(group(place, inside, class_="position", transform=f"translate({60 * position - 90},-5)"))
    top = troop_chip(-60, 35, tile) if tile != c.NONE else label(-60, 34, "none", 9.5, class_="f-dim")
    parts += [group(*positions), label(-114, 34, "tile on top", 9, class_="f-dim small"), group(top, class_="tile")]
    if filled < c.N_POSITIONS:
        text = f"next: {board.NUMBER[prov, filled]} Koku, or {need(prov, tile, TROOPS)}".replace("\u00a0", " ")
        parts.append(label(-114, 52, text, 9.5, class_="f-ink small"))
    return around(PLACES[prov], *parts)


def cards(x: float, y: float, counts: Sequence[int], width: float) -> tuple[str, float]:
    """Return cards by kind as chips, in rows from (x, y) on, and the baseline of the last row."""
    parts, at, row = [], x, y
    for kind, count in enumerate(counts):
        if not count:
            continue
        needed = 50.0 * (len(_troops(kind)) or 1) + (18 if count > 1 else 0)
        if at + needed > x + width:
            at, row = x, row + 20
        parts.append(card(at, row, kind, int(count)))
        at += needed + 6
    return "".join(parts), row


def _troops(kind: int) -> list[int]:
    """Return the troop types on a kind of card, none for Koku."""
    return [board.TROOP_NAMES.index(name) for name in board.DATA["card_kinds"]["order"][kind]["troops"]]


def card(x: float, y: float, kind: int, count: int) -> str:
    """Return a kind of card, with how many there are."""
    parts = []
    if count > 1:
        parts.append(label(x + 14, y, f"{count}×", 10, class_="end bold f-ink"))
        x += 18
    troops = _troops(kind)
    if not troops:
        return "".join(parts) + chip(x, y, f"{board.KOKU_VALUE[kind]} Koku", "gold", 50)
    for index, troop in enumerate(troops):
        parts.append(chip(x + 50 * index, y, TROOPS[troop], f"troop-{board.TROOP_NAMES[troop]}", 50))
    return "".join(parts)
