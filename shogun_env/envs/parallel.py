"""PettingZoo's parallel environment, written on the engine: everybody gives an action in every step."""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo import ParallelEnv

from shogun_env.envs.base import NOTHING
from shogun_env.envs.multi_agent import MultiAgentEnv

Infos = dict[str, dict[str, Any]]


class ParallelGameEnv(MultiAgentEnv, ParallelEnv):  # type: ignore[misc]
    """A game as a parallel environment.

    Who has nothing to decide has only action 0 legal. In a phase in which all decide at the same time all give their
    decision in one step, and none sees that of another; otherwise one decides a step. Agents stay until the end.

    Observations are dicts of ``observation`` and ``action_mask`` int8[A]. Infos hold the same mask, ``to_act`` (has
    this agent something to decide), ``phase`` (what is decided) and ``illegal_action`` (was his last action replaced).
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], Infos]:
        """Start game number ``seed``; without one, a number below 2^53 from ``np_random``. Options are ignored."""
        self._start(seed)
        self._find_deciders()
        self._picture()
        return self.look()

    def _find_deciders(self) -> None:
        self._masks = self._masks_of_all()
        self._deciders = np.flatnonzero(self._masks[:, NOTHING] == 0).tolist()

    def _restored(self) -> None:
        self._find_deciders()

    def look(self, illegal: frozenset[str] = frozenset()) -> tuple[dict[str, Any], Infos]:
        """Return observations and infos of the game as it stands, for instance after ``set_state``."""
        agents, masks, deciders = self.possible_agents, list(self._masks), self._deciders
        phases = [self._phase if p in deciders else self._phase_to_others for p in range(len(agents))]
        seen = self._observer.show_each(self._seen_by(self._everybody))
        observations = {a: {"observation": o, "action_mask": m} for a, o, m in zip(agents, seen, masks, strict=True)}
        infos = {
            a: {"action_mask": m, "to_act": p in deciders, "phase": phases[p], "illegal_action": a in illegal}
            for p, (a, m) in enumerate(zip(agents, masks, strict=True))
        }
        return observations, infos

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play everybody's action; a missing one counts as action 0.

        Returns: observations, rewards, terminations, truncations, infos of all agents; empty dicts after the end.
        Raises: ValueError for an illegal action if so chosen; nothing is changed then.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        illegal = set()
        chosen = []
        for agent, mask in zip(self.possible_agents, self._masks, strict=True):
            action, replaced = self._legal(agent, actions.get(agent), mask)
            chosen.append(action)
            if replaced:
                illegal.add(agent)
        for player in self._deciders:
            self.batch.step(chosen[player : player + 1])
        self.cycles += 1
        self._find_deciders()
        terminated, truncated = self._ended()
        if terminated or truncated:
            self.agents = []
        observations, infos = self.look(frozenset(illegal))
        self._picture()
        everybody = self.possible_agents
        return (
            observations,
            self._pay(),
            dict.fromkeys(everybody, terminated),
            dict.fromkeys(everybody, truncated),
            infos,
        )
