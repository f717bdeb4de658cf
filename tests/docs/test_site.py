"""The site builds without a warning, which a dead link is, has all documents and modules, and needs no network."""

import importlib
import re
from pathlib import Path

import pytest

import shogun_env
from tests.tree import ROOT, files_of_the_tree, run_python

MAX_BYTES = 15_000_000
LOADED = re.compile(r"""<(?:script|link|img|iframe|video|source)\b[^>]*\b(?:src|href)=["'](?:https?:)?//""")
"""What a browser would load from elsewhere together with a page."""


def test_package__public_names__are_there_and_name_every_game():
    assert {f"{game}_v0" for game in shogun_env.GAMES} <= set(shogun_env.__all__)
    for name in ("shogun_env", *(f"shogun_env.{game}" for game in shogun_env.GAMES)):
        module = importlib.import_module(name)
        assert [public for public in module.__all__ if not hasattr(module, public)] == []


@pytest.mark.slow
def test_site__built__has_every_document_and_public_module(tmp_path: Path):
    pytest.importorskip("sphinx", reason="the site needs Sphinx: pip install -e '.[docs]'")
    site = tmp_path / "site"
    places = ["-c", "docs", "-d", str(tmp_path / "read"), ".", str(site)]
    result = run_python("-m", "sphinx", "-W", "--keep-going", "-q", *places)
    assert (result.returncode, result.stderr) == (0, "")
    assert sum(path.stat().st_size for path in site.rglob("*.*")) < MAX_BYTES
    texts = {path.name: path.read_text("utf-8") for path in site.rglob("*.html")}
    assert [name for name, text in texts.items() if str(ROOT) in text] == []
    assert [name for name, text in texts.items() if LOADED.search(text)] == [], "the site needs no network"
    sources = [path.relative_to(ROOT) for path in files_of_the_tree() if path.suffix in (".md", ".ipynb")]
    expected = [path for path in sources if path.parts[0] not in ("paper", "tests")]
    assert [path for path in expected if not (site / path).with_suffix(".html").exists()] == []
    assert (site / "index.html").read_text("utf-8") == (site / "README.html").read_text("utf-8")
    for name in shogun_env.GAMES:  # names that a package imports when they are first asked for are on its page too
        public = importlib.import_module(f"shogun_env.{name}").__all__
        page = (site / "docs" / "reference" / f"shogun_env.{name}.html").read_text("utf-8")
        assert {"Batch", "Game"} <= {each for each in public if f'id="shogun_env.{name}.{each}"' in page}, name
    game = (site / "docs" / "reference" / "shogun_env.game.html").read_text("utf-8")
    assert all(f'id="shogun_env.game.Game.{name}"' in game for name in ("legal_actions", "undo", "from_record"))
    gallery = (site / "docs" / "gallery" / "README.html").read_text("utf-8")
    assert len(re.findall(r'<iframe class="replay"', gallery)) == 3
    assert re.search(r'href="shogun_four.html\?(\d+)#\1" target="shogun_four"', gallery)
