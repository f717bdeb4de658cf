"""Pixels, and the error where the rasteriser is missing."""

import sys

import numpy as np
import pytest

from shogun_env.svg import raster
from shogun_env.svg.style import COLOURS

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><rect width="4" height="2" fill="#ff0000"/></svg>'


def test_pixels__a_red_rectangle__are_red():
    assert np.array_equal(raster.pixels(SVG), np.full((2, 4, 3), (255, 0, 0), np.uint8))


@pytest.mark.parametrize("module", ["resvg_py", "PIL"])
def test_pixels__without_the_extra__name_it(module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"needs the extra viz: pip install 'shogun-env\[viz\]'"):
        raster.pixels(SVG)


def test_gif__of_two_frames__holds_both(tmp_path):
    from PIL import Image

    frames = [np.full((8, 8, 3), value, np.uint8) for value in (0, 255)]
    raster.write_gif(str(tmp_path / "film.gif"), frames, [0.5, 0.2])
    assert Image.open(tmp_path / "film.gif").n_frames == 2


def test_gif__colour_of_ours_that_comes_later__is_kept(tmp_path):
    from PIL import Image

    farmers = np.array([int(COLOURS["p5"][0][at : at + 2], 16) for at in (1, 3, 5)], np.uint8)
    frames = [np.full((8, 8, 3), 200, np.uint8), np.broadcast_to(farmers, (8, 8, 3))]
    raster.write_gif(tmp_path / "film.gif", frames, [0.5, 0.5])
    film = Image.open(tmp_path / "film.gif")
    film.seek(1)
    assert film.convert("RGB").getpixel((4, 4)) == tuple(farmers.tolist())
