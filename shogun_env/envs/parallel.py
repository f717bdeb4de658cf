"""PettingZoo's parallel environment, written on the engine: every agent gives an action in every step."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Self

import numpy as np
from pettingzoo import ParallelEnv

from shogun_env.batch.loops import NOTHING
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
        """Set the masks of all players, and what they may know."""
        self._masks = self._masks_of_all()
        self._observations_of(self._everybody)

    def _restored(self) -> None:
        super()._restored()
        self._find_deciders()

    def look(self, illegal: frozenset[str] = frozenset()) -> tuple[dict[str, Any], Infos]:
        """Return observations and infos of the game as it is now, for instance after ``set_state``."""
        self._observations_of(self._everybody)
        return self._shown(illegal)

    def _shown(self, illegal: Collection[str]) -> tuple[dict[str, Any], Infos]:
        """Return the same when ``_observations`` are those of now."""
        agents, observer, phase = self.possible_agents, self._observer, self._phase
        to_others = self.game_spec.hidden_phases.get(phase, phase)
        each = observer.show_each(self._observations, self._masks.copy())
        infos: Infos = {}
        for agent, mask, nothing in zip(agents, self._masks.copy(), self._masks[:, NOTHING].tolist(), strict=True):
            seen = to_others if nothing else phase
            infos[agent] = self._info(mask, not nothing, seen, agent in illegal)
        return dict(zip(agents, each, strict=True)), infos

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
        if not actions.keys() <= self._number.keys():
            stranger = next(key for key in actions if key not in self._number)
            raise ValueError(f"actions: {stranger!r} is no agent; the agents are {', '.join(everybody)}")
        chosen, illegal = self._chosen(actions)
        self._running = False
        self.batch.loops.round(self.batch._arrays, chosen, self._masks, self._observations)
        self.batch._raise_errors()
        for agent in illegal:
            self.illegal_actions[agent] += 1
        self.cycles += 1
        terminated, truncated = self._ended()
        if terminated or truncated:
            self.agents = []
        observations, infos = self._shown(illegal)
        self._render_for_humans()
        self._running = True
        ends = dict.fromkeys(everybody, terminated), dict.fromkeys(everybody, truncated)
        return observations, self._pay(), *ends, infos

    def _chosen(self, actions: Mapping[str, Any]) -> tuple[np.ndarray, list[str]]:
        """Return the actions to play, int64[P], and the agents whose own were illegal; ValueError as in ``step``."""
        played, illegal = [], []
        for agent, mask in zip(self.possible_agents, self._masks, strict=True):
            number, replaced = self._legal(agent, actions.get(agent), mask)
            played.append(number)
            if replaced:
                illegal.append(agent)
        return np.array(played), illegal
