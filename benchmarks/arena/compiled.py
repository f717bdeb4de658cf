"""Compiled bots that are not the package's own: what they are lent in the engine, and how they are asked from Python.

In the engine such a bot gets copies of its observation, its mask, its random row and its parameters, each between rows
of guards, and answers are checked against a mask that it never sees. When a game ends with a broken guard, or an answer
was illegal, its games are played again and it is asked from Python, compiled with bounds checks: then an index past the
end of a row is an exception, counted like any other. ``--check-bounds`` does that from the beginning.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from shogun_env.batch.policy_table import Stranger
from shogun_env.kernel.checked import PACKAGE, with_bounds_checks
from shogun_env.kernel.jit import MemoryPolicy, Policy
from shogun_env.policies import Agent, View


class CompiledStranger:
    """A compiled bot of a stranger.

    Args:
        policy: made with ``@policy``.
        params: float64[K], its parameters.

    Attributes:
        compiled: the pair (policy, params) that ``Batch.play`` takes; the policy is lent copies.
    """

    def __init__(self, policy: Policy, params: np.ndarray) -> None:
        self.compiled = (Stranger(policy), params)
        self.__name__ = policy.__name__

    @cached_property
    def _checked(self) -> Any:
        return with_bounds_checks(self.compiled[0].policy)

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return what the policy chooses for every decision: int64[n].

        Raises: IndexError if it reads or writes past the end of what it is given.
        """
        params = self.compiled[1] if len(self.compiled[1]) else np.zeros(1)
        rows = zip(view.observations, view.masks, rng, strict=True)
        return np.array([self._checked(*row, params.copy()) for row in rows], np.int64)


class FromPython:
    """A bot that is asked from Python, whatever else it offers."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return what the bot returns."""
        return self.agent.act(view, rng)


def kept_apart(agent: Agent) -> Agent:
    """Return an agent as it plays in a tournament: a compiled one of a stranger is lent copies.

    Raises: ValueError if its attribute ``compiled`` is not a pair (policy, params).

    Example:
        >>> from shogun_env.policies import make_agent
        >>> from shogun_env.shogun import SHOGUN
        >>> hasattr(kept_apart(make_agent("scripted", SHOGUN)), "_checked")
        False
    """
    if not hasattr(agent, "compiled"):
        return agent
    try:
        policy, numbers = agent.compiled
        params = np.array(numbers, np.float64)
    except (TypeError, ValueError):
        policy, params = None, np.zeros(0)
    if not isinstance(policy, Policy) or params.ndim != 1:
        raise ValueError("its attribute compiled must be a pair: a function under @policy, and float64[K]")
    if str(policy.function.__globals__.get("__name__")).startswith(PACKAGE):
        return agent
    return FromPython(agent) if isinstance(policy, MemoryPolicy) else CompiledStranger(policy, params)
