"""Gymnasium's vector environment on one batch: many games with one learner each."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from shogun_env.batch.batch import Batch
from shogun_env.batch.validation import WritableArrays, seeds_of
from shogun_env.envs.base import OfGame, Settings, of_reset, rendered, split_options
from shogun_env.envs.learner import Learners, LearnerSeat, Opponents, RowSeeds
from shogun_env.spec.options import OptionError, flag, whole_number

Infos = dict[str, Any]
"""Arrays by name, one entry per row."""


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Return one of Gymnasium's modes, given as it is or by its name."""
    if isinstance(mode, AutoresetMode | str):
        for each in AutoresetMode:
            if mode in (each, each.value, each.name):
                return each
    raise OptionError(f"autoreset_mode={mode!r}: must be AutoresetMode.SAME_STEP, NEXT_STEP or DISABLED")


class LearnerVectorEnv(OfGame, WritableArrays, VectorEnv[Any, Any, Any]):
    """N games stepped together; row i plays the games of a single environment that was reset with the seed of row i.

    With ``AutoresetMode.SAME_STEP``, the default, the step that ends a game starts the next one: the observation is
    that of the new game; the last observation of the old game is in ``infos["final_obs"]`` and its infos are in
    ``infos["final_info"]``. With ``NEXT_STEP`` the step after the end of a game ignores the action of that row and
    starts the next one. With ``DISABLED`` the caller starts it by ``reset(options={"reset_mask": …})``. Those of
    Gymnasium's wrappers that normalise accept ``NEXT_STEP`` only.

    With ``copy=False`` the observations that ``reset`` and ``step`` return are read-only arrays that the next call
    overwrites, and only the columns that change are written; masks, rewards and infos are new arrays as ever.

    Infos hold as arrays what those of the single environment hold, and for each ``name`` an array ``_name`` bool[N],
    which says which rows have it, as in Gymnasium's own vector environments.
    """

    keyword_defaults = {**Settings._field_defaults, "mask": "info"}  # noqa: RUF012 - never written to

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponents: Opponents = "random",
        learner_seat: LearnerSeat = 0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        num_threads: int = 1,
        copy: bool = True,
        **options: Any,
    ) -> None:
        """Make the environment; ``reset`` starts the games.

        Raises: OptionError (a ValueError) for a bad option.
        """
        self.copy = flag("copy", copy)
        self.settings, play = split_options(self, {"mask": "info", **options})
        if self.settings.record or self.settings.render_mode == "human":
            raise OptionError("record=True and render_mode='human' are for an environment of one game")
        whole_number("num_envs", num_envs, 1)
        self.batch = self.batch_class(num_envs, reward=self.settings.reward, num_threads=num_threads, **play)
        self._learners = Learners(self.batch, self.settings, opponents, learner_seat)
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": ["ansi", "rgb_array"], "render_fps": 2}
        self.num_envs = num_envs
        self.render_mode = self.settings.render_mode
        self.single_observation_space = self._learners.observer.space
        self.single_action_space = spaces.Discrete(self.game_spec.n_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space: spaces.MultiDiscrete = cast(
            "spaces.MultiDiscrete", batch_space(self.single_action_space, num_envs)
        )
        self._seeds = RowSeeds()
        self._rows = np.arange(num_envs)
        self._every_row = np.ones(num_envs, np.bool_)
        self._phases = np.array(self._learners.observer.phases, object if self.settings.info_text else None)
        self._waiting = np.zeros(num_envs, np.bool_)
        """Which games are over and are replaced by the next step, or the caller."""

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Infos]:
        """Start all games, or some, and return the observations and infos of all rows.

        Args:
            seed: s, which gives row i the seed s + i; or a list with one for each row. For None the generator of the
                row, which follows from its last seed, draws one.
            options: ``reset_mask`` bool[N] says in which rows a new game starts; the other games continue.
                ``position`` is a position text to begin from instead of the set-up, or a list with one, or None, for
                each row; chance to come follows from the seeds. Other options are ignored, but for misspelt ones.

        Raises: ValueError for bad seeds or positions, or another number of them; for a bad mask, or one that leaves out
            rows before the first reset, or after a step that failed half-way. The games are left unchanged.
        """
        asked = of_reset(options, self.game_spec)
        rows = self._rows_to_reset(asked)
        starts = self._starts(asked.get("position"), rows)
        first = self._seeds.first(self._seed_of_each_row(seed), rows)
        super().reset(seed=seed if isinstance(seed, int) else None)
        with self._moving():
            self._learners.restart(rows, first, starts)
            self._waiting[rows] = False
            return self._learners.show(self.copy), self._infos(self._every_row, np.zeros(self.num_envs, np.bool_))

    def _seed_of_each_row(self, seed: Any) -> list[Any]:
        """Return ``seed`` as ``reset`` takes it as one for each row; ValueError for another number of them."""
        if seed is None:
            return [None] * self.num_envs
        if np.ndim(seed) == 0:
            first = int(seeds_of(seed, 1)[0])
            return [first + i for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds for {self.num_envs} rows: give one for each")
        return list(seed)

    def _starts(self, position: Any, rows: np.ndarray) -> list[Batch | None]:
        """Return where the games of ``rows`` int64[n] begin, from the option ``position``; ValueError for a bad one."""
        each = isinstance(position, Sequence) and not isinstance(position, str)
        if each and len(position) != self.num_envs:
            raise ValueError(f"position: {len(position)} texts for {self.num_envs} rows: give one for each, or for all")
        return self._learners.starts([position[row] if each else position for row in rows])

    def _rows_to_reset(self, options: Mapping[str, Any]) -> np.ndarray:
        """Return the rows that ``reset_mask`` selects, or all without it: int64[n]; ValueError for a bad mask."""
        if options.get("reset_mask") is None:
            return self._rows
        mask = np.asarray(options["reset_mask"])
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            form = f"reset_mask of shape {mask.shape} and type {mask.dtype}"
            raise ValueError(f"{form}: must be True or False for each of {self.num_envs} rows")
        if not self._running and not mask.all():
            raise ValueError("reset_mask: the first reset, or one after a step that failed, must be of all rows")
        return np.flatnonzero(mask)

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, Infos]:
        """Play the learners' actions int[N], and those of the opponents up to the learners' next decisions.

        Returns: observations, rewards float64[N], terminations bool[N], truncations bool[N], infos.
        Raises: ValueError before the first reset; with ``DISABLED`` for games that are over; or for an illegal action
            with ``illegal_action="raise"``. The games are left unchanged. Whatever an opponent raises, after which all
            games must be reset.
        """
        self._check_running()
        waiting, at_once = self._waiting, self.autoreset_mode == AutoresetMode.SAME_STEP
        if self.autoreset_mode == AutoresetMode.DISABLED and waiting.any():
            over = np.flatnonzero(waiting).tolist()
            raise ValueError(f"the games of rows {over} are over: start them by reset(options={{'reset_mask': …}})")
        played = np.flatnonzero(~waiting) if waiting.any() else None
        actions, illegal = self._learners.checked(actions, played)
        with self._moving():
            rewards, terminated, truncated = (each * ~waiting for each in self._learners.step(actions, played))
            ended, final = terminated | truncated, {}
            if at_once and ended.any():
                final = {"final_obs": self._final_observations(ended), "_final_obs": ended}
                final |= {"final_info": self._infos(ended, illegal), "_final_info": ended.copy()}
                illegal = illegal & ~ended
            rows = np.flatnonzero(ended if at_once else waiting)
            if len(rows):
                self._learners.restart(rows, self._seeds.next(rows))
            self._waiting = np.zeros_like(ended) if at_once else ended
            infos = self._infos(self._every_row, illegal) | final
            return self._learners.show(self.copy), rewards, terminated, truncated, infos

    def action_masks(self) -> np.ndarray:
        """Return the masks of the learners: int8[N, A], 1 where an action is legal, as spaces take it to sample."""
        return self.batch.legal.copy()

    def close_extras(self, **kwargs: Any) -> None:
        """End the programs of opponents that were named by text; ``close`` calls it."""
        self._learners.opponents.close()

    def render(self) -> tuple[Any, ...] | None:
        """Return each game as its learner sees it, as text or in pixels; None without a render mode."""
        if self.render_mode is None:
            return None
        seats = self._learners.seats.tolist()
        return tuple(rendered(self.batch, row, seat, self.render_mode) for row, seat in enumerate(seats))

    def _final_observations(self, ended: np.ndarray) -> np.ndarray:
        """Return the observations of the rows ``ended`` bool[N] as object[N], with None in the other rows."""
        rows = np.flatnonzero(ended)
        out = np.full(self.num_envs, None, object)
        observer = self._learners.observer
        last = observer.show_each(observer.view.show(self._learners.observations(rows)), self.batch.legal[rows])
        for row, observation in zip(rows, last, strict=True):
            out[row] = observation
        return out

    def _infos(self, which: np.ndarray, illegal: np.ndarray) -> Infos:
        """Return the infos of the rows in ``which`` bool[N]; other rows hold zeros."""
        batch, rows = self.batch, slice(None) if which is self._every_row else np.flatnonzero(which)
        infos: Infos = self._learners.observer.info(
            batch.legal[rows].copy(),
            to_act=~batch.over[rows],
            phase=self._phases[batch.games["phase"][rows]],
            illegal_action=illegal[rows].copy(),
            learner_seat=self._learners.seats[rows].copy(),
            points=batch.points[rows].copy(),
        )
        for name, values in list(infos.items()):
            if which is not self._every_row:
                blank = None if values.dtype == object else 0
                infos[name] = np.full((self.num_envs, *values.shape[1:]), blank, values.dtype)
                infos[name][rows] = values
            infos["_" + name] = which.copy()
        return infos
