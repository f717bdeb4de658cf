"""Why actions of Shogun are illegal: never said of a legal one, and said of every province that a person may want."""

import numpy as np
import pytest

from shogun_env.shogun import Batch, Game, board
from shogun_env.shogun import constants as c
from shogun_env.shogun.text.refusals import refusals
from tests.games import KINDS, some_action


@pytest.mark.full
def test_refusals__over_games_of_all_kinds__are_of_illegal_actions_and_of_all_provinces():
    rng, met = np.random.default_rng(3), set()
    for number, options in enumerate(KINDS["shogun"][:6]):
        batch = Batch(1, seed=number, **options)
        while not batch.over[0]:
            g, legal = batch.games[0], set(np.flatnonzero(batch.legal[0]).tolist())
            reasons = refusals(g)
            assert not legal & set(reasons)
            if g["phase"] in (c.PLAN, c.TARGET):
                in_play = {c.A_CARD + int(p) for p in np.flatnonzero(board.IN_PLAY[g["side"], g["n_players"]])}
                assert in_play <= legal | set(reasons)
            met |= set(reasons.values())
            batch.step(some_action(batch, rng))
    for words in ("you have no card of it", "the card is on bid already", "player 2 has it", "one army has to stay"):
        assert words in met
    for words in ("does not border on", "temple protects it", "to your provinces only", "who can move must move"):
        assert any(words in reason for reason in met)


def test_refusals__of_a_bid_that_cannot_be_paid__say_how_many_chests_there_are():
    position = Game(seed=1, num_players=3).position()
    game = Game(position=position.replace("chests=18,18,18", "chests=2,18,18"))
    reasons = {game.spec.action_name(action): why for action, why in refusals(game.batch.games[0]).items()}
    assert reasons["chest_3"] == "you have 2 chests, and a bid is paid at once"
    assert "chest_2" not in reasons
