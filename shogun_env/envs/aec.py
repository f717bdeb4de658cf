"""PettingZoo's AEC environment, written on the engine: only who decides is asked, in the engine's order."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from shogun_env.envs.base import NOTHING
from shogun_env.envs.multi_agent import MultiAgentEnv


class AECGameEnv(MultiAgentEnv, AECEnv):  # type: ignore[misc]
    """A game as an AEC environment.

    Where the game lets all decide at the same time, they are asked one after the other, and none sees an earlier one's
    decision. Observations and infos as in the parallel environment; who is not asked has only action 0.
    """

    own: ClassVar[tuple[str, ...]] = (
        *MultiAgentEnv.own, "agent_selection", "rewards", "terminations", "truncations", "_cumulative_rewards",
        "_left_in_round", "_illegal", "_skip_agent_selection",
    )  # fmt: skip

    traits: ClassVar[dict[str, Any]] = {"is_parallelizable": False}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start game number ``seed``; without one, a number below 2^53 from ``np_random``. Options are ignored."""
        self._start(seed)
        agents = self.possible_agents
        self.rewards: dict[str, float] = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(agents, False)
        self._illegal: dict[str, bool] = dict.fromkeys(agents, False)
        self._skip_agent_selection: str | None = None
        self._begin_round()
        self._ask_next()
        self._picture()

    def _begin_round(self) -> None:
        """Count the decisions that the parallel environment would put in one step."""
        self._left_in_round = 1
        if self.batch.games["phase"][0] == self.game_spec.plan_phase:
            masks = self._masks_of_all()
            self._left_in_round = len(self._everybody) - int(np.count_nonzero(masks[:, NOTHING]))

    def _ask_next(self) -> None:
        player = int(self.batch.player[0])
        self.agent_selection = self.possible_agents[max(player, 0)]
        self._inform()

    def _inform(self) -> None:
        phase, nothing, illegal = self._phase_to_others, self._nothing, self._illegal
        self.infos = {
            a: {"action_mask": nothing, "to_act": False, "phase": phase, "illegal_action": illegal[a]}
            for a in self.agents
        }
        if not self.batch.over[0] and self.agents:
            asked = self.agent_selection
            self.infos[asked].update(action_mask=self._mask_of(asked), to_act=True, phase=self._phase)

    def _restored(self) -> None:
        self._inform()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent may know, and his mask."""
        player = self._number[agent]
        seen = self._observer.show(self._seen_by(self._everybody[player : player + 1])[0])
        return {"observation": seen, "action_mask": self._mask_of(agent)}

    def _mask_of(self, agent: str) -> np.ndarray:
        """Return a mask: that of the decision for who is asked, else that of action 0 alone."""
        asked = agent == self.agent_selection and not self.batch.over[0] and self.agents
        return self.batch.legal[0].copy() if asked else self._nothing

    def step(self, action: Any) -> None:
        """Play the action of ``agent_selection``; None once it is over for him.

        Raises: ValueError for an illegal action if so chosen; nothing is changed then.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number, self._illegal[agent] = self._legal(agent, action, self.batch.legal[0])
        self.batch.step([number])
        self._left_in_round -= 1
        if self._left_in_round == 0:
            self.cycles += 1
            self._begin_round()
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self._pay()
        self._accumulate_rewards()
        self._end()
        self._ask_next()
        self._picture()

    def _end(self) -> None:
        terminated, truncated = self._ended()
        if terminated or truncated:
            self.terminations = dict.fromkeys(self.possible_agents, terminated)
            self.truncations = dict.fromkeys(self.possible_agents, truncated)


def wrapped(game: AECGameEnv) -> AECEnv:
    """Put PettingZoo's usual wrappers on: they refuse what is out of bounds or out of order."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(game))
