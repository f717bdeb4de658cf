"""Search on a batch: rollouts from many positions in one call, redeals with plans by a policy, features of a value."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from shogun_env.batch.arrays import NO_CRITIC, WITH_MEMORY, Rollouts, RolloutScratch
from shogun_env.batch.batch import Batch
from shogun_env.batch.loops import NO_ACTION
from shogun_env.batch.policy_table import PolicySpec, PolicyTable, player_scratch, policy_table
from shogun_env.batch.rollout_loops import replan_games, roll_out_games
from shogun_env.batch.validation import each_number, rows_of, spread_of, stage_of
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.options import one_of

ROUND = "round"
"""The stage by which the rows of a table of weights go."""
NO_WEIGHTS = np.zeros((0, 1))


class Worth(NamedTuple):
    """What the end of a rollout is worth: by default the sum of rewards so far."""

    weights: np.ndarray = NO_WEIGHTS
    """float64[rounds, F], weights of ``spec.engine.value_names`` after this many complete rounds, in the last row those
    of a game that is over; a softmax over the players' scores is the chance to win. Without rows the rewards count."""
    critic: PolicySpec | None = None
    """A network, as a pair (function, params). A rollout then goes on to the beginning of the next planning, and is
    worth what the critic gives to the player who decides at the root; the others are taken to share the rest alike.
    Games that end before are worth what they are without a critic."""
    reward: str | None = None
    """One of ``spec.rewards``, what a rollout is worth without weights and critic; None: that of the batch."""


REWARDS = Worth()
"""The sum of rewards so far, those of the batch."""


def _scratch(batch: Batch, table: PolicyTable) -> RolloutScratch:
    """Return what one thread needs."""
    spec, players = batch.spec, batch.num_players
    return RolloutScratch(
        states=np.zeros(3, spec.state_dtype),
        rngs=np.zeros((3, 2), np.uint64),
        policy_rngs=np.zeros((2 * players, 2), np.uint64),
        log=np.zeros(1, np.int16),
        mask=np.zeros(spec.n_actions, np.int8),
        players=player_scratch(spec, players, table.memory),
        params=np.zeros((players, max([1, *table.policies.n_params[table.policies.kinds != WITH_MEMORY]]))),
        features=np.zeros((players, max(1, len(spec.engine.value_names)))),
    )


def replan(
    batch: Batch, player: Any, seed: Any, policies: Sequence[PolicySpec], seats: Any = None, spread: float = 0.0
) -> None:
    """Redeal all games for players, like ``Batch.redeal``, with hidden plans of the others chosen by policies.

    The policies plan at the beginning of the round, as far as ``player`` knows it. What they choose is kept where it
    fits what was shown since; the rest is drawn. In a game without planning this is a redeal.

    Args:
        batch: the games, without records.
        player: int, or int[B].
        seed: int, of which row i uses stream i; or int[B].
        policies, seats: as in ``Batch.play``; every player needs a policy.
        spread: how far the numbers of the policies vary, as the standard deviation of their logarithms.

    Raises: ValueError for bad arguments, or a batch that keeps records.
    """
    table = policy_table(batch.spec, policies, seats, batch.num_games, batch.num_players)
    loop, redeals = replan_games.of(batch.spec.engine), batch._redeals(None, player, seed)
    state = (batch._arrays, redeals, table.policies, spread_of(spread))
    batch._run_redeals(loop, redeals, lambda lo, hi: loop(*state, _scratch(batch, table), lo, hi))


