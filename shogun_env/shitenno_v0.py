"""Shitennō as environments: ``parallel_env``, ``env`` and ``raw_env`` (AEC), ``ShitennoEnv``, ``ShitennoVectorEnv``.

Options of play, with defaults in parentheses:
    num_players: number of players, 2 to 4 (4).

Options of all environments:
    reward: ``win``, ``rank`` or ``margin`` (``win``). The rewards of all players sum to 0.
    observation: ``flat``, float32[F], or ``entities``, the same values as a dict of arrays (``flat``).
    static_columns: whether observations have columns that never change in a game (True).
    board_features: whether observations have the game's board features, such as Kamon ahead of the others (False).
    illegal_action: ``fallback`` plays the lowest legal action instead; ``raise`` raises ValueError (``fallback``).
    mask: where the mask is, ``both``, ``observation`` or ``info`` (``both``; in Gymnasium's environments ``info``).
    max_cycles: truncate the game after this many steps (None).
    render_mode: ``ansi``, ``human`` or None (None).
    record: keep the log that ``unwrapped.record()`` needs (False).
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
    """Shitennō as a PettingZoo parallel environment: one player decides per step; options as in the module's docstring.

    Example:
        >>> game = parallel_env(num_players=2)
        >>> observations, infos = game.reset(seed=1)
        >>> sorted(info["to_act"] for info in infos.values())
        [False, True]
    """

    batch_class = Batch


class raw_env(AECGameEnv):  # noqa: N801 - PettingZoo's name
    """Shitennō as a PettingZoo AEC environment without wrappers; options as in the module's docstring."""

    batch_class = Batch


def env(**options: Any) -> AECEnv[str, Any, Any]:
    """Return ``raw_env`` in PettingZoo's usual wrappers; options as in the module's docstring.

    Raises: OptionError (a ValueError) for a bad option.
    """
    return wrapped(raw_env(**options))


class ShitennoEnv(LearnerEnv):
    """Shitennō as a Gymnasium environment: one learner plays against ``opponents``.

    Args:
        opponents: one bot for all, or a list of P - 1 bots in player order after the learner; each is a name or an
            agent (``random``).
        learner_seat: the player that the learner plays, or ``rotate``: the next player in each game (0).
        options: as in the module's docstring.

    Example:
        >>> env = ShitennoEnv(num_players=3, opponents="random", learner_seat=1)
        >>> observation, info = env.reset(seed=1)
        >>> observation.shape, info["action_mask"].shape, info["learner_seat"]
        ((607,), (73,), 1)
    """

    batch_class = Batch


class ShitennoVectorEnv(LearnerVectorEnv):
    """Many games of Shitennō stepped together, each with one learner.

    Args:
        num_envs: number of games, N (1).
        opponents, learner_seat: as for ``ShitennoEnv``.
        autoreset_mode: when a game that is over is replaced, one of ``gymnasium.vector.AutoresetMode`` (``SAME_STEP``).
        num_threads: threads that share the games (1).
        options: as in the module's docstring.

    Example:
        >>> envs = ShitennoVectorEnv(num_envs=8, num_players=3)
        >>> observations, infos = envs.reset(seed=1)
        >>> observations.shape, infos["action_mask"].shape
        ((8, 607), (8, 73))
    """

    batch_class = Batch
