"""Gymnasium's wrappers and stable-baselines3, which work by the standard API: a function for each; nothing is adapted.

Each takes at least ``steps`` steps in a game and returns how many they were.
"""

import tempfile
from pathlib import Path

import gymnasium as gym
import numpy as np

from clients import env_id

NUM_ENVS = 64


def gymnasium(game: str, steps: int) -> int:
    """Step 64 games behind Gymnasium's wrappers for vectors, and one behind its wrappers for single games."""
    from gymnasium import wrappers
    from gymnasium.vector import AutoresetMode
    from gymnasium.wrappers import vector

    env = gym.make(env_id(game), observation="entities", opponents="random")
    env = wrappers.RecordEpisodeStatistics(wrappers.FlattenObservation(env))
    observation, info = env.reset(seed=1)
    terminated = False
    while not terminated:
        assert env.observation_space.contains(observation)
        observation, _, terminated, _, info = env.step(env.action_space.sample(mask=info["action_mask"]))
    assert info["episode"]["l"] > 1

    envs = gym.make_vec(env_id(game), num_envs=NUM_ENVS, autoreset_mode=AutoresetMode.NEXT_STEP)
    envs = vector.RecordEpisodeStatistics(vector.NormalizeReward(vector.NormalizeObservation(envs)))
    _, infos = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(-(-steps // NUM_ENVS)):
        masks = infos["action_mask"]
        observations, _, _, _, infos = envs.step((rng.random(masks.shape) * masks).argmax(1))
        assert np.isfinite(observations).all()
    return -(-steps // NUM_ENVS) * NUM_ENVS


def film(game: str) -> None:
    """Record a film of a game's first decisions with Gymnasium's wrapper."""
    from gymnasium.wrappers import RecordVideo

    with tempfile.TemporaryDirectory() as folder:
        env = gym.make(env_id(game), render_mode="rgb_array", max_cycles=4)
        env = RecordVideo(env, folder, episode_trigger=lambda episode: episode == 0)
        _, info = env.reset(seed=1)
        truncated = False
        while not truncated:
            _, _, _, truncated, info = env.step(int(info["action_mask"].argmax()))
        env.close()
        (path,) = Path(folder).glob("*.mp4")
        assert path.stat().st_size > 1000


def sb3(game: str, steps: int) -> int:
    """Learn with stable-baselines3 and sb3-contrib, by the name of the environment and on 64 games at once."""
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.evaluation import evaluate_policy
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_util import make_vec_env

    from shogun_env.cli import batch_class
    from shogun_env.envs.sb3 import MaskedVecEnv

    MaskablePPO("MlpPolicy", env_id(game), n_steps=32, batch_size=32).learn(32)
    PPO("MlpPolicy", make_vec_env(env_id(game), n_envs=2), n_steps=32, batch_size=32).learn(64)
    envs = MaskedVecEnv(batch_class(game), NUM_ENVS, opponents="random", learner_seat="rotate")
    model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=512, n_epochs=2)
    model.learn(steps)
    assert -1 <= evaluate_policy(model, envs, n_eval_episodes=8)[0] <= 1
    return int(model.num_timesteps)
