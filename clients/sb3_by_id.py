"""stable-baselines3 and sb3-contrib by the name of the environment, and by the vector environment made for them."""

from __future__ import annotations

import importlib

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

from clients import loops
from clients.measure import report
from shogun_env.envs.sb3 import MaskedVecEnv

# --- use -------------------------------------------------------------------------------------------------------------


def by_id(game: str) -> None:
    """Run the first lines of the libraries' tutorials, with the name of the environment."""
    MaskablePPO("MlpPolicy", loops.env_id(game), n_steps=32, batch_size=32).learn(32)
    PPO("MlpPolicy", make_vec_env(loops.env_id(game), n_envs=2), n_steps=32, batch_size=32).learn(64)


def use(game: str, steps: int) -> int:
    """Train MaskablePPO on 64 games at once; the speed is that of learning."""
    by_id(game)
    batch_class = importlib.import_module(f"shogun_env.{game}").Batch
    envs = MaskedVecEnv(batch_class, 64, opponents="random", learner_seat="rotate")
    model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=512, n_epochs=2)
    model.learn(steps)
    mean, _ = evaluate_policy(model, envs, n_eval_episodes=8)
    assert -1 <= mean <= 1
    return int(model.num_timesteps)


if __name__ == "__main__":
    report(__file__, "sb3-contrib", use, loops.vector, 20_000)
