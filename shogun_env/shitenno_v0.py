"""Shitennō as environments: ``parallel_env``, ``env`` and ``raw_env`` (AEC), ``ShitennoEnv``, ``ShitennoVectorEnv``.

| | |
|---|---|
| PettingZoo | `shitenno_v0.parallel_env()`, `shitenno_v0.env()`; `make("parallel", "shogun_env/shitenno-v0")` |
| Gymnasium | `gymnasium.make("shogun_env/Shitenno-v0")`, `gymnasium.make_vec("shogun_env/Shitenno-v0", num_envs=64)` |
| Agents | `player_0` to `player_1`, `player_2` or `player_3`; all stay until the game ends |
| Actions | `Discrete(73)` |
| Observations | `float32[607]`, and in PettingZoo `int8[73]` for the mask |

In each round the players divide cards among themselves by offering lots, and then place Kamon in provinces, paid for
with cards or money. ``docs/shitenno.md`` describes the game and its blocks of observations,
``shogun_env/shitenno/RULES.md`` every rule, byte and action.

Observation forms, the mask, and the options of all environments are described in ``shogun_env.envs``.

## Observation space

The blocks of ``entities`` are ``provinces`` (8 rows), ``players`` (4), ``cards`` (17) and ``table`` (1); ``bytes`` are
uint8[563].

One player decides at a time: the parallel environment takes one decision per step, and the AEC environment asks for it.

## Action space

0: nothing to decide; 1–21: form a lot; 22–25: accept or refuse a lot, take one of two; 26–41: place a Kamon in a
province; 42–43: use a Draw tile, end the turn; 44–63: pay; 64–72: turn a Kamon to its golden side, or leave them.

## Rewards

The rewards of all players sum to 0.

- ``win``: (n·z − 1)/(n − 1) at the end for n players, where z is 1 for the winner, 1/k for k winners, 0 for the
  others;
- ``rank``: from 1 for the first to −1 for the last at the end, evenly spaced; equal places share their mean;
- ``margin``: (own points − mean points of the others)/20 at the end.

## Options of play

With defaults in parentheses:
    num_players: 2, 3 or 4 (4).
"""

from typing import Unpack

from shogun_env.envs.aec import AECGameEnv, in_wrappers
from shogun_env.envs.gym import LearnerEnv
from shogun_env.envs.keywords import ManyLearners, OneLearner, SingleGame
from shogun_env.envs.multi_agent import MultiAgentEnv
from shogun_env.envs.parallel import ParallelGameEnv
from shogun_env.envs.vector import LearnerVectorEnv
from shogun_env.shitenno import Batch
from shogun_env.shitenno.options import Rewarded
from shogun_env.spec.keywords import shows_keywords

__all__ = ["ShitennoEnv", "ShitennoVectorEnv", "env", "parallel_env", "raw_env"]


class SingleGameKeywords(Rewarded, SingleGame, total=False):
    """Of ``parallel_env``, ``env`` and ``raw_env``."""


class OneLearnerKeywords(Rewarded, OneLearner, total=False):
    """Of ``ShitennoEnv``."""


class ManyLearnersKeywords(Rewarded, ManyLearners, total=False):
    """Of ``ShitennoVectorEnv``."""


@shows_keywords
class ShitennoMultiAgentEnv(MultiAgentEnv):
    """The game and the keywords of ``parallel_env`` and ``raw_env``."""

    batch_class = Batch

    def __init__(self, **options: Unpack[SingleGameKeywords]) -> None:
        """Make the environment; ``reset`` starts a game."""
        super().__init__(**options)


class parallel_env(ShitennoMultiAgentEnv, ParallelGameEnv):  # noqa: N801 - PettingZoo's name
    """Shitennō as a PettingZoo parallel environment; keywords as in the module's docstring.

    Example:
        >>> game = parallel_env(num_players=2)
        >>> observations, infos = game.reset(seed=1)
        >>> sorted(info["to_act"] for info in infos.values())
        [False, True]
    """


class raw_env(ShitennoMultiAgentEnv, AECGameEnv):  # noqa: N801 - PettingZoo's name
    """Shitennō as a PettingZoo AEC environment without wrappers; keywords as in the module's docstring."""


env = in_wrappers(raw_env)


@shows_keywords
class ShitennoEnv(LearnerEnv):
    """One game of Shitennō as a Gymnasium environment: one learner plays against ``opponents``.

    The keywords are described in the module's docstring.

    Example:
        >>> env = ShitennoEnv(num_players=3, opponents="random", learner_seat=1)
        >>> observation, info = env.reset(seed=1)
        >>> observation.shape, info["action_mask"].shape, info["learner_seat"]
        ((607,), (73,), 1)
    """

    batch_class = Batch

    def __init__(self, **options: Unpack[OneLearnerKeywords]) -> None:
        """Make the environment; ``reset`` starts a game."""
        super().__init__(**options)


@shows_keywords
class ShitennoVectorEnv(LearnerVectorEnv):
    """Many games of Shitennō stepped together, each with one learner; keywords as in the module's docstring.

    Example:
        >>> envs = ShitennoVectorEnv(num_envs=8, num_players=3)
        >>> observations, infos = envs.reset(seed=1)
        >>> observations.shape, infos["action_mask"].shape
        ((8, 607), (8, 73))
    """

    batch_class = Batch

    def __init__(self, num_envs: int = 1, **options: Unpack[ManyLearnersKeywords]) -> None:
        """Make the environment; ``reset`` starts the games."""
        super().__init__(num_envs, **options)
