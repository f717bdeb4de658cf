"""A bot that writes down what another one is asked and what it answers."""

from __future__ import annotations

import numpy as np

from shogun_env.policies import Agent, Ends, View


class Recorder:
    """A bot that writes what its agent is asked, and what it answers, into a list that several bots may share.

    Args:
        agent: who answers. It is told what it wants to be told.
        asked: gets an entry for each question: observations uint8[n, D], masks int8[n, A], actions int64[n], rows
            int64[n], players int64[n].
    """

    def __init__(self, agent: Agent, asked: list[tuple[np.ndarray, ...]]) -> None:
        self.agent, self.asked = agent, asked
        self.wants_stories = getattr(agent, "wants_stories", False)
        self.wants_lines = getattr(agent, "wants_lines", False)
        self.wants_ends = getattr(agent, "wants_ends", False)
        self.__name__ = "recorder"

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return the agent's answers."""
        shown = view.observations.copy(), view.masks.copy()
        actions = self.agent.act(view, rng)
        self.asked.append((*shown, actions, view.rows, view.players))
        return actions

    def end(self, ends: Ends) -> None:
        """Tell the agent how games ended."""
        self.agent.end(ends)  # type: ignore[attr-defined]
