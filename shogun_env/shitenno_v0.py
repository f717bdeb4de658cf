"""Shitennō as environments: ``parallel_env``, ``env`` and ``raw_env`` (AEC), ``ShitennoEnv``, ``ShitennoVectorEnv``.

Options of play:
    num_players: 2 to 4 (4).

Options of environments:
    reward: ``win``, ``rank`` or ``margin`` (``win``); all sum to 0 over the players.
    observation: ``flat`` or ``entities`` (``flat``).
    illegal_action: ``fallback`` plays the lowest legal action, ``raise`` raises ValueError (``fallback``).
    max_cycles: truncate after so many steps (None).
    render_mode: None, ``ansi`` or ``human`` (None).
    record: keep what ``unwrapped.record()`` needs (False).
"""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from shogun_env.envs.aec import AECGameEnv, wrapped
from shogun_env.envs.gym import LearnerEnv
from shogun_env.envs.parallel import ParallelGameEnv
from shogun_env.envs.vector import LearnerVectorEnv
from shogun_env.shitenno import Batch

__all__ = ["ShitennoEnv", "ShitennoVectorEnv", "env", "parallel_env", "raw_env"]


class parallel_env(ParallelGameEnv):  # noqa: N801 - PettingZoo's name
    """Shitennō as a PettingZoo parallel environment: one decides a step; options as in the module's docstring."""

    batch_class = Batch


class raw_env(AECGameEnv):  # noqa: N801 - PettingZoo's name
    """Shitennō as a PettingZoo AEC environment without wrappers; options as in the module's docstring."""

    batch_class = Batch


def env(**options: Any) -> AECEnv[str, Any, Any]:
    """Return ``raw_env`` with PettingZoo's usual wrappers on.

    Raises: ValueError for a bad option.
    """
    return wrapped(raw_env(**options))


class ShitennoEnv(LearnerEnv):
    """Shitennō as a Gymnasium environment: one learner against ``opponents``; see ``shogun_v0.ShogunEnv``."""

    batch_class = Batch


class ShitennoVectorEnv(LearnerVectorEnv):
    """Many games of Shitennō stepped together; see ``shogun_v0.ShogunVectorEnv``."""

    batch_class = Batch
