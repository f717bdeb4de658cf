"""The strengths of a league's bots: the maximum of the likelihood, with fixed bots, and errors that are honest."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from shogun_env.benchmarks.league import strengths as st
from shogun_env.benchmarks.league.history import seats_of
from shogun_env.benchmarks.simulation import drawn

pytest.importorskip("scipy")
TRUTH = np.array([0.0, 0.5, 1.0, 1.8, -0.7])


def games(meetings, seed=0, truth=TRUTH):
    """Return the orders of games of three that are drawn from the model."""
    rng = np.random.default_rng(seed)
    tables = np.argsort(rng.random((meetings, len(truth))), axis=1)[:, :3]
    bots = seats_of(tables)
    place, _ = drawn(rng, truth, bots)
    return np.take_along_axis(bots, np.argsort(place, axis=1), axis=1)


def test_loss__of_every_order__is_minus_the_logarithm_of_its_probability():
    orders = np.array(list(itertools.permutations(range(3))))
    values = [st.loss(orders[[row]].T, TRUTH)[0] for row in range(6)]
    assert np.exp(-np.array(values)).sum() == pytest.approx(1)
    weights = np.exp(TRUTH[:3])
    assert np.exp(-values[0]) == pytest.approx(weights[0] / weights.sum() * weights[1] / weights[1:].sum())


def test_curvature__is_the_derivative_of_the_slope_and_that_of_the_loss():
    orders, step = games(20), 1e-5
    for bot in range(5):
        moved = [st.loss(orders.T, TRUTH + sign * step * np.eye(5)[bot]) for sign in (1, -1)]
        assert (moved[0][0] - moved[1][0]) / (2 * step) == pytest.approx(st.loss(orders.T, TRUTH)[1][bot], abs=1e-4)
        slope = (moved[0][1] - moved[1][1]) / (2 * step)
        assert slope == pytest.approx(st.curvature(orders.T, TRUTH)[bot], abs=1e-4)


def test_fit__fixed_bots_stay_and_the_slope_of_the_others_is_that_of_the_prior(monkeypatch):
    orders = games(200)
    for part in (st.PART, 100):  # by parts of the games first
        monkeypatch.setattr(st, "PART", part)
        found = st.fit(orders, 6, {0: 0.0, 3: 2.0}, centre=0.3)
        assert found.mean[[0, 3]].tolist() == [0.0, 2.0] and not found.variance[[0, 3]].any()
        slope = st.loss(orders.T, found.mean)[1] + st.PRIOR * (found.mean - 0.3)
        assert np.abs(slope[[1, 2, 4, 5]]).max() < 0.01
        assert found.mean[5] == pytest.approx(0.3) and found.variance[5] == pytest.approx(
            1 / st.PRIOR
        )  # without a game


def test_fit__bot_that_wins_every_game__has_a_strength():
    found = st.fit(np.array([[1, 0, 2]] * 50), 3, {0: 0.0})
    assert 1 < found.mean[1] < 10 and found.variance[1] > 0.1


def test_fit__many_bots__errors_are_found_without_all_pairs(monkeypatch):
    orders = games(300)
    dense = st.fit(orders, 5, {0: 0.0})
    monkeypatch.setattr(st, "MOST_DENSE", 4)
    sparse = st.fit(orders, 5, {0: 0.0})
    assert sparse.covariance is None and (sparse.mean == dense.mean).all()
    assert (sparse.variance[1:] < dense.variance[1:]).all() and (sparse.variance[1:] > dense.variance[1:] / 9).all()
    assert st.errors_by_meeting(orders, np.arange(900) // 3, sparse) == pytest.approx(np.sqrt(sparse.variance))


def test_errors__of_meetings_whose_games_are_all_alike__are_those_of_one_game_each():
    orders = games(400)
    one, meeting = orders[::3], np.repeat(np.arange(400), 3)
    alike = np.repeat(one, 3, axis=0)  # the same result three times tells no more than once
    found = st.fit(alike, 5, {0: 0.0})
    honest = np.sqrt(st.fit(one, 5, {0: 0.0}).variance)
    assert st.errors_by_meeting(alike, meeting, found)[1:] == pytest.approx(honest[1:], rel=0.2)
    assert np.sqrt(found.variance)[1:] == pytest.approx(honest[1:] / np.sqrt(3), rel=0.1)


def test_rounded__and_some_bots__are_those_of_all():
    found = st.fit(games(50), 5, {0: 0.0})
    some = found.of_bots(np.array([3, 1]))
    nothing = np.ones(2)
    spread = some.of_difference(np.array([0]), np.array([1]), nothing)
    assert spread == found.of_difference(np.array([3]), np.array([1]), np.ones(5)) > 0
    assert np.abs(found.rounded().mean - found.mean).max() <= 0.0005
    small = st.Strengths(mean=found.mean, variance=found.variance / 1e4, covariance=found.covariance / 1e4).rounded()
    assert small.variance == pytest.approx(found.variance / 1e4, rel=1e-2) and small.variance[1:].all()
