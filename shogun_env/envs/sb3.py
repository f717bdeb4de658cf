"""A masked VecEnv for stable-baselines3: one learner per row, opponents play inside. It needs the extra ``rl``."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from shogun_env.batch.batch import Batch
from shogun_env.batch.validation import WritableArrays
from shogun_env.envs.base import Steps, rendered
from shogun_env.envs.learner import LearnerSeat, Opponents, Outcome, RowSeeds
from shogun_env.envs.vector import learners_in_rows
from shogun_env.spec.forms import shown
from shogun_env.spec.options import OptionError


class MaskedVecEnv(Steps, WritableArrays, VecEnv):
    """Many games for MaskablePPO, which asks ``env_method("action_masks")`` before every step.

    Args:
        batch_class: the game's ``Batch``, for instance ``shogun_env.shogun.Batch``.
        num_envs: number of rows, n; 64 to 256 suit PPO.
        opponents, learner_seat, num_threads: as for the vector environment.
        options: those of play and of all environments.

    A step leads from one decision of a row's learner to the learner's next one. The step that ends a game starts the
    next one; the infos of that row hold ``terminal_observation``, ``TimeLimit.truncated``, ``learner_seat``,
    ``points``, and as ``episode`` what ``Monitor`` says, from which the library logs mean rewards. The caller may keep
    every array that is returned. ``set_options({"position": text})`` is for the next ``reset``, as in other interfaces.

    Raises: OptionError (a ValueError) for a bad option.

    Example:
        >>> from shogun_env.shogun import Batch  # doctest: +SKIP
        >>> model = MaskablePPO("MlpPolicy", MaskedVecEnv(Batch, 128, learner_seat="rotate"))  # doctest: +SKIP
    """

    def __init__(
        self,
        batch_class: type[Batch],
        num_envs: int = 64,
        *,
        opponents: Opponents = "random",
        learner_seat: LearnerSeat = 0,
        num_threads: int = 1,
        **options: Any,
    ) -> None:
        """Make the environment; ``reset`` starts the games."""
        if not (isinstance(batch_class, type) and issubclass(batch_class, Batch) and hasattr(batch_class, "spec")):
            raise OptionError(
                f"batch_class={shown(batch_class)}: must be a class, the Batch of a game, as in "
                "MaskedVecEnv(Batch, 64); rows are made here, other environments are not wrapped"
            )
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
        self._totals = np.zeros(num_envs)
        self._begun_at = np.zeros(num_envs)
        super().__init__(num_envs, self._learners.observer.space, spaces.Discrete(batch_class.spec.n_actions))

    def reset(self) -> Any:
        """Start all games, with what ``seed()`` and ``set_options()`` were given, if anything; return the observations.

        Raises: ValueError for a bad seed or position; the games are left unchanged.
        """
        starts = self._learners.starts([options.get("position") for options in self._options])
        seeds = self._row_seeds.first(self._seeds, self._rows)
        with self._moving():
            self._restart(self._rows, seeds, starts)
            self._reset_seeds()
            self._reset_options()
            return self._learners.show()

    def _restart(self, rows: np.ndarray, seeds: np.ndarray, starts: Sequence[Batch | None] = ()) -> None:
        """Start games as ``Learners.restart`` does."""
        self._learners.restart(rows, seeds, starts)
        self._totals[rows] = 0
        self._begun_at[rows] = time.perf_counter()

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the learners' actions int[n] for ``step_wait``."""
        self._actions = np.array(actions)

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the actions; return observations, rewards float32[n], dones bool[n] and infos.

        Raises: ValueError before the first reset, or for bad actions; the games are left unchanged. Whatever an
            opponent raises, after which the games must be reset.
        """
        learners = self._learners
        self._check_running()
        chosen = learners.checked(self._actions)
        with self._moving():
            result = learners.step(chosen)
            self._totals += result.rewards
            dones = result.terminated | result.truncated
            infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
            for row in np.flatnonzero(result.illegal).tolist():
                infos[row]["illegal_action"] = True
            rows = np.flatnonzero(dones)
            if len(rows):
                observer = learners.observer
                last = observer.show_each(observer.view.show(learners.observations(rows)), self.batch.legal[rows])
                for row, observation in zip(rows.tolist(), last, strict=True):
                    infos[row] |= {"terminal_observation": observation, **self._end_info(row, result)}
                self._restart(rows, self._row_seeds.next(rows))
            return self._learners.show(), result.rewards.astype(np.float32), dones, infos

    def _end_info(self, row: int, result: Outcome) -> dict[str, Any]:
        """Return what the infos say of a game that ends."""
        seconds = round(time.perf_counter() - self._begun_at[row], 6)
        return {
            "TimeLimit.truncated": bool(result.truncated[row]),
            "learner_seat": int(self._learners.seats[row]),
            "points": self.batch.points[row].tolist(),
            "episode": {"r": float(self._totals[row]), "l": int(self._learners.cycles[row]), "t": seconds},
        }

    def action_masks(self) -> np.ndarray:
        """Return the masks of the learners: int8[n, A], 1 where an action is legal."""
        return self.batch.legal.copy()

    def close(self) -> None:
        """End the programs of the opponents that are made of texts."""
        self._learners.close()

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
        """Return the ``action_masks`` of the rows, int8[n, A]; AttributeError for another method."""
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
