"""The README's Python runs as printed, and its commands are all there are and work as printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from shogun_env.__main__ import PROGRAMS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
TABLE = README.split("## Commands")[1].split("\n## ")[0]
COMMANDS = re.findall(r"^\| `python -m ([^`]+)`", TABLE, re.MULTILINE)
QUICK = {
    "benchmarks.tournament": ["--games", "8"],
    "benchmarks.book": ["--check"],
    "benchmarks.figures": ["--games", "4"],
    "benchmarks.signature": ["--games", "8"],
    "benchmarks.speed": ["--help"],
    "benchmarks.strength": ["--seeds", "2", "--rungs", "random"],
    "benchmarks.tune": ["--games", "6", "--generations", "1", "--population", "3", "--report-games", "6"],
    "training.selfplay": ["--help"],
    "training.exploit": ["--help"],
    "shogun_env play": ["--terminal"],
}
"""Arguments behind those printed that make a command quick enough for a test."""
PLAYING = ("tournament", "tune", "figures", "speed", "demo")
"""Commands of the benchmarks that take options of play."""


def run(arguments: list[str], folder: Path = ROOT) -> str:
    """Run ``python -m`` with these arguments in a folder, as if that were the checkout's; return its output."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", *arguments]
    result = subprocess.run(
        command, cwd=folder, env=environment, timeout=300, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.mark.full
@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_readme__python_block__runs(number: int):
    subprocess.run([sys.executable, "-c", BLOCKS[number]], cwd=ROOT, check=True, timeout=300)


@pytest.mark.full
def test_readme__commands_in_order__run(tmp_path: Path):
    for command in COMMANDS:
        module, *arguments = command.split()
        assert run([module, *arguments, *QUICK.get(" ".join(command.split()[:2]), QUICK.get(module, []))], tmp_path), (
            command
        )
    assert sorted(path.name for path in (tmp_path / "games").glob("*.jsonl")) == [
        f"{n}.shogun.jsonl" for n in (7, 8, 9)
    ]
    assert (tmp_path / "games" / "7.shogun.html").stat().st_size > 10_000


@pytest.mark.full
def test_readme__options_of_play__are_those_of_the_commands(tmp_path: Path):
    options = re.search(r"as\s`(--players [^`]+)`", TABLE)
    assert options is not None
    run(["benchmarks.figures", *options[1].split(), "--games", "4"], tmp_path)
    for command in ("shogun_env record", "training.selfplay", *map("benchmarks.{}".format, PLAYING)):
        usage = run([*command.split(), "--help"])
        assert all(name in usage for name in re.findall(r"--[a-z-]+", options[1])), command


def test_readme__table_of_commands__has_every_command():
    named = {" ".join(command.split()[: 2 if command.startswith("shogun_env") else 1]) for command in COMMANDS}
    subcommands = set(re.findall(r"^    (\w+) ", run(["shogun_env", "--help"]), re.MULTILINE)) - set(PROGRAMS)
    programs = {
        f"{folder}.{path.parent.name if path.name == '__main__.py' else path.stem}"
        for folder in ("training", "benchmarks")
        for path in [*(ROOT / folder).glob("*.py"), *(ROOT / folder).glob("*/__main__.py")]
        if 'if __name__ == "__main__":' in path.read_text("utf-8")
    }
    expected = programs | {f"shogun_env {name}" for name in subcommands}
    assert named == expected - {"benchmarks.demo"}  # that one is `make demo`
    assert "`make demo`" in TABLE


def test_readme__make_targets__exist():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"make ([a-z][a-z-]+)", README))
    assert targets >= {"demo", "test"}
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
