"""Shares of wins of one agent against copies of another."""

from __future__ import annotations

import numpy as np
import pytest

from shogun_env.policies import make_agent
from shogun_env.shares import mean_shares, parity, share_of, wilson, wins
from tests.games import each_engine


@each_engine
def test_wins__bots_that_are_the_same__one_win_per_seed(engine):
    bot = make_agent("scripted", engine.spec)
    options = engine.spec.check_options({"num_players": 3})
    won = wins(engine, bot, bot, np.arange(6), options)
    assert won.shape == (6, 3)
    assert won.sum(1) == pytest.approx(np.ones(6))


@each_engine
def test_wins__scripted_against_random__wins_and_threads_do_not_matter(engine):
    one, other = (make_agent(name, engine.spec) for name in ("scripted", "random"))
    options = engine.spec.check_options({"num_players": 3})
    won = [wins(engine, one, other, np.arange(8), options, threads) for threads in (1, 2)]
    assert won[0].mean() > 0.9
    assert (won[0] == won[1]).all()


def test_share_of__interval_over_seeds():
    won = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]])
    share = share_of(won)
    assert share.share == 0.5
    assert share.seats == (0.75, 0.25)
    assert share.games == 8
    half = 1.959964 * np.array([0.5, 1.0, 0.0, 0.5]).std(ddof=1) / 2
    assert (share.low, share.high) == pytest.approx((0.5 - half, 0.5 + half))


def test_share_of__no_spread__wilson():
    share = share_of(np.ones((5, 2)))
    assert (share.low, share.high) == wilson(10, 10)


@each_engine
def test_mean_shares__over_variants_and_seats__one_value_per_seed(engine):
    one, other = (make_agent(name, engine.spec) for name in ("scripted", "random"))
    variants = [{"num_players": number} for number in engine.spec.players]
    seeds = np.arange(3, 7)
    values = mean_shares(engine, one, other, seeds, variants)
    parts = [wins(engine, one, other, seeds, options) for options in variants]
    assert values.tolist() == [np.mean([part[row].mean() for part in parts]) for row in range(4)]
    equal = [parity(engine.spec, variants)] * 4
    assert mean_shares(engine, one, one, seeds, variants).tolist() == pytest.approx(equal)
