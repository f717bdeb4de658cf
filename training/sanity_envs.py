"""A toy game that a correct trainer solves in less than a minute; if it does not, the trainer is wrong, not the game.

It has what trainers often get wrong: masks that change, rewards only at the end, games of different lengths side by
side, and observations that must be copied before the next ones replace them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

N_ACTIONS = 6
SHORTEST, LONGEST = 3, 6


class CueGame(VecEnv):
    """A game of 3 to 6 steps: each shows a cue, and the action of that number is right; half of the others are illegal.

    The reward is 0 until the end, and then the share of right actions: 1.0 for perfect play, about 0.3 for random legal
    play.
    """

    def __init__(self, num_envs: int, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)
        self.render_mode = None
        self._cue = np.zeros(num_envs, np.int64)
        self._right = np.zeros(num_envs)
        self._step = np.zeros(num_envs, np.int64)
        self._length = np.ones(num_envs, np.int64)
        self._mask = np.ones((num_envs, N_ACTIONS), np.bool_)
        self._actions = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, spaces.Box(0.0, 1.0, (N_ACTIONS + 1,), np.float32), spaces.Discrete(N_ACTIONS))

    def reset(self) -> np.ndarray:
        """Start all games; return the observations."""
        self._restart(np.ones(self.num_envs, np.bool_))
        self._draw_cues()
        return self._observations()

    def _restart(self, rows: np.ndarray) -> None:
        """Start new games in ``rows`` bool[n]."""
        self._right[rows], self._step[rows] = 0, 0
        self._length[rows] = self._rng.integers(SHORTEST, LONGEST + 1, rows.sum())

    def _draw_cues(self) -> None:
        """Draw the next cues, and masks in which the cue's action is legal."""
        self._cue = self._rng.integers(N_ACTIONS, size=self.num_envs)
        self._mask = self._rng.random((self.num_envs, N_ACTIONS)) < 0.5
        self._mask[np.arange(self.num_envs), self._cue] = True

    def _observations(self) -> np.ndarray:
        """Return the cue of each game as one of 6 flags, and how far the game is: float32[n, 7]."""
        out = np.zeros((self.num_envs, N_ACTIONS + 1), np.float32)
        out[np.arange(self.num_envs), self._cue] = 1
        out[:, -1] = self._step / LONGEST
        return out

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the actions int[n] for ``step_wait``; ValueError for an illegal one, which is the trainer's error."""
        if not self._mask[np.arange(self.num_envs), actions].all():
            raise ValueError("the trainer played an illegal action; it must choose from the masks")
        self._actions = np.array(actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the actions; return observations, rewards float32[n], dones bool[n] and infos."""
        self._right += self._actions == self._cue
        self._step += 1
        dones = self._step == self._length
        rewards = np.where(dones, self._right / self._length, 0.0).astype(np.float32)
        last = self._observations()
        self._restart(dones)
        self._draw_cues()
        infos = [{"terminal_observation": last[row]} if done else {} for row, done in enumerate(dones)]
        return self._observations(), rewards, dones, infos

    def action_masks(self) -> np.ndarray:
        """Return the masks: bool[n, A], True where an action is legal."""
        return self._mask

    def env_method(
        self, method_name: str, *args: Any, indices: int | Iterable[int] | None = None, **kwargs: Any
    ) -> Any:
        """Return the masks of all games, whatever the method."""
        return self.action_masks()

    def has_attr(self, attr_name: str) -> bool:
        """Say whether the environment has an attribute."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """Return an attribute once per row."""
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Raise AttributeError: the rows share their attributes."""
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: int | Iterable[int] | None = None) -> list[bool]:
        """Say for each row that it has no wrapper."""
        return [False] * self.num_envs

    def close(self) -> None:
        """Do nothing: no resources are held."""

    def get_images(self) -> Sequence[np.ndarray | None]:
        """Return None for each row: there are no images."""
        return [None] * self.num_envs


def mean_reward(learner: Any, env: CueGame, games: int = 500) -> float:
    """Return the mean reward per game of the learner's most probable actions, over at least ``games`` games."""
    observations: Any = env.reset()
    results: list[float] = []
    while len(results) < games:
        actions, _ = learner.predict(observations, action_masks=env.action_masks(), deterministic=True)
        observations, rewards, dones, _ = env.step(actions)
        results += rewards[dones].tolist()
    return float(np.mean(results))
