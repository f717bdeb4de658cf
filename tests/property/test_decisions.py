"""Every decision of every game: the state is valid, the mask is exact, and the game ends in time."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games import NAMES, batch_class, content, each_of_all_games, play_on
from tests.property.strategies import draw_batch, draw_state

MOST = 1000
"""Decisions of any game; those of the longest, Shogun for five with a draft, are some 700."""


@each_of_all_games
@given(data=st.data())
def test_game__random_play__state_is_valid_and_two_actions_legal_at_every_decision(name: str, data: Any):
    batch = draw_batch(data, name, 3)
    met = []
    for _ in play_on(batch, int(batch.seeds[0]), MOST):
        legal = batch.legal.sum(1)
        assert (legal[~batch.over] >= 2).all()
        assert (batch.legal[:, 0] == batch.over).all()
        assert (legal[batch.over] == 1).all()
        met.append(batch.games.copy())
    assert batch.over.all()
    states = batch.take(np.tile(np.arange(3), len(met)))  # to check all at once takes little longer than to check three
    states.games[:] = np.concatenate(met)
    wrong = [(row // 3, batch.spec.check_messages[code]) for row, code in enumerate(states.check().tolist()) if code]
    assert wrong == [], "decisions, and what is wrong with their states"


def rewards() -> list[tuple[str, int, str]]:
    games = [batch_class(name).spec for name in NAMES]
    return [(game.name, players, reward) for game in games for players in game.players for reward in game.rewards]


@pytest.mark.parametrize(("name", "players", "reward"), rewards())
def test_returns__finished_games__sum_to_zero_and_are_best_for_the_best(name: str, players: int, reward: str):
    batch = batch_class(name)(200, num_players=players, seed=7, reward=reward)
    batch.play(["random"] * players)
    assert np.abs(batch.returns.sum(1)).max() < 1e-5
    best = batch.returns.max(1, keepdims=True) == batch.returns
    assert (batch.points[best] == batch.points.max(1).repeat(best.sum(1))).all()
    if reward in ("win", "rank"):
        assert (batch.returns[best.sum(1) == 1].max(1) == 1).all()


@each_of_all_games
@given(data=st.data())
def test_mask__any_state__every_masked_action_is_accepted(name: str, data: Any):
    batch = draw_state(data, name, record=True)
    actions = np.flatnonzero(batch.legal[0])
    many = batch.take(np.zeros(len(actions), np.int64))
    many.step(actions)
    assert not many.check().any()
    if batch.spec.phase_names[batch.phase[0]] not in ("over", "revolt_order"):  # revolts may come to the same
        assert len({many.games[row].tobytes() for row in range(len(actions))}) == len(actions)


@each_of_all_games
@given(data=st.data())
def test_mask__any_state__every_other_action_is_refused_and_nothing_changes(name: str, data: Any):
    batch = draw_state(data, name)
    before = content(batch)
    if batch.over[0]:
        batch.step(np.array([5]))  # rows that are over are left alone
        assert content(batch) == before
        return
    for action in [-1, batch.spec.n_actions, *np.flatnonzero(batch.legal[0] == 0)]:
        with pytest.raises(ValueError, match="is illegal; legal are"):
            batch.step(np.array([action]))
        assert content(batch) == before
