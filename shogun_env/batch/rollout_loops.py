"""The loops of search: redeals in which other players have planned by a policy, rollouts, and features of a value.

Letters in shapes are those of ``arrays``; besides, there are n rollouts from R roots, and F features of a value.
"""

import math

import numpy as np

from shogun_env.batch.arrays import (
    NO_CRITIC,
    NO_PLANNER,
    PLAYED,
    PREPARED,
    REWOUND,
    WITH_MEMORY,
    BatchArrays,
    PlayerScratch,
    Policies,
    Redeals,
    Rollouts,
    RolloutScratch,
)
from shogun_env.batch.loops import (
    FIRST_REDEAL,
    NO_ACTION,
    NO_STAGE,
    advance,
    call_policy,
    choose_action,
    copy_row,
    forget_game,
    is_legal,
    lowest,
)
from shogun_env.batch.shared import NEVER, NO_SLOT, engine, shared
from shogun_env.kernel.jit import OWN_VALUE, kernel, loop
from shogun_env.kernel.rng import next_uint64, seed_stream
from shogun_env.kernel.types import Action, Bool, Float, Int, Params, Player, Rng, Row, Rows, State

SECOND_STREAM = 1
"""The stream after that of a redeal: what the other players' policies draw, and how their numbers vary."""
TO_UNIT = 1.0 / (1 << 16)
SIXTEEN = np.uint64(16)
LOW16 = np.uint64(0xFFFF)


@kernel
def bell(rng: Rng) -> Float:
    """Return a number with mean 0 and standard deviation 1, nearly normal: the sum of four uniform ones.

    Draws:  one
    """
    u = next_uint64(rng)
    total = 0.0
    for _ in range(4):
        total += np.int64(u & LOW16)
        u = u >> SIXTEEN
    return (total * TO_UNIT - 2.0) * math.sqrt(3.0)


@kernel
def vary(policies: Policies, index: Int, spread: Float, rng: Rng, out: Params) -> None:
    """Write the parameters of a policy into ``out`` float64[K], each times exp(``spread`` x a normal number).

    Those of a policy with memory are the many weights of a network: they do not vary, and are not copied.

    Draws:  one for each parameter that varies
    """
    if policies.kinds[index] == WITH_MEMORY:
        return
    params = policies.params[index]
    for number in range(policies.n_params[index]):
        out[number] = params[number] * math.exp(spread * bell(rng)) if spread > 0.0 else params[number]


@shared(kernel)
def choose_for(g: State, player: Player, policies: Policies, seats: Row, scratch: RolloutScratch) -> Action:
    """Return what a player's policy, with the parameters varied for this rollout, chooses by ``scratch.mask``.

    Args: seats int8[P], the policies of the root
    """
    index = np.int64(seats[player])
    params = policies.params[index] if policies.kinds[index] == WITH_MEMORY else scratch.params[player]
    return choose_action(g, player, policies, index, params, scratch.players, scratch.mask, scratch.policy_rngs[player])


# --- redeals in which other players have planned ---------------------------------------------------------------------


@kernel
def lay_given(given: Rows, epoch: Int, players: PlayerScratch) -> None:
    """Make plans that are given for a planning, int64[P, S], those of their players; NO_ACTION first for none.

    Args:   given; epoch of the planning; players, whose plans and planned_at are written
    """
    for player in range(given.shape[0]):
        if given[player, 0] != NO_ACTION:
            players.planned_at[player] = epoch
            copy_row(given[player], players.plans[player])


