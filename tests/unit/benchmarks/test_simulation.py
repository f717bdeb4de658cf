"""The simulation of a league: chosen games tell more than random ones, and the figures say what was simulated."""

import json

import numpy as np
import pytest

from shogun_env.benchmarks import simulation
from shogun_env.benchmarks.arena.likelihood import SCALE
from shogun_env.commands import run_command

pytest.importorskip("scipy")


def test_simulation__newcomers_are_rated_by_far_fewer_chosen_games(tmp_path, capsys):
    league = ["--bots", "40", "--games", "900", "--newcomers", "2", "--width", "250"]
    arguments = [*league, "--json", str(tmp_path / "s.json")]
    assert run_command("simulation", arguments) == 0
    figures = json.loads((tmp_path / "s.json").read_text())["figures"]
    assert figures["newcomers"]["chosen"] * 3 < figures["newcomers"]["random"]
    for name in ("chosen", "random"):
        points = figures[name]["points"]
        assert [point["games"] for point in points] == [40, 80, 200, 400, 800, 900]
        assert points[-1]["kendall"] > 0.75 > points[0]["kendall"] and points[-1]["covered"] > 0.8
    said = capsys.readouterr().out
    assert "2 newcomers are rated within 250 points after" in said


def test_simulation__drawn_places__follow_the_strengths():
    bots = np.tile([0, 1], (4000, 1))
    place = simulation.drawn(np.random.default_rng(0), np.array([400 / SCALE, 0.0]), bots)
    assert (place[:, 0] == 1).mean() == pytest.approx(10 / 11, abs=0.02)  # 400 points are odds of ten to one
    assert (place.sum(axis=1) == 3).all()


def test_needed__between_two_points__is_read_off_and_beyond_the_last_unknown():
    points = [simulation.Point(games=games, spearman=0, kendall=k, covered=1) for games, k in ((100, 0.5), (400, 0.7))]
    assert simulation.needed(points, 0.6) == pytest.approx(200)
    assert np.isnan(simulation.needed(points, 0.8))
