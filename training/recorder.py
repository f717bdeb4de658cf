"""The decisions of bots that are asked, as ``collect`` returns those of compiled ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.batch.collecting import Decisions
from shogun_env.policies import Agent, Ends, View, play_on


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

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return the agent's answers."""
        shown = view.observations.copy(), view.masks.copy()
        actions = self.agent.act(view, rng)
        self.asked.append((*shown, actions, view.rows, view.players))
        return actions

    def end(self, ends: Ends) -> None:
        """Tell the agent how games ended."""
        self.agent.end(ends)  # type: ignore[attr-defined]


def recorded(batch: Batch, agents: Sequence[Agent], seats: np.ndarray, count: int) -> Decisions:
    """Play games to their end and return the decisions of some agents, of which no probabilities are known.

    Args:
        batch: the games.
        agents: who plays.
        seats: int8[B, P], index of the agent that plays each player.
        count: the decisions of the first ``count`` agents are returned.
    """
    asked: list[tuple[np.ndarray, ...]] = []
    play_on(batch, [*(Recorder(agent, asked) for agent in agents[:count]), *agents[count:]], seats)
    arrays = [np.concatenate(parts) for parts in zip(*asked, strict=True)]
    order = np.argsort(arrays[3], kind="stable")  # by game; within one, as they were asked
    return unweighed(array[order] for array in arrays)


def unweighed(arrays: Iterable[np.ndarray]) -> Decisions:
    """Return decisions of which no probabilities and values are known, from their other five arrays."""
    observations, masks, actions, rows, players = arrays
    unknown = np.zeros(len(actions), np.float32)
    return Decisions(
        observations=observations, masks=masks, actions=actions, rows=rows, players=players,
        log_probs=unknown, values=unknown,
    )  # fmt: skip
