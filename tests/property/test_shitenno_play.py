"""Random games of Shitennō: no trace of the search for payments, all cards in every state line (rules 1), no field
without bounds.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from shogun_env.shitenno import SHITENNO, Batch, board
from tests.games import advance, play_on

SCRATCH = ("rest", "spare", "path")
BOUNDLESS = {*SCRATCH, "points", "round", "pad"}
"""Fields that may hold any number, or any that is not negative."""


def spoilt(g: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Copies of a record in which one number each is the least or greatest of its field's type."""
    for name in g.dtype.names or ():
        info = np.iinfo(g[name].dtype)
        for index in range(g[name].size):
            for value in {info.min or info.max, info.max, 100}:
                copy = g.copy()
                copy[name].reshape(-1)[index] = value
                if copy.tobytes() != g.tobytes():
                    yield name, copy


@pytest.mark.parametrize("steps", [5, 20, 45, 80])
def test_check__number_far_out_of_range__is_found(steps: int):
    batch = Batch(1, seed=steps)
    advance(batch, steps, steps)
    names, games = zip(*spoilt(batch.games), strict=True)
    codes = np.zeros(len(games), np.int64)
    SHITENNO.loops.check(np.concatenate(games), codes, 0, len(games))
    assert {name for name, code in zip(names, codes, strict=True) if code == 0} == BOUNDLESS


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
