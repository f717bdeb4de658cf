"""A record as a film: every step with the board and what happened, and the cubes of each throw one by one."""

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np

from shogun_env.records.frames import TEXT, parts_at
from shogun_env.svg.markup import Drawing, document, label, rect
from shogun_env.svg.raster import pixels
from shogun_env.svg.style import style_sheet

STEP_SECONDS, CUBE_SECONDS, LAST_CUBE_SECONDS = 0.8, 0.1, 0.6
"""How long a step is shown, a cube before the next one, and the last cube."""
PIXELS = 960
"""Width of the film."""
LINES, LINE_HEIGHT, LETTERS, MARGIN = 3, 0.024, 112, 0.012
"""Lines of a caption, of which only the last fit; height of one and margin, in widths of the board; letters in a line.
"""


class _Shot(NamedTuple):
    """What a picture shows: a step, or on the board of the step before it a throw with its first cubes."""

    step: int
    throw: int
    """Which throw of the step, -1 for the board alone."""
    n_cubes: int
    seconds: float


def _shots(data: Mapping[str, Any], steps: range | None) -> Iterator[_Shot]:
    """Yield what the pictures show, in order: cubes fall before the step shows what came of it."""
    for step, frame in enumerate(data["frames"]):
        if steps is not None and step not in steps:
            continue
        for throw, picture in enumerate(frame.get("throws", ())):
            last = len(picture["cubes"])
            for n_cubes in range(last + 1):
                seconds = LAST_CUBE_SECONDS if n_cubes == last else CUBE_SECONDS
                yield _Shot(step=step, throw=throw, n_cubes=n_cubes, seconds=seconds)
        yield _Shot(step=step, throw=-1, n_cubes=0, seconds=STEP_SECONDS)


def film_times(data: Mapping[str, Any], steps: range | None = None) -> list[float]:
    """Return for each picture of a film how long it is shown, in seconds.

    Args: data, as ``frames_of`` returns them; steps of the game that are shown, None for all.
    """
    return [shot.seconds for shot in _shots(data, steps)]


def pictures_of(data: Mapping[str, Any], steps: range | None = None) -> Iterator[np.ndarray]:
    """Yield the pictures of a film, uint8[height, width, 3], as many as ``film_times`` has for the same arguments.

    Raises: ImportError that names the extra viz, if it is not installed.
    """
    style = style_sheet("light")
    board, drawn = np.zeros((0, 0, 3), np.uint8), -1
    for shot in _shots(data, steps):
        step = shot.step if shot.throw < 0 else max(shot.step - 1, 0)
        if step != drawn:  # a board takes much longer to draw than a throw, which is put upon it
            parts = {name: text for name, text in parts_at(data, step).items() if not name.startswith(TEXT)}
            width, height = data["size"]
            below = int(width * (LINES * LINE_HEIGHT + 2 * MARGIN))
            parts["caption"] = caption(data["frames"][step], width, height, below)
            drawing = Drawing(width=width, height=height + below, title="", parts=parts)
            board, drawn = pixels(document(drawing, style), PIXELS), step
        if shot.throw < 0:
            yield board
            continue
        throw = data["frames"][shot.step]["throws"][shot.throw]
        after = throw["after"] if shot.n_cubes == len(throw["cubes"]) else ""
        parts = {"throw": throw["ground"] + "".join(throw["cubes"][: shot.n_cubes]) + after}
        drawing = Drawing(width=throw["size"][0], height=throw["size"][1], title="", parts=parts)
        patch = pixels(document(drawing, style), throw["size"][0] * PIXELS // data["size"][0])
        top, left = (board.shape[0] - patch.shape[0]) // 2, (board.shape[1] - patch.shape[1]) // 2
        picture = board.copy()
        picture[top : top + patch.shape[0], left : left + patch.shape[1]] = patch
        yield picture


def caption(frame: Mapping[str, Any], width: int, top: int, height: int) -> str:
    """Return what happened in a step as lines under the board; of a long story its end.

    Args: a frame, as ``frames_of`` returns it; the width, the upper edge and the height of the caption.
    """
    texts = ["".join(piece for piece, _ in text) for text, *_ in frame["told"]]
    lines = [line for text in texts for line in wrap(text, LETTERS)][-LINES:]
    size, margin = width * LINE_HEIGHT, width * MARGIN
    rows = [
        label(margin, top + margin + size * (number + 0.8), line, size * 0.72, class_="f-ink")
        for number, line in enumerate(lines)
    ]
    return "".join([rect(0, top, width, height, class_="f-panel"), *rows])
