"""Random games of Shitennō: no trace of the search for payments, all cards in every state line (rules 1)."""

from __future__ import annotations

import pytest

from shogun_env.shitenno import Batch, board
from tests.games import play_on

SCRATCH = ("rest", "spare", "path")


@pytest.mark.parametrize("n", [2, 3, 4])
def test_play__random_games__looking_for_legal_actions_leaves_no_trace(n: int):
    batch = Batch(60, num_players=n, seed=n)
    for _ in play_on(batch, n):
        assert not any(batch.games[name].any() for name in SCRATCH)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_record__every_state_line__holds_all_cards(n: int):
    batch = Batch(20, num_players=n, seed=n, record=True)
    batch.play(["random"] * n)
    for state in [line for lines in batch.records() for line in lines if line["t"] == "state"]:
        held = sum(sum(hand.values()) for hand in state["hands"])
        piled = sum(state["discard"].values()) + sum(state["spent"].values()) + sum(state["pile"])
        assert held + piled == board.COPIES.sum()
