"""Rollouts whose speed is measured: the compiled loop and the loop in Python play the same kind of games."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shogun_env.benchmarks.speed.rollouts import rollouts_of
from tests.coins import Batch as CoinsBatch
from tests.games import batch_class

KINDS = [("shogun", "plan"), ("shogun", "action"), ("shogun", "game"), ("shitenno", "action"), ("shitenno", "game")]


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_rollouts__to_the_end_of_the_game__worth_the_same_on_average_by_both_loops(name: str, kind: str):
    rollouts = rollouts_of(kind, batch_class(name), 1, 8, num_players=3)
    assert rollouts is not None
    rollouts = replace(rollouts, until=None)
    compiled, in_python = rollouts.compiled(), rollouts.in_python()
    assert compiled.shape == in_python.shape == (len(rollouts.jobs), 3)
    assert compiled.sum(1) == pytest.approx(0, abs=1e-5)
    assert in_python.sum(1) == pytest.approx(0, abs=1e-5)
    roots = np.array([job.root for job in rollouts.jobs])
    differences = (compiled - in_python)[:, 0]
    by_root = np.array([differences[roots == root].mean() for root in range(8)])
    assert abs(by_root.mean()) < 5 * by_root.std(ddof=1) / len(by_root) ** 0.5 + 0.05
    assert compiled.std() > 0.1  # the games end


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_rollouts__on_two_threads__are_those_on_one(name: str, kind: str):
    one, two = (rollouts_of(kind, batch_class(name), threads, 3, seed=4) for threads in (1, 2))
    assert one is not None and two is not None
    assert (one.compiled() == two.compiled()).all()
    assert (one.in_python() == two.in_python()).all()


def test_rollouts__of_a_game_without_plans_or_bots__are_not_measured():
    assert rollouts_of("plan", batch_class("shitenno"), 1, 4) is None
    assert rollouts_of("game", CoinsBatch, 1, 4) is None
