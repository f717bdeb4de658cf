"""The README's Python runs as printed, and the commands in the documents are all there are and work as printed."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import shlex
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from shogun_env.__main__ import PROGRAMS
from shogun_env.cli import Parser, chosen_game

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
TEXT = (ROOT / "docs" / "commands.md").read_text("utf-8")
COMMANDS = re.findall(r"^\| `python -m ([^`]+)`", TEXT, re.MULTILINE)
"""Module and arguments of each command in the tables, in order; those of the README are among them."""
QUICK = {
    "benchmarks.tournament": ["--games", "8"],
    "benchmarks.league": ["--game", "shitenno"],
    "benchmarks.simulation": ["--bots", "20", "--games", "400"],
    "benchmarks.book": ["--check"],
    "benchmarks.signature": ["--games", "8"],
    "benchmarks.starts": ["--games", "10"],
    "benchmarks.calibration": ["--games", "4", "--playouts", "1"],
    "benchmarks.habits": ["--games", "8"],
    "benchmarks.bot_check": ["--help"],
    "benchmarks.speed": ["--help"],
    "benchmarks.curves": ["--help"],
    "benchmarks.warm": ["--game", "shitenno"],
    "benchmarks.device": ["--help"],
    "benchmarks.strength": ["--seeds", "2", "--rungs", "random"],
    "benchmarks.strength --against": [],
    "benchmarks.budget": ["--agents", "random", "--seeds", "2"],
    "benchmarks.tune": ["--games", "6", "--generations", "1", "--population", "3", "--report-games", "6"],
    "training.selfplay": ["--help"],
    "training.labels": ["--help"],
    "training.export": ["--help"],
    "training.exploit": ["--help"],
    "training.solve": ["--size", "small"],
    "training.fit_value": ["--games", "30", "--out", "value.json"],
    "shogun_env play": ["--terminal"],
    "shogun_env mcp": ["--help"],
}
"""Arguments behind those printed that make a command quick enough for a test."""
PLAYING = ("shogun_env record", "training.selfplay --out runs/first", "benchmarks.tournament", "benchmarks.starts")
"""Commands that take options of play."""


def parser_of(module: str, arguments: list[str]) -> Parser:
    """Return the parser of the command ``python -m module`` for these arguments."""
    name = module if module == "shogun_env" else module.split(".")[1]
    place = "shogun_env.__main__" if name == "shogun_env" else f"shogun_env.{PROGRAMS[name].module}"
    make_parser = importlib.import_module(place).make_parser
    takes_game = "game" in inspect.signature(make_parser).parameters
    parser: Parser = make_parser(chosen_game(arguments)) if takes_game else make_parser()
    return parser


def parsed(command: str) -> Namespace:
    """Return the arguments of a command as it understands them."""
    module, *arguments = shlex.split(command)
    return parser_of(module, arguments).parse_args(arguments)


@pytest.mark.full
def test_readme__python_blocks__run():
    runs = "\n".join(f"exec({block!r}, {{'__name__': '__main__'}})" for block in BLOCKS)
    subprocess.run([sys.executable, "-c", runs], cwd=ROOT, check=True, timeout=300)


@pytest.mark.parametrize("command", COMMANDS)
def test_readme__arguments_of_each_command__are_understood(command: str, capsys: pytest.CaptureFixture[str]):
    assert parsed(command)
    with pytest.raises(SystemExit):
        parsed(f"{command} --no-such-option")
    assert "no-such-option" in capsys.readouterr().err


@pytest.mark.slow
def test_readme__commands_in_order__run(tmp_path: Path):
    for command in COMMANDS:
        module, *arguments = shlex.split(command)
        quick = QUICK.get(f"{module} {arguments[0]}" if arguments else "", QUICK.get(module, []))
        run = subprocess.run(
            [sys.executable, "-m", module, *arguments, *quick],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=300,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert run.returncode == 0 and run.stdout, f"{command}\n{run.stdout}\n{run.stderr}"
    assert sorted(path.name for path in (tmp_path / "games").glob("*.jsonl")) == [
        f"{n}.shogun.jsonl" for n in (7, 8, 9)
    ]
    assert (tmp_path / "games" / "7.shogun.html").stat().st_size > 10_000


def test_readme__options_of_play__are_those_of_the_commands():
    options = re.search(r"as\s`(--players [^`]+)`", TEXT)
    assert options is not None
    for command in PLAYING:
        assert parsed(f"{command} {options[1]}") != parsed(command), command


def test_readme__table_of_commands__has_every_command():
    named = {" ".join(command.split()[: 2 if command.startswith("shogun_env") else 1]) for command in COMMANDS}
    listed = re.findall(r"^    (\w+) ", parser_of("shogun_env", []).format_help(), re.MULTILINE)
    programs = {
        f"{folder}.{path.parent.name if path.name == '__main__.py' else path.stem}"
        for folder in ("training", "benchmarks")
        for path in [*(ROOT / folder).glob("*.py"), *(ROOT / folder).glob("*/__main__.py")]
        if 'if __name__ == "__main__":' in path.read_text("utf-8")
    }
    expected = programs | {f"shogun_env {name}" for name in set(listed) - set(PROGRAMS)}
    assert named == expected - {"benchmarks.demo"}  # that one is `make demo`
    assert "`make demo`" in TEXT


def test_readme__make_targets__exist():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"make ([a-z][a-z-]+)", README))
    assert targets >= {"demo", "test"}
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
