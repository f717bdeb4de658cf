"""The pictures of a report, drawn by matplotlib as SVG: ratings and places."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 5.0
"""Width of a picture in inches: narrow, so that its text can be read on a phone."""
ROW = 0.34
"""Height of an agent's row in inches."""
MOST_ROWS = 30
"""A picture shows this many agents, the best ones."""
INK, GRID = "#333333", "#dddddd"
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999", "#000000")
"""Okabe and Ito's colours, which people with any colour vision can tell apart."""
STYLE: Any = {
    "font.size": 10, "axes.edgecolor": GRID, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
    "text.color": INK, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "shogun-env",
    "svg.fonttype": "none", "font.family": "sans-serif",
}  # fmt: skip

Draw = Callable[["Axes"], None]


def is_available() -> bool:
    """Say whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def picture(draw: Draw, height: float, kind: str = "svg") -> bytes:
    """Return a picture, ``svg`` or ``png``, of a height in inches, that ``draw`` draws into its axes."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure.subplots())
        out = io.BytesIO()
        metadata = dict.fromkeys(("Date", "Creator", "Format", "Type")) if kind == "svg" else None
        figure.savefig(out, format=kind, metadata=metadata, dpi=110)
    return out.getvalue()


def short(name: str, length: int = 24) -> str:
    """Return a name that fits next to an axis: its end, where names differ."""
    return name if len(name) <= length else "…" + name[1 - length :]


def pictures_of(variant: Mapping[str, Any], ratings: Sequence[Mapping[str, Any]]) -> dict[str, bytes]:
    """Return the pictures of a variant, a part of a summary, by heading, as SVG; ratings, best first, may be none."""
    board, ratings = variant["leaderboard"][:MOST_ROWS], ratings[:MOST_ROWS]
    rows = 0.9 + ROW * len(board)
    drawings: dict[str, tuple[Draw, float]] = {}
    if ratings:
        drawings["Ratings with 95 % intervals"] = (lambda axes: draw_ratings(axes, ratings), rows)
    drawings["How often each bot had each place"] = (lambda axes: draw_places(axes, board), rows + 0.3)
    more = f" (the best {MOST_ROWS})" if len(variant["leaderboard"]) > MOST_ROWS else ""
    return {heading + more: picture(draw, height) for heading, (draw, height) in drawings.items()}


def draw_ratings(axes: Axes, ratings: Sequence[Mapping[str, Any]]) -> None:
    """Draw each rating as a point with its interval, as an open point where one end of that is open."""
    for at, row in enumerate(reversed(ratings)):
        if row["rating"] is None:
            continue
        ends = [row["rating"] if row[end] is None else row[end] for end in ("low", "high")]
        bound = None in (row["low"], row["high"])
        axes.plot(ends, [at, at], color=COLOURS[0], linewidth=3, solid_capstyle="round")
        axes.plot([row["rating"]], [at], "o", color=COLOURS[0], markersize=7, fillstyle="none" if bound else "full")
        axes.annotate(f"{row['rating']:.0f}", (row["rating"], at), xytext=(0, 7), textcoords="offset points",
                      ha="center", fontsize=8)  # fmt: skip
    axes.set_yticks(range(len(ratings)), [short(row["agent"]) for row in reversed(ratings)])
    axes.set_ylim(-0.6, len(ratings) - 0.3)
    axes.margins(x=0.08)
    axes.grid(axis="x", color=GRID)
    axes.set_xlabel("points from the anchor; 400: ten to one")


def draw_places(axes: Axes, board: list[dict[str, Any]]) -> None:
    """Draw for each agent how its games are divided among the places."""
    rows = list(reversed(board))
    left = [0.0] * len(rows)
    for place in range(len(board[0]["places"])):
        width = [100 * row["places"][place] for row in rows]
        axes.barh(range(len(rows)), width, left=left, color=COLOURS[place], label=f"{place + 1}", height=0.7)
        left = [one + two for one, two in zip(left, width, strict=True)]
    axes.set_yticks(range(len(rows)), [short(row["agent"]) for row in rows])
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of its games")
    axes.legend(title="place", ncols=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False, fontsize=8,
                title_fontsize=8, handlelength=1.0, columnspacing=1.0)  # fmt: skip
