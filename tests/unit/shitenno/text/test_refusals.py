"""Why actions of Shitennō are illegal: never said of a legal one, and said of every placement."""

import numpy as np
import pytest

from shogun_env.shitenno import Batch
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.text.refusals import refusals
from tests.games import some_action


@pytest.mark.full
def test_refusals__over_whole_games__are_of_illegal_actions_and_of_all_placements():
    rng, met = np.random.default_rng(3), set()
    for seed in range(12):
        batch = Batch(1, seed=seed, num_players=2 + seed % 3)
        while not batch.over[0]:
            g, legal = batch.games[0], set(np.flatnonzero(batch.legal[0]).tolist())
            before = g.copy()
            reasons = refusals(g)
            assert g == before
            assert not legal & set(reasons)
            if g["phase"] == c.TURN:
                assert set(range(c.A_TROOPS, c.A_DRAW + 1)) <= legal | set(reasons)
            if g["phase"] in (c.FORM_LOT, c.DIVIDE):
                assert set(range(c.A_LOT_ADD, c.A_ACCEPT)) <= legal | set(reasons)
            met |= set(reasons.values())
            batch.step(some_action(batch, rng))
    for words in ("there is none in the pool", "you have no Draw tile", "you have no simple Kamon there"):
        assert words in met
    for words in ("you cannot pay", "no payment goes on", "comes before the last one added", "as many Kamon as a turn"):
        assert any(words in reason for reason in met)
