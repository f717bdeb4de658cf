"""The map of Shogun: what is printed on it, and what lies on its provinces."""

from functools import cache
from typing import Any

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.draw import geometry
from shogun_env.svg.markup import circle, group, label, number, path, rect, tag
from shogun_env.svg.style import around, counter

ICONS = (
    "M1 11V4H0V1H2V2.5H4V1H7V2.5H9V1H11V4H10V11H7V8Q5.5 6.5 4 8V11Z",  # a castle: a tower with battlements
    "M5.5 0L11 3.5V5H0V3.5ZM2 5H9V7H2ZM0 7H11V8.5H0ZM2 8.5H9V11H2Z",  # a temple: two roofs
    "M1 1Q5.5-.5 10 1V5Q10 9.5 5.5 11Q1 9.5 1 5ZM2.8 3.6H4.8V5H2.8ZM6.2 3.6H8.2V5H6.2ZM3.6 7H7.4L5.5 8.6Z",  # a mask
)
"""Signs of castle, temple and Noh theatre, 11 by 11."""
COIN_AND_EAR = ("M0-3.6A3.6 3.6 0 1 1-.1-3.6Z", "M0-4.6Q4 0 0 4.2Q-4 0 0-4.6Z")
FLAME = "M0-6.5L6.5 5H-6.5Z"
ASIDE = {"Awa-Shikoku": 6}
"""How far names stand to the right of the middle, which would run into the name of a neighbour."""
LOW = ("Awa-Shikoku", "Bitchu", "Echizen", "Harima", "Mikawa", "Musashi", "Shimotsuke", "Suruga")
"""Names that a phone, where the map is narrow, writes below the counter, away from those of neighbours."""
SITE = 12.5
"""Distance of two building sites."""


def sign(d: str, x: float, y: float, colour: str, scale: float | None = None) -> str:
    """Return a sign at a place."""
    size = "" if scale is None else f" scale({scale})"
    return path(d, transform=f"translate({x:.1f},{y:.1f}){size}", class_=f"f-{colour}", fill_rule="evenodd")


# --- what is printed -------------------------------------------------------------------------------------------------


def ground(g: np.void) -> str:
    """Return sea, routes, land by region, borders and coast."""
    in_play = board.IN_PLAY[g["side"], g["n_players"]]
    regions = board.REGION[g["side"]]
    kinds = [f"region-{board.REGION_NAMES[regions[p]]}" if in_play[p] else "none" for p in range(c.N_PROVINCES)]
    routes = "".join(f"M{x},{y}Q{bx},{by} {tx},{ty}" for x, y, bx, by, tx, ty in geometry.ROUTES)
    inner = "".join(d for one, other, d in geometry.BORDERS if regions[one] == regions[other])
    outer = "".join(d for one, other, d in geometry.BORDERS if regions[one] != regions[other])
    return (
        rect(0, 0, 1280, 720, class_="f-back")
        + rect(0, 0, 1280, 548, class_="f-sea")
        + path(routes, class_="hollow s-route", stroke_width=2.5, stroke_dasharray="2 6", stroke_linecap="round")
        + "".join(tag("use", href=f"#outline{prov}", class_=f"f-{kind}") for prov, kind in enumerate(kinds))
        + path(inner, class_="hollow s-border", stroke_width=0.9)
        + path(outer, class_="hollow s-edge", stroke_width=2.4, stroke_linejoin="round")
        + path(geometry.COAST, class_="hollow s-coast", stroke_width=1.8, stroke_linejoin="round")
    )


@cache
def clips() -> str:
    """Return the outlines that keep the band of an owner's colour inside the province, and what is drawn often."""
    coin, ear = COIN_AND_EAR
    site = path("M0-6H12V7H0Z", id="site", class_="f-site s-border", stroke_width=0.7, opacity=0.85)
    signs = group(sign(coin, -27, 19.5, "gold"), id="coin") + group(sign(ear, -8, 19.5, "grain"), id="ear")
    outlines = [path(d, id=f"outline{prov}") for prov, d in enumerate(geometry.OUTLINES)]
    clip_paths = [
        tag("clipPath", tag("use", href=f"#outline{prov}"), id=f"clip{prov}") for prov in range(c.N_PROVINCES)
    ]
    return tag("defs", *outlines, *clip_paths, site, signs)


