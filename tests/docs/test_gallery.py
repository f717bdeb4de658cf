"""The gallery: the command makes a page of a game and a list, and what is in the tree is small and linked."""

import importlib.util
import re
from pathlib import Path

from shogun_env.review.analysis import Effort

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_gallery__of_one_short_game__has_a_page_and_a_list(tmp_path: Path):
    place = importlib.util.spec_from_file_location("gallery", DOCS / "gallery.py")
    gallery = importlib.util.module_from_spec(place)
    place.loader.exec_module(gallery)
    shown = gallery.Shown(
        name="tiny", title="A tiny one", game="shitenno", seed=1, bots=("champion", "random"), options={}
    )
    gallery.make_gallery(tmp_path, [shown], Effort(first=4, again=8, costliest=1))
    text = (tmp_path / "README.md").read_text("utf-8")
    assert "## [A tiny one](tiny.html)\n\nShitennō for 2 players. The players: P0 (champion) and P1 (random)." in text
    assert re.search(r"^- \[Round \d+\]\(tiny\.html#\d+\): P[01] (rises|falls) from \d+ to \d+ %", text, re.M)
    assert 'id="costliest"' in (tmp_path / "tiny.html").read_text("utf-8")
