"""The how-tos in docs/ work as printed: each page's Python and its commands run in order, in a folder of their own."""

import importlib.util
import os
import re
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.tree import ROOT, run

PAGES = sorted(path for path in (ROOT / "docs").glob("*.md") if path.name != "README.md")
FENCE = re.compile(r"(?:^<!-- in the tests: (?P<change>.+?) -->\n)?^```(?P<kind>\w*)\n(?P<code>.*?)^```$", re.M | re.S)
SETTINGS = "settings.json"
"""What a block of JSON is saved as: JSON has no comments, so it cannot say itself."""
FILE = re.compile(r"# ([\w/]+\.\w+)\n")
"""The first line of a block that is saved under that name instead of run."""

INSTALL = "pip install --quiet --no-index --no-deps --no-build-isolation --target installed"
"""What a page's ``pip install`` does in the tests, so that nothing is added to this Python's own packages."""
RUN_COMMAND = """
import runpy
import shlex
import subprocess
import sys


def run_command(line):
    words = shlex.split(line)
    if words[0] != "shogun-env" or {"<", ">", "|", "&"} & {*words}:
        subprocess.run(line, shell=True, check=True)
        return
    sys.argv = words
    try:
        runpy.run_module("shogun_env", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        assert not end.code, f"{line} ends with {end.code}"

"""
"""Runs a command of a page: programs of this package in the page's own process, as a start takes two seconds."""

SLOW = ("compare_two_bots", "run_on_a_cluster", "train_a_champion")
"""Pages that take long: thousands of games to measure, fifteen processes, and four trainings in a row."""


LIBRARIES = {
    "coming_from_another_library": ("torch", "sb3_contrib", "tensorboard"),
    "play_over_mcp": ("mcp",),
    "records_as_tables": ("pandas", "pyarrow"),
    "self_play_with_your_learner": ("torch",),
    "write_a_bot": ("cmaes",),
}
"""What a page needs besides this package; a single block says it: ``<!-- in the tests: needs supersuit -->``."""
NEEDS = "needs "


class Block(NamedTuple):
    """A block of code, with the change that makes it quick enough for a test."""

    kind: str
    code: str
    needs: str
    """The library without which it is left out; empty for none."""


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page; every change must fit its block."""
    result = []
    for match in FENCE.finditer(page.read_text("utf-8")):
        code, change = match["code"], match["change"] or ""
        needs = change.removeprefix(NEEDS) if change.startswith(NEEDS) else ""
        if change and not needs:
            printed, quick = change.split(" -> ")
            assert code.count(printed) == 1, f"{page.name}: {printed!r} must be in its block once"
            code = code.replace(printed, quick)
        result.append(Block(kind=match["kind"], code=code, needs=needs))
    return result


def script_of(page: Path, folder: Path) -> str:
    """Save the blocks that have file names; return the Python that runs all others."""
    parts = [RUN_COMMAND]
    isolate = "--isolate" if shutil.which("bwrap") and os.geteuid() else ""
    for block in blocks(page):
        if block.needs and importlib.util.find_spec(block.needs) is None:
            continue
        if match := FILE.match(block.code):
            path = folder / match[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.code, "utf-8")
        elif block.kind == "json":
            (folder / SETTINGS).write_text(block.code, "utf-8")
        elif block.kind == "python":
            parts.append(block.code)
        else:
            assert block.kind == "sh", f"{page.name}: a block of kind {block.kind!r} is neither run nor saved"
            parts += [
                f"run_command({line.replace('pip install', INSTALL).replace('--isolate', isolate)!r})\n"
                for line in block.code.splitlines()
            ]
    return "\n".join(parts)


def skip_without_its_libraries(page: Path) -> None:
    """Skip a page whose libraries are not installed."""
    for library in LIBRARIES.get(page.stem, ()):
        pytest.importorskip(library, reason=f"docs/{page.name} needs {library}, which `make setup` installs")


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.slow if page.stem in SLOW else pytest.mark.full) for page in PAGES],
    ids=lambda page: page.stem,
)
def test_howto__all_blocks_in_order__run(page: Path, request: pytest.FixtureRequest):
    skip_without_its_libraries(page)
    # The folder is the same in every run, so that a page's compiled bot is compiled only once.
    folder = Path(request.config.cache.mkdir("howtos")) / page.stem
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "page.py").write_text(script_of(page, folder), "utf-8")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    python_path = os.pathsep.join([str(ROOT), str(folder / "installed")])
    result = run(sys.executable, "page.py", cwd=folder, PATH=path, PYTHONPATH=python_path)
    assert result.returncode == 0, f"{result.stdout}\n{result.stderr}"


def test_howtos__in_the_list__are_all_there_are():
    listed = re.findall(r"\]\((\w+\.md)\)", (ROOT / "docs" / "README.md").read_text("utf-8"))
    assert sorted(listed) == [page.name for page in PAGES]
