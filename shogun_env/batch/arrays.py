"""The arguments of loops that belong together: NamedTuples of arrays, which cost compiled code nothing.

Letters in shapes: B games of a batch with P players each, A actions, D bytes of an observation, S spaces of a plan, L
numbers of a log; N policies of which each has K parameters, M numbers of a memory; n rollouts from R roots, F features
of a value.
"""

from typing import NamedTuple

import numpy as np

ASK = -1
"""In ``seats``: this player's decisions are made outside; ``play_games`` stops at them."""
UNIFORM, COMPILED, WITH_MEMORY = 0, 1, 2
"""Kinds of policies: the built-in uniformly random one, which needs no observation; a compiled function; or one that
keeps in memory what it has worked out for the player's last decision."""
NO_PLANNER = 0
NO_CRITIC = -1
NOBODY = -1
"""The keeper of a memory that no policy has used."""
PLAYED, REWOUND, PREPARED = 0, 1, 2
"""Rows of a thread's states and random rows: of the game that is played on; of its copy in which others plan; of what
rollouts of the same root and seed begin with. Row REWOUND of the random rows draws for the other players' policies."""


class BatchArrays(NamedTuple):
    """The arrays of a batch that loops read and write, one row per game; named as those of ``Batch``."""

    games: np.ndarray
    """STATE[B], the states."""
    rngs: np.ndarray
    """uint64[B, 2], random rows of the games."""
    logs: np.ndarray
    """int16[B, L], logs; L is 1 if no records are kept."""
    policy_rngs: np.ndarray
    """uint64[B, P, 2], random rows of the players' policies."""
    player: np.ndarray
    """int8[B], output: who decides, -1 in games that are over."""
    legal: np.ndarray
    """int8[B, A], output: mask of that decision."""
    over: np.ndarray
    """bool[B], output: whether the game is over."""
    points: np.ndarray
    """int16[B, P], output: points of the players."""
    returns: np.ndarray
    """float32[B, P], output: sum of each player's rewards."""
    decisions: np.ndarray
    """int64[B], decisions made, counted up."""
    reward: int
    """Number of the reward that is summed up in ``returns``."""


class Policies(NamedTuple):
    """Compiled policies, and which of them plays each player."""

    seats: np.ndarray
    """int8[B, P], the policy 0 .. N - 1 that plays each player, or ASK."""
    kinds: np.ndarray
    """int64[N], UNIFORM, COMPILED or WITH_MEMORY."""
    functions: np.ndarray
    """int64[N], address of the function of each policy."""
    planners: np.ndarray
    """int64[N], address of the planner of each policy, or NO_PLANNER."""
    params: np.ndarray
    """float64[N, K], parameters of each policy, padded with zeros."""
    n_params: np.ndarray
    """int64[N], how many of them the policy has."""
    is_lent: np.ndarray
    """bool[N], whether the policy is given copies, as it might write into what it is given; a tenth slower."""


class PlayerScratch(NamedTuple):
    """What a thread keeps for each player from one decision of a game to the next, to save time."""

    observations: np.ndarray
    """uint8[P, D], the last observation of each player."""
    observed_at: np.ndarray
    """int64[P], the epoch of that observation, or NEVER."""
    plans: np.ndarray
    """int64[P, S], the last plan of each player's planner, an action for each space."""
    planned_at: np.ndarray
    """int64[P], the epoch of that plan, or NEVER."""
    memories: np.ndarray
    """float32[P, M], what a policy with memory keeps for each player."""
    keepers: np.ndarray
    """int64[P], the number of that policy, or NOBODY."""
    lent_observation: np.ndarray
    """uint8[D], the copy of an observation that a policy is given, and may write into."""
    lent_mask: np.ndarray
    """int8[A], the copy of a mask that goes with it."""


class Redeals(NamedTuple):
    """Games that are redealt, n of them: game ``rows[i]`` for ``players[i]`` from stream ``streams[i]`` of a seed."""

    rows: np.ndarray
    """int64[n], rows of the batch."""
    players: np.ndarray
    """int8[n], the player who learns nothing new."""
    seeds: np.ndarray
    """int64[n]."""
    streams: np.ndarray
    """int64[n], added to FIRST_REDEAL."""


class Rollouts(NamedTuple):
    """What is rolled out, and what the ends are worth."""

    roots: np.ndarray
    """STATE[R], positions between decisions."""
    players: np.ndarray
    """int64[R], for whom each root is redealt."""
    root_of: np.ndarray
    """int64[n], the root of each rollout."""
    seeds: np.ndarray
    """int64[n], of chance and of the other players; equal seeds make rollouts of a root comparable."""
    actions: np.ndarray
    """int64[n, K], the actions that the player is forced to begin with, those that are legal when it comes to them;
    NO_ACTION ends a row."""
    plans: np.ndarray
    """int64[n, P, S], whole plans of players in the round of the root; that of the player who decides is forced, with
    the cards that are laid already. A first entry of NO_ACTION means none."""
    until: np.ndarray
    """int64[R], the kind of stage that a rollout from each root ends after, or NO_STAGE."""
    reward: int
    """Number of the reward that a rollout without weights is worth so far."""
    weights: np.ndarray
    """float64[rounds, F], of the features of the value after this many complete rounds; no rows for no weights."""
    rounds: int
    """The kind of stage by which the rows of the weights go."""
    critic: int
    """Number of the policy with memory that says what the beginning of a planning is worth, where a rollout then ends;
    NO_CRITIC for none."""
    out: np.ndarray
    """float64[n, P], output: what each rollout is worth to each player, as a reward."""


class RolloutScratch(NamedTuple):
    """What a thread needs for rollouts and redeals with plans."""

    states: np.ndarray
    """STATE[3]: PLAYED, REWOUND, PREPARED."""
    rngs: np.ndarray
    """uint64[3, 2], the random rows by the same numbers."""
    policy_rngs: np.ndarray
    """uint64[2 * P, 2], random rows of the players' policies; from row P on those that PREPARED begins with."""
    log: np.ndarray
    """int16[1], a log that is switched off."""
    mask: np.ndarray
    """int8[A], the mask of the decision."""
    players: PlayerScratch
    """What is kept for each player."""
    params: np.ndarray
    """float64[P, K], the parameters of each player's policy, varied; not those of policies with memory."""
    features: np.ndarray
    """float64[P, F], features of the value."""
