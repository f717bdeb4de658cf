"""Who meets next in a league: those whose games tell most, every table without a bot twice."""

from __future__ import annotations

import numpy as np
import pytest

from shogun_env.benchmarks.arena.fit import Strengths
from shogun_env.benchmarks.league.choosing import choose, choose_any, information


def known(mean, variance):
    """Return strengths with independent errors."""
    return Strengths(mean=np.array(mean, float), covariance=np.diag(np.array(variance, float)))


@pytest.mark.parametrize(("size", "players"), [(2, 2), (4, 4), (5, 4), (60, 3)])
def test_choose__tables__have_as_many_different_bots_as_players(size, players):
    rng = np.random.default_rng(size)
    tables = choose(rng, known(rng.normal(size=size), np.ones(size)), 100, players)
    assert tables.shape == (100, players)
    assert (np.diff(np.sort(tables, axis=1), axis=1) > 0).all()
    assert set(tables.ravel().tolist()) == set(range(size))
    with pytest.raises(ValueError, match=f"{size} bots for games of {size + 1} players: enter more"):
        choose(rng, known(np.zeros(size), np.ones(size)), 1, size + 1)


def test_choose__one_newcomer_among_bots_that_are_known__plays_in_nearly_every_game_against_its_equals():
    variance = np.full(40, 1e-4)
    variance[7], mean = 0.5, np.linspace(-4, 4, 40)
    tables = choose(np.random.default_rng(1), known(mean, variance), 20, 4)
    with_it = (tables == 7).any(axis=1)
    assert with_it.mean() >= 0.8
    away = np.abs(mean[tables[with_it]] - mean[7])
    assert np.median(away) < 1.2 < np.median(np.abs(mean - mean[7]))


def test_choose__long_round__spreads_games_as_errors_become_smaller():
    tables = choose(np.random.default_rng(2), known(np.zeros(30), np.ones(30)), 300, 3)
    counts = np.bincount(tables.ravel(), minlength=30)
    assert counts.min() > 20 and counts.max() < 45  # 30 each


def test_choose__fixed_bots_only__still_meet():
    tables = choose(np.random.default_rng(3), known(np.zeros(4), np.zeros(4)), 5, 3)
    assert (np.diff(np.sort(tables, axis=1), axis=1) > 0).all()


def test_choose_any__every_bot_plays_as_often_as_any_other():
    tables = choose_any(np.random.default_rng(4), 10, 9, 3)  # one of ten sits out, three tables in a round
    assert (np.diff(np.sort(tables, axis=1), axis=1) > 0).all() and np.bincount(tables.ravel(), minlength=10).max() <= 3


def test_information__equal_and_uncertain_bots_tell_most_and_a_bot_twice_nothing():
    strengths = known([0, 0, 0, 5], [1, 1, 0.01, 1])
    tables = np.array([[0, 1], [0, 2], [0, 3], [0, 0]])
    told = information(strengths, tables, np.ones(4))
    assert told[0] > told[1] > told[2] > 0 > told[3]
    assert told[0] == pytest.approx(np.log1p(0.25 * 2))
    assert information(strengths, tables, np.full(4, 0.5))[0] == pytest.approx(np.log1p(0.25 * 0.5))
