"""PettingZoo's parallel environment, written on the engine: every agent gives an action in every step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from pettingzoo import ParallelEnv

from shogun_env.envs.base import NOTHING
from shogun_env.envs.multi_agent import MultiAgentEnv
from shogun_env.spec.forms import shown

Infos = dict[str, dict[str, Any]]
"""The infos of each agent."""


class ParallelGameEnv(MultiAgentEnv, ParallelEnv):  # type: ignore[misc]
    """A game as a parallel environment.

    An agent with nothing to decide may only play action 0. In a phase in which all decide at the same time, they do so
    in one step, and none sees the decision of another; in other phases one agent decides per step. All agents stay
    until the game ends.

    Observations are dicts of ``observation`` and ``action_mask`` int8[A]. Infos hold the same mask, ``to_act`` (whether
    the agent has something to decide), ``phase`` (what is decided) and ``illegal_action`` (whether the agent's last
    action was illegal and replaced). With ``mask="observation"`` the infos have no mask; with ``mask="info"`` only they
    have it, and an observation is no dict of two.
    """

    @property
    def unwrapped(self) -> Self:
        """The environment itself, by its own type; PettingZoo's would hide ``batch`` and ``record``."""
        return self

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], Infos]:
        """Start a game and return observations and infos.

        Args:
            seed: of the game; without one it is a number below 2^53 from ``np_random``.
            options: ``position``, a position text to begin from instead of the set-up, whose chance to come follows
                from the seed; others are ignored.

        Raises: ValueError for a bad seed or position; the environment is left unchanged.
        """
        self._start(seed, options)
        with self._moving():
            self._find_deciders()
            self._render_for_humans()
            return self.look()

    def _find_deciders(self) -> None:
        """Set the masks of all players, and who of them decides."""
        self._masks = self._masks_of_all()
        self._deciders = np.flatnonzero(self._masks[:, NOTHING] == 0).tolist()

    def _restored(self) -> None:
        super()._restored()
        self._find_deciders()

    def look(self, illegal: frozenset[str] = frozenset()) -> tuple[dict[str, Any], Infos]:
        """Return observations and infos of the game as it is now, for instance after ``set_state``."""
        agents, deciders = self.possible_agents, self._deciders
        phases = [self._phase if p in deciders else self._phase_to_others for p in range(len(agents))]
        each = self._observer.show_each(self._observations_of(self._everybody), self._masks.copy())
        observations = dict(zip(agents, each, strict=True))
        infos = {
            a: self._info(m, p in deciders, phases[p], a in illegal)
            for p, (a, m) in enumerate(zip(agents, self._masks.copy(), strict=True))
        }
        return observations, infos

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play the actions of all agents.

        Args: actions: by agent; a missing one counts as action 0.
        Returns: observations, rewards, terminations, truncations and infos of all agents; empty dicts after the end.
        Raises: ValueError before a reset; for keys that are no agents; for actions that are no whole numbers, or are
            illegal with ``illegal_action="raise"``. The environment is left unchanged.
        """
        self._check_running()
        if not self.agents:
            return {}, {}, {}, {}, {}
        everybody = self.possible_agents
        if not isinstance(actions, Mapping):
            raise ValueError(f"actions={shown(actions)}: must be a dict with the actions by agent")
        if strangers := [key for key in actions if key not in self._number]:
            raise ValueError(f"actions: {strangers[0]!r} is no agent; the agents are {', '.join(everybody)}")
        legal = [self._legal(a, actions.get(a), mask) for a, mask in zip(everybody, self._masks, strict=True)]
        illegal = frozenset(agent for agent, (_, replaced) in zip(everybody, legal, strict=True) if replaced)
        with self._moving():
            for player in self._deciders:
                self.batch.step([legal[player][0]])
            for agent in illegal:
                self.illegal_actions[agent] += 1
            self.cycles += 1
            self._find_deciders()
            terminated, truncated = self._ended()
            if terminated or truncated:
                self.agents = []
            observations, infos = self.look(illegal)
            self._render_for_humans()
            ends = dict.fromkeys(everybody, terminated), dict.fromkeys(everybody, truncated)
            return observations, self._pay(), *ends, infos
