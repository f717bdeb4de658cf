"""JavaScript and style sheets: short lines and functions."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.pages import SCRIPTS, STYLES, functions

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / ".ci" / "pages"


def test_scripts_and_styles__every_line__has_at_most_120_characters():
    lines = [
        (path.name, at)
        for path in (*SCRIPTS, *STYLES)
        for at, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > 120
    ]
    assert lines == []


def test_scripts__every_function__is_shorter_than_40_lines():
    found = [(path.name, *each) for path in SCRIPTS for each in functions(path.read_text("utf-8"))]
    assert len(found) > 50
    assert [each for each in found if each[-1] >= 40] == []


def test_check__without_npm__says_so_and_passes(tmp_path):
    (tmp_path / "bin").mkdir()
    for name in ("bash", "cat", "dirname"):
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    environ = {"PATH": str(tmp_path / "bin"), "TOOLS": str(tmp_path / "node")}
    result = subprocess.run([CHECK / "check"], env=environ, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == (
        "pages: JavaScript and style sheets are NOT checked: there is no npm here, which comes with Node.js\n"
    )
