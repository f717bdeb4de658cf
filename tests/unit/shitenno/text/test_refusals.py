"""Why actions of Shitennō are illegal: never said of a legal one, and said of every placement."""

import random

import numpy as np
import pytest

from shogun_env.shitenno import Batch, Game
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


def test_refuse__says_who_gets_the_lot_then():
    """It said that the next player is asked also to the last one, for whom the Tairō takes it."""
    game, chance, met = Game(seed=1, num_players=3), random.Random(1), set()
    while met != {False, True}:
        legal = game.legal_actions()
        if "refuse" not in legal:
            game.play(chance.choice([*legal]))
            continue
        state, length = game.batch.games[0], len(game.lines())
        text, question = game.spec.action_words(state, legal["refuse"]), game.spec.question(state)
        game.play("refuse")
        takes = any(line["t"] == "take" for line in game.lines()[length:])
        assert takes == ("the Tairō takes it" in text) == ("You are the last one asked" in question)
        met.add(takes)
