"""Compiles what most tests need: ``python -m tests.kernels shogun shitenno coins``.

Test processes that need the same kernel wait until one of them has compiled it. ``make kernels`` therefore compiles the
games first, side by side; nothing is done for a game that is in the cache.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.batch.collecting import answers, collect
from shogun_env.batch.float_view import FloatView
from shogun_env.batch.rollouts import Worth, replan, roll_out
from tests.games import NAMES
from tests.positions import BATCHES, BOTS, policies_of


def is_compiled(name: str, policies: list[Any]) -> bool:
    """Say whether the slowest loops of a game, and these policies, are in the cache."""
    batch_class = BATCHES[name]
    loops = [batch_class.loops.play, batch_class.loops.check]
    if name in NAMES:
        loops += [batch_class.rollout_loops.roll_out, batch_class.rollout_loops.replan]
    ready = [(loop.folder / f"{loop.__name__}.ready").exists() for loop in loops]
    return all(ready) and all(any(policy.folder.glob(f"{policy.__qualname__}-*.kernel")) for policy, _ in policies)


def compile_kernels(name: str) -> None:
    """Call the loops of a game once, with its bots and a network."""
    spec = BATCHES[name].spec
    shape = Shape(spec, Sizes(6, 16, 8))
    policies = [*policies_of(name, BOTS[name][1:]), Network(shape, shape.random_weights(0)).compiled]
    if is_compiled(name, policies):
        return
    batch = BATCHES[name](4, seed=1)
    seats = np.arange(4)[:, None] % len(policies) + np.zeros(batch.num_players, np.int64)
    batch.step(batch.legal.argmax(1))
    batch.legal_for(0)
    batch.redeal(None, 0, 1)
    batch.refresh()
    batch.check()
    FloatView(spec, features=True).show(batch.observe())
    answers(collect(batch.take(), policies, seats), policies[0])
    if name in NAMES:
        roll_out(batch, np.arange(4), np.arange(4), policies, seats, worth=Worth(reward="margin"))
        replan(batch.take(), batch.player, 1, policies, seats)
    batch.play(policies, seats)


if __name__ == "__main__":
    for game in sys.argv[1:]:
        compile_kernels(game)
