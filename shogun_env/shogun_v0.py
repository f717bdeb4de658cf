"""Shogun as environments: ``parallel_env``, ``env`` and ``raw_env`` (AEC), ``ShogunEnv``, ``ShogunVectorEnv``.

Options of play:
    num_players: 3 to 5 (4).
    side: ``sun`` or ``moon``, the side of the board (``sun``).
    start: ``preset`` (printed starting positions, sun side only), ``draft`` or ``random`` (``preset``).
    tower: ``two_floor``, ``one_shot``, or parameters floors, stick, dislodge, shake (``two_floor``).
    optional_moves: a battle/move may be declined (False).
    shuffle_seats: with the preset start, deal its rows to the players at random (False).

Options of environments:
    reward: ``win``, ``rank``, ``margin`` or ``points`` (``win``); all sum to 0 over the players.
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
from shogun_env.shogun import Batch

__all__ = ["ShogunEnv", "ShogunVectorEnv", "env", "parallel_env", "raw_env"]


class parallel_env(ParallelGameEnv):  # noqa: N801 - PettingZoo's name
    """Shogun as a PettingZoo parallel environment; options as in the module's docstring.

    Example:
        >>> game = parallel_env(num_players=3)
        >>> observations, infos = game.reset(seed=1)
        >>> while game.agents:
        ...     actions = {a: int(infos[a]["action_mask"].argmax()) for a in game.agents}
        ...     observations, rewards, terminations, truncations, infos = game.step(actions)
        >>> infos["player_0"]["phase"], sorted(rewards)
        ('over', ['player_0', 'player_1', 'player_2'])
    """

    batch_class = Batch


class raw_env(AECGameEnv):  # noqa: N801 - PettingZoo's name
    """Shogun as a PettingZoo AEC environment without wrappers; options as in the module's docstring."""

    batch_class = Batch


def env(**options: Any) -> AECEnv[str, Any, Any]:
    """Return ``raw_env`` with PettingZoo's usual wrappers on.

    Raises: ValueError for a bad option.
    """
    return wrapped(raw_env(**options))


class ShogunEnv(LearnerEnv):
    """Shogun as a Gymnasium environment: one learner against ``opponents``, sitting on ``learner_seat``.

    opponents: a bot's name, a list of n - 1 of them in player order after the learner, or agents.
    learner_seat: a player, or ``rotate``: one further each game. Other options as in the module's docstring.
    """

    batch_class = Batch


class ShogunVectorEnv(LearnerVectorEnv):
    """Many games of Shogun stepped together; options of ``ShogunEnv`` and ``autoreset_mode``, ``num_threads``."""

    batch_class = Batch
