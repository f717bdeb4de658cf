"""Evaluation: shares of wins with seats rotated."""

from __future__ import annotations

import numpy as np
import pytest

from shogun_env.shares import share_of
from shogun_env.training.evaluation import EVALUATION_SEED, win_share
from tests.games import each_engine


class Recorder:
    """A bot that plays the lowest action and remembers who it was asked for in which game."""

    def __init__(self):
        self.asked = set()

    def act(self, view, rng):
        self.asked |= set(zip(view.rows.tolist(), view.players.tolist(), strict=True))
        return view.masks.argmax(1)


@each_engine
@pytest.mark.parametrize("players", [3, 4])
def test_win_share__games__every_seat_on_the_same_seeds(engine, players):
    bot = Recorder()
    result = win_share(bot, "random", engine, {"num_players": players}, games=5 * players + 1)
    assert bot.asked == {(row, row % players) for row in range(5 * players)}
    won = []
    for row in range(5 * players):
        batch = engine(1, num_players=players, seed=EVALUATION_SEED + row // players)
        seats = np.full((1, players), 1, np.int8)
        seats[0, row % players] = -1
        while not batch.over[0]:
            batch.play(["random", "random"], seats)
            if not batch.over[0]:
                batch.step(batch.legal.argmax(1))
        winners = batch.returns[0] == batch.returns[0].max()
        won.append(winners[row % players] / winners.sum())
    expected = share_of(np.array(won).reshape(5, players))
    assert result[:3] == pytest.approx(expected[:3], abs=1e-6)
    assert (result.seats, result.games) == (pytest.approx(expected.seats), 5 * players)
