"""Measuring a rate."""

from __future__ import annotations

from pathlib import Path

import pytest

import shogun_env
from shogun_env.benchmarks.speed import measures
from shogun_env.benchmarks.speed.measures import Settings, rates
from tests.games import NAMES


def test_rates__work_of_known_duration__is_counted_and_divided_by_the_time(monkeypatch):
    clock, cpu = iter([100.0, 100.5, 101.0, 101.5]), iter([7.0, 7.75])
    monkeypatch.setattr(measures.time, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(measures.time, "process_time", lambda: next(cpu))
    per_second, cores = rates(lambda: (30, 3), 1.2)
    assert per_second.tolist() == [60, 6]
    assert cores == 0.5


def test_rates__no_time__works_once():
    assert rates(lambda: (1,), 0.0)[0].shape == (1,)


def test_new_process__runs_where_the_package_is(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert Path(__file__).resolve().parents[4] == measures.ROOT
    code = "import os, shogun_env; print(os.getcwd(), shogun_env.__file__, sep='\\n')"
    folder, module = measures._python("-c", code)[1].splitlines()
    assert (folder, module) == (str(measures.ROOT), shogun_env.__file__)


MOON = {"num_players": 3, "side": "moon", "start": "draft", "tower": [2, 0.15, 0.025, 0.5], "optional_moves": True}
SETTINGS = [Settings(game=name) for name in NAMES] + [Settings(options=MOON)]


@pytest.mark.full
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_new_process__of_a_game_with_options_of_play__is_measured(settings, monkeypatch):
    monkeypatch.setattr(measures, "MANY_GAMES", 4)
    assert measures.import_seconds(settings) > 0
    assert measures.memory_of_many(settings) > 1e6


@pytest.mark.full
def test_learning_rate__with_options_of_play__is_that_of_a_training_run():
    pytest.importorskip("sb3_contrib")
    assert measures.learning_rate(Settings(options=MOON), decisions=10_000) > 0
