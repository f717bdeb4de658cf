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

## Observation space

PettingZoo's observations are dicts of ``observation`` and ``action_mask``; Gymnasium's are the observation alone (see
the option ``mask``). With ``observation="flat"`` an observation is a vector of numbers, with ``entities`` a dict of
arrays of the same numbers: ``provinces`` (8 rows), ``players`` (4), ``cards`` (17) and ``table`` (1); with ``bytes``
the uint8[563] that both are made of, for learners that make the same numbers on their device
(``shogun_env.envs.device_view``). An observation holds what the player may know, the player first and the others in
turn after. Numbers are counted in natural units, so that most are from 0 to 1; the bounds of the space are those that
can occur.

## Mask

An ``action_mask`` int8[73] is 1 where an action is legal. A player with nothing to decide may only play action 0,
which is legal at no other time; so a mask is never all zeros. An illegal action is replaced by the lowest legal one,
and ``illegal_action`` in the infos says so (of the first one a process also warns); ``illegal_action="raise"`` raises
ValueError instead. One player decides
at a time: the parallel environment takes one decision per step, and the AEC environment asks for it.

## Action space

0: nothing to decide; 1–21: form a lot; 22–25: accept or refuse a lot, take one of two; 26–41: place a Kamon in a
province; 42–43: use a Draw tile, end the turn; 44–63: pay; 64–72: turn a Kamon to its golden side, or leave them.

## Rewards

The rewards of all players sum to 0.

- ``win``: (n·z − 1)/(n − 1) at the end for n players, where z is 1 for the winner, 1/k for k winners, 0 for the
  others;
- ``rank``: from 1 for the first to −1 for the last at the end, evenly spaced; equal places share their mean;
- ``margin``: (own points − mean points of the others)/20 at the end.

## Options

Of play, with defaults in parentheses:
    num_players: 2, 3 or 4 (4).

Of all environments:
    reward: ``win``, ``rank`` or ``margin``, as above (``win``).
    observation: ``flat``, ``entities`` or ``bytes``, as above (``flat``).
    static_columns: True or False, whether observations have the columns that never change in a game (True).
    board_features: True or False, whether observations have the game's board features, such as Kamon ahead of the
        others (False).
    illegal_action: ``fallback`` or ``raise``, as above (``fallback``).
    mask: where the mask is, ``observation``, ``info`` (in the infos) or ``both`` (``both``; in Gymnasium's
        environments ``info``).
    info_text: True or False, whether infos hold texts; without, ``phase`` is a number, for libraries that make tensors
        of infos (True).
    max_cycles: truncate the game after this many steps; None for no limit (None).
    render_mode: ``ansi`` (``render()`` returns text), ``human`` (prints it), ``rgb_array`` (returns the board drawn,
        uint8[height, width, 3]; needs the extra ``viz``) or None; the vector environment has no ``human`` (None).
    record: True or False, whether to keep the log that ``unwrapped.record()`` needs; not of the vector environment
        (False).

Of ``ShitennoEnv`` and ``ShitennoVectorEnv``:
    opponents: one bot for all, or a list of P - 1 bots in player order after the learner; each is a name, such as
        ``scripted``, or an agent (``random``). Or bots with weights, as ``{"scripted": 0.5, "random": 0.5}``: one of
        them is drawn for each game, from its seed, and plays all other players.
    learner_seat: the player that the learner plays, or ``rotate``: player s mod P in the game with seed s (0).

Of ``ShitennoVectorEnv``:
    num_envs: number of games, N (1).
    autoreset_mode: when a game that is over is replaced, ``SAME_STEP``, ``NEXT_STEP`` or ``DISABLED`` of
        ``gymnasium.vector.AutoresetMode`` (``SAME_STEP``).
    num_threads: threads that share the games (1).
    copy: True or False, as in Gymnasium's own vector environments: with False, observations are read-only arrays that
        the next step overwrites, which is faster with many games (True).

``reset(options={"position": text})`` begins in the position that ``batch.position()`` returned, with the chance of the
seed; the vector environment also takes a list of texts, one for each row. A step in which an opponent fails, or that is
interrupted, must be followed by a reset; set_state does, too.

A bad value raises OptionError (a ValueError), which says what would be right; an unknown keyword raises TypeError.

## Version history

The suffix v0 changes when the games or the actions do; the numbers of the rules and of the observations are
``shogun_env.RULES_VERSION`` and ``shogun_env.OBS_VERSION``, and ``CHANGELOG.md`` has every change.

- v0, observations 2 (0.2.0): counts in natural units, categories as flags; ``static_columns``, ``board_features``,
  ``mask``.
- v0, observations 1 (0.1.0): first version.
"""

from __future__ import annotations

from typing import Unpack

from shogun_env.envs.aec import AECGameEnv, WrappedGameEnv
from shogun_env.envs.gym import LearnerEnv
from shogun_env.envs.keywords import ManyLearners, OneLearner, SingleGame
from shogun_env.envs.multi_agent import MultiAgentEnv
from shogun_env.envs.parallel import ParallelGameEnv
from shogun_env.envs.vector import LearnerVectorEnv
from shogun_env.shitenno import Batch
from shogun_env.shitenno.options import Play, Reward
from shogun_env.spec.keywords import shows_keywords, shows_keywords_of

__all__ = ["ShitennoEnv", "ShitennoVectorEnv", "env", "parallel_env", "raw_env"]


class SingleGameKeywords(Play, SingleGame, total=False):
    """Of ``parallel_env``, ``env`` and ``raw_env``."""

    reward: Reward


class OneLearnerKeywords(Play, OneLearner, total=False):
    """Of ``ShitennoEnv``."""

    reward: Reward


class ManyLearnersKeywords(Play, ManyLearners, total=False):
    """Of ``ShitennoVectorEnv``."""

    reward: Reward


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


@shows_keywords_of(raw_env)
def env(**options: Unpack[SingleGameKeywords]) -> WrappedGameEnv:
    """Return ``raw_env`` in PettingZoo's usual wrappers; keywords as in the module's docstring.

    Raises: OptionError (a ValueError) for a bad option.
    """
    return WrappedGameEnv(raw_env(**options))


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
