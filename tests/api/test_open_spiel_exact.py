"""Shikoku as `clients/open_spiel_exact.py` gives it to OpenSpiel, whose exact algorithms find what ours find."""

from typing import Any

import numpy as np
import pytest

from shogun_env.exact import values
from shogun_env.exact.cfr import CFRPlus
from shogun_env.exact.tree import Tree
from shogun_env.shikoku import Batch

pytestmark = pytest.mark.slow
pytest.importorskip("pyspiel", reason="needs OpenSpiel: `python -m clients open_spiel_exact` installs it and runs this")
from open_spiel.python import policy as policies  # noqa: E402
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability  # noqa: E402

from clients.open_spiel_exact import ExactGame  # noqa: E402

CLOSE = 1e-9
"""How far two results may lie apart."""


def tables(game: Any, tree: Tree) -> tuple[Any, np.ndarray]:
    """Return a policy for the whole game, and for each information set of our tree its row in it."""
    policy = policies.TabularPolicy(game)
    batch = Batch(len(tree.counts), **tree.options)
    batch.games[:] = tree.states
    batch.refresh()
    seen = batch.observe_for(tree.owners.astype(np.int64))
    keys = [f"{owner} {row.tobytes().hex()}" for owner, row in zip(tree.owners.tolist(), seen, strict=True)]
    assert set(keys) == set(policy.state_lookup), "the same information sets"
    return policy, np.array([policy.state_lookup[key] for key in keys])


@pytest.fixture(scope="module")
def both() -> Any:
    """Return the game as theirs, our tree, a policy of theirs, and where the actions of our tree are in it."""
    exact, tree = ExactGame(), Tree.of(Batch)
    policy, rows = tables(exact, tree)
    return exact, tree, policy, (rows[tree.set_of_action], tree.actions)


def test_values__of_profiles__are_those_of_open_spiel(both: Any):
    exact, tree, policy, places = both
    rng = np.random.default_rng(1)
    solver = CFRPlus(tree)
    solver.run(50)
    drawn = rng.exponential(size=len(tree.actions))
    drawn /= np.add.reduceat(drawn, tree.begins)[tree.set_of_action]
    for profile in (values.uniform_profile(tree), drawn, solver.average()):
        policy.action_probability_array[:] = 0
        policy.action_probability_array[places] = profile
        found = values.exploitability(tree, profile)
        theirs = exploitability.nash_conv(exact, policy, return_only_nash_conv=False, use_cpp_br=False)
        expected = expected_game_score.policy_value(exact.new_initial_state(), [policy] * tree.players)
        assert np.abs(np.array(expected) - found.values).max() < CLOSE, (expected, found.values)
        assert np.abs(np.array(theirs.player_improvements) - found.gains).max() < CLOSE, (theirs, found.gains)
        assert abs(theirs.nash_conv - found.nash_conv) < CLOSE


def test_cfr_plus__three_iterations__give_the_average_of_open_spiel(both: Any):
    exact, tree, policy, places = both
    theirs, ours = cfr.CFRPlusSolver(exact), CFRPlus(tree)
    for _ in range(3):
        theirs.evaluate_and_update_policy()
    ours.run(3)
    averages = theirs.average_policy()
    table = np.array([averages.action_probability_array[averages.state_lookup[key]] for key in policy.state_lookup])
    assert np.abs(table[places] - ours.average()).max() < CLOSE
