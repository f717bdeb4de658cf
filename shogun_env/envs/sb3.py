"""A masked VecEnv for stable-baselines3: one learner per row, opponents play inside. It needs the extra ``rl``."""

import copy
import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from shogun_env.batch.batch import Batch
from shogun_env.batch.validation import WritableArrays
from shogun_env.envs.base import of_reset
from shogun_env.envs.learner import LearnerSeat, Opponents
from shogun_env.envs.vector import LearnerVectorEnv
from shogun_env.spec.forms import shown
from shogun_env.spec.options import OptionError


class _Games(LearnerVectorEnv):
    """The vector environment of any game."""

    def __init__(self, batch_class: type[Batch], num_envs: int, **options: Any) -> None:
        self.batch_class = batch_class
        super().__init__(num_envs, **options)


class MaskedVecEnv(WritableArrays, VecEnv):
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
        if fixed := sorted({"autoreset_mode", "copy"} & set(options)):
            raise OptionError(f"{fixed[0]}: not of MaskedVecEnv, which copies observations and replaces games at once")
        self.games = _Games(
            batch_class, num_envs, opponents=opponents, learner_seat=learner_seat, num_threads=num_threads,
            autoreset_mode=AutoresetMode.SAME_STEP, copy=True, **options,
        )  # fmt: skip
        """The environment of Gymnasium that plays them."""
        settings = self.games.settings
        if settings.mask != "info":
            raise OptionError(f"mask={settings.mask!r}: must be 'info' here, as MaskablePPO asks for action_masks()")
        if settings.render_mode not in (None, "rgb_array"):
            raise OptionError(f"render_mode={settings.render_mode!r}: must be 'rgb_array' here, or left out")
        self.batch = self.games.batch
        self.render_mode = settings.render_mode
        self._actions: Any = np.zeros(num_envs, np.int64)
        self._totals = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        self._begun_at = np.zeros(num_envs)
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)

    def reset(self) -> Any:
        """Start all games, with what ``seed()`` and ``set_options()`` were given, if anything; return the observations.

        Raises: ValueError for a bad seed or position; the games are left unchanged.
        """
        positions = [of_reset(options, self.games.game_spec).get("position") for options in self._options]
        observations, _ = self.games.reset(seed=self._seeds, options={"position": positions})
        self._reset_seeds()
        self._reset_options()
        self._begin(np.ones(self.num_envs, np.bool_))
        return observations

    def _begin(self, rows: np.ndarray) -> None:
        """Begin to count in ``rows`` bool[n]."""
        self._totals[rows] = self._lengths[rows] = 0
        self._begun_at[rows] = time.perf_counter()

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the learners' actions int[n] for ``step_wait``."""
        self._actions = copy.deepcopy(actions)

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the actions; return observations, rewards float32[n], dones bool[n] and infos.

        Raises: ValueError before the first reset, or for bad actions; the games are left unchanged. Whatever an
            opponent raises, after which the games must be reset.
        """
        observations, rewards, terminated, truncated, of_rows = self.games.step(self._actions)
        self._totals += rewards
        self._lengths += 1
        dones = terminated | truncated
        illegal = of_rows["illegal_action"] | (of_rows["final_info"]["illegal_action"] if dones.any() else False)
        infos: list[dict[str, Any]] = [{"illegal_action": True} if each else {} for each in illegal.tolist()]
        now = time.perf_counter()
        for row in np.flatnonzero(dones).tolist():
            infos[row] |= {
                "terminal_observation": of_rows["final_obs"][row],
                "TimeLimit.truncated": bool(truncated[row]),
                "learner_seat": int(of_rows["final_info"]["learner_seat"][row]),
                "points": of_rows["final_info"]["points"][row].tolist(),
                "episode": {
                    "r": float(self._totals[row]),
                    "l": int(self._lengths[row]),
                    "t": round(now - self._begun_at[row], 6),
                },
            }
        self._begin(dones)
        return observations, rewards.astype(np.float32), dones, infos

    def action_masks(self) -> np.ndarray:
        """Return the masks of the learners: int8[n, A], 1 where an action is legal."""
        return self.games.action_masks()

    def close(self) -> None:
        """End the programs of opponents that were named by text."""
        self.games.close()

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
        return self.games.render() or [None] * self.num_envs
