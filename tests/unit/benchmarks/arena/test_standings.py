"""Standings: shares, places, intervals, tables."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from shogun_env.benchmarks.arena.seating import Result
from shogun_env.benchmarks.arena.standings import ahead, comma_separated, markdown, standings, wilson

STATE = Result(0, ["a", "b"], 0, ["a", "b"], [1.0, 2.0], [40, 30], [1.0, 0.0], 300, [{}, {}])


def test_standings__known_games__shares_places_points():
    games = [
        STATE,
        replace(STATE, rotation=1, agents=["b", "a"], points=[20, 50], place=[2.0, 1.0], win=[0.0, 1.0]),
        replace(STATE, seed=1, place=[1.5, 1.5], win=[0.5, 0.5], points=[33, 33]),
        replace(STATE, seed=1, rotation=1, agents=["b", "a"], points=[60, 50], faults=[{"illegal": 3}, {}]),
    ]
    first, second = standings(games)
    assert (first.agent, first.games, first.win_share) == ("a", 4, 0.625)
    assert first.seat_shares == (0.75, 0.5)
    assert (first.mean_place, first.mean_points) == (1.375, 43.25)
    assert first.low <= first.win_share <= first.high
    assert (second.win_share, second.faults) == (0.375, {"illegal": 3})
    assert ahead(games, ["a", "b"]) == [[None, 0.625], [0.375, None]]


def test_standings__all_seeds_agree__interval_still_has_a_width():
    first, second = standings([STATE, replace(STATE, seed=1)])
    assert (first.win_share, second.win_share) == (1.0, 0.0)
    assert first.low == pytest.approx(wilson(2, 2)[0])
    assert first.low < 0.5
    assert first.seat_shares[1] is None
    assert "–" in markdown([first, second])
    assert comma_separated([first, second]).splitlines()[0].startswith("agent,games,win_share,low,high")


def test_interval__many_seeds__covers_about_the_spread_of_the_mean():
    rng = np.random.default_rng(0)
    games = [replace(STATE, seed=s, win=[float(w), 1.0 - float(w)]) for s, w in enumerate(rng.random(400) < 0.3)]
    row = next(row for row in standings(games) if row.agent == "a")
    assert row.high - row.low == pytest.approx(2 * 1.96 * math.sqrt(0.3 * 0.7 / 400), rel=0.15)
