"""The gallery: a game is played and reviewed, and its page made of what is kept of it."""

import importlib.util
import re
from pathlib import Path

from shogun_env.review.analysis import Effort

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_gallery__of_one_short_game__has_a_list_and_a_page(tmp_path: Path):
    place = importlib.util.spec_from_file_location("gallery", DOCS / "gallery.py")
    gallery = importlib.util.module_from_spec(place)
    place.loader.exec_module(gallery)
    shown = gallery.Shown(
        name="tiny", title="A tiny one", game="shitenno", seed=1, bots=("champion", "random"), options={}
    )
    (tmp_path / "tiny.jsonl").write_text("the game before")
    gallery.make_gallery(tmp_path, [shown], Effort(first=4, again=8, costliest=1))
    text = (tmp_path / "README.md").read_text("utf-8")
    assert "## [A tiny one](tiny.jsonl)\n\nShitennō for 2 players. The players: P0 (champion) and P1 (random)." in text
    assert re.search(r"^- \[Round \d+\]\(tiny\.jsonl#\d+\): P[01] (rises|falls) from \d+ to \d+ %", text, re.M)
    gallery.write_pages(tmp_path, tmp_path)
    assert 'id="costliest"' in (tmp_path / "tiny.html").read_text("utf-8")
