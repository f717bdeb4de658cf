"""Bots that think about their next decision while somebody else decides.

A bot that can do so has a method ``ponder`` (``shogun_env.policies.Agent``). It is shown nothing that it may not know:
the position that it thinks about is played on by ``scripted`` from a redeal for its own player. What it finds counts if
it is asked in a position that looks the same to it, as it always is where all players plan at once; elsewhere about one
time in ten.
"""

import threading
from collections.abc import Mapping

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.policies import Agent, View, compiled_policy

OTHERS = "scripted"
"""Who is expected to decide for all others."""


def expected(batch: Batch, player: int) -> Batch | None:
    """Return a game at the next decision of a player, as they may expect it; None if they expect the end.

    Args: batch, one game; player.
    """
    game = batch.take([0])
    game.redeal(None, player, seed=0)
    game.policy_rngs[...] = batch.policy_rngs
    seats = np.zeros((1, game.num_players), np.int8)
    seats[0, player] = -1
    game.play([compiled_policy(OTHERS, game.spec)], seats)
    return None if game.over[0] else game


class Pondering:
    """A thread in which bots think, one after the other, until they are told to stop.

    Args: agents: the bots by player; those without ``ponder`` do not think.
    """

    def __init__(self, agents: Mapping[int, Agent]) -> None:
        self._agents = {player: agent for player, agent in agents.items() if hasattr(agent, "ponder")}
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, batch: Batch) -> None:
        """Let the bots think about a game, batch of one row, until ``end``."""
        self.end()
        if self._agents and not batch.over[0]:
            self._stop.clear()
            self._thread = threading.Thread(target=self._think, args=(batch.take([0]),), daemon=True)
            self._thread.start()

    def end(self) -> None:
        """Stop the bots, and wait until they have stopped."""
        if self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None

    def _think(self, batch: Batch) -> None:
        for player, agent in self._agents.items():
            if self._stop.is_set():
                return
            if (game := expected(batch, player)) is not None:
                agent.ponder(View.of(game, np.zeros(1, np.int64)), game.policy_rngs[:, player], self._stop.is_set)
