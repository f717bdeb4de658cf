"""The programs behind the commands: all are there, under the names by which they are called."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from shogun_env import cli
from shogun_env.__main__ import main
from shogun_env.programs import EXTRAS, PROGRAMS, run_program

ROOT = Path(__file__).resolve().parents[2]


def test_programs__of_training_and_benchmarks__are_all_commands():
    files = [path for folder in ("training", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    commands = {path for path in files if re.search(r"^def main\(arguments: Sequence", path.read_text("utf-8"), re.M)}
    assert {ROOT / f"{program.module.replace('.', '/')}.py" for program in PROGRAMS.values()} == commands
    for name, program in PROGRAMS.items():
        assert name in program.module.split(".")


def test_help__list_of_commands__has_one_line_for_each(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    for name, program in PROGRAMS.items():
        assert re.search(rf"^    {name} +{re.escape(program.text)}$", said, re.M), name


def test_main__name_of_a_program__runs_it_with_its_arguments(capsys):
    with pytest.raises(SystemExit) as left:
        main(["figures", "--game", "shitenno", "--games", "2"])
    assert left.value.code == 0
    assert "points" in capsys.readouterr().out


@pytest.mark.parametrize("name", EXTRAS)
def test_program__library_missing__is_one_line_that_names_the_extra(name, monkeypatch, capsys):
    learning = ("selfplay", "learner", "board_policy", "imitation", "opponents", "runs")
    for module in [f"shogun_env.{PROGRAMS[name].module}", *(f"shogun_env.training.{part}" for part in learning)]:
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    with pytest.raises(SystemExit) as left:
        main([name, "--help"])  # where nothing is missing it must not begin to train
    assert left.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{name} needs the extra rl: pip install 'shogun-env[rl]' (sb3_contrib is not installed)" in line


def test_run_program__module_of_the_package_missing__is_an_error_of_ours(monkeypatch):
    monkeypatch.delitem(sys.modules, "shogun_env.training.selfplay", raising=False)
    monkeypatch.setitem(sys.modules, "shogun_env.training.config", None)
    with pytest.raises(ModuleNotFoundError):
        run_program("selfplay", [])


CALLED = [
    ("/usr/bin/shogun-env", "python -m benchmarks.tournament", "shogun-env tournament"),
    ("/usr/bin/shogun-env", "python -m shogun_env", "shogun-env"),
    ("/usr/bin/shogun-env", "python -m shogun_env record", "shogun-env record"),
    ("/x/shogun_env/__main__.py", "python -m training.selfplay", "python -m shogun_env selfplay"),
    ("/x/benchmarks/tournament.py", "python -m benchmarks.tournament", "python -m benchmarks.tournament"),
    ("/usr/bin/shogun-env", "prog", "prog"),
]


@pytest.mark.parametrize(("started_as", "program", "called"), CALLED)
def test_called_as__however_started__is_what_was_typed(started_as, program, called, monkeypatch):
    monkeypatch.setattr(sys, "argv", [started_as])
    assert cli.called_as(program) == called
    assert cli.Parser(prog=program).prog == called
