"""Redeals follow the stated law, and leave nothing behind of what they replaced (rules 8, spec 3)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from shogun_env.shogun import Batch
from shogun_env.shogun import constants as c

ROWS = 20_000
Z_LIMIT = 5.0
"""Standard deviations that a chi-square statistic may lie above its mean: fixed seeds, one in a million by chance."""


def played(decisions: int, phase: int, **options) -> Batch:
    """Play a seeded random game for so many decisions and on to the next one of ``phase``; copies in every row."""
    batch = Batch(1, seed=5, **options)
    choices = np.random.default_rng(5)
    while batch.decisions[0] < decisions or batch.games["phase"][0] != phase:
        batch.step(choices.choice(np.flatnonzero(batch.legal[0]), 1))
    return batch.take(np.zeros(ROWS, int))


def chi_square_z(observed: np.ndarray, expected: np.ndarray) -> float:
    """Return how many standard deviations chi-square lies above its mean."""
    degrees = len(observed) - 1
    statistic = float(((observed - expected) ** 2 / expected).sum())
    return (statistic - degrees) / (2 * degrees) ** 0.5


@pytest.mark.full
def test_redeal__two_spaces_filled__all_legal_pairs_equally_likely():
    batch = played(10, c.PLAN)
    game = batch.games[0]
    assert game["space"] == 2
    observer, other = int(game["player"]), (int(game["player"]) + 1) % 4
    batch.redeal(None, observer, 11)
    pairs = Counter(map(tuple, batch.games["plan"][:, other, :2].tolist()))
    cards = int(game["n_owned"][other]) + c.N_CHEST_CARDS
    bids = cards - max(0, c.N_CHEST_CARDS - 1 - int(game["chests"][other]))
    assert cards > c.N_SPACES
    assert len(pairs) == bids * (cards - 1)
    observed = np.array(list(pairs.values()))
    assert chi_square_z(observed, np.full(len(observed), ROWS / len(observed))) < Z_LIMIT


@pytest.mark.full
@pytest.mark.parametrize(("decisions", "phase"), [(20, c.PLAN), (52, c.TARGET), (170, c.TARGET), (300, c.NUMBER)])
def test_redeal__states_that_look_equal__same_distribution(decisions, phase):
    first = played(decisions, phase)
    observer = int(first.player[0])
    seen = first.observe_for(observer)[0].copy()
    second = Batch.load(first.save())
    second.redeal(None, observer, 99)
    second.copy_games(np.zeros(ROWS, int), np.arange(ROWS))
    assert (second.observe_for(observer)[0] == seen).all()
    first.redeal(None, observer, 1)
    second.redeal(None, observer, 2)
    for batch in (first, second):
        assert (batch.observe_for(observer) == seen).all()
        assert not batch.check().any()
    hidden = [(p, s) for p in range(4) for s in range(c.N_SPACES) if p != observer]
    for player, space in hidden:
        assert same_law(first.games["plan"][:, player, space], second.games["plan"][:, player, space])


def same_law(one: np.ndarray, other: np.ndarray) -> bool:
    """Compare two samples of cards by a two-sample chi-square."""
    counts = np.array([np.bincount(sample + 1, minlength=c.N_CARDS + 1) for sample in (one, other)], float)
    counts = counts[:, counts.sum(0) > 0]
    if counts.shape[1] == 1:
        return True
    statistic = float(((counts[0] - counts[1]) ** 2 / counts.sum(0)).sum())
    degrees = counts.shape[1] - 1
    return (statistic - degrees) / (2 * degrees) ** 0.5 < Z_LIMIT


@pytest.mark.full
def test_redeal__future__differs_from_the_games_own():
    batch = played(60, c.TARGET)
    copies = batch.take(np.arange(50))
    copies.redeal(None, int(batch.player[0]), 3)
    copies.play(["random"] * 4)
    assert len(np.unique(copies.points, axis=0)) > 20


@pytest.mark.floors
def test_redeal__one_game__depends_on_seed_alone():
    one, many = Batch(1, seed=8), Batch(6, seed=8)
    one.redeal([0], 0, np.array([77]))
    many.redeal([3, 0], 0, np.array([78, 77]))
    assert one.games[0].tobytes() == many.games[0].tobytes()
    assert (one.rngs[0] == many.rngs[0]).all()
