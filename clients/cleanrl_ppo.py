"""Masked PPO in one file, in the manner of CleanRL: 64 games of one learner in a Gymnasium vector environment.

``python -m clients cleanrl --here --steps 400000`` learns for a minute or two and says how often it wins.
"""

from typing import Any

import gymnasium
import torch
from torch import nn
from torch.distributions import Categorical

from clients import env_id, wins_of

NUM_ENVS, NUM_STEPS, EPOCHS, MINIBATCHES = 64, 64, 3, 4
GAMMA, GAE_LAMBDA, CLIP, ENTROPY, VALUE, LEARNING_RATE, MAX_NORM = 1.0, 0.95, 0.2, 0.01, 0.5, 1e-3, 0.5


class Agent(nn.Module):
    """One network for policy and value; logits of illegal actions are set to a large negative number."""

    def __init__(self, n_values: int, n_actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_values, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
        self.actor, self.critic = nn.Linear(128, n_actions), nn.Linear(128, 1)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """Return the distribution over legal actions and the value of each row."""
        hidden = self.body(observations)
        logits = self.actor(hidden).masked_fill(masks == 0, -1e9)
        return Categorical(logits=logits, validate_args=False), self.critic(hidden).squeeze(-1)

    @torch.no_grad()
    def best(self, observations: Any, masks: Any) -> Any:
        """Return the likeliest action of each row, as an array of numpy like the rows."""
        return self(torch.as_tensor(observations), torch.as_tensor(masks))[0].logits.argmax(1).numpy()


def train(game: str, steps: int, seed: int = 1, **play: Any) -> tuple[Agent, int]:
    """Learn from at least this many decisions by these options of play; return the network and how many they were."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    options = {"opponents": "random", "learner_seat": "rotate", "reward": "margin", **play}
    envs = gymnasium.make_vec(env_id(game), num_envs=NUM_ENVS, **options)
    n_values, n_actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
    agent = Agent(n_values, n_actions)
    optimizer = torch.optim.Adam(agent.parameters(), lr=LEARNING_RATE, eps=1e-5)

    observations = torch.zeros(NUM_STEPS, NUM_ENVS, n_values)
    masks = torch.zeros(NUM_STEPS, NUM_ENVS, n_actions, dtype=torch.int8)
    actions = torch.zeros(NUM_STEPS, NUM_ENVS, dtype=torch.int64)
    log_probs, rewards, ended, values = (torch.zeros(NUM_STEPS, NUM_ENVS) for _ in range(4))

    current, infos = envs.reset(seed=seed)
    updates = -(-steps // (NUM_ENVS * NUM_STEPS))
    for _ in range(updates):
        with torch.no_grad():
            for t in range(NUM_STEPS):
                observations[t], masks[t] = torch.as_tensor(current), torch.as_tensor(infos["action_mask"])
                distribution, values[t] = agent(observations[t], masks[t])
                actions[t] = distribution.sample()
                log_probs[t] = distribution.log_prob(actions[t])
                current, reward, terminated, truncated, infos = envs.step(actions[t].numpy())
                rewards[t], ended[t] = torch.as_tensor(reward), torch.as_tensor(terminated | truncated).float()
            # The step that ends a game returns the first observation of the next one, whose value does not count here.
            next_value = agent(torch.as_tensor(current), torch.as_tensor(infos["action_mask"]))[1]
            advantages, last = torch.zeros_like(rewards), torch.zeros(NUM_ENVS)
            for t in reversed(range(NUM_STEPS)):
                delta = rewards[t] + GAMMA * next_value * (1 - ended[t]) - values[t]
                advantages[t] = last = delta + GAMMA * GAE_LAMBDA * (1 - ended[t]) * last
                next_value = values[t]
        update(agent, optimizer, observations, masks, actions, log_probs, advantages, advantages + values)
    return agent, updates * NUM_ENVS * NUM_STEPS


def update(agent: Agent, optimizer: torch.optim.Optimizer, *rollout: torch.Tensor) -> None:
    """Take the steps of PPO on a rollout: observations, masks, actions, log probabilities, advantages, returns."""
    observations, masks, actions, log_probs, advantages, returns = (part.flatten(0, 1) for part in rollout)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(actions)).chunk(MINIBATCHES):
            distribution, values = agent(observations[rows], masks[rows])
            ratio = (distribution.log_prob(actions[rows]) - log_probs[rows]).exp()
            scaled = (advantages[rows] - advantages[rows].mean()) / (advantages[rows].std() + 1e-8)
            gain = torch.min(ratio * scaled, ratio.clamp(1 - CLIP, 1 + CLIP) * scaled).mean()
            loss = VALUE * (values - returns[rows]).square().mean() - gain - ENTROPY * distribution.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), MAX_NORM)
            optimizer.step()


def use(game: str, steps: int) -> int:
    """Learn, and print the share of wins; the speed is that of learning."""
    agent, taken = train(game, steps)
    if taken > 100_000:
        print(f"{game}: wins {wins_of(agent.best, game)}")
    return taken
