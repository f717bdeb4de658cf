"""Sealed views: what an agent is given depends only on what its player may know, and redealing it has the same law."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.batch.batch import Batch
from shogun_env.policies import View, ask
from tests.games import advance, batch_class, content, each_game
from tests.property.strategies import draw_state
from tests.zoo.bots import writes


def sealed(batch: Batch) -> View:
    return View.of(batch, np.arange(batch.num_games))


def unlike(batch: Batch, seed: int) -> Batch:
    """Return the games with other secrets and another future, but the same draws of the players to come."""
    other = batch.take()
    other.redeal(None, batch.player, seed)
    other.policy_rngs[:] = batch.policy_rngs
    other.seeds[:], other.decisions[:] = 7, 7
    return other


@each_game
@given(data=st.data())
def test_view__of_games_that_look_equal__is_the_same_to_the_last_byte(name: str, data: Any):
    batch = draw_state(data, name)
    if batch.over.any():
        return
    one, other = sealed(batch), sealed(unlike(batch, data.draw(st.integers(0, 999))))
    assert content(one.batch) == content(other.batch)
    assert one.observations.tobytes() == other.observations.tobytes()
    assert one.masks.tobytes() == other.masks.tobytes()


@each_game
@given(data=st.data())
def test_redeal__of_a_sealed_view__is_that_of_the_true_games(name: str, data: Any):
    """With the same seed the two redeals are the same games, so their laws are the same."""
    batch = draw_state(data, name)
    if batch.over.any():
        return
    seed = data.draw(st.integers(0, 999))
    true = batch.take()
    true.redeal(None, batch.player, seed)
    again = sealed(batch).redeal(seed)
    assert true.games.tobytes() == again.games.tobytes()
    assert true.rngs.tobytes() == again.rngs.tobytes()
    assert true.policy_rngs.tobytes() == again.policy_rngs.tobytes()


@each_game
def test_view__in_mid_game__is_not_the_true_game(name: str):
    batch = batch_class(name)(64, seed=3)
    advance(batch, 3, 25)
    view = sealed(batch)
    changed = [a.tobytes() != b.tobytes() for a, b in zip(view.batch.games, batch.games, strict=True)]
    assert sum(changed) > 32
    assert not (view.batch.rngs[:, 0] == batch.rngs[:, 0]).any()
    assert not (view.batch.policy_rngs[..., 0] == batch.policy_rngs[..., 0]).any()
    assert not view.batch.seeds.any()
    assert (view.batch.observe() == view.observations).all()


@each_game
def test_ask__agent_that_writes_into_its_view__changes_nothing(name: str):
    batch = batch_class(name)(5, seed=1)
    rows = np.array([3, 1])
    draws = batch.policy_rngs.copy()
    before, blank, options = content(batch), batch._blank.tobytes(), dict(batch.options)
    actions = ask(writes(batch.spec, good=0), batch, rows)
    assert batch.legal[rows, actions].all()
    assert (batch.policy_rngs != draws).any()
    batch.policy_rngs[:] = draws
    assert content(batch) == before
    assert (batch._blank.tobytes(), batch.options) == (blank, options)
