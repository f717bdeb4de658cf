"""SVG as text: elements, and drawings made of named parts.

A drawing is a list of parts, so that a page can replace those that have changed and leave the others.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from typing import Any


def number(value: float) -> str:
    """Return a length as text, with one decimal at most.

    Example:
        >>> number(2.0), number(2.34)
        ('2', '2.3')
    """
    return f"{value:.1f}".removesuffix(".0")


@lru_cache(maxsize=1 << 13, typed=True)  # few elements differ from step to step and from view to view
def tag(name: str, *children: str, **attributes: Any) -> str:
    """Return an element; attributes that are None are left out, ``_`` is read as ``-``, ``class_`` as ``class``.

    Example:
        >>> tag("g", tag("path", d="M0,0", stroke_width=2.0), class_="a")
        '<g class="a"><path d="M0,0" stroke-width="2"/></g>'
    """
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            text = number(value) if isinstance(value, float) else str(value)
            words.append(f'{key.rstrip("_").replace("_", "-")}="{escape(text)}"')
    inside = "".join(children)
    return f"<{' '.join(words)}>{inside}</{name}>" if inside else f"<{' '.join(words)}/>"


def group(*children: str, **attributes: Any) -> str:
    """Return a group of elements."""
    return tag("g", *children, **attributes)


def label(x: float, y: float, text: str, size: float, **attributes: Any) -> str:
    """Return a text whose baseline begins at (x, y); ``class_`` may name a colour, ``mid`` and ``end`` align it."""
    return tag("text", escape(text, quote=False), x=float(x), y=float(y), font_size=float(size), **attributes)


def rect(x: float, y: float, width: float, height: float, **attributes: Any) -> str:
    """Return a rectangle."""
    return tag("rect", x=float(x), y=float(y), width=float(width), height=float(height), **attributes)


def circle(x: float, y: float, radius: float, **attributes: Any) -> str:
    """Return a circle."""
    return tag("circle", cx=float(x), cy=float(y), r=float(radius), **attributes)


def line(x: float, y: float, to_x: float, to_y: float, **attributes: Any) -> str:
    """Return a straight line."""
    return tag("line", x1=float(x), y1=float(y), x2=float(to_x), y2=float(to_y), **attributes)


def path(d: str, **attributes: Any) -> str:
    """Return a path."""
    return tag("path", d=d, **attributes)


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A picture of one game as one viewer sees it."""

    width: int
    height: int
    title: str
    """What the picture shows, in one line, for screen readers."""
    parts: dict[str, str]
    """Markup by name of the part, those at the back first."""
    places: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Where the places of the board are, by name: the ends of arrows."""


def document(drawing: Drawing, style: str) -> str:
    """Return a drawing as an SVG document with a style sheet."""
    parts = [group(markup, id=name) for name, markup in drawing.parts.items()]
    return tag.__wrapped__(
        "svg",
        tag("title", escape(drawing.title, quote=False)),
        tag("style", style),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {drawing.width} {drawing.height}",
        width=drawing.width,
        height=drawing.height,
        class_="shogun-env",
        role="img",
    )
