"""Kernels that only measurements need: the yardstick of the machine, a bot that is observed for, choices for rows."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import loop, policy
from shogun_env.kernel.rng import choose, next_uint64
from shogun_env.kernel.types import Int, Mask, Observation, Params, Rng, Row, Rows


@policy
def looking(observation: Observation, legal: Mask, rng: Rng, params: Params) -> Int:
    """Choose uniformly like the built-in bot, but as a compiled bot, for which every decision is observed."""
    return choose(rng, legal)


@loop
def choose_rows(masks: Rows, rngs: Rows, actions: Row, lo: Int, hi: Int) -> None:
    """Write into ``actions[row]`` one of the legal actions of ``masks[row]``, each equally likely."""
    for row in range(lo, hi):
        actions[row] = choose(rngs[row], masks[row])


@loop
def draw(rngs: Rows, out: Row, lo: Int, hi: Int) -> None:
    """Make ``hi - lo`` draws, each from the one before: the yardstick, without rules and almost without memory."""
    for _ in range(lo, hi):
        rngs[0, 0] = next_uint64(rngs[0])
    out[0] = np.int64(rngs[0, 1])
