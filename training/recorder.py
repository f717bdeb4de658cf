"""The decisions of bots that are asked, as ``collect`` returns those of compiled ones."""

from collections.abc import Iterable, Sequence

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.batch.collecting import Decisions
from shogun_env.policies import Agent, play_on


def recorded(batch: Batch, agents: Sequence[Agent], seats: np.ndarray, count: int) -> Decisions:
    """Play games to their end and return the decisions of some agents, of which no probabilities are known.

    Args:
        batch: the games.
        agents: who plays.
        seats: int8[B, P], index of the agent that plays each player.
        count: the decisions of the first ``count`` agents are returned.
    """
    asked: list[tuple[np.ndarray, ...]] = []

    def watch(rows: np.ndarray, actions: np.ndarray, reasons: Sequence[str]) -> None:
        players = batch.player[rows].astype(np.int64)
        if seats[rows[0], players[0]] < count:  # one agent is asked at a time
            asked.append((batch.observe()[rows], batch.legal[rows], actions, rows, players))

    play_on(batch, agents, seats, watch)
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
