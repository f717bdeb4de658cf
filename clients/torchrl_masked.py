"""TorchRL: the parallel environment in its ``PettingZooWrapper``, a masked policy, rollouts and a step of learning."""

from __future__ import annotations

from typing import Any

import torch
from pettingzoo.utils import BaseParallelWrapper
from tensordict.nn import TensorDictModule
from torchrl.envs import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor

from clients import module


class WithoutInfos(BaseParallelWrapper):
    """Leaves the infos out: TorchRL makes tensors of them, which texts cannot be."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        observations, infos = super().reset(seed=seed, options=options)
        return observations, {agent: {} for agent in infos}

    def step(self, actions: dict[str, Any]) -> Any:
        *results, infos = super().step(actions)
        return (*results, {agent: {} for agent in infos})


def environment(game: str, **options: Any) -> PettingZooWrapper:
    """Return a game as TorchRL's environment, with one group of agents, ``player``."""
    env = module(game).parallel_env(mask="observation", **options)
    return PettingZooWrapper(WithoutInfos(env), categorical_actions=True, group_map={"player": env.possible_agents})


def actor_of(env: PettingZooWrapper) -> ProbabilisticActor:
    """Return a linear policy that all players share and that plays legal actions only."""
    observation = env.observation_spec["player", "observation", "observation"]
    n_actions = env.action_spec["player", "action"].space.n
    linear = torch.nn.Linear(observation.shape[-1], n_actions)
    module = TensorDictModule(linear, in_keys=[("player", "observation", "observation")], out_keys=["logits"])
    return ProbabilisticActor(
        module,
        in_keys={"logits": "logits", "mask": ("player", "action_mask")},
        out_keys=[("player", "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )


def use(game: str, steps: int) -> int:
    """Roll out games with a masked policy and make one step of REINFORCE."""
    torch.set_num_threads(1)
    env = environment(game, illegal_action="raise")
    actor = actor_of(env)
    rollout = env.rollout(steps, actor, break_when_any_done=False)
    chosen = rollout["player", "action_mask"].gather(-1, rollout["player", "action"].unsqueeze(-1))
    assert chosen.all()
    rewards = rollout["next", "player", "reward"].squeeze(-1)
    assert rewards.sum(-1).abs().max() < 1e-5
    loss = -(actor(rollout)["player", "action_log_prob"] * rewards).mean()
    loss.backward()
    assert any(parameter.grad.abs().sum() > 0 for parameter in actor.parameters())
    return steps