@shared(kernel)
def replan(player: Player, given: Rows, policies: Policies, seats: Row, scratch: RolloutScratch) -> None:
    """Let policies plan for all players but ``player`` in the game played, as far as that fits what everybody knows.

    They plan in a copy that is taken back to the beginning of the planning; nothing is done if no plans are hidden.

    Args:   given int64[P, S], whole plans of those players whose policies are not asked; or no rows

    Draws:  from the random rows of the copy and of the policies
    """
    states, rng, mask = scratch.states, scratch.rngs[REWOUND], scratch.mask
    states[REWOUND] = states[PLAYED]
    h = states[REWOUND]
    if not engine.rewind(h):
        return
    lay_given(given, engine.observation_epoch(h), scratch.players)
    while engine.plan_slot(h) != NO_SLOT:
        decider = np.int64(h["player"])
        # What the player lays here does not matter: ``adopt`` leaves their plan alone.
        if engine.legal(h, mask) == 1 or decider == player:
            action = lowest(mask)
        else:
            action = choose_for(h, decider, policies, seats, scratch)
        engine.decide(h, rng, scratch.log, action)
    engine.adopt(states[PLAYED], h, rng, player, mask)
    forget_game(scratch.players)  # what was kept belongs to the copy


@shared(loop)
def replan_games(
    batch: BatchArrays, redeals: Redeals, policies: Policies, spread: Float, scratch: RolloutScratch, lo: Int, hi: Int
) -> None:
    """Redeal games like ``redeal_games``, and let policies plan for the other players.

    Args: spread: how far the parameters of the other players' policies vary, as the standard deviation of their
        logarithms.
    """
    states, rng = scratch.states, scratch.rngs[REWOUND]
    for index in range(lo, hi):
        row, player = redeals.rows[index], np.int64(redeals.players[index])
        g, game_rng, mask, seats = batch.games[row], batch.rngs[row], batch.legal[row], policies.seats[row]
        seed_stream(game_rng, redeals.seeds[index], FIRST_REDEAL + redeals.streams[index])
        engine.redeal(g, game_rng, player, mask)
        seed_stream(rng, np.int64(next_uint64(game_rng) >> SIXTEEN), FIRST_REDEAL + SECOND_STREAM)
        states[PLAYED] = g
        forget_game(scratch.players)
        for other in range(scratch.params.shape[0]):
            vary(policies, np.int64(seats[other]), 0.0 if other == player else spread, rng, scratch.params[other])
            seed_stream(scratch.policy_rngs[other], np.int64(next_uint64(rng) >> SIXTEEN), 1 + other)
        replan(player, scratch.players.plans[:0], policies, seats, scratch)
        batch.games[row] = states[PLAYED]
        engine.legal(g, mask)


# --- what a state is worth -------------------------------------------------------------------------------------------


@shared(kernel)
def write_value(g: State, rollouts: Rollouts, features: Rows, out: Row) -> None:
    """Write what a state is worth to each player into ``out`` float64[P], as a reward.

    With weights it is that of a softmax over the players' linear scores; without, the sum of rewards so far.
    """
    n = out.shape[0]
    if rollouts.weights.shape[0] == 0:
        for player in range(n):
            out[player] = engine.reward_so_far(g, player, rollouts.reward)
        return
    engine.value_features(g, features)
    last = np.int64(rollouts.weights.shape[0] - 1)
    rounds = min(engine.stage(g, rollouts.rounds), max(last - 1, np.int64(0)))
    weights = rollouts.weights[last if g["phase"] == engine.over else rounds]
    highest = -1e300
    for player in range(n):
        score = 0.0
        for feature in range(weights.shape[0]):
            score += weights[feature] * features[player, feature]
        out[player] = score
        highest = max(highest, score)
    total = 0.0
    for player in range(n):
        out[player] = math.exp(out[player] - highest)  # the highest is taken off, so that nothing overflows
        total += out[player]
    for player in range(n):
        out[player] = (n * out[player] / total - 1.0) / (n - 1)


@kernel
def write_share(share: Float, player: Player, out: Row) -> None:
    """Write a player's share of the win into ``out`` float64[P] as a reward; the others share the rest alike."""
    n = out.shape[0]
    reward = (n * share - 1.0) / (n - 1)
    for other in range(n):
        out[other] = reward if other == player else -reward / (n - 1)


