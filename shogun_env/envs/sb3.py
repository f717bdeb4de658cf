"""A masked VecEnv for stable-baselines3: one learner per row, opponents play inside. It needs the extra ``rl``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from shogun_env.batch.batch import Batch
from shogun_env.batch.validation import WritableArrays
from shogun_env.envs.base import rendered
from shogun_env.envs.learner import LearnerSeat, Opponents, RowSeeds
from shogun_env.envs.vector import learners_in_rows
from shogun_env.spec.options import OptionError


class MaskedVecEnv(WritableArrays, VecEnv):
    """Many games for MaskablePPO, which asks ``env_method("action_masks")`` before every step.

    Args:
        batch_class: the game's ``Batch``, for instance ``shogun_env.shogun.Batch``.
        num_envs: number of rows, n; 64 to 256 suit PPO.
        opponents, learner_seat, num_threads: as for the vector environment.
        options: those of play and of all environments.

    A step leads from one decision of a row's learner to the learner's next one. The step that ends a game starts the
    next one; the infos of that row hold ``terminal_observation``, ``TimeLimit.truncated``, ``learner_seat`` and
    ``points``. The caller may keep every array that is returned.

    Raises: OptionError (a ValueError) for a bad option.

    Example:
        >>> from shogun_env.shogun import Batch  # doctest: +SKIP
        >>> model = MaskablePPO("MlpPolicy", MaskedVecEnv(Batch, 128, learner_seat="rotate"))  # doctest: +SKIP
    """

    def __init__(
        self,
        batch_class: type[Batch],
        num_envs: int,
        *,
        opponents: Opponents = "random",
        learner_seat: LearnerSeat = 0,
        num_threads: int = 1,
        **options: Any,
    ) -> None:
        """Make the environment; ``reset`` starts the games."""
        self._learners = learners_in_rows(batch_class, num_envs, opponents, learner_seat, num_threads, options)
        settings = self._learners.settings
        if settings.mask != "info":
            raise OptionError(f"mask={settings.mask!r}: must be 'info' here, as MaskablePPO asks for action_masks()")
        if settings.render_mode not in (None, "rgb_array"):
            raise OptionError(f"render_mode={settings.render_mode!r}: must be 'rgb_array' here, or left out")
        self.batch = self._learners.batch
        self.render_mode = settings.render_mode
        self._row_seeds = RowSeeds(num_envs)
        self._rows = np.arange(num_envs)
        self._actions = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, self._learners.observer.space, spaces.Discrete(batch_class.spec.n_actions))

    def reset(self) -> Any:
        """Start all games, with the seeds given to ``seed()`` if there are any; return the observations."""
        self._learners.restart(self._rows, self._row_seeds.first(self._seeds, self._rows))
        self._reset_seeds()
        self._reset_options()
        return self._show()

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the learners' actions int[n] for ``step_wait``."""
        self._actions = np.array(actions)

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the actions; return observations, rewards float32[n], dones bool[n] and infos."""
        learners = self._learners
        result = learners.step(self._actions)
        dones = result.terminated | result.truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(result.illegal):
            infos[row]["illegal_action"] = True
        rows = np.flatnonzero(dones)
        if len(rows):
            last = learners.observer.show_each(learners.observations(rows), self.batch.legal[rows])
            for row, observation in zip(rows, last, strict=True):
                infos[row]["terminal_observation"] = observation
                infos[row]["TimeLimit.truncated"] = bool(result.truncated[row])
                infos[row]["learner_seat"] = int(learners.seats[row])
                infos[row]["points"] = self.batch.points[row].tolist()
            learners.restart(rows, self._row_seeds.next(rows))
        return self._show(), result.rewards.astype(np.float32), dones, infos

    def action_masks(self) -> np.ndarray:
        """Return the masks of the learners: bool[n, A], True where an action is legal."""
        return self.batch.legal.astype(np.bool_)

    def _show(self) -> Any:
        return self._learners.observer.show(self._learners.observations(), self.batch.legal)

    def close(self) -> None:
        """Do nothing: no resources are held."""

    def has_attr(self, attr_name: str) -> bool:
        """Say whether the rows have an attribute or a method."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """Return an attribute, which all rows share, once per row."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Raise AttributeError: the rows share their attributes."""
        raise AttributeError(f"{attr_name!r}: rows of a batched environment have no attributes of their own")

    def env_method(
        self, method_name: str, *args: Any, indices: int | Iterable[int] | None = None, **kwargs: Any
    ) -> Any:
        """Return the ``action_masks`` of the rows, bool[n, A]; AttributeError for another method."""
        if method_name != "action_masks":
            raise AttributeError(f"{method_name!r}: rows of a batched environment have 'action_masks' only")
        return self.action_masks()[list(self._get_indices(indices))] if indices is not None else self.action_masks()

    def env_is_wrapped(self, wrapper_class: type[Any], indices: int | Iterable[int] | None = None) -> list[bool]:
        """Say for each row that it has no wrapper."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[np.ndarray | None]:
        """Return the boards as their learners see them, uint8[height, width, 3] each; None without ``render_mode``."""
        if self.render_mode is None:
            return [None] * self.num_envs
        return [rendered(self.batch, row, seat, "rgb_array") for row, seat in enumerate(self._learners.seats.tolist())]
