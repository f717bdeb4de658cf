"""Gymnasium's own wrappers: statistics, films, flat observations, and those for vectors. Nothing has to be adapted."""

from __future__ import annotations

import tempfile
from pathlib import Path

import gymnasium
import numpy as np
from gymnasium import wrappers
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector

from clients import loops
from clients.measure import report

# --- use -------------------------------------------------------------------------------------------------------------


def wrapped_single(game: str, steps: int) -> int:
    """Play games behind wrappers that flatten observations and keep statistics."""
    env = gymnasium.make(loops.env_id(game), observation="entities", opponents="random")
    env = wrappers.RecordEpisodeStatistics(wrappers.FlattenObservation(env))
    observation, info = env.reset(seed=1)
    games = 0
    for _ in range(steps):
        assert env.observation_space.contains(observation)
        observation, _, terminated, _, info = env.step(env.action_space.sample(mask=info["action_mask"]))
        if terminated:
            games += 1
            assert info["episode"]["l"] > 1
            observation, info = env.reset()
    assert env.unwrapped.batch.num_games == 1
    return steps


def film(game: str) -> None:
    """Record a film of a game's first decisions."""
    with tempfile.TemporaryDirectory() as folder:
        env = gymnasium.make(loops.env_id(game), render_mode="rgb_array", max_cycles=4)
        env = wrappers.RecordVideo(env, folder, episode_trigger=lambda episode: episode == 0)
        _, info = env.reset(seed=1)
        truncated = False
        while not truncated:
            _, _, _, truncated, info = env.step(int(info["action_mask"].argmax()))
        env.close()
        (path,) = Path(folder).glob("*.mp4")
        assert path.stat().st_size > 1000


def wrapped_vector(game: str, steps: int) -> int:
    """Step 64 games behind wrappers that normalise, stack rewards and keep statistics."""
    envs = gymnasium.make_vec(loops.env_id(game), num_envs=64, autoreset_mode=AutoresetMode.NEXT_STEP)
    envs = vector.RecordEpisodeStatistics(vector.NormalizeReward(vector.NormalizeObservation(envs)))
    _, infos = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(-(-steps // 64)):
        masks = infos["action_mask"]
        observations, _, _, _, infos = envs.step((rng.random(masks.shape) * masks).argmax(1))
        assert np.isfinite(observations).all()
    return -(-steps // 64) * 64


def use(game: str, steps: int) -> int:
    """Play behind every kind of wrapper; the speed is that of vectors."""
    wrapped_single(game, 200)
    return wrapped_vector(game, steps)


if __name__ == "__main__":
    film("shogun")
    report(__file__, "gymnasium", use, loops.vector, 100_000)