@shared(kernel)
def write_critic(
    g: State, player: Player, rollouts: Rollouts, policies: Policies, scratch: RolloutScratch, out: Row
) -> None:
    """Write what the critic expects at the beginning of a planning into ``out`` float64[P].

    It is asked for one player only; the others are taken to share the rest alike.

    Draws:  from the player's random row, if the critic is not greedy
    """
    players, mask = scratch.players, scratch.mask
    engine.observe(g, player, players.observations[player])
    players.observed_at[player] = NEVER
    for action in range(mask.shape[0]):  # what it expects does not depend on the mask, and one action is quicker
        mask[action] = 1 if action == 0 else 0
    call_policy(
        policies, rollouts.critic, players.observations[player], mask, scratch.policy_rngs[player],
        policies.params[rollouts.critic], players, player,
    )  # fmt: skip
    write_share(np.float64(players.memories[player, OWN_VALUE]), player, out)


# --- rollouts --------------------------------------------------------------------------------------------------------


@kernel
def copy_rngs(rngs: Rows, source: Int, target: Int, count: Int) -> None:
    """Copy ``count`` random rows of ``rngs`` uint64[n, 2] from row ``source`` on over those from row ``target`` on."""
    for index in range(count):
        rngs[target + index, 0] = rngs[source + index, 0]
        rngs[target + index, 1] = rngs[source + index, 1]


@shared(kernel)
def prepare(
    player: Player, seed: Int, is_plan: Bool, given: Rows, policies: Policies, seats: Row, spread: Float,
    scratch: RolloutScratch,
) -> None:  # fmt: skip
    """Redeal the game played for ``player`` and let policies plan for the others, all from ``seed``.

    Nothing here depends on what is forced in a rollout, so the candidates of a decision share it.

    Args: is_plan, whether a whole plan is forced: the planning then starts again, and the plans of those players who
        have a planner are kept for it; else hidden plans are replaced in the state.
    """
    g, mask = scratch.states[PLAYED], scratch.mask
    seed_stream(scratch.rngs[PLAYED], seed, FIRST_REDEAL)
    seed_stream(scratch.rngs[REWOUND], seed, FIRST_REDEAL + SECOND_STREAM)
    forget_game(scratch.players)
    n = scratch.params.shape[0]
    for other in range(n):
        seed_stream(scratch.policy_rngs[other], seed, 1 + other)
        distance = 0.0 if other == player else spread
        vary(policies, np.int64(seats[other]), distance, scratch.rngs[REWOUND], scratch.params[other])
    engine.redeal(g, scratch.rngs[PLAYED], player, mask)
    if not is_plan:
        replan(player, given, policies, seats, scratch)
        return
    engine.rewind(g)
    lay_given(given, engine.observation_epoch(g), scratch.players)
    for other in range(n):
        if other != player and given[other, 0] == NO_ACTION and policies.planners[np.int64(seats[other])] != NO_PLANNER:
            engine.legal_for(g, other, mask)
            choose_for(g, other, policies, seats, scratch)


@shared(kernel)
def begin_rollout(
    rollouts: Rollouts, index: Int, is_prepared: Bool, policies: Policies, spread: Float, scratch: RolloutScratch
) -> None:
    """Bring the game played to the beginning of a rollout, with nothing forced yet.

    Args: is_prepared, whether PREPARED holds what the rollout before began with, which is the same
    """
    n = scratch.params.shape[0]
    root, given = rollouts.root_of[index], rollouts.plans[index]
    player = np.int64(rollouts.players[root])
    is_plan = given[player, 0] != NO_ACTION
    if is_prepared:
        scratch.states[PLAYED] = scratch.states[PREPARED]
        copy_rngs(scratch.rngs, PREPARED, PLAYED, 1)
        copy_rngs(scratch.policy_rngs, n, 0, n)
    else:
        seats = policies.seats[root]
        scratch.states[PLAYED] = rollouts.roots[root]
        prepare(player, rollouts.seeds[index], is_plan, given, policies, seats, spread, scratch)
        scratch.states[PREPARED] = scratch.states[PLAYED]
        copy_rngs(scratch.rngs, PLAYED, PREPARED, 1)
        copy_rngs(scratch.policy_rngs, 0, n, n)
    scratch.players.observed_at[:] = NEVER
    if not is_plan:
        scratch.players.planned_at[:] = NEVER


