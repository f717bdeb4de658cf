"""AgileRL: DQN on the Gymnasium vector environment, whose infos hold the masks. Nothing has to be adapted.

Version 2.58.0 needs the libraries peft and accelerate, which it does not require. Its IPPO, for all players, refuses
masks that are arrays (``extract_action_masks`` asks ``None in group_masks``), so it is not tried here.
"""

from __future__ import annotations

import gymnasium
import numpy as np
import torch
from agilerl.algorithms import DQN
from agilerl.components.data import Transition, transition_to_tensordict
from agilerl.components.replay_buffer import ReplayBuffer

from clients import loops
from clients.measure import report

NUM_ENVS = 64

# --- use -------------------------------------------------------------------------------------------------------------


def use(game: str, steps: int) -> int:
    """Collect with DQN and learn from the buffer; an illegal action would be an error."""
    torch.set_num_threads(1)
    envs = gymnasium.make_vec(loops.env_id(game), num_envs=NUM_ENVS, illegal_action="raise")
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
        loss = agent.learn(memory.sample(64))
        assert np.isfinite(loss)
    return rounds * NUM_ENVS


if __name__ == "__main__":
    report(__file__, "agilerl", use, loops.vector, 20_000)
