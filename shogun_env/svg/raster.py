"""Drawings as pixels, by the rasteriser resvg (extra ``viz``)."""

import io
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.svg.style import COLOURS

MISSING = "a picture in pixels needs the extra viz: pip install 'shogun-env[viz]'"
"""Message of the error raised where the extra is not installed."""


def why_no_film() -> str | None:
    """Return why a film cannot be made here, naming the extra that has all it needs, or None."""
    return None if find_spec("resvg_py") and find_spec("PIL") else MISSING


def png(svg: str, width: int | None = None) -> bytes:
    """Return an SVG document as the bytes of a PNG file.

    Args: svg, a document with the theme ``light`` or ``dark``; width in pixels, None for the document's own.
    Raises: ImportError that names the extra, if the rasteriser is not installed.
    """
    try:
        import resvg_py
    except ImportError:
        raise ImportError(MISSING) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, font_family="DejaVu Sans"))


def pixels(svg: str, width: int | None = None) -> np.ndarray:
    """Return an SVG document as an array uint8[height, width, 3]; arguments and errors as for ``png``."""
    return np.array(_pil().open(io.BytesIO(png(svg, width))).convert("RGB"))


def _pil() -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(MISSING) from None
    return Image


def write_gif(path: str | Path, frames: Iterable[np.ndarray], seconds: Sequence[float]) -> None:
    """Write frames uint8[height, width, 3] as an endless film; ``seconds`` says how long each of them is shown.

    Raises: ImportError that names the extra, if it is not installed; OSError if the file cannot be written.
    """
    pil = _pil()
    images = (pil.fromarray(frame) for frame in frames)
    first = next(images)
    # One palette for all pictures, so that only what changes is stored: our own colours, and those of the first one.
    own = bytes.fromhex("".join(light.removeprefix("#") for light, _ in COLOURS.values()))
    others = first.quantize(256 - len(own) // 3).getpalette() or []
    palette = pil.new("P", (1, 1))
    palette.putpalette([*own, *others])
    reduced = (image.quantize(palette=palette, dither=pil.Dither.NONE) for image in chain([first], images))
    times = [round(1000 * time) for time in seconds]
    next(reduced).save(path, "GIF", save_all=True, append_images=reduced, duration=times, loop=0)