@shared(kernel)
def finish(rollouts: Rollouts, root: Int, policies: Policies, complete: Int, scratch: RolloutScratch) -> None:
    """Play the game played on to the end of a rollout.

    Args: complete, how many stages of the kind ``rollouts.until[root]`` were complete at its beginning
    """
    g, mask, until, seats = scratch.states[PLAYED], scratch.mask, rollouts.until[root], policies.seats[root]
    while g["phase"] != engine.over and (
        until == NO_STAGE
        or engine.stage(g, until) == complete
        or (rollouts.critic != NO_CRITIC and engine.plan_slot(g) == NO_SLOT)
    ):
        action = choose_for(g, np.int64(g["player"]), policies, seats, scratch)
        if not is_legal(mask, action):  # a bot may have no answer to what it did not begin itself
            action = lowest(mask)
        advance(g, scratch.rngs[PLAYED], scratch.log, action, mask)


@shared(kernel)
def force(g: State, rng: Rng, player: Player, actions: Row, scratch: RolloutScratch) -> None:
    """Play the actions forced on a player, the first and then those that are legal, until somebody else decides."""
    mask = scratch.mask
    advance(g, rng, scratch.log, actions[0], mask)
    for index in range(1, actions.shape[0]):
        if actions[index] == NO_ACTION or np.int64(g["player"]) != player:
            return
        if is_legal(mask, actions[index]):  # the only legal action was played by itself
            advance(g, rng, scratch.log, actions[index], mask)


@shared(loop)
def roll_out_games(
    rollouts: Rollouts, policies: Policies, spread: Float, scratch: RolloutScratch, lo: Int, hi: Int
) -> None:
    """Write what the rollouts ``lo .. hi - 1`` are worth to each player.

    A rollout copies a root, redeals it for the player who decides there, lets policies plan for the others, forces an
    action or a whole plan, and plays on to the end of a stage. What rollouts in a row with the same root and seed have
    in common is done once.

    Args:
        policies: their ``seats`` are int8[R, P], those of the roots.
        spread: as in ``replan_games``.
    """
    g, rng, mask, players = scratch.states[PLAYED], scratch.rngs[PLAYED], scratch.mask, scratch.players
    root_of, seeds, plans = rollouts.root_of, rollouts.seeds, rollouts.plans
    last = np.int64(-1)  # the rollout for which PREPARED was made, and whose plans are still those of the others
    for index in range(lo, hi):
        root = root_of[index]
        player = np.int64(rollouts.players[root])
        is_plan = plans[index, player, 0] != NO_ACTION
        is_prepared = (
            last >= 0
            and root_of[last] == root
            and seeds[last] == seeds[index]
            and (plans[last, player, 0] != NO_ACTION) == is_plan
        )
        begin_rollout(rollouts, index, is_prepared, policies, spread, scratch)
        begin = engine.observation_epoch(g)
        if is_plan:
            players.planned_at[player] = begin
            copy_row(plans[index, player], players.plans[player])
        complete = engine.stage(g, rollouts.until[root])
        if rollouts.actions[index, 0] != NO_ACTION:
            force(g, rng, player, rollouts.actions[index], scratch)
        elif engine.legal(g, mask) == 1:
            advance(g, rng, scratch.log, lowest(mask), mask)
        finish(rollouts, root, policies, complete, scratch)
        if rollouts.critic != NO_CRITIC and g["phase"] != engine.over:
            write_critic(g, player, rollouts, policies, scratch, rollouts.out[index])
        else:
            write_value(g, rollouts, scratch.features, rollouts.out[index])
        last = index
        for other in range(scratch.params.shape[0]):  # plans made for a later round have replaced those of the root
            if is_plan and players.planned_at[other] != begin and players.planned_at[other] != NEVER:
                last = np.int64(-1)
