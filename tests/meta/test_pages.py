"""JavaScript and style sheets: short lines and functions, and a check of theirs that can fail."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.pages import SCRIPTS, STYLES, functions

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / ".ci" / "pages"
LONG = "function long() {\n" + '  get("board");\n' * 39 + "}\n"
BROKEN = f"""import {{ get }} from "./picture.js";
{LONG}
export function wrong() {{
  /** @type {{number}} */
  const size = "large";
  const unused = get("board")
  return size;
}}
"""
REFUSED = (
    "lint/complexity/noExcessiveLinesPerFunction",
    "lint/correctness/noUnusedVariables",
    "Formatter would have printed",
    "TS2322",
    "TS6133",
    "lint/correctness/noUnknownProperty",
)


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
    assert list(functions(LONG)) == [("function long() {", 41)]


@pytest.mark.slow
def test_check__broken_script_and_style__are_refused(tmp_path):
    """The check runs in a copy of the repository that has only a broken page."""
    shutil.copytree(CHECK, tmp_path / ".ci" / "pages")
    folder = tmp_path / "shogun_env" / "records"
    folder.mkdir(parents=True)
    shutil.copy(next(path for path in SCRIPTS if path.name == "picture.js"), folder)
    (folder / "broken.js").write_text(BROKEN)
    (folder / "broken.css").write_text("p { colour: red; }\n")
    tools = os.environ.get("TOOLS", str(ROOT / ".venv" / "node"))
    result = subprocess.run(
        [tmp_path / ".ci" / "pages" / "check"], env={**os.environ, "TOOLS": tools}, capture_output=True, text=True
    )
    if "NOT checked" in result.stdout:
        pytest.skip(result.stdout.strip())
    said = result.stdout + result.stderr
    assert result.returncode == 1
    assert [code for code in REFUSED if code not in said] == [], said


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