def printed(g: np.void) -> str:
    """Return names, taxes and rice of all provinces in play."""
    in_play = board.IN_PLAY[g["side"], g["n_players"]]
    return "".join(_printed(prov) if in_play[prov] else _out_of_play(prov) for prov in range(c.N_PROVINCES))


@cache
def _printed(prov: int) -> str:
    name = board.PROVINCE_NAMES[prov]
    return around(
        geometry.PLACES[prov],
        label(ASIDE.get(name, 0), -13, name, 10, class_=f"mid bold f-ink halo s-halo{' low' * (name in LOW)}"),
        group(
            tag("use", href="#coin"),
            label(-21, 23, str(board.TAX[prov]), 10, class_="f-ink halo s-halo"),
            tag("use", href="#ear"),
            label(-3, 23, str(board.RICE[prov]), 10, class_="f-ink halo s-halo"),
            class_="small",
        ),
    )


def _out_of_play(prov: int) -> str:
    name = label(0, -4, board.PROVINCE_NAMES[prov], 10, class_="mid f-dim")
    note = label(0, 8, "not in play", 8, class_="mid secret f-dim")
    return group(around(geometry.PLACES[prov], name, note), class_="small")


# --- what lies on a province -----------------------------------------------------------------------------------------


def province(g: np.void, prov: int) -> str:
    """Return owner, armies, buildings, free sites, revolt markers, and marks of what happens."""
    if not board.IN_PLAY[g["side"], g["n_players"], prov]:
        return ""
    owner, n_sites = int(g["owner"][prov]), int(board.SITES[prov])
    built = [kind for kind in range(c.N_KINDS) if g["building"][kind, prov]]
    army, sites = [], []
    if g["gained"][prov] and g["phase"] > c.DRAFT_GROUP:
        army.append(circle(-21, 1, 14.5, class_="hollow s-mark", stroke_width=1.4, stroke_dasharray="3 2"))
    if owner != c.NONE:
        army.append(counter(owner, -21, 1, str(g["armies"][prov])))
    for site in range(max(n_sites, len(built))):
        left, is_built = -5 + site * SITE, site < len(built)
        sites.append(tag("use", href="#site", x=number(left), class_=None if is_built else "small"))
        sites += [sign(ICONS[built[site]], left + 0.5, -5, "ink")] if is_built else []
    parts = [group(*army, class_="army") if army else "", group(*sites, class_="sites") if sites else ""]
    if g["revolts"][prov]:
        parts += [sign(FLAME, 17, 18.5, "alarm"), label(25, 23, str(g["revolts"][prov]), 10, class_="bold f-ink")]
    return _band(g, prov, owner) + around(geometry.PLACES[prov], *parts)


def _outline(prov: int, **attributes: Any) -> str:
    return tag("use", href=f"#outline{prov}", **attributes)


def _band(g: np.void, prov: int, owner: int) -> str:
    """Return a band of the owner's colour along the borders, and a ring if something happens to the province."""
    lines = []
    if owner != c.NONE:  # with a dark rim, as P4 is yellow, and so is a region
        lines += [_outline(prov, class_="rim s-edge"), _outline(prov, class_=f"band s-p{owner}")]
    if prov in (g["source"], g["target"]) or prov in g["drawn"]:
        lines.append(_outline(prov, class_="hollow s-mark", stroke_width=4.0, stroke_dasharray="7 4"))
    return group(*lines, clip_path=f"url(#clip{prov})") if lines else ""  # only the inside is drawn


def arrow(g: np.void) -> str:
    """Return the arrow of the move that is decided."""
    if c.NONE in (g["source"], g["target"]):
        return ""
    (x, y), (to_x, to_y) = geometry.PLACES[g["source"]], geometry.PLACES[g["target"]]
    return path(arrow_shape(x, y, to_x, to_y), class_="f-mark s-panel", stroke_width=1.0, opacity=0.85)


def arrow_shape(x: float, y: float, to_x: float, to_y: float) -> str:
    """Return an arrow between two places as the data of a path."""
    length = float(np.hypot(to_x - x, to_y - y)) or 1.0
    ux, uy = (to_x - x) / length, (to_y - y) / length

    def at(along: float, across: float) -> str:
        return f"{x + along * ux - across * uy:.1f},{y + along * uy + across * ux:.1f}"

    tip, neck = length - 14, length - 26
    points = [at(14, -2), at(neck, -3), at(neck, -8), at(tip, 0), at(neck, 8), at(neck, 3), at(14, 2)]
    return f"M{'L'.join(points)}Z"
