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

## Observation space

PettingZoo's observations are dicts of ``observation`` and ``action_mask``; Gymnasium's are the observation alone (see
the option ``mask``). With ``observation="flat"`` an observation is a vector of numbers, with ``entities`` a dict of
arrays of the same numbers: ``provinces`` (45 rows), ``players`` (5), ``spaces`` (11) and ``table`` (1); with
``bytes`` the uint8[1276] that both are made of, for learners that make the same numbers on their device
(``shogun_env.envs.device_view``). An observation holds what the player may know, the player first and the others in
turn after. Numbers are counted in natural units, so that most are from 0 to 1; the bounds of the space are those that
can occur.

## Mask

An ``action_mask`` int8[120] is 1 where an action is legal. A player with nothing to decide may only play action 0,
which is legal at no other time; so a mask is never all zeros. An illegal action is replaced by the lowest legal one,
and ``illegal_action`` in the infos says so (of the first one a process also warns); ``illegal_action="raise"`` raises
ValueError instead. In a planning the
parallel environment takes a card of every player per step, and the AEC environment asks one player after another, none
of whom sees the cards of the others. In all other phases one player decides.

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

## Options

Of play, with defaults in parentheses:
    num_players: 3, 4 or 5 (4).
    side: ``sun`` or ``moon``, the side of the board; ``moon`` needs another ``start`` (``sun``).
    start: ``preset`` (the printed start positions), ``draft`` or ``random`` (``preset``).
    tower: ``two_floor``, ``one_shot``, or (floors, stick, dislodge, shake) as tuple or mapping (``two_floor``).
    optional_moves: True or False, whether a player may decline a battle/move when its turn comes (False).
    shuffle_seats: True or False, whether the printed start positions are dealt to the players at random (False).

Of all environments:
    reward: ``win``, ``rank``, ``margin`` or ``points``, as above (``win``).
    observation: ``flat``, ``entities`` or ``bytes``, as above (``flat``).
    static_columns: True or False, whether observations have the columns that never change in a game (True).
    board_features: True or False, whether observations have the game's board features, such as the strongest army next
        door (False).
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

Of ``ShogunEnv`` and ``ShogunVectorEnv``:
    opponents: one bot for all, or a list of P - 1 bots in player order after the learner; each is a name, such as
        ``scripted``, or an agent (``random``). Or bots with weights, as ``{"scripted": 0.5, "random": 0.5}``: one of
        them is drawn for each game, from its seed, and plays all other players.
    learner_seat: the player that the learner plays, or ``rotate``: player s mod P in the game with seed s (0).

Of ``ShogunVectorEnv``:
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
from shogun_env.shogun import Batch
from shogun_env.shogun.options import Play, Reward
from shogun_env.spec.keywords import shows_keywords, shows_keywords_of

__all__ = ["ShogunEnv", "ShogunVectorEnv", "env", "parallel_env", "raw_env"]


class SingleGameKeywords(Play, SingleGame, total=False):
    """Of ``parallel_env``, ``env`` and ``raw_env``."""

    reward: Reward


class OneLearnerKeywords(Play, OneLearner, total=False):
    """Of ``ShogunEnv``."""

    reward: Reward


class ManyLearnersKeywords(Play, ManyLearners, total=False):
    """Of ``ShogunVectorEnv``."""

    reward: Reward


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


@shows_keywords_of(raw_env)
def env(**options: Unpack[SingleGameKeywords]) -> WrappedGameEnv:
    """Return ``raw_env`` in PettingZoo's usual wrappers; keywords as in the module's docstring.

    Raises: OptionError (a ValueError) for a bad option.
    """
    return WrappedGameEnv(raw_env(**options))


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
