"""Drawings as pixels, by the rasteriser resvg (extra ``viz``)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

__all__ = ["pixels", "png", "write_gif"]

MISSING = "a picture in pixels needs the extra viz: pip install 'shogun-env[viz]'"
"""Message of the error raised where the extra is not installed."""


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
    data = png(svg, width)
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(MISSING) from None
    return np.array(Image.open(io.BytesIO(data)).convert("RGB"))


def write_gif(path: str | Path, frames: Sequence[np.ndarray], seconds: float) -> None:
    """Write frames uint8[height, width, 3] as an endless film, each shown for a number of seconds.

    Raises: ImportError that names the extra, if it is not installed; OSError if the file cannot be written.
    """
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(MISSING) from None
    images = [Image.fromarray(frame).quantize(128) for frame in frames]
    images[0].save(path, "GIF", save_all=True, append_images=images[1:], duration=round(1000 * seconds), loop=0)
