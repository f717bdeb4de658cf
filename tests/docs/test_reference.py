"""The API reference builds without a warning and without compiling anything, one page per module, kernels apart."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import shogun_env

ROOT = Path(__file__).resolve().parents[2]
MAX_BYTES = 5_000_000


def test_package__public_names__are_there_and_name_every_game():
    assert {f"{game}_v0" for game in shogun_env.GAMES} <= set(shogun_env.__all__)
    for name in ("shogun_env", *(f"shogun_env.{game}" for game in shogun_env.GAMES)):
        module = importlib.import_module(name)
        assert [public for public in module.__all__ if not hasattr(module, public)] == []


@pytest.mark.slow
def test_reference__built__has_a_page_for_every_module(tmp_path: Path):
    pytest.importorskip("pdoc", reason="the API reference needs pdoc: pip install -e '.[docs]'")
    command = [sys.executable, "docs/reference.py", str(tmp_path)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert (result.returncode, result.stderr) == (0, "")
    modules = [module.name for module in pkgutil.walk_packages(shogun_env.__path__, "shogun_env.")]
    expected = {f"{name.replace('.', '/')}.html" for name in modules if not name.endswith(".__main__")}
    pages = {str(path.relative_to(tmp_path)): path.read_text("utf-8") for path in tmp_path.rglob("*.html")}
    kernels = {name.removeprefix("kernels/") for name in pages if name.startswith("kernels/shogun_env/")}
    assert {"shogun_env/kernel/chance.html", "shogun_env/shogun/engine/flow.html"} <= kernels
    assert not kernels & pages.keys()
    assert expected - kernels <= pages.keys()
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.*")) < MAX_BYTES
    start = pages["index.html"]
    assert {link for link in re.findall(r'href="([^"#:]+)', start) if link not in pages} == set()
    assert {"shogun_rules.html", "shogun_env/shogun.html", "kernels/index.html"} <= set(
        re.findall(r'href="([^"#]+)', start)
    )
    first_page = (tmp_path / "shogun_env.html").read_text("utf-8")
    assert all(f"shogun_env/{name}.html" in first_page for name in ("game", "batch", "shogun", "policies", "agents"))
    for name in shogun_env.GAMES:  # names that a package imports when they are first asked for are on its page too
        public = importlib.import_module(f"shogun_env.{name}").__all__
        page = (tmp_path / "shogun_env" / f"{name}.html").read_text("utf-8")
        assert {"Batch", "Game"} <= {each for each in public if f'id="{each}"' in page}, name
    game = (tmp_path / "shogun_env" / "game.html").read_text("utf-8")
    assert all(name in game for name in ("legal_actions", "undo", "from_record"))
    # The heads of a kernel's docstring are on lines of their own.
    assert "<br />\nWrites: " in (tmp_path / "kernels" / "shogun_env" / "kernel" / "chance.html").read_text("utf-8")
