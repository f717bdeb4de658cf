"""Libraries that learn, search or play with these environments; ``python -m clients`` tries them all."""

import importlib
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import shogun_env  # noqa: F401 - registers the environments
from shogun_env.shares import wilson

N_GAMES = 400
"""Games that are played to say how often a learner wins."""


def env_id(game: str) -> str:
    """Return the name of a game's environment in Gymnasium's registry."""
    return f"shogun_env/{game.capitalize()}-v0"


def module(game: str) -> Any:
    """Return the module of a game's environments, such as ``shogun_env.shogun_v0``."""
    return importlib.import_module(f"shogun_env.{game}_v0")


def wins_of(choose: Callable[[Any, Any], Any], game: str, **options: Any) -> str:
    """Return the share of ``N_GAMES`` games won alone against random players, with its interval of 95 %, in words.

    Args: choose: returns the actions for rows of observations and masks; options of the environment.
    """
    envs = gymnasium.make_vec(env_id(game), num_envs=N_GAMES, learner_seat="rotate", opponents="random", **options)
    current, infos = envs.reset(seed=1_000_000)
    won, over = 0, np.zeros(N_GAMES, bool)
    while not over.all():
        current, rewards, ended, _, infos = envs.step(np.asarray(choose(current, infos["action_mask"])))
        won += int((rewards[ended & ~over] == 1.0).sum())
        over |= ended
    low, high = wilson(won, N_GAMES)
    return f"{won / N_GAMES:.2f} ({low:.2f} to {high:.2f}) of {N_GAMES} games against random players"
