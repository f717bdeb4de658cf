"""Opponents of a learner: their shares, and which snapshots play."""

import numpy as np
import pytest

pytest.importorskip("torch")

from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.policies import make_agent
from shogun_env.shitenno import SHITENNO
from shogun_env.training.config import Config, changed
from shogun_env.training.opponents import LEARNER, Opponents

SHAPE = Shape(SHITENNO, Sizes(2, 4, 2))
GAMES = 6_000
CYCLE = np.array([[0.0, -0.5, 0.3], [0.5, 0.0, -0.2], [-0.3, 0.2, 0.0]])
"""Rock, paper, scissors with an equilibrium of 0.2, 0.3, 0.5."""


def opponents(added=0, **settings):
    """Return opponents with this many snapshots added, each with weights of its own."""
    config = changed(Config(game="shitenno"), {"opponents": ["scripted", "random"], **settings})
    pool = Opponents(SHAPE, config, [make_agent(name, SHITENNO) for name in config.opponents])
    for seed in range(added):
        pool.add_snapshot(SHAPE.random_weights(seed))
    return pool


def line_up(pool, players=4, games=GAMES):
    return pool.line_up(games, players, np.random.default_rng(1))


def shares(seats, count):
    """Return how often each opponent of the learner is met: float64[count]."""
    own = (seats == LEARNER).all(1)
    counts = np.bincount(seats[~own].ravel(), minlength=count)
    assert len(counts) == count
    return counts[1:] / counts[1:].sum()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_line_up__any_game__learner_has_a_seat_and_all_seats_of_as_many_games_as_set(players):
    for self_fraction in (0.0, 0.3, 1.0):
        seats = line_up(opponents(2, self_fraction=self_fraction), players)
        is_own = seats == LEARNER
        assert seats.shape == (GAMES, players) and seats.dtype == np.int8
        assert is_own.any(1).all()
        assert is_own.all(1).mean() == pytest.approx(self_fraction, abs=0.02)
        assert (is_own.sum(1)[~is_own.all(1)] == 1).all()
        if self_fraction < 1:  # at every seat as often
            assert is_own[~is_own.all(1)].mean(0) == pytest.approx([1 / players] * players, abs=0.02)


def test_line_up__with_snapshots__as_many_of_them_as_set_and_bots_alike():
    seats = line_up(opponents(3, snapshot_fraction=0.3))
    assert shares(seats, 6) == pytest.approx([0.35, 0.35, 0.1, 0.1, 0.1], abs=0.02)
    assert shares(line_up(opponents(snapshot_fraction=0.9)), 3) == pytest.approx([0.5, 0.5], abs=0.02)


def test_line_up__without_bots__snapshots_and_before_them_the_learner():
    seats = line_up(opponents(2, opponents=[]))
    assert shares(seats, 3) == pytest.approx([0.5, 0.5], abs=0.02)
    assert (line_up(opponents(opponents=[])) == LEARNER).all()


def test_line_up__half_of_the_games__against_opponents_that_are_alike():
    seats = line_up(opponents(2, self_fraction=0.0, snapshot_fraction=0.5), games=GAMES)
    others = [set(row[row != LEARNER].tolist()) for row in seats]
    alike = np.mean([len(own) == 1 for own in others])
    by_chance = 4 * 0.25**3  # three opponents drawn from four that are met alike
    assert alike == pytest.approx(0.5 + 0.5 * by_chance, abs=0.02)


def test_snapshots__beyond_the_number_set__the_oldest_goes():
    pool = opponents(5, snapshots=3)
    kept = [own["action.bias"].tobytes() + own["row.weight"].tobytes() for own in pool.weights]
    expected = [SHAPE.random_weights(seed) for seed in (2, 3, 4)]
    assert kept == [own["action.bias"].tobytes() + own["row.weight"].tobytes() for own in expected]
    assert len(pool.snapshots) == len(pool.scores) == 3
    assert len(pool.everybody(pool.snapshots[0])) == 1 + len(pool.bots) + 3


def test_snapshots__that_win_more__play_more():
    pool = opponents(2, self_fraction=0.0, snapshot_fraction=1.0)
    first = 1 + len(pool.bots)
    rng = np.random.default_rng(3)
    for _ in range(40):
        seats = pool.line_up(64, 2, rng)
        # The older snapshot wins nine games in ten, the other one game in ten; the learner has the rest.
        wins = {first: 0.9, first + 1: 0.1}
        won = np.array([[wins.get(int(seat), 0.0) for seat in row] for row in seats])
        won = (rng.random(won.shape) < won).astype(float)
        won[seats == LEARNER] = 1 - won.sum(1)
        pool.count(seats, won)
    assert pool.scores == pytest.approx([0.9, 0.1], abs=0.15)
    assert shares(line_up(pool), 5)[2:] == pytest.approx([0.9, 0.1], abs=0.15)


def test_snapshots__drawn_uniformly__play_alike_however_much_they_win():
    pool = opponents(4, algorithm="fictitious")
    pool.scores[:] = [1.0, 0.0, 0.5, 0.1]
    seats = line_up(pool)
    assert ((seats == LEARNER).sum(1) == 1).all()
    assert shares(seats, 7) == pytest.approx([0, 0, 0.25, 0.25, 0.25, 0.25], abs=0.02)


def test_snapshots__with_payoffs__play_as_the_game_of_choosing_one_says():
    pool = opponents(3, algorithm="psro", snapshots=3)
    pool.know_payoffs(np.full((3, 3), 0.5) + CYCLE / 2)
    assert shares(line_up(pool), 6) == pytest.approx([0, 0, 0.2, 0.3, 0.5], abs=0.02)
    pool.add_snapshot(SHAPE.random_weights(3))  # the first goes
    assert pool.payoffs == pytest.approx(0.5 + CYCLE[1:, 1:] / 2)


def test_count__results__are_shares_times_half_the_players_and_bots_have_none():
    pool = opponents(1)
    first = 1 + len(pool.bots)
    pool.count(np.array([[0, 1, 2, first]]), np.array([[0.0, 1.0, 0.0, 0.0]]))
    assert pool.scores == pytest.approx([0.98])
    pool.count(np.array([[0, 0, 0, first]]), np.array([[0.75, 0.0, 0.0, 0.25]]))
    assert pool.scores == pytest.approx([0.98 + 0.02 * (0.5 - 0.98)])
