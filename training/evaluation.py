"""How well a bot does against another while it learns, on seeds that are not those of training."""

from __future__ import annotations

from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.policies import Agent, make_agent
from shogun_env.shares import Share, share_of, wins

EVALUATION_SEED = 2**40
"""First seed of the games of evaluations, which are not those of training."""


def win_share(
    agent: Agent, opponent: str, batch_class: type[Batch], options: dict[str, Any], games: int, threads: int = 1
) -> Share:
    """Return the share of wins of an agent when all other players are ``opponent``.

    Args:
        agent: the agent.
        opponent: spec of a bot.
        batch_class: the game's ``Batch``.
        options: options of play.
        games: number of games, rounded down to a multiple of the number of players; the agent plays every seat.
        threads: threads that play.
    """
    spec = batch_class.spec
    seeds = EVALUATION_SEED + np.arange(max(1, games // spec.check_options(options)["num_players"]))
    return share_of(wins(batch_class, agent, make_agent(opponent, spec), seeds, options, threads))
