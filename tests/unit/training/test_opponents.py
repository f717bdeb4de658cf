"""Opponents of a learner: their shares, and who they are."""

from __future__ import annotations

import numpy as np
import pytest

from shogun_env.shogun import SHOGUN
from shogun_env.training.opponents import OpponentPool

pytest.importorskip("sb3_contrib")


def test_opponents__line_up__shares_as_set_and_by_seed_alone():
    pool = OpponentPool(SHOGUN, ["random", "scripted"], (0.4, 0.3), snapshots=2)
    for _ in range(4):  # the present learner and three of its past
        pool.play_with(None)
    seeds = np.arange(2000)
    drawn = pool.line_up(seeds, 3)
    assert (pool.line_up(seeds[7:8], 3) == drawn[7]).all()
    count = np.bincount(drawn.ravel(), minlength=6) / drawn.size
    assert count[:2] == pytest.approx([0.2, 0.2], abs=0.02)
    assert count[2] == pytest.approx(0.3, abs=0.03)
    assert count[3] == 0  # older than the two snapshots that are played against
    assert count[4:] == pytest.approx([0.15, 0.15], abs=0.02)


def test_opponents__no_past_yet__the_present_learner():
    pool = OpponentPool(SHOGUN, [], (0.4, 0.3), snapshots=2)
    pool.play_with(None)
    assert (pool.line_up(np.arange(50), 3) == pool.current).all()
