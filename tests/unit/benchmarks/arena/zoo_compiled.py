"""Compiled bots of strangers that read and write past what they are given: ``zoo_compiled.py:make:peeker``."""

from __future__ import annotations

from typing import Any

import numpy as np

from shogun_env.batch.arrays import GUARD
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.rng import choose
from shogun_env.policies import Compiled, policy

FAR = 64


@policy
def honest(observation, legal, rng, params):
    return choose(rng, legal)


@policy
def untidy(observation, legal, rng, params):
    """Use everything that it is given as scratch."""
    action = choose(rng, legal)
    legal[:] = 1
    observation[:] = 7
    return action


@policy
def mask_writer(observation, legal, rng, params):
    """Play an illegal action, and say that it is legal."""
    action = legal.argmin()
    legal[action] = 1
    return action


@policy
def peeker(observation, legal, rng, params):
    """Own up by an illegal action to any byte of others next to its rows."""
    seen = 0
    for k in range(1, FAR):
        seen += np.int64(observation[observation.shape[0] + k] != GUARD)
        seen += np.int64(observation[-observation.shape[0] - k] != GUARD)
        seen += np.int64(legal[-legal.shape[0] - k] != GUARD)
    for k in range(2, 2 + FAR // 8):
        seen += np.int64(rng[k] != rng[2]) + np.int64(rng[-k - 1] != rng[2])
    for k in range(params.shape[0]):
        seen += np.int64(params[params.shape[0] + k] != params[-params.shape[0] - 1])
    return choose(rng, legal) if seen == 0 else np.int64(-1)


@policy
def observation_writer(observation, legal, rng, params):
    observation[observation.shape[0] + 100] = 1
    return choose(rng, legal)


@policy
def legal_writer(observation, legal, rng, params):
    legal[-legal.shape[0] - 3] = 1
    return choose(rng, legal)


@kernel
def add_to(row, at):
    row[at] += np.uint64(1)


@policy
def rng_writer(observation, legal, rng, params):
    """Write into the rows of others, in a kernel of its own."""
    add_to(rng, 4)
    return choose(rng, legal)


@policy
def params_writer(observation, legal, rng, params):
    params[params.shape[0]] = 1.0
    return choose(rng, legal)


@policy
def memory_writer(observation, legal, rng, params):
    """Remember something in its own parameters."""
    params[0] += 1.0
    return choose(rng, legal)


@policy
def negative(observation, legal, rng, params):
    return np.int64(-5)


POLICIES = {
    function.__name__: function
    for function in (
        honest, untidy, mask_writer, peeker, observation_writer, legal_writer, rng_writer, params_writer, memory_writer,
        negative,
    )
}  # fmt: skip


def make(spec: Any, name: str) -> Compiled:
    return Compiled(POLICIES[name], [1.0, 2.0, 3.0])
