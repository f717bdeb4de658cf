"""PettingZoo's AEC environment, written on the engine: only the agent who decides is asked, in the engine's order."""

import inspect
from collections.abc import Callable
from typing import Any, ClassVar, ParamSpec

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from shogun_env.batch.loops import NOTHING, step_games
from shogun_env.envs.multi_agent import MultiAgentEnv

P = ParamSpec("P")


class AECGameEnv(MultiAgentEnv, AECEnv):  # type: ignore[misc]
    """A game as an AEC environment.

    In a phase in which all decide at the same time, the agents are asked one after the other, and none sees the
    decision of an earlier one. Observations and infos are those of the parallel environment; an agent who is not asked
    may only play action 0.
    """

    traits: ClassVar[dict[str, Any]] = {"is_parallelizable": False}
    state_names: ClassVar[tuple[str, ...]] = (
        *MultiAgentEnv.state_names, "agent_selection", "rewards", "terminations", "truncations", "_cumulative_rewards",
        "_left_in_round", "_illegal", "_skip_agent_selection",
    )  # fmt: skip

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            seed: of the game; without one it is a number below 2^53 from ``np_random``.
            options: ``position``, a position text to begin from instead of the set-up, whose chance to come follows
                from the seed; others are ignored.

        Raises: ValueError for a bad seed or position; the environment is left unchanged.
        """
        self._start(seed, options)
        agents = self.possible_agents
        self.rewards: dict[str, float] = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(agents, False)
        self._illegal: dict[str, bool] = dict.fromkeys(agents, False)
        self._skip_agent_selection: str | None = None
        with self._moving():
            self._begin_round()
            self._ask_next()
            self._render_for_humans()

    def _begin_round(self) -> None:
        """Count the decisions that the parallel environment would take in one step."""
        self._left_in_round = 1
        if self.batch.games["phase"][0] == self.game_spec.plan_phase:
            masks = self._masks_of_all()
            self._left_in_round = len(self._everybody) - int(np.count_nonzero(masks[:, NOTHING]))

    def _ask_next(self) -> None:
        """Select the agent who decides next."""
        self.agent_selection = self.possible_agents[max(int(self.batch.player[0]), 0)]
        self._inform()

    def _inform(self) -> None:
        """Set the infos of all agents."""
        of_others = self.game_spec.hidden_phases.get(self._phase, self._phase)
        self.infos = {}
        for agent in self.agents:
            is_asked = self._is_asked(agent)
            phase = self._observer.phases[self._phase if is_asked else of_others]
            self.infos[agent] = self._observer.info(
                self._mask_of(agent), to_act=is_asked, phase=phase, illegal_action=self._illegal[agent]
            )

    def _restored(self) -> None:
        super()._restored()
        self._inform()

    def observe(self, agent: str) -> Any:
        """Return what an agent may know, with its mask int8[A] in a dict, unless ``mask="info"``."""
        player = self._number[agent]
        observation = self._observations_of(self._everybody[player : player + 1])
        return self._observer.show(self._last.show(observation, player)[0].copy(), self._mask_of(agent))

    def _mask_of(self, agent: str) -> np.ndarray:
        """Return the mask of an agent: that of the decision if the agent is asked, else action 0 alone."""
        if self._is_asked(agent):
            return self.batch.legal[0].copy()
        mask = np.zeros(self.game_spec.n_actions, np.int8)
        mask[NOTHING] = 1
        return mask

    def _is_asked(self, agent: str) -> bool:
        """Say whether the game waits for a decision of an agent, whoever is selected to leave a truncated one."""
        return bool(not self.batch.over[0] and self._number[agent] == self.batch.player[0])

    def step(self, action: Any) -> None:
        """Play the action of ``agent_selection``, which must be None once the game is over for that agent.

        Raises: ValueError before a reset; for an action that is no whole number, or is illegal with
            ``illegal_action="raise"``. The environment is left unchanged.
        """
        self._check_running()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number, illegal = self._legal(agent, action, self.batch.legal[0])
        self._running = False
        # As ``Batch.step``, without its checks.
        step_games.of(self.game_spec.engine)(self.batch._arrays, np.array([number]), self.batch.over, 0, 1)
        self.batch._raise_errors()
        self._illegal[agent] = illegal
        self.illegal_actions[agent] += illegal
        self._left_in_round -= 1
        if self._left_in_round == 0:
            self.cycles += 1
            self._begin_round()
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self._pay()
        self._accumulate_rewards()
        terminated, truncated = self._ended()
        if terminated or truncated:
            self.terminations = dict.fromkeys(self.possible_agents, terminated)
            self.truncations = dict.fromkeys(self.possible_agents, truncated)
        self._ask_next()
        self._render_for_humans()
        self._running = True


class WrappedGameEnv(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    """An ``AECGameEnv`` in PettingZoo's usual wrappers, which refuse actions out of bounds and calls out of order."""

    def __init__(self, game: AECGameEnv) -> None:
        """Wrap the environment."""
        super().__init__(wrappers.AssertOutOfBoundsWrapper(game))

    @property
    def unwrapped(self) -> AECGameEnv:
        """The environment without the wrappers."""
        return self.env.unwrapped

    def __str__(self) -> str:
        return str(self.env)


def in_wrappers(raw_env: Callable[P, AECGameEnv]) -> Callable[P, WrappedGameEnv]:
    """Return the function ``env`` of a game's module, which takes the keywords of its ``raw_env``."""

    def env(*args: P.args, **options: P.kwargs) -> WrappedGameEnv:
        """Return ``raw_env`` in PettingZoo's usual wrappers; keywords as in the module's docstring.

        Raises: OptionError (a ValueError) for a bad option.
        """
        return WrappedGameEnv(raw_env(*args, **options))

    env.__module__, env.__qualname__ = raw_env.__module__, "env"
    env.__signature__ = inspect.signature(raw_env)  # type: ignore[attr-defined]
    return env
