"""Shogun as environments: ``parallel_env``, ``env`` and ``raw_env`` (AEC), ``ShogunEnv``, ``ShogunVectorEnv``.

| | |
|---|---|
| PettingZoo | `shogun_v0.parallel_env()`, `shogun_v0.env()`; `make("parallel", "shogun_env/shogun-v0")` |
| Gymnasium | `gymnasium.make("shogun_env/Shogun-v0")`, `gymnasium.make_vec("shogun_env/Shogun-v0", num_envs=64)` |
| Agents | `player_0` to `player_2`, `player_3` or `player_4`; all stay until the game ends |
| Actions | `Discrete(120)` |
| Observations | `float32[3181]`, and in PettingZoo `int8[120]` for the mask |

In each of two years every player secretly plans eleven cards in each of three seasons, all at the same time; then ten
actions are carried out one after another, and a winter follows. ``docs/shogun.md`` describes the game and its blocks
of observations, ``shogun_env/shogun/RULES.md`` every rule, byte and action.

Observation forms, the mask, and the options of all environments are described in ``shogun_env.envs``.

## Observation space

The blocks of ``entities`` are ``provinces`` (45 rows), ``players`` (5), ``spaces`` (11) and ``table`` (1); ``bytes``
are uint8[1276].

In a planning the parallel environment takes a card of every player per step, and the AEC environment asks one player
after another, none of whom sees the cards of the others. In all other phases one player decides.

## Action space

0: nothing to decide; 1–45: a province; 46–50: a chest card; 51–55: a place in the turn order; 56–116: how many armies
go; 117–119: choices of the draft, or leaving a space empty.

## Rewards

The rewards of all players sum to 0.

- ``win``: (n·z − 1)/(n − 1) at the end for n players, where z is 1 for the winner, 1/k for k winners, 0 for the
  others;
- ``rank``: from 1 for the first to −1 for the last at the end, evenly spaced; equal places share their mean;
- ``margin``: (own points − mean points of the others)/20 at the end;
- ``points``: the same, of the points gained, at each of the two scorings.

## Options of play

With defaults in parentheses:
    num_players: 3, 4 or 5 (4).
    side: ``sun`` or ``moon``, the side of the board; ``moon`` needs another ``start`` (``sun``).
    start: ``preset`` (the printed start positions), ``draft`` or ``random`` (``preset``).
    tower: ``two_floor``, ``one_shot``, or (floors, stick, dislodge, shake) as tuple or mapping (``two_floor``).
    optional_moves: True or False, whether a player may decline a battle/move when its turn comes (False).
    shuffle_seats: True or False, whether the printed start positions are dealt to the players at random (False).
"""

from typing import Unpack

from shogun_env.envs.aec import AECGameEnv, in_wrappers
from shogun_env.envs.gym import LearnerEnv
from shogun_env.envs.keywords import ManyLearners, OneLearner, SingleGame
from shogun_env.envs.multi_agent import MultiAgentEnv
from shogun_env.envs.parallel import ParallelGameEnv
from shogun_env.envs.vector import LearnerVectorEnv
from shogun_env.shogun import Batch
from shogun_env.shogun.options import Rewarded
from shogun_env.spec.keywords import shows_keywords

__all__ = ["ShogunEnv", "ShogunVectorEnv", "env", "parallel_env", "raw_env"]


class SingleGameKeywords(Rewarded, SingleGame, total=False):
    """Of ``parallel_env``, ``env`` and ``raw_env``."""


class OneLearnerKeywords(Rewarded, OneLearner, total=False):
    """Of ``ShogunEnv``."""


class ManyLearnersKeywords(Rewarded, ManyLearners, total=False):
    """Of ``ShogunVectorEnv``."""


@shows_keywords
class ShogunMultiAgentEnv(MultiAgentEnv):
    """The game and the keywords of ``parallel_env`` and ``raw_env``."""

    batch_class = Batch

    def __init__(self, **options: Unpack[SingleGameKeywords]) -> None:
        """Make the environment; ``reset`` starts a game."""
        super().__init__(**options)


class parallel_env(ShogunMultiAgentEnv, ParallelGameEnv):  # noqa: N801 - PettingZoo's name
    """Shogun as a PettingZoo parallel environment; keywords as in the module's docstring.

    Example:
        >>> game = parallel_env(num_players=3)
        >>> observations, infos = game.reset(seed=1)
        >>> while game.agents:
        ...     actions = {a: int(infos[a]["action_mask"].argmax()) for a in game.agents}
        ...     observations, rewards, terminations, truncations, infos = game.step(actions)
        >>> infos["player_0"]["phase"], sorted(rewards)
        ('over', ['player_0', 'player_1', 'player_2'])
    """


class raw_env(ShogunMultiAgentEnv, AECGameEnv):  # noqa: N801 - PettingZoo's name
    """Shogun as a PettingZoo AEC environment without wrappers; keywords as in the module's docstring."""


env = in_wrappers(raw_env)


@shows_keywords
class ShogunEnv(LearnerEnv):
    """One game of Shogun as a Gymnasium environment: one learner plays against ``opponents``.

    The keywords are described in the module's docstring.

    Example:
        >>> env = ShogunEnv(num_players=3, opponents="random", learner_seat=1)
        >>> observation, info = env.reset(seed=1)
        >>> observation.shape, info["action_mask"].shape, info["learner_seat"]
        ((3181,), (120,), 1)
    """

    batch_class = Batch

    def __init__(self, **options: Unpack[OneLearnerKeywords]) -> None:
        """Make the environment; ``reset`` starts a game."""
        super().__init__(**options)


@shows_keywords
class ShogunVectorEnv(LearnerVectorEnv):
    """Many games of Shogun stepped together, each with one learner; keywords as in the module's docstring.

    Example:
        >>> envs = ShogunVectorEnv(num_envs=8, num_players=3)
        >>> observations, infos = envs.reset(seed=1)
        >>> observations.shape, infos["action_mask"].shape
        ((8, 3181), (8, 120))
    """

    batch_class = Batch

    def __init__(self, num_envs: int = 1, **options: Unpack[ManyLearnersKeywords]) -> None:
        """Make the environment; ``reset`` starts the games."""
        super().__init__(num_envs, **options)
