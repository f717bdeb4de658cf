"""Colours of the drawings, on light and on dark ground, the style sheets made of them, and the counters of the players.

Player colours are based on those of Okabe and Ito; players also differ by the shape of their counters. The colours of
the regions are our own. A test computes that colour-blind people (protan, deutan, tritan) can tell both kinds apart.
"""

from shogun_env.svg.markup import group, label, number, path

THEMES = ("auto", "light", "dark")
"""``auto`` follows what the reader's system prefers."""

COLOURS = {
    # name: on light ground, on dark ground
    "back": ("#fbfaf6", "#15171a"),
    "panel": ("#ffffff", "#1f2226"),
    "sea": ("#dbe8ef", "#1b2731"),
    "ink": ("#1d1c19", "#f0ede4"),
    "dim": ("#5d594f", "#a9a496"),
    "rule": ("#c9c3b4", "#3d4046"),
    "coast": ("#4a5a66", "#7d93a3"),
    "route": ("#38678a", "#86b4d6"),
    "border": ("#6b6252", "#0f1113"),
    "edge": ("#26231d", "#000000"),
    "none": ("#e4e1d8", "#33363a"),
    "back-of-card": ("#8a8373", "#8d949e"),
    "gold": ("#d9a400", "#e0b63a"),
    "grain": ("#7d8f2a", "#b8c95e"),
    "alarm": ("#b3001b", "#ff6b6b"),
    "on-alarm": ("#ffffff", "#1d0a0a"),
    "mark": ("#b3001b", "#ff8f5a"),
    "halo": ("#ffffff", "#000000"),
    "site": ("#ffffff", "#101214"),
    "region-brown": ("#c7a579", "#523220"),
    "region-green": ("#c7f5ca", "#26773e"),
    "region-purple": ("#b6acf5", "#2f2461"),
    "region-red": ("#ee95b7", "#8f4a63"),
    "region-yellow": ("#fcf396", "#75721c"),
    "p0": ("#0072b2", "#4aa8e0"),
    "p1": ("#d55e00", "#f08a3c"),
    "p2": ("#2b2b2b", "#e6e6e6"),
    "p3": ("#c04f92", "#e59cc6"),
    "p4": ("#f0e442", "#f0e442"),
    "p5": ("#009e73", "#35c79c"),
    "on-p0": ("#ffffff", "#10131a"),
    "on-p1": ("#ffffff", "#10131a"),
    "on-p2": ("#ffffff", "#10131a"),
    "on-p3": ("#ffffff", "#10131a"),
    "on-p4": ("#1d1c19", "#10131a"),
    "on-gold": ("#1d1c19", "#10131a"),
    "troop-bushi": ("#2f6fb5", "#7db4ec"),
    "troop-samurai": ("#2c7a45", "#7fd394"),
    "troop-shinobi": ("#33322f", "#c9c6bd"),
    "troop-sohei": ("#f0a04b", "#e8913a"),
    "on-troop-bushi": ("#ffffff", "#10131a"),
    "on-troop-samurai": ("#ffffff", "#10131a"),
    "on-troop-shinobi": ("#ffffff", "#10131a"),
    "on-troop-sohei": ("#1d1c19", "#10131a"),
    "on-p5": ("#ffffff", "#10131a"),
}
"""Each gives two classes: ``f-NAME`` fills, ``s-NAME`` strokes. ``p5`` are the farmers of Shogun."""

PLAYER_SHAPES = (
    "M0-11.5A11.5 11.5 0 1 1-.1-11.5Z",
    "M-10.5-9Q-10.5-10.5-9-10.5H9Q10.5-10.5 10.5-9V9Q10.5 10.5 9 10.5H-9Q-10.5 10.5-10.5 9Z",
    "M0-12.5L12.5 0L0 12.5L-12.5 0Z",
    "M-6.5-11H6.5L13 0L6.5 11H-6.5L-13 0Z",
    "M-11-10.5H11V1Q11 9 0 13Q-11 9-11 1Z",
    "M-11 9.5L-7-10H7L11 9.5Z",
)
"""Outlines of the counters of players 0 to 4 and of the farmers, around (0, 0)."""


def counter(player: int, x: float, y: float, text: str, scale: float = 1.0, golden: bool = False) -> str:
    """Return the counter of a player, or of the farmers, with a text on it; on its golden side it has a golden rim."""
    rim, width = ("s-gold", 3.0) if golden else ("s-edge", 0.8)
    shape = path(PLAYER_SHAPES[player], class_=f"f-p{player} {rim}", stroke_width=width)
    inside = label(0, 4, text, 11 if len(text) < 3 else 9, class_=f"mid bold f-on-p{player}")
    return group(shape, inside, transform=f"translate({x:.1f},{y:.1f}) scale({scale})")


def around(place: tuple[float, float], *parts: str) -> str:
    """Return what is drawn of a province, in units from its middle: a phone makes it larger, or arranges it anew."""
    x, y = place
    return group(group(*parts, class_="at"), transform=f"translate({number(x)},{number(y)})")


BASE = (
    ".shogun-env{font-family:'DejaVu Sans',Verdana,system-ui,sans-serif}"
    ".shogun-env .mid{text-anchor:middle}.shogun-env .end{text-anchor:end}"
    ".shogun-env .band{fill:none;stroke-width:7}.shogun-env .rim{fill:none;stroke-width:9}"
    ".shogun-env .bold{font-weight:bold}.shogun-env .secret{font-style:italic}.shogun-env .hollow{fill:none}"
    ".shogun-env .halo{paint-order:stroke;stroke-width:2.2;stroke-opacity:.55;stroke-linejoin:round}"
)


def style_sheet(theme: str = "auto") -> str:
    """Return the rules of a theme.

    Raises: ValueError for an unknown theme.

    Example:
        >>> ".f-ink{fill:#f0ede4}" in style_sheet("dark"), "@media" in style_sheet("light")
        (True, False)
    """
    if theme not in THEMES:
        raise ValueError(f"theme={theme!r}: must be one of {', '.join(THEMES)}")
    if theme == "auto":
        return f"{BASE}{_rules(0)}@media(prefers-color-scheme:dark){{{_rules(1)}}}"
    return BASE + _rules(THEMES.index(theme) - 1)


def page_style() -> str:
    """Return the rules for drawings on a page, and a variable for each colour that the page can use, such as ``--ink``.

    Programs that draw SVG files do not all know variables, which is why ``style_sheet`` has none.
    """
    light, dark = ("".join(f"--{name}:{pair[ground]};" for name, pair in COLOURS.items()) for ground in (0, 1))
    rules = "".join(f".f-{name}{{fill:var(--{name})}}.s-{name}{{stroke:var(--{name})}}" for name in COLOURS)
    return f"{BASE}:root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}{rules}"


def _rules(ground: int) -> str:
    """Return the rules of all colours on light (0) or dark (1) ground."""
    return "".join(
        f".shogun-env .f-{name}{{fill:{pair[ground]}}}.shogun-env .s-{name}{{stroke:{pair[ground]}}}"
        for name, pair in COLOURS.items()
    )
