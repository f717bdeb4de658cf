"""Of every decision of every game: the record is valid, the mask exact, the end near."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from shogun_env.shogun import SHOGUN, Batch, board
from shogun_env.shogun import constants as c
from tests.property.games import Options, advance, content, play_on, seeds, some_options, steps


def most_decisions(players: int) -> int:
    """Bound of the number of decisions of a game: draft, then six rounds and two winters."""
    groups = int(board.ARMY_GROUPS[players].sum())
    draft = players * groups * 3  # bury, card, group
    a_turn = 3 * 2  # target and number: deploy/move 1, battle/move A and B
    a_round = players * (c.N_SPACES + 1 + a_turn)
    return draft + c.N_YEARS * (c.N_SEASONS * a_round + players * c.MAX_FAMINE)


@given(options=some_options(), seed=seeds)
def test_game__random_play__record_is_valid_and_two_actions_legal_at_every_decision(options: Options, seed: int):
    batch = Batch(3, seed=seed, **options)
    checks = SHOGUN.checks
    for number, _ in enumerate(play_on(batch, seed)):
        codes = batch.check()
        assert not codes.any(), f"decision {number}: {checks.get(int(codes.max()))}"
        legal = batch.legal.sum(1)
        assert (legal[~batch.over] >= 2).all()
        assert (batch.legal[:, 0] == batch.over).all()
        assert (legal[batch.over] == 1).all()
    assert batch.over.all()
    assert batch.decisions.max() <= most_decisions(batch.num_players)


@given(options=some_options(), seed=seeds, step=steps)
def test_mask__any_state__every_masked_action_is_accepted(options: Options, seed: int, step: int):
    batch = Batch(1, seed=seed, record=True, **options)
    advance(batch, seed, step)
    actions = np.flatnonzero(batch.legal[0])
    many = batch.take(np.zeros(len(actions), np.int64))
    many.step(actions)
    assert not many.check().any()
    if not batch.over[0]:
        assert len({many.games[row].tobytes() for row in range(len(actions))}) == len(actions)


@given(options=some_options(), seed=seeds, step=steps)
def test_mask__any_state__every_other_action_is_refused_and_nothing_changes(options: Options, seed: int, step: int):
    batch = Batch(1, seed=seed, **options)
    advance(batch, seed, step)
    before = content(batch)
    if batch.over[0]:
        batch.step(np.array([5]))  # rows that are over are left alone
        assert content(batch) == before
        return
    for action in [-1, c.N_ACTIONS, *np.flatnonzero(batch.legal[0] == 0)]:
        with pytest.raises(ValueError, match="is illegal; legal are"):
            batch.step(np.array([action]))
        assert content(batch) == before
