"""Libraries that work by the standard APIs of Gymnasium and PettingZoo: a function for each; nothing is adapted.

Each takes at least ``steps`` steps in a game and returns how many they were. An illegal action would be an error.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import tempfile
from pathlib import Path

import gymnasium as gym
import numpy as np

from clients import env_id, module

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

    from shogun_env.envs.sb3 import MaskedVecEnv

    MaskablePPO("MlpPolicy", env_id(game), n_steps=32, batch_size=32).learn(32)
    PPO("MlpPolicy", make_vec_env(env_id(game), n_envs=2), n_steps=32, batch_size=32).learn(64)
    batch_class = importlib.import_module(f"shogun_env.{game}").Batch
    envs = MaskedVecEnv(batch_class, NUM_ENVS, opponents="random", learner_seat="rotate")
    model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=512, n_epochs=2)
    model.learn(steps)
    assert -1 <= evaluate_policy(model, envs, n_eval_episodes=8)[0] <= 1
    return int(model.num_timesteps)


def rl_zoo3(game: str, steps: int) -> int:
    """Run rl_zoo3's training script for PPO, which plays the lowest legal action in the place of an illegal one."""
    settings = "{policy: MlpPolicy, n_timesteps: 2000, n_envs: 4, n_steps: 128}"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "settings.yml"
        file.write_text(f"atari: {settings}\n{env_id(game)}: {settings}\n")
        arguments = [
            "--algo",
            "ppo",
            "--env",
            env_id(game),
            "--gym-packages",
            "shogun_env",
            "--n-timesteps",
            str(steps),
        ]
        arguments += ["--conf-file", str(file), "--log-folder", folder, "--env-kwargs", "reward:'margin'"]
        command = [sys.executable, "-m", "rl_zoo3.train", *arguments, "--eval-freq", "-1"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        assert list(Path(folder).rglob("*.zip"))
    return steps


def tianshou(game: str, steps: int) -> int:
    """Collect games between Tianshou's random masked policies, one for each player, on the AEC environment."""
    from tianshou.algorithm import MARLRandomDiscreteMaskedOffPolicyAlgorithm, MultiAgentOffPolicyAlgorithm
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, PettingZooEnv

    make = module(game).env
    env = PettingZooEnv(make(illegal_action="raise"))
    random = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space) for _ in env.agents]
    players = MultiAgentOffPolicyAlgorithm(algorithms=random, env=env)
    envs = DummyVectorEnv([lambda: PettingZooEnv(make(illegal_action="raise")) for _ in range(4)])
    collector = Collector(players, envs, VectorReplayBuffer(10_000, len(envs)))
    collector.reset()
    return int(collector.collect(n_step=steps).n_collected_steps)


def agilerl(game: str, steps: int) -> int:
    """Learn with AgileRL's DQN on the vector environment, whose infos hold the masks."""
    import torch
    from agilerl.algorithms import DQN
    from agilerl.components.data import Transition, transition_to_tensordict
    from agilerl.components.replay_buffer import ReplayBuffer

    torch.set_num_threads(1)
    envs = gym.make_vec(env_id(game), num_envs=NUM_ENVS, illegal_action="raise")
    agent = DQN(envs.single_observation_space, envs.single_action_space, batch_size=64)
    memory = ReplayBuffer(max_size=10_000, device=agent.device)
    observations, infos = envs.reset(seed=1)
    rounds = max(-(-steps // NUM_ENVS), 4)
    for _ in range(rounds):
        actions = agent.get_action(observations, epsilon=0.3, action_mask=infos["action_mask"])
        following, rewards, terminated, _, infos = envs.step(actions)
        transition = transition_to_tensordict(
            Transition(obs=observations, action=actions, reward=rewards, next_obs=following, done=terminated)
        )
        transition.batch_size = torch.Size([NUM_ENVS])
        memory.add(transition)
        observations = following
        assert np.isfinite(agent.learn(memory.sample(64)))
    return rounds * NUM_ENVS
