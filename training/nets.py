"""The network and the learner: MaskablePPO of sb3-contrib, sized for two CPU cores."""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecEnv

from shogun_env.training.config import Config


def prepare_torch(threads: int) -> None:
    """Let torch use ``threads`` threads, and switch off its check that probabilities sum to 1.

    By rounding, that check fails on large masked distributions; it also costs time.
    """
    torch.set_num_threads(threads)
    torch.distributions.Distribution.set_default_validate_args(False)


def make_learner(env: VecEnv, config: Config) -> MaskablePPO:
    """Return a learner with a new network for ``env``; it does not log until it is given a logger."""
    learner = MaskablePPO("MlpPolicy", env, policy_kwargs=net_of(config), **settings_of(config))
    learner.set_logger(Logger(None, []))  # without one, stable-baselines3 makes a temporary folder
    return learner


def net_of(config: Config) -> dict[str, Any]:
    """Return the shape of the network, whose policy and value have separate layers, as MaskablePPO takes it."""
    return {"net_arch": config.net_arch, "activation_fn": torch.nn.ReLU}


def settings_of(config: Config) -> dict[str, Any]:
    """Return the settings of PPO as MaskablePPO takes them."""
    return {
        "learning_rate": config.learning_rate,
        "n_steps": config.n_steps,
        "batch_size": config.batch_size,
        "n_epochs": config.n_epochs,
        "gamma": config.gamma,
        "gae_lambda": config.gae_lambda,
        "ent_coef": config.ent_coef,
        "clip_range": config.clip_range,
        "target_kl": config.target_kl or None,
        "seed": config.seed,
        "device": "cpu",
        "verbose": 0,
    }
