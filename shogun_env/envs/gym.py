"""Gymnasium's environment of one game: one learner plays against opponents, who play inside ``step``."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from shogun_env.batch.validation import MAX_SEED, seeds_of
from shogun_env.envs.base import RENDER_MODES, SingleGameEnv, of_reset, whole_action
from shogun_env.envs.learner import Learners, LearnerSeat, Opponents
from shogun_env.game import ROW
from shogun_env.policies import tell_begun


class LearnerEnv(SingleGameEnv, gymnasium.Env[Any, Any]):
    """One game in which one player, the learner, is asked; a step ends at the learner's next decision or with the game.

    The reward is that of the learner since the last decision. Infos hold ``action_mask`` int8[A] (``action_masks()``
    returns it, too), ``to_act`` (False only if the game is over), ``phase``, ``illegal_action`` (whether the last
    action was illegal and replaced), ``learner_seat`` and ``points`` int16[P]. ``max_cycles`` counts the decisions of
    the learner. With ``learner_seat="rotate"`` the learner plays player s mod P in the game with seed s.
    """

    state_names = ("_running", "_learner_state")
    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 - Gymnasium declares it an attribute

    def __init__(
        self, *, opponents: Opponents = "random", learner_seat: LearnerSeat = 0, mask: str = "info", **options: Any
    ) -> None:
        """Make the environment; ``reset`` starts a game.

        Raises: OptionError (a ValueError) for a bad option.
        """
        super().__init__(mask=mask, **options)
        self._learners = Learners(self.batch, self.settings, opponents, learner_seat)
        self.observation_space = self._learners.observer.space
        self.action_space = spaces.Discrete(self.game_spec.n_actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a game and return the learner's first observation and the infos.

        Args:
            seed: of the game; without one it is a number below 2^53 from ``np_random``.
            options: ``position``, a position text to begin from instead of the set-up, whose chance to come follows
                from the seed; others are ignored. If the game ends before the learner decides, the next step says so.

        Raises: ValueError for a bad seed or position; the environment is left unchanged.
        """
        starts = self._learners.starts([of_reset(options, self.game_spec).get("position")])
        if seed is not None:
            seeds_of([seed], 1)
        super().reset(seed=None if seed is None else int(seed))
        seeds = np.array([self.np_random.integers(MAX_SEED) if seed is None else seed], np.int64)
        with self._moving():
            self._learners.restart(ROW, seeds, starts)
            self._render_for_humans()
            return self._observation(), self._info(False)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and those of the opponents up to the learner's next decision.

        Returns: observation, reward, terminated, truncated, infos.
        Raises: ValueError if no game is running; for an action that is no whole number, or is illegal with
            ``illegal_action="raise"``. The environment is left unchanged. What an opponent raises; then the game
            must be reset.
        """
        self._check_running()
        actions, illegal = self._learners.checked(np.array([whole_action("the learner", action)]))
        with self._moving():
            (reward,), (terminated,), (truncated,) = (each.tolist() for each in self._learners.step(actions))
            self._render_for_humans()
            observation, info = self._observation(), self._info(bool(illegal[0]))
        self._running = not (terminated or truncated)
        return observation, reward, terminated, truncated, info

    def action_masks(self) -> np.ndarray:
        """Return the mask of the learner: int8[A], 1 where an action is legal, as spaces take it to sample."""
        return self.batch.legal[0].copy()

    def close(self) -> None:
        """End the programs of opponents that were named by text."""
        self._learners.opponents.close()

    def _label(self) -> dict[str, Any]:
        learners = self._learners
        return {**super()._label(), "learner_seat": learners.learner_seat, "opponents": len(learners.opponents.agents)}

    def _restored(self) -> None:
        tell_begun(self._learners.opponents.agents, ROW)

    @property
    def _learner_state(self) -> dict[str, Any]:
        """What a state holds of the learner, as JSON values."""
        return {name: array.tolist() for name, array in self._learners.arrays().items()}

    @_learner_state.setter
    def _learner_state(self, values: dict[str, Any]) -> None:
        for name, array in self._learners.arrays().items():
            array[...] = values[name]

    def _viewer(self) -> int | None:
        return int(self._learners.seats[0])

    def _agents_text(self) -> list[str] | None:
        return self._learners.texts(0)

    def _observation(self) -> Any:
        observer = self._learners.observer
        return observer.show_each(observer.view.show(self._learners.observations()), self.batch.legal.copy())[0]

    def _info(self, illegal: bool) -> dict[str, Any]:
        return self._learners.observer.info(
            self.batch.legal[0].copy(),
            to_act=not self.batch.over[0],
            phase=self._learners.observer.phases[int(self.batch.games["phase"][0])],
            illegal_action=illegal,
            learner_seat=int(self._learners.seats[0]),
            points=self.batch.points[0].copy(),
        )
