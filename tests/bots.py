"""Good bots in Python for many tests; the bad ones are in ``unit/benchmarks/arena/zoo.py``."""

from __future__ import annotations

from typing import Any

import numpy as np

from shogun_env.policies import Agent


class Asked:
    """A compiled bot with its kernel hidden, so that it is asked through Python."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def act(self, view: Any, rng: np.ndarray) -> np.ndarray:
        return self.agent.act(view, rng)


class Lowest:
    """Plays the lowest legal action."""

    def act(self, view: Any, rng: np.ndarray) -> np.ndarray:
        actions: np.ndarray = view.masks.argmax(1)
        return actions


class Highest:
    """Plays the highest legal action: in Coins it takes as many as there are."""

    def act(self, view: Any, rng: np.ndarray) -> np.ndarray:
        actions: np.ndarray = view.masks.shape[1] - 1 - view.masks[:, ::-1].argmax(1)
        return actions
