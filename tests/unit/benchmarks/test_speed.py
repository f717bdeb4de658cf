"""The speed command: every figure is there, rates are per second, bad arguments are one line."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

import shogun_env
from shogun_env.benchmarks import speed
from shogun_env.benchmarks.documents import SPEED_FIGURES
from shogun_env.benchmarks.experiment import settings_in
from shogun_env.benchmarks.speed import EXPERIMENT, Settings, rate, start_seconds
from shogun_env.cli import chosen_game, option_arguments
from shogun_env.commands import parser_of
from tests.games import NAMES

MOON = {"num_players": 3, "side": "moon", "start": "draft", "tower": [2, 0.15, 0.025, 0.5], "optional_moves": True}


def measured(*words: str) -> int:
    """Run the command with tiny settings."""
    args = parser_of("speed", chosen_game(words)).parse_args(words)
    settings = replace(settings_in(args, Settings), seconds=0.0, rounds=2, games=4)
    return EXPERIMENT.run(settings, args.json, "speed")


@pytest.mark.parametrize("name", NAMES)
def test_speed__command__prints_every_figure_and_keeps_it(name: str, tmp_path: Path, capsys, monkeypatch):
    monkeypatch.setattr(speed, "start_seconds", lambda settings: 1.0)
    path = tmp_path / "new" / "speed.json"
    options = MOON if name == "shogun" else {"num_players": 3}
    arguments = ["--game", name, *option_arguments(options), "--seed", "3", "--json", str(path)]
    assert measured(*arguments) == 0
    run = json.loads(path.read_text("utf-8"))
    assert (run["game"], run["options"], run["seed"]) == (name, options, 3)
    assert {"cpu", "cores", "load", "versions", "commit"} == set(run["machine"])
    assert list(run["figures"]) == list(SPEED_FIGURES)
    for figure in run["figures"].values():
        assert 0 < figure["min"] <= figure["median"] <= figure["max"] < math.inf
    printed = capsys.readouterr().out
    assert all(words in printed for words in SPEED_FIGURES.values())


def test_rate__work_of_known_duration__is_divided_by_the_time(monkeypatch):
    clock, cpu = iter([100.0, 100.5, 101.0, 101.5]), iter([7.0, 7.75])
    monkeypatch.setattr(speed.time, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(speed.time, "process_time", lambda: next(cpu))
    assert rate(lambda: 30, 1.2) == (60, 0.5)


def test_start_seconds__of_a_process_told_to_keep_no_bytecode__are_those_of_one_that_keeps_it(monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    environments = []
    monkeypatch.setattr(speed.subprocess, "run", lambda *args, env, **options: environments.append(env))

    start_seconds(Settings())

    assert "PYTHONDONTWRITEBYTECODE" not in environments[0]


@pytest.mark.full
def test_start_seconds__with_options_of_play__are_measured_where_the_package_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert start_seconds(Settings(game="shogun", options=MOON)) > 0
    assert Path(shogun_env.__file__).is_relative_to(speed.PLACE)
