"""A game of a batch as a drawing, and the drawing as SVG."""

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.records.text import check_view
from shogun_env.spec.game_spec import GameSpec
from shogun_env.svg.markup import Drawing, document, label, rect
from shogun_env.svg.raster import png
from shogun_env.svg.style import style_sheet

LINE_HEIGHT, CHARACTER_WIDTH = 15, 7.3


def draw_state(spec: GameSpec, state: np.void, player: int | None = None) -> Drawing:
    """Return the drawing of a state, as named parts, as a player may know it; None is the referee."""
    return _text_drawing(spec, spec.render(state, player)) if spec.draw is None else spec.draw(state, player)


def draw_svg(batch: Batch, row: int = 0, player: int | None = None, theme: str = "auto") -> str:
    """Return the drawing of a game as an SVG document.

    Args: batch; row, which of its games; player, whose view is drawn, exactly what they may know, None for the referee,
        who sees everything, EVERYBODY for what all know; theme, ``light``, ``dark``, or ``auto`` for what the reader's
        system prefers.
    Raises: ValueError for a row, player or theme that does not exist.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> draw_svg(Batch(1), player=2)[:58]
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 '
    """
    check_view(batch, row, player)
    return document(draw_state(batch.spec, batch.games[row], player), style_sheet(theme))


def draw_png(batch: Batch, row: int = 0, player: int | None = None, theme: str = "light") -> bytes:
    """Return the drawing of a game as the bytes of a PNG file; ImportError without the extra ``viz``."""
    return png(draw_svg(batch, row, player, theme))


def _text_drawing(spec: GameSpec, text: str) -> Drawing:
    """Return a text as a drawing, for games that have no drawing of their own."""
    lines = text.rstrip().splitlines()
    width = int(CHARACTER_WIDTH * max(map(len, lines))) + 40
    height = LINE_HEIGHT * len(lines) + 30
    rows = [
        label(20, 25 + LINE_HEIGHT * index, line, 12, class_="f-ink", font_family="monospace", xml_space="preserve")
        for index, line in enumerate(lines)
    ]
    markup = rect(0, 0, width, height, class_="f-back") + "".join(rows).replace("xml-space", "xml:space")
    return Drawing(width=width, height=height, title=f"{spec.title}: {lines[0]}", parts={"text": markup})
