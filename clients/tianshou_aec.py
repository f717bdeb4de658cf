"""Tianshou: the AEC environment in its ``PettingZooEnv``, a policy for each player. Nothing has to be adapted."""

from __future__ import annotations

from tianshou.algorithm import MARLRandomDiscreteMaskedOffPolicyAlgorithm, MultiAgentOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv

from clients import loops
from clients.measure import report

# --- use -------------------------------------------------------------------------------------------------------------


def use(game: str, steps: int) -> int:
    """Collect games between random masked policies."""
    make = loops.module(game).env
    env = PettingZooEnv(make(illegal_action="raise"))
    random = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space) for _ in env.agents]
    players = MultiAgentOffPolicyAlgorithm(algorithms=random, env=env)
    envs = DummyVectorEnv([lambda: PettingZooEnv(make(illegal_action="raise")) for _ in range(4)])
    collector = Collector(players, envs, VectorReplayBuffer(10_000, len(envs)))
    collector.reset()
    result = collector.collect(n_step=steps)
    assert result.n_collected_steps >= steps
    return int(result.n_collected_steps)


if __name__ == "__main__":
    report(__file__, "tianshou", use, loops.aec, 2_000)
