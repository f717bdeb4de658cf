"""RLlib, new API stack: masked PPO for all players, with its own wrapper and its module that masks actions."""

from typing import Any

import gymnasium
import ray
from pettingzoo.utils import BaseParallelWrapper
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from clients import module


class Renamed(BaseParallelWrapper):
    """Calls the observation ``observations``, the key that RLlib's module wants, and leaves the infos out."""

    def observation_space(self, agent: str) -> gymnasium.Space:
        space = super().observation_space(agent)
        return gymnasium.spaces.Dict({"observations": space["observation"], "action_mask": space["action_mask"]})

    def renamed(self, observations: dict[str, Any]) -> dict[str, Any]:
        """Return the observations under the other name."""
        return {
            agent: {"observations": o["observation"], "action_mask": o["action_mask"]}
            for agent, o in observations.items()
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        observations, _ = super().reset(seed=seed, options=options)
        return self.renamed(observations), {}

    def step(self, actions: dict[str, Any]) -> Any:
        observations, *results, _ = super().step(actions)
        return (self.renamed(observations), *results, {})


def config(game: str) -> PPOConfig:
    """Return the settings of a small run in this process, in which all players share a policy."""
    register_env(game, lambda _: ParallelPettingZooEnv(Renamed(module(game).parallel_env(mask="observation"))))
    masked = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [64]})
    return (
        PPOConfig()
        .environment(game)
        .env_runners(num_env_runners=0, rollout_fragment_length=256)
        .training(train_batch_size=1024, minibatch_size=256, num_epochs=1)
        .multi_agent(policies={"all"}, policy_mapping_fn=lambda *_, **__: "all")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"all": masked}))
    )


def use(game: str, steps: int) -> int:
    """Train; an action of the policy is legal, or the module would not have masked it."""
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
    algorithm = config(game).build_algo()
    taken = 0
    while taken < steps:
        result = algorithm.train()
        taken = int(result["num_env_steps_sampled_lifetime"])
    algorithm.stop()
    return taken
