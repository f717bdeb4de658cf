"""Bots play as they did: hashes of a few seeded games among them."""

import hashlib

import numpy as np

from shogun_env.agents.scripted import STYLES
from shogun_env.policies import make_agent, play_on
from tests.games import batch_class, each_game

BOTS = {"shogun": "19f640e151e91bbb", "shitenno": "ead8c65c5d0266ef"}
"""A commit that changes how a bot plays changes these, and says so."""


@each_game
def test_bots__seeded_games__are_those_of_this_version(name: str):
    digest = hashlib.sha256()
    bots = [*(f"scripted:style={style}" for style in STYLES[name]), "random", "champion", "pool:2min"]
    batch = batch_class(name)(8 * len(bots), seed=1)
    seats = np.add.outer(np.arange(batch.num_games), np.arange(batch.num_players)) % len(bots)
    play_on(batch, [make_agent(bot, batch.spec) for bot in bots], seats.astype(np.int8))
    digest.update(batch.points.tobytes() + batch.games.tobytes())
    assert digest.hexdigest()[:16] == BOTS[name]
