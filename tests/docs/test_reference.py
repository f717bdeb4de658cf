"""The API reference builds without a warning and without compiling anything, one page per module."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import shogun_env

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_reference__built__has_a_page_for_every_module(tmp_path: Path):
    pytest.importorskip("pdoc", reason="the API reference needs pdoc: pip install -e '.[docs]'")
    command = [sys.executable, "docs/reference.py", str(tmp_path)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert (result.returncode, result.stderr) == (0, "")
    modules = [module.name for module in pkgutil.walk_packages(shogun_env.__path__, "shogun_env.")]
    expected = {f"{name.replace('.', '/')}.html" for name in modules if not name.endswith(".__main__")}
    pages = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.html")}
    assert pages == expected | {"index.html", "shogun_env.html"}
    first_page = (tmp_path / "shogun_env.html").read_text("utf-8")
    assert all(f"shogun_env/{name}.html" in first_page for name in ("game", "batch", "shogun", "policies", "agents"))
    game = (tmp_path / "shogun_env" / "game.html").read_text("utf-8")
    assert all(name in game for name in ("legal_actions", "undo", "from_record"))
    # The heads of a kernel's docstring are on lines of their own.
    assert "<br />\nWrites: " in (tmp_path / "shogun_env" / "kernel" / "chance.html").read_text("utf-8")
