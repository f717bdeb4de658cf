"""skrl: PPO on the Gymnasium vector environment; its models set the logits of illegal actions."""

from __future__ import annotations

import tempfile
from typing import Any

import gymnasium
import torch
from skrl.agents.torch.ppo import PPO, PPO_CFG
from skrl.envs.wrappers.torch import wrap_env
from skrl.memories.torch import RandomMemory
from skrl.models.torch import CategoricalMixin, DeterministicMixin, Model
from skrl.trainers.torch import SequentialTrainer
from skrl.utils.spaces.torch import unflatten_tensorized_space

from clients import env_id

NUM_ENVS = 64


class MaskedPolicy(CategoricalMixin, Model):
    """A linear policy over the legal actions; observations hold the masks."""

    def __init__(self, **spaces: Any) -> None:
        Model.__init__(self, **spaces)
        CategoricalMixin.__init__(self, unnormalized_log_prob=True)
        self.net = torch.nn.Linear(self.observation_space["observation"].shape[0], self.num_actions)

    def compute(self, inputs: dict[str, Any], role: str = "") -> tuple[torch.Tensor, dict[str, Any]]:
        parts = unflatten_tensorized_space(self.observation_space, inputs["observations"])
        return self.net(parts["observation"]).masked_fill(parts["action_mask"] == 0, -1e9), {}


class Value(DeterministicMixin, Model):
    """A linear value."""

    def __init__(self, **spaces: Any) -> None:
        Model.__init__(self, **spaces)
        DeterministicMixin.__init__(self)
        self.net = torch.nn.Linear(self.observation_space["observation"].shape[0], 1)

    def compute(self, inputs: dict[str, Any], role: str = "") -> tuple[torch.Tensor, dict[str, Any]]:
        parts = unflatten_tensorized_space(self.observation_space, inputs["observations"])
        return self.net(parts["observation"]), {}


def use(game: str, steps: int) -> int:
    """Train; an illegal action would be an error."""
    torch.set_num_threads(1)
    raw = gymnasium.make_vec(env_id(game), num_envs=NUM_ENVS, mask="observation", illegal_action="raise")
    env = wrap_env(raw, wrapper="gymnasium", verbose=False)
    spaces = {"observation_space": env.observation_space, "action_space": env.action_space, "device": env.device}
    models = {"policy": MaskedPolicy(**spaces), "value": Value(**spaces)}
    timesteps = max(steps // NUM_ENVS, 16)
    with tempfile.TemporaryDirectory() as folder:
        cfg = PPO_CFG(rollouts=16, learning_epochs=2)
        cfg.experiment.directory, cfg.experiment.write_interval, cfg.experiment.checkpoint_interval = folder, 0, 0
        memory = RandomMemory(memory_size=16, num_envs=NUM_ENVS, device=env.device)
        agent = PPO(models=models, memory=memory, cfg=cfg, **spaces)
        trainer = SequentialTrainer(
            cfg={"timesteps": timesteps, "disable_progressbar": True, "headless": True}, env=env, agents=agent
        )
        trainer.train()
    return timesteps * NUM_ENVS
