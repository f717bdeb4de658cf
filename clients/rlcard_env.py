"""RLCard: a game as one of its environments, for its agents that look at one decision at a time."""

from __future__ import annotations

import contextlib
import importlib
import io
from collections import OrderedDict
from typing import Any

import numpy as np
from rlcard.agents import DQNAgent, RandomAgent
from rlcard.utils import reorganize

from shogun_env.batch.float_view import FloatView


class RLCardEnv:
    """What RLCard's agents, ``reorganize`` and its training loops use of an environment."""

    def __init__(self, game: str, seed: int = 0, **options: Any) -> None:
        self.batch = importlib.import_module(f"shogun_env.{game}").Batch(1, seed=seed, **options)
        self.num_players, self.num_actions = self.batch.num_players, self.batch.spec.n_actions
        self.view = FloatView(self.batch.spec)
        self.state_shape = [[self.view.size]] * self.num_players
        self.agents: list[Any] = []

    def set_agents(self, agents: list[Any]) -> None:
        self.agents = agents

    def get_state(self, player: int) -> dict[str, Any]:
        legal = np.flatnonzero(self.batch.legal[0])
        scaled = self.view.show(self.batch.observe_for(player)[0])
        names = [self.batch.spec.action_name(int(action)) for action in legal]
        return {
            "obs": scaled,
            "legal_actions": OrderedDict.fromkeys(legal.tolist()),
            "raw_obs": scaled,
            "raw_legal_actions": names,
        }

    def run(self, is_training: bool = False) -> tuple[list[list[Any]], np.ndarray]:
        self.batch.reset()
        trajectories: list[list[Any]] = [[] for _ in range(self.num_players)]
        while not self.batch.over[0]:
            player = int(self.batch.player[0])
            state, agent = self.get_state(player), self.agents[player]
            action = agent.step(state) if is_training else agent.eval_step(state)[0]
            trajectories[player] += [state, int(action)]
            self.batch.step([int(action)])
        for player, trajectory in enumerate(trajectories):
            trajectory.append(self.get_state(player))
        return trajectories, self.batch.returns[0]


def use(game: str, steps: int) -> int:
    """Play games between RLCard's agents, and make transitions of them as its learners want them."""
    env = RLCardEnv(game, seed=1)
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    taken = 0
    while taken < steps:
        trajectories, payoffs = env.run(is_training=True)
        transitions = reorganize(trajectories, payoffs)
        assert abs(sum(payoffs)) < 1e-6
        assert all(ts[-1][4] and ts[-1][2] == payoff for ts, payoff in zip(transitions, payoffs, strict=True))
        taken += sum(len(ts) for ts in transitions)
    return taken


def check(game: str) -> None:
    """Feed RLCard's DQN, which prints every step."""
    env = RLCardEnv(game, seed=1)
    learner = DQNAgent(
        num_actions=env.num_actions,
        state_shape=env.state_shape[0],
        mlp_layers=[32],
        replay_memory_init_size=40,
        device="cpu",
    )
    env.set_agents([learner, *(RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players - 1))])
    with contextlib.redirect_stdout(io.StringIO()):
        for _ in range(3):
            trajectories, payoffs = env.run(is_training=True)
            for transition in reorganize(trajectories, payoffs)[0]:
                learner.feed(transition)
    assert learner.train_t > 0
