"""How well a bot does against others while it learns: shares of wins with seats rotated, on fixed seeds."""

from __future__ import annotations

from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.policies import Agent, make_agent, play_on

EVALUATION_SEED = 2**40
"""First seed of the games of evaluations, which are not those of training."""


def win_share(
    agent: Agent, opponent: str, batch_class: type[Batch], options: dict[str, Any], games: int, threads: int = 1
) -> tuple[float, float]:
    """Return the share of wins of an agent when all other players are ``opponent``, and its 95 % half-width.

    Args:
        agent: the agent.
        opponent: spec of a bot.
        batch_class: the game's ``Batch``.
        options: options of play.
        games: number of games, rounded down to a multiple of the number of players; the agent plays every seat on the
            same seeds.
        threads: threads that play.
    """
    players = batch_class.spec.check_options(options)["num_players"]
    seeds = max(1, games // players)
    batch = batch_class(seeds * players, reward="win", num_threads=threads, **options)
    rows = np.arange(batch.num_games)
    batch.reset(seeds=EVALUATION_SEED + rows // players)
    seats = np.ones((batch.num_games, players), np.int8)
    seats[rows, rows % players] = 0
    play_on(batch, [agent, make_agent(opponent, batch.spec)], seats)
    won = (batch.returns[rows, rows % players] * (players - 1) + 1) / players
    by_seed = won.reshape(seeds, players).mean(1)
    return float(won.mean()), float(1.96 * by_seed.std() / np.sqrt(seeds))
