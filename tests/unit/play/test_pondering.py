"""Thinking while others decide: what bots are shown, when they stop, and that it is the position they are asked in."""

import threading

import numpy as np
import pytest

from shogun_env.play.pondering import Pondering, expected
from shogun_env.play.table import Table
from shogun_env.policies import View, make_agent
from shogun_env.shogun import Batch, Game
from tests.games import batch_class, each_game


class Thinker:
    """A bot that plays the lowest action, and thinks until it is stopped."""

    def __init__(self) -> None:
        self.began, self.thought, self.asked = threading.Event(), [], []

    def act(self, view, rng):
        self.asked.append(view)
        return view.masks.argmax(axis=1)

    def ponder(self, view, rng, stop):
        self.thought.append(view)
        self.began.set()
        while not stop():
            self.began.wait(0)


def test_pondering__of_a_plan__is_about_the_very_view_that_the_bot_is_asked_with():
    bot = Thinker()
    table = Table(Game, seed=5, options={"num_players": 3}, bots={1: "random", 2: "random"}, adviser="random")
    table._agents[2], table.pondering = bot, Pondering({1: make_agent("random", Batch.spec), 2: bot})
    table.ponder()
    assert bot.began.wait(60)
    table.lay(0, dict(enumerate(table.draft(0).legal()[:11])))
    assert not bot.asked, "bots plan when the plan of the person is confirmed"
    table.confirm(0)
    thought, asked = bot.thought[0], bot.asked[0]
    assert table.pondering._thread is None
    assert thought.players.tolist() == asked.players.tolist() == [2]
    assert (thought.observations == asked.observations).all()
    assert thought.batch.save() == asked.batch.save()


@pytest.mark.parametrize("steps", [0, 40, 90])
@each_game
def test_expected__position__tells_nothing_that_the_player_does_not_know(name: str, steps: int):
    batch = batch_class(name)(1, num_players=3, seed=7)
    for _ in range(steps):
        batch.step(batch.legal.argmax(axis=1))
    player = int(batch.player[0] + 1) % 3
    other = batch.take()
    other.redeal(None, player, seed=77)
    other.policy_rngs[...] = batch.policy_rngs
    views = [View.of(game, np.arange(1)) for one in (batch, other) if (game := expected(one, player)) is not None]
    assert len(views) == 2 and views[0].players == [player]
    assert views[0].batch.save() == views[1].batch.save()
