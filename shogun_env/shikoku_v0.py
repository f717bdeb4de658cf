"""Shikoku, a small Shogun that can be solved, as environments: as ``shogun_v0``, for 2 or 3 players.

| | |
|---|---|
| PettingZoo | `shikoku_v0.parallel_env()`, `shikoku_v0.env()`; `make("parallel", "shogun_env/shikoku-v0")` |
| Gymnasium | `gymnasium.make("shogun_env/Shikoku-v0")`, `gymnasium.make_vec("shogun_env/Shikoku-v0", num_envs=64)` |
| Agents | `player_0`, `player_1`, and `player_2` with three; all stay until the game ends |
| Actions | `Discrete(120)`, those of Shogun |
| Observations | `float32[3181]`, those of Shogun; and in PettingZoo `int8[120]` for the mask |

Every player secretly plans an auction and two actions, if large three; then they are carried out in turn, and a winter
follows. ``docs/shikoku.md`` describes the game, ``shogun_env/shikoku/RULES.md`` how it differs from Shogun, and
``shogun_v0`` observations, masks and actions.

## Rewards

``win``, ``rank``, ``margin`` and ``points`` as in ``shogun_v0``; they sum to 0.

## Options of play

With defaults in parentheses:
    num_players: 2 or 3 (2).
    size: ``small``, whose tree has 10^5 histories with two players, or ``large`` (``small``).

Those of all environments are described in ``shogun_env.envs``.
"""

from typing import Unpack

from shogun_env.envs.aec import AECGameEnv, in_wrappers
from shogun_env.envs.gym import LearnerEnv
from shogun_env.envs.keywords import ManyLearners, OneLearner, SingleGame
from shogun_env.envs.multi_agent import MultiAgentEnv
from shogun_env.envs.parallel import ParallelGameEnv
from shogun_env.envs.vector import LearnerVectorEnv
from shogun_env.shikoku import Batch
from shogun_env.shikoku.options import Rewarded
from shogun_env.spec.keywords import shows_keywords

__all__ = ["ShikokuEnv", "ShikokuVectorEnv", "env", "parallel_env", "raw_env"]


class SingleGameKeywords(Rewarded, SingleGame, total=False):
    """Of ``parallel_env``, ``env`` and ``raw_env``."""


class OneLearnerKeywords(Rewarded, OneLearner, total=False):
    """Of ``ShikokuEnv``."""


class ManyLearnersKeywords(Rewarded, ManyLearners, total=False):
    """Of ``ShikokuVectorEnv``."""


@shows_keywords
class ShikokuMultiAgentEnv(MultiAgentEnv):
    """The game and the keywords of ``parallel_env`` and ``raw_env``."""

    batch_class = Batch

    def __init__(self, **options: Unpack[SingleGameKeywords]) -> None:
        """Make the environment; ``reset`` starts a game."""
        super().__init__(**options)


class parallel_env(ShikokuMultiAgentEnv, ParallelGameEnv):  # noqa: N801 - PettingZoo's name
    """Shikoku as a PettingZoo parallel environment; keywords as in the module's docstring.

    Example:
        >>> game = parallel_env()
        >>> observations, infos = game.reset(seed=1)
        >>> while game.agents:
        ...     actions = {a: int(infos[a]["action_mask"].argmax()) for a in game.agents}
        ...     observations, rewards, terminations, truncations, infos = game.step(actions)
        >>> infos["player_0"]["phase"], sorted(rewards)
        ('over', ['player_0', 'player_1'])
    """


class raw_env(ShikokuMultiAgentEnv, AECGameEnv):  # noqa: N801 - PettingZoo's name
    """Shikoku as a PettingZoo AEC environment without wrappers; keywords as in the module's docstring."""


env = in_wrappers(raw_env)


@shows_keywords
class ShikokuEnv(LearnerEnv):
    """One game of Shikoku as a Gymnasium environment: one learner plays against ``opponents``.

    The keywords are described in the module's docstring.

    Example:
        >>> env = ShikokuEnv(opponents="random", learner_seat=1)
        >>> observation, info = env.reset(seed=1)
        >>> observation.shape, info["action_mask"].shape, info["learner_seat"]
        ((3181,), (120,), 1)
    """

    batch_class = Batch

    def __init__(self, **options: Unpack[OneLearnerKeywords]) -> None:
        """Make the environment; ``reset`` starts a game."""
        super().__init__(**options)


@shows_keywords
class ShikokuVectorEnv(LearnerVectorEnv):
    """Many games of Shikoku stepped together, each with one learner; keywords as in the module's docstring."""

    batch_class = Batch

    def __init__(self, num_envs: int = 1, **options: Unpack[ManyLearnersKeywords]) -> None:
        """Make the environment; ``reset`` starts the games."""
        super().__init__(num_envs, **options)
