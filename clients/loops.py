"""Loops at random on the environments alone, with which the clients' files compare the speed of their library."""

from __future__ import annotations

import importlib
from typing import Any

import gymnasium
import numpy as np

import shogun_env  # noqa: F401 - registers the environments


def env_id(game: str) -> str:
    """Return the name of a game's environment in Gymnasium's registry."""
    return f"shogun_env/{game.capitalize()}-v0"


def module(game: str) -> Any:
    """Return the module of a game's environments, such as ``shogun_env.shogun_v0``."""
    return importlib.import_module(f"shogun_env.{game}_v0")


def single(game: str, steps: int) -> int:
    """Play games of the Gymnasium environment; return the steps."""
    env = gymnasium.make(env_id(game))
    _, info = env.reset(seed=1)
    for _ in range(steps):
        _, _, terminated, truncated, info = env.step(env.action_space.sample(mask=info["action_mask"]))
        if terminated or truncated:
            _, info = env.reset()
    return steps


def vector(game: str, steps: int, num_envs: int = 64) -> int:
    """Step the Gymnasium vector environment; return the steps of all rows."""
    envs = gymnasium.make_vec(env_id(game), num_envs=num_envs)
    _, infos = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(-(-steps // num_envs)):
        masks = infos["action_mask"]
        _, _, _, _, infos = envs.step((rng.random(masks.shape) * masks).argmax(1))
    return -(-steps // num_envs) * num_envs


def parallel(game: str, steps: int) -> int:
    """Play games of the PettingZoo parallel environment; return the steps."""
    env = module(game).parallel_env()
    observations, _ = env.reset(seed=1)
    for _ in range(steps):
        actions = {agent: env.action_space(agent).sample(observations[agent]["action_mask"]) for agent in env.agents}
        observations, *_ = env.step(actions)
        if not env.agents:
            observations, _ = env.reset()
    return steps


def aec(game: str, steps: int) -> int:
    """Play games of the PettingZoo AEC environment; return the steps."""
    env = module(game).env()
    taken = 0
    while taken < steps:
        env.reset(seed=taken)
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
            taken += not over
    return taken


def batch(game: str, steps: int) -> int:
    """Step a batch of one game and restart it when it is over; return the steps."""
    games = importlib.import_module(f"shogun_env.{game}").Batch(1, seed=1)
    rng = np.random.default_rng(1)
    for _ in range(steps):
        games.step((rng.random(games.legal.shape) * games.legal).argmax(1))
        if games.over[0]:
            games.reset()
    return steps
