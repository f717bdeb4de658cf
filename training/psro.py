"""Policies that are responses to each other: the game of choosing one of them, and how often each is chosen there.

This is what policy-space response oracles (Lanctot et al. 2017, arXiv 1711.00832) need beyond a learner of responses,
which is the learner of every run: between two snapshots it plays against the snapshots so far, as ``exploit`` plays
against one bot. It goes on from the last response, where the paper begins anew, and responses are far from best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

Policy = TypeVar("Policy")

STEPS = 20_000
"""Steps of the dynamics; a policy that wins one game in a hundred more grows to eight times its part in these."""
RATE = 0.1
"""Growth of a policy in a step, for each unit by which its share of the win is above the mean."""
LEAST = 0.01
"""What all policies keep together, so that none dies out: later responses may bring it back."""


def meta_strategy(payoffs: np.ndarray) -> np.ndarray:
    """Return how often each policy is played in the meta-game, by projected replicator dynamics: float64[n].

    The mean over time is returned. For two players it is near a Nash equilibrium of the meta-game. With more there is
    no solver that everybody agrees on; these are the dynamics of the paper, and they need only this matrix, where a
    full table of payoffs would have n to the power of the players entries.

    Args: payoffs: float64[n, n], share of the win of one row policy when copies of the column policy play the others.

    Example:
        >>> meta_strategy(np.array([[0.5, 0.9], [0.1, 0.5]])).round(2).tolist()
        [0.99, 0.01]
    """
    count = len(payoffs)
    parts, total = np.full(count, 1.0 / count), np.zeros(count)
    for _ in range(STEPS):
        gains = payoffs @ parts
        parts = np.maximum(parts * (1.0 + RATE * (gains - parts @ gains)), LEAST / count)
        parts /= parts.sum()
        total += parts
    return total / STEPS


def square(rows: Sequence[Sequence[float]]) -> np.ndarray:
    """Return the payoffs that a checkpoint holds: float64[n, n]."""
    return np.array(rows, np.float64).reshape(len(rows), len(rows))


def extended(payoffs: np.ndarray, policies: Sequence[Policy], share: Callable[[Policy, Policy], float]) -> np.ndarray:
    """Return the payoffs of policies, of which those among the first ones are known: float64[n, n].

    Args:
        payoffs: float64[k, k], of the first k policies.
        policies: n of them.
        share: ``share(one, other)`` returns the share of the win of one against copies of the other.
    """
    known, count = len(payoffs), len(policies)
    out = np.empty((count, count))
    out[:known, :known] = payoffs
    for row in range(count):
        for column in range(known if row < known else 0, count):
            out[row, column] = share(policies[row], policies[column])
    return out
