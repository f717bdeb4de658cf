"""Kernels that only measurements need: a yardstick for the machine, a bot that looks, choosing for rows."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import loop, policy
from shogun_env.kernel.rng import choose, next_uint64


@policy
def looking(observation, legal, rng, params):  # type: ignore[no-untyped-def]
    """Choose uniformly like the built-in bot, but as a compiled bot that is handed its observation every time."""
    return choose(rng, legal)


@loop
def choose_rows(masks, rngs, actions, lo, hi):  # type: ignore[no-untyped-def]
    """Write into ``actions[row]`` a legal action of ``masks`` int8[B, A], each equally likely."""
    for row in range(lo, hi):
        actions[row] = choose(rngs[row], masks[row])


@loop
def draw(rngs, out, lo, hi):  # type: ignore[no-untyped-def]
    """The yardstick: ``hi - lo`` draws of one stream, each waiting for the last. No rules, hardly any memory."""
    for _ in range(lo, hi):
        rngs[0, 0] = next_uint64(rngs[0])
    out[0] = np.int64(rngs[0, 1])
