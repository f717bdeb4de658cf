"""Records with a number far out of range: the check finds it before it is an index anywhere, and no position has it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from shogun_env.shogun import SHOGUN, Batch
from shogun_env.spec.position import text_from_state
from tests.games import KINDS, advance, batch_class

BOUNDLESS = {
    "shogun": {"stick", "dislodge", "shake", "chests", "rice", "points", "pad"},
    "shitenno": {"points", "pad"},
}
"""Fields that may hold any number, or 100."""
OPTIONS = {
    "shogun": [KINDS["shogun"][0], KINDS["shogun"][2], KINDS["shogun"][4]],
    "shitenno": [{"num_players": 4}],
}
STEPS = {"shogun": (0, 5, 20, 45, 80, 330), "shitenno": (5, 20, 45, 80)}


def spoilt(g: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Copies of a record in which one number each is the least or greatest of its field's type, or large."""
    for name in g.dtype.names or ():
        info = np.iinfo(g[name].dtype)
        for index in range(g[name].size):
            for value in {info.min or info.max, info.max, 100}:
                copy = g.copy()
                copy[name].reshape(-1)[index] = value
                if copy.tobytes() != g.tobytes():
                    yield name, copy


@pytest.mark.parametrize(
    ("name", "number", "steps"),
    [(name, number, steps) for name, kinds in OPTIONS.items() for number in range(len(kinds)) for steps in STEPS[name]],
)
def test_check__number_far_out_of_range__is_found(name: str, number: int, steps: int):
    batch = batch_class(name)(1, seed=steps, **OPTIONS[name][number])
    advance(batch, steps, steps)
    names, games = zip(*spoilt(batch.games), strict=True)
    codes = np.zeros(len(games), np.int64)
    batch.loops.check(np.concatenate(games), codes, np.zeros((1, batch.spec.n_actions), np.int8), 0, len(games))
    assert {name for name, code in zip(names, codes, strict=True) if code == 0} <= BOUNDLESS[name]


@pytest.mark.parametrize("field", ["holder=100", "rank=100", "position_of=100", "bid_order=100"])
def test_position__number_far_out_of_range__is_refused_and_changes_nothing(field: str):
    batch = Batch(1, seed=0)
    before = batch.games.tobytes()
    with pytest.raises(ValueError, match="that its field can hold"):
        batch.set_position(0, f"{text_from_state(SHOGUN, batch.games[0])} {field}")
    assert batch.games.tobytes() == before
