"""Shared code: one compiled copy for each engine."""

import numpy as np
import pytest

from shogun_env.batch.loops import advance, play_games
from shogun_env.shikoku import SHIKOKU
from shogun_env.shitenno import SHITENNO
from shogun_env.shogun import SHOGUN
from tests.coins import COINS


def test_shared__called_by_its_own_name__says_what_to_call():
    with pytest.raises(TypeError, match=r"^advance calls functions of an engine: call its copy, \.of\(engine\)$"):
        advance()


def test_shared__games_on_one_engine__share_a_copy():
    assert play_games.of(SHOGUN.engine) is play_games.of(SHIKOKU.engine)
    assert play_games.of(SHOGUN.engine) is not play_games.of(SHITENNO.engine)


def test_engine__without_plans_and_stages__has_functions_that_say_so():
    engine, g = COINS.engine, COINS.blank_state({"num_players": 2})[0]
    assert (engine.plan_slot(g), engine.observation_epoch(g), engine.stage(g, 0), engine.rewind(g)) == (-1, -1, 0, 0)
    assert engine.value_features(g, np.zeros((2, 1))) is None
