"""The README's Python runs as printed, and the commands in the documents are all there are and work as printed."""

import re
import shlex
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from shogun_env.cli import chosen_game
from shogun_env.commands import COMMANDS, parser_of
from tests.tree import ROOT, run, run_python

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
TEXT = (ROOT / "docs" / "commands.md").read_text("utf-8")
PRINTED = re.findall(r"^\| `shogun-env ([^`]+)`", TEXT, re.MULTILINE)
"""Name and arguments of each command in the tables, in order; those of the README are among them."""
QUICK = {
    "tournament": ["--games", "8"],
    "league": ["--game", "shitenno"],
    "starts": ["--games", "10"],
    "habits": ["--games", "8"],
    "bot-check": ["--help"],
    "serve": ["--help"],
    "speed": ["--help"],
    "warm": ["--game", "shitenno"],
    "strength": ["--seeds", "2", "--rungs", "random"],
    "strength --against": [],
    "strength --runs": ["--help"],
    "solve --learners": ["--help"],
    "selfplay": ["--help"],
    "train": ["--help"],
    "export": ["--help"],
    "exploit": ["--help"],
    "solve": ["--size", "small"],
    "play": ["--help"],
    "mcp": ["--help"],
}
"""Arguments behind those printed that make a command quick enough for a test."""
PLAYING = ("record", "selfplay --out runs/first", "tournament", "starts")
"""Commands that take options of play."""


def parsed(command: str) -> Namespace:
    """Return the arguments of a command as it understands them."""
    name, *arguments = shlex.split(command)
    return parser_of(name, chosen_game(arguments)).parse_args(arguments)


@pytest.mark.full
def test_readme__python_blocks__run():
    runs = "\n".join(f"exec({block!r}, {{'__name__': '__main__'}})" for block in BLOCKS)
    done = run_python("-c", runs)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", PRINTED)
def test_readme__arguments_of_each_command__are_understood(command: str, capsys: pytest.CaptureFixture[str]):
    assert parsed(command)
    with pytest.raises(SystemExit):
        parsed(f"{command} --no-such-option")
    assert "no-such-option" in capsys.readouterr().err


@pytest.mark.slow
def test_readme__commands_in_order__run(tmp_path: Path):
    for command in PRINTED:
        name, *arguments = shlex.split(command)
        quick = QUICK.get(f"{name} {arguments[0]}" if arguments else "", QUICK.get(name, []))
        words = [sys.executable, "-m", "shogun_env", name, *arguments, *quick]
        done = run(*words, cwd=tmp_path, PYTHONPATH=str(ROOT))
        assert done.returncode == 0 and done.stdout, f"{command}\n{done.stdout}\n{done.stderr}"
    assert sorted(path.name for path in (tmp_path / "games").glob("*.jsonl")) == [
        f"{n}.shogun.jsonl" for n in (7, 8, 9)
    ]
    assert (tmp_path / "games" / "7.shogun.html").stat().st_size > 10_000


def test_readme__options_of_play__are_those_of_the_commands():
    options = re.search(r"as\s+`(--players [^`]+)`", TEXT)
    assert options is not None
    for command in PLAYING:
        assert parsed(f"{command} {options[1]}") != parsed(command), command


def test_readme__table_of_commands__has_every_command():
    named = {command.split()[0] for command in PRINTED}
    assert named == COMMANDS.keys()
    assert "`make demo`" in TEXT


def test_makefile__commands_of_the_demo__are_understood():
    lines = re.findall(r"\$\(ENV\) ([^\"\n]+)", (ROOT / "Makefile").read_text("utf-8"))
    assert [line.split()[0] for line in lines] == ["selfplay", "tournament", "record", "view", "play", "speed"]
    for line in lines:
        assert parsed(line.replace("$(GAME)", "shitenno").replace("$(DEMO)", "demo"))
