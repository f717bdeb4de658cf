"""Magnetic mirror descent on the tree: where it ends with a fixed temperature, how near it comes with a falling one."""

import numpy as np
import pytest

from shogun_env.exact.mmd import MMD
from shogun_env.exact.tree import Tree
from shogun_env.exact.values import expected_values, exploitability
from shogun_env.shikoku import Batch


def test_mmd__with_a_falling_temperature__comes_near_an_equilibrium():
    learner = MMD(Tree.of(Batch))
    learner.run(400)
    assert exploitability(learner.tree, learner.profile).nash_conv < 0.01


def test_mmd__with_a_fixed_temperature__ends_where_gains_and_logarithms_of_chances_are_in_balance():
    learner = MMD(Tree.of(Batch), temperature=0.2, rate=1.0)
    learner.run(1500)
    tree, before = learner.tree, learner.profile.copy()
    excess = learner._gains() / 0.2 - np.log(learner.profile)
    spread = np.maximum.reduceat(excess, tree.begins) - np.minimum.reduceat(excess, tree.begins)
    assert spread.max() < 0.02
    learner.run(10)
    assert np.abs(learner.profile - before).max() < 1e-3
    assert abs(expected_values(tree, learner.profile)).max() < 0.05


@pytest.mark.parametrize("settings", [{"temperature": -0.1}, {"rate": 0.0}, {"rate": float("nan")}])
def test_mmd__with_bad_settings__is_refused(settings: dict[str, float]):
    with pytest.raises(ValueError, match="must be at least 0, and above 0"):
        MMD(Tree.of(Batch), **settings)
