"""Calibration: known chances have the losses that they must have, and later rounds are known better."""

import json
from dataclasses import replace

import numpy as np
import pytest

from shogun_env.benchmarks.calibration import Settings, _round, measure
from shogun_env.benchmarks.experiment import Watch
from shogun_env.commands import run_command


def entropy(chance: float) -> float:
    """Return the log loss of who knows the chance."""
    return float(-(chance * np.log(chance) + (1 - chance) * np.log(1 - chance)))


def test_round__chances_that_are_true__lose_their_entropy_and_have_slope_1():
    true = np.repeat([0.2, 0.8], 1000)
    won = np.tile(np.r_[np.ones(200), np.zeros(800)], 2)
    won[1000:] = 1 - won[1000:]
    of_round = _round(true, np.where(won > 0.5, 0.999, 0.001), won)
    assert of_round.network == pytest.approx(entropy(0.2))
    assert of_round.knowing_nothing == pytest.approx(entropy(0.5))
    assert (of_round.wins, of_round.expects) == pytest.approx((0.5, 0.5))
    assert of_round.played_out == pytest.approx(-np.log(0.999))
    assert of_round.slope == pytest.approx(1, abs=0.02)


def test_round__half_the_logit__is_not_sure_enough():
    won = np.r_[np.ones(800), np.zeros(200), np.ones(200), np.zeros(800)]
    unsure = np.repeat([2 / 3, 1 / 3], 1000)  # odds of 2 where 4 are right
    assert _round(unsure, unsure, won).slope == pytest.approx(2, abs=0.03)


def test_round__who_expects_too_little__wins_more_than_that():
    of_round = _round(np.full(10, 0.25), np.full(10, 0.5), np.r_[np.ones(6), np.zeros(4)])
    assert (of_round.wins, of_round.expects) == pytest.approx((0.6, 0.25))


def test_measure__threads__change_nothing_and_the_end_is_known_better_than_the_beginning():
    bot = {"agent": "pool:champion-by-hand"}  # which never changes
    settings = Settings(game="shogun", options={"num_players": 3}, games=40, playouts=4, seed=3, threads=1, **bot)
    rounds = list(measure(settings, Watch()))
    assert rounds == list(measure(replace(settings, threads=2), Watch()))
    assert [each.games for each in rounds] == [42] * 6
    assert rounds[-1].network < rounds[0].network < rounds[0].knowing_nothing + 0.1
    assert rounds[-1].played_out < rounds[0].played_out


def test_command__prints_a_row_per_round(tmp_path, capsys):
    file = tmp_path / "figures.json"
    assert run_command("calibration", ["--games", "8", "--playouts", "2", "--threads", "1", "--json", str(file)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 8
    assert [each["games"] for each in json.loads(file.read_text())["rounds"]] == [8] * 6
