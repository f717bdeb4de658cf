"""TorchRL: both PettingZoo environments in its ``PettingZooWrapper``, a masked policy, rollouts, a step of learning."""

import itertools
from typing import Any

import torch
from tensordict.nn import TensorDictModule
from torchrl.envs import MarlGroupMapType, PettingZooWrapper, check_env_specs
from torchrl.modules import MaskedCategorical, ProbabilisticActor

from clients import module


def environment(game: str, **options: Any) -> PettingZooWrapper:
    """Return a game as TorchRL's environment, with one group of agents, ``player``."""
    env = module(game).parallel_env(mask="observation", info_text=False, **options)
    return PettingZooWrapper(env, categorical_actions=True, group_map={"player": env.possible_agents})


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


def check(game: str) -> None:
    """Take both environments as they are, with the mask in either place, in one group and in one for each agent."""
    v0 = module(game)
    for make, mask, groups in itertools.product((v0.parallel_env, v0.env), ("observation", "info"), MarlGroupMapType):
        env = make(mask=mask, info_text=False)
        wrapped = PettingZooWrapper(env, categorical_actions=True, group_map=groups, use_mask=make is v0.env)
        check_env_specs(wrapped)
        rollout = wrapped.rollout(30)
        group = next(iter(wrapped.group_map))
        assert {(group, "action_mask"), (group, "info", "phase")} <= set(rollout.keys(True, True))
