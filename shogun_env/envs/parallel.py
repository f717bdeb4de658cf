"""PettingZoo's parallel environment, written on the engine: every agent gives an action in every step."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from pettingzoo import ParallelEnv

from shogun_env.batch.loops import NOTHING, play_round
from shogun_env.envs.base import whole_action
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
            return self._shown(())

    def _find_deciders(self) -> None:
        """Set the masks of all players, and what they may know."""
        self._masks = self._masks_of_all()
        self._observations_of(self._everybody)

    def _restored(self) -> None:
        super()._restored()
        self._find_deciders()

    def look(self) -> tuple[dict[str, Any], Infos]:
        """Return observations and infos of the game as it is now, for instance after ``set_state``.

        Raises: ValueError before a reset.
        """
        self._check_running()
        self._observations_of(self._everybody)
        return self._shown(())

    def _shown(self, illegal: Collection[str]) -> tuple[dict[str, Any], Infos]:
        """Return the same when ``_observations`` are those of now."""
        observer, phase, agents = self._observer, self._phase, self.possible_agents
        of_deciders, of_others = observer.phases[phase], observer.phases[self.game_spec.hidden_phases.get(phase, phase)]
        each = observer.show_each(self._last.show(self._observations).copy(), self._masks.copy())
        infos: Infos = {
            agent: {
                "to_act": not nothing,
                "phase": of_others if nothing else of_deciders,
                "illegal_action": agent in illegal,
            }
            for agent, nothing in zip(agents, self._masks[:, NOTHING].tolist(), strict=True)
        }
        if observer.mask_in_info:
            masks = self._masks.copy()
            for player, info in enumerate(infos.values()):
                info["action_mask"] = masks[player]
        return dict(zip(agents, each, strict=True)), infos

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play the actions of all agents.

        Args: actions: by agent; a missing one counts as action 0, which is illegal for an agent that has to decide.
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
        numbers = [NOTHING if (one := actions.get(agent)) is None else whole_action(agent, one) for agent in everybody]
        illegal: list[str] = []
        if not self._play(numbers):
            chosen, illegal = self._chosen(actions)
            self._play(chosen)
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

    def _play(self, actions: list[int]) -> bool:
        """Play the actions of all agents if all of them are legal; return whether they are."""
        if max(actions) >= self.game_spec.n_actions or min(actions) < 0:
            return False
        self._running = False
        play = play_round.of(self.game_spec.engine)
        bad = play(self.batch._arrays, np.array(actions), self._masks, self._observations)
        self._running = bad >= 0  # nothing was played
        return not self._running

    def _chosen(self, actions: Mapping[str, Any]) -> tuple[list[int], list[str]]:
        """Return the actions to play, by player, and the agents whose own were illegal; ValueError as in ``step``."""
        missing = [
            agent
            for agent, mask in zip(self.possible_agents, self._masks, strict=True)
            if actions.get(agent) is None and not mask[NOTHING]
        ]
        if missing and self.settings.illegal_action == "raise":
            phase = self.game_spec.phase_names[self._phase]
            raise ValueError(f"actions: none for {', '.join(missing)}; in {phase} each of them has to decide")
        played, illegal = [], []
        for agent, mask in zip(self.possible_agents, self._masks, strict=True):
            number, replaced = self._legal(agent, actions.get(agent), mask)
            played.append(number)
            if replaced:
                illegal.append(agent)
        return played, illegal
