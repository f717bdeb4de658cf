"""Who the learner plays against: bots, itself and its past, drawn for every seat of every game."""

from __future__ import annotations

import copy
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.agents.network import Network
from shogun_env.policies import Agent, make_agent
from shogun_env.spec.game_spec import GameSpec


class OpponentPool:
    """Opponents for the learner's environments; a ``shogun_env.envs.learner.Pool``.

    Given the snapshots, who plays a game depends only on its seed.

    Args:
        game_spec: the game.
        heuristics: specs of bots.
        shares: shares of the seats that the bots and the present learner play; the snapshots play the rest, or the
            present learner as long as there are no snapshots.
        snapshots: number of snapshots, the latest ones, that play.
    """

    def __init__(
        self, game_spec: GameSpec, heuristics: Sequence[str], shares: tuple[float, float], snapshots: int
    ) -> None:
        self.game_spec = game_spec
        self.heuristics = len(heuristics)
        self.shares = shares
        self.snapshots = snapshots
        self.agents: list[Agent] = [make_agent(name, game_spec) for name in heuristics]

    @property
    def current(self) -> int:
        """The index of the present learner in ``agents``; the snapshots follow it."""
        return self.heuristics

    def play_with(self, policy: Any) -> None:
        """Make ``policy``, which goes on learning, the present learner; to be called once, before the first game."""
        self.agents.append(Network(policy, self.game_spec))

    def add_snapshot(self, policy: Any) -> None:
        """Add a copy of ``policy`` as a snapshot."""
        stream = io.BytesIO()  # copy.deepcopy fails for a policy that has been used
        policy.save(stream)
        stream.seek(0)
        frozen = type(policy).load(stream, device="cpu")
        frozen.set_training_mode(False)
        self.agents.append(Network(frozen, self.game_spec))

    def line_up(self, seeds: np.ndarray, num_opponents: int) -> np.ndarray:
        """Return who plays the games with ``seeds`` int64[n]: indices of agents, int64[n, num_opponents]."""
        past = range(max(self.current + 1, len(self.agents) - self.snapshots), len(self.agents))
        to_heuristics, to_current = self.shares[0], self.shares[0] + self.shares[1]
        out = np.empty((len(seeds), num_opponents), np.int64)
        for row, seed in enumerate(seeds):
            rng = np.random.default_rng(int(seed))
            draws = rng.random((num_opponents, 2))
            for seat, (kind, which) in enumerate(draws):
                if kind < to_heuristics and self.heuristics:
                    out[row, seat] = int(which * self.heuristics)
                elif kind < to_current or not past:
                    out[row, seat] = self.current
                else:
                    out[row, seat] = past[int(which * len(past))]
        return out


def load_snapshots(pool: OpponentPool, learner: Any, folder: Path) -> None:
    """Add the latest snapshots in a folder to the pool, in the order in which they were made."""
    present = copy.deepcopy(learner.policy.state_dict())
    for path in sorted(folder.glob("*.zip"))[-pool.snapshots :]:
        learner.set_parameters(str(path), exact_match=True, device="cpu")
        pool.add_snapshot(learner.policy)
    learner.policy.load_state_dict(present)