def roll_out(
    batch: Batch, root_of: np.ndarray, seeds: np.ndarray, policies: Sequence[PolicySpec], seats: Any, *,
    actions: np.ndarray | None = None, plans: np.ndarray | None = None,
    until: str | Sequence[str | None] | None = None, worth: Worth = REWARDS, spread: float = 0.0,
) -> np.ndarray:  # fmt: skip
    """Return what n rollouts are worth to each player, as rewards: float64[n, P].

    A rollout copies a game, redeals it for the player who decides, lets policies plan for the others as ``replan``
    does, forces an action or a whole plan, and plays on. The games of the batch stay as they are. All threads of the
    batch share the rollouts; the result does not depend on their number.

    Args:
        batch: the roots; none may be over.
        root_of: int[n], row of the root of each rollout.
        seeds: int[n]; rollouts of a root with equal seeds meet the same cards and the same other players. Those in a
            row share the work of dealing and planning.
        policies, seats: as in ``Batch.play``; every player needs a policy.
        actions: int[n], the action of the player who decides, or -1; or int[n, K], the actions that they begin with,
            until somebody else decides, filled up with -1. None for no forced actions.
        plans: int[n, S], the whole plan of the player who decides, with what they laid already; a row of -1 for none.
            Or int[n, P, S], also those of the others, the same for equal seeds; -1 where their policies plan.
        until: one of ``spec.engine.stages``, None for the end of the game; or such a word for each game of the batch.
        worth: what the end of a rollout is worth.
        spread: how far the numbers of the other players' policies vary, as in ``replan``.

    Raises: ValueError for bad arguments, such as an illegal first action.
    """
    stages, root_of = batch.spec.engine.stages, rows_of(root_of, batch.num_games)
    n, seeds = len(root_of), each_number("seeds", seeds, len(root_of))
    everybody, critic = _with_critic(policies, worth.critic)
    table = policy_table(batch.spec, everybody, seats, batch.num_games, batch.num_players)
    if batch.over[np.unique(root_of)].any():
        raise ValueError("a root of a rollout is a game that is over")
    size = max(1, batch.spec.engine.plan_size)
    forced = np.full((n, 1), NO_ACTION) if actions is None else _actions_in("actions", actions, batch.spec)
    forced = forced[:, None] if forced.ndim == 1 else forced
    shape = (n, batch.num_players, size)
    laid = None if plans is None else _actions_in("plans", plans, batch.spec)
    if len(forced) != n or forced.ndim != 2 or (laid is not None and laid.shape not in ((n, size), shape)):
        raise ValueError(f"{n} rollouts need {n} actions and plans of shape ({n}, {size}) or {shape}")
    whole = np.full(shape, NO_ACTION, np.int64)
    if laid is not None and laid.shape == shape:
        whole[...] = laid
    elif laid is not None:
        whole[np.arange(n), batch.player[root_of]] = laid
    first = forced[:, 0]
    is_legal = batch.legal[root_of, np.maximum(first, 0)] == 1
    for index in np.flatnonzero((first != NO_ACTION) & ~is_legal)[:1].tolist():
        raise ValueError(f"rollout {index}: {batch.why_illegal(int(root_of[index]), int(first[index]))}")
    _check_critic(batch.spec, table, critic)
    if worth.reward is not None:
        one_of("reward", worth.reward, batch.spec.rewards)
    ends = [until] * batch.num_games if until is None or isinstance(until, str) else until
    if len(ends) != batch.num_games:
        raise ValueError(f"until: {len(ends)} words for {batch.num_games} roots; give one, or one for each root")
    rollouts = Rollouts(
        roots=batch.games,
        players=batch.player.astype(np.int64),
        root_of=np.ascontiguousarray(root_of, np.int64),
        seeds=np.ascontiguousarray(seeds, np.int64),
        actions=forced,
        plans=whole,
        until=np.array([stage_of(end, stages) for end in ends], np.int64),
        reward=batch.spec.rewards.index(worth.reward or batch.reward),
        weights=_weights_of(worth, batch.spec),
        rounds=stages.index(ROUND) if ROUND in stages else -1,
        critic=critic,
        out=np.zeros((n, batch.num_players)),
    )
    loop, state = roll_out_games.of(batch.spec.engine), (rollouts, table.policies, spread_of(spread))
    batch._run_in_threads(loop, n, lambda lo, hi: loop(*state, _scratch(batch, table), lo, hi))
    return rollouts.out


def _actions_in(name: str, values: Any, spec: GameSpec) -> np.ndarray:
    """Return numbers of actions, -1 for none, as int64[...]; ValueError for what else is among them."""
    try:
        numbers = np.asarray(values)
    except ValueError:  # rows of several lengths
        numbers = np.zeros(0)
    if numbers.dtype.kind not in "iu" or (numbers.size and not -1 <= numbers.min() <= numbers.max() < spec.n_actions):
        raise ValueError(f"{name}: must be an array of numbers of actions, -1 to {spec.n_actions - 1}")
    return np.ascontiguousarray(numbers, np.int64)


def _weights_of(worth: Worth, spec: GameSpec) -> np.ndarray:
    """Return the weights of a worth, in an array of their own; ValueError unless they fit the features of the game."""
    weights = np.array(worth.weights, np.float64, order="C")  # a read-only array would have a signature of its own
    count = len(spec.engine.value_names)
    if weights.ndim != 2 or (len(weights) and weights.shape[1] != count) or not np.isfinite(weights).all():
        raise ValueError(f"weights of shape {weights.shape}: must be finite numbers, one for each of {count} features")
    return weights


def _with_critic(policies: Sequence[PolicySpec], critic: PolicySpec | None) -> tuple[list[PolicySpec], int]:
    """Return the policies with the critic among them, and its number; a policy that is the critic is not doubled."""
    if critic is None:
        return list(policies), NO_CRITIC
    for number, policy in enumerate(policies):
        if policy is critic:
            return list(policies), number
    return [*policies, critic], len(policies)


def _check_critic(spec: GameSpec, table: PolicyTable, critic: int) -> None:
    """Raise ValueError unless the game allows the critic, a number of the table, if there is one."""
    if critic == NO_CRITIC:
        return
    if spec.engine.plan_size == 0:
        raise ValueError(f"critic: {spec.name} has no planning, at whose beginning a critic is asked")
    if table.policies.kinds[critic] != WITH_MEMORY:
        raise ValueError("critic: must be a network, as a pair (function, params)")
