"""The board of Shitennō: eight provinces with their positions, Kamon and tiles, and chips for troops and cards."""

from collections.abc import Sequence

import numpy as np

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.text.render import need, sees
from shogun_env.svg.markup import circle, group, label, path, rect
from shogun_env.svg.style import PLAYER_SHAPES

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
NAMES = [str(province["name"]) for province in board.DATA["provinces"]["list"]]
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


def counter(player: int, x: float, y: float, text: str, scale: float = 1.0, golden: bool = False) -> str:
    """Return the Kamon of a player with a text on it; on its golden side it has a golden rim."""
    rim = "s-gold" if golden else "s-edge"
    shape = path(PLAYER_SHAPES[player], class_=f"f-p{player} {rim}", stroke_width=3.0 if golden else 0.8)
    inside = label(0, 4, text, 11, class_=f"mid bold f-on-p{player}")
    return group(shape, inside, transform=f"translate({x:.1f},{y:.1f}) scale({scale})")


def ground() -> str:
    """Return what never changes: the table, and the provinces with their printed numbers."""
    parts = [rect(0, 0, 1280, 720, class_="f-back"), rect(0, 0, 1280, 462, class_="f-sea")]
    for prov, (x, y) in enumerate(PLACES):
        left, top = x - PANEL[0] / 2, y - PANEL[1] / 2
        parts.append(rect(left, top, *PANEL, rx=14, class_="f-panel s-coast", stroke_width=1.6))
        parts.append(label(left + 14, top + 22, NAMES[prov], 14, class_="bold f-ink"))
        parts.append(label(left + 174, top + 21, "native", 9, class_="end f-dim"))
        parts.append(troop_chip(left + 180, top + 22, int(board.NATIVE[prov])))
        parts.append(label(left + 240, top + 95, f"majority: {board.MAJORITY[prov]} points", 9, class_="end f-dim"))
    return "".join(parts)


def province(g: np.void, prov: int, player: int | None) -> str:
    """Return the positions of a province with their Kamon, the tile on top, and what the next position costs.

    Nobody but the player who pays knows yet for which province they pay.
    """
    left, top = PLACES[prov][0] - PANEL[0] / 2, PLACES[prov][1] - PANEL[1] / 2
    filled, tile = int(g["filled"][prov]), int(g["top"][prov])
    parts = []
    if prov == g["target"] and sees(g, player):
        parts.append(rect(left, top, *PANEL, rx=14, class_="hollow s-mark", stroke_width=4.0))
    for position in range(c.N_POSITIONS):
        x, y, owner = left + 36 + 60 * position, top + 56, int(g["owner"][prov, position])
        rim, width = ("s-mark", 2.2) if position == filled else ("s-rule", 1.2)
        parts.append(circle(x, y, 20, class_=f"f-back {rim}", stroke_width=width))
        if owner == c.NONE:
            ink = "bold f-ink" if position == filled else "f-dim"
            parts.append(label(x, y + 5.5, str(board.NUMBER[prov, position]), 15, class_=f"mid {ink}"))
        else:
            parts.append(counter(owner, x, y, f"P{owner}", 1.15, bool(g["golden"][prov, position])))
    parts.append(label(left + 12, top + 95, "tile on top", 9, class_="f-dim"))
    parts.append(
        troop_chip(left + 66, top + 96, tile)
        if tile != c.NONE
        else label(left + 66, top + 95, "none", 9.5, class_="f-dim")
    )
    if filled < c.N_POSITIONS:
        text = f"next: {board.NUMBER[prov, filled]} Koku, or {need(prov, tile, TROOPS)}".replace("\u00a0", " ")
        parts.append(label(left + 12, top + 113, text, 9.5, class_="f-ink"))
    return "".join(parts)


def cards(x: float, y: float, counts: Sequence[int], width: float) -> tuple[str, float]:
    """Return cards by kind as chips, in rows from (x, y) on, and the baseline of the last row."""
    parts, at, row = [], x, y
    for kind, count in enumerate(counts):
        if not count:
            continue
        needed = card_width(kind, int(count))
        if at + needed > x + width:
            at, row = x, row + 20
        parts.append(card(at, row, kind, int(count)))
        at += needed + 6
    return "".join(parts), row


def card_width(kind: int, count: int) -> float:
    """Return the width of the chips of a kind of card."""
    n_troops = len(_troops(kind)) or 1
    return 50.0 * n_troops + (18 if count > 1 else 0)


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
