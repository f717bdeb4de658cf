"""Decisions judged side by side: what single games tell of them only after very many.

When a planning begins the learner draws several plans. Each is played to the end of the round on the same seeds as
search plays them (``agents/search``): the others lay what their bots lay, ``scripted`` plays on for networks, and the
learner says what the position is then worth. By how much a plan is worth more than the mean of its position is the
advantage of each of its cards. Trying several actions from one state with the same chance is the vine procedure
(Schulman et al. 2015, arXiv 1502.05477); learning from them again and again is policy iteration.

Where the learner takes a special or chooses a target, all its likeliest actions are tried in the same way, with the
plans of the others as they are.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shogun_env.agents.network.shape import Shape
from shogun_env.agents.search.agent import PLAYS_ON
from shogun_env.agents.search.plans import PHASE, actions_of, are_near_the_end
from shogun_env.agents.search.value import value_of
from shogun_env.agents.search.whole import Drafter
from shogun_env.batch.arrays import ASK
from shogun_env.batch.batch import Batch
from shogun_env.batch.collecting import Collector, Decisions
from shogun_env.batch.loops import NO_ACTION
from shogun_env.batch.rollouts import Worth, roll_out
from shogun_env.batch.validation import MAX_SEED
from shogun_env.kernel.jit import MemoryPolicy
from shogun_env.policies import Bot, make_agent
from shogun_env.shogun import constants as c
from shogun_env.training.learner import Samples
from shogun_env.training.opponents import LEARNER
from shogun_env.views import View

Found = tuple[Decisions, np.ndarray]
"""Decisions with their advantages, float64[n]; a row is a position of a learner."""

PLANS = 8
"""Plans of the learner in a position."""
ACTIONS = 8
"""Actions of another decision at most, the likeliest."""
SEEDS = 8
"""Seeds on which each is played."""
TRIED = (c.TAKE_SPECIAL, c.TARGET)
"""The phases, besides planning, whose decisions are judged; by so few seeds no better number of armies is found."""
LEAST = 1e-12
"""A probability that is smaller is taken for this."""


def judged(
    batch: Batch, bots: Sequence[Bot], seats: np.ndarray, shape: Shape, rng: np.random.Generator
) -> tuple[Samples, Samples]:
    """Play new games to their end and return the plans of a learner in each, of all rounds, and its other decisions.

    Args:
        batch: games of Shogun that begin.
        bots: who plays, compiled; the learner is ``LEARNER``, and draws its actions.
        seats: int8[B, P], who plays each player.
        shape: of the learner's network.
        rng: whose decisions are judged where the learner plays several players, what it draws, and all seeds.

    Returns: the decisions of the plans, and all actions that were tried in other decisions. Advantages are in shares of
        the win; all plans of a position are in one group, as are all actions of another decision.
    """
    pairs: list[Any] = [bot.compiled for bot in bots]
    learners = np.array([rng.choice(np.flatnonzero(row == LEARNER)) for row in seats])
    asking = seats.copy()
    asking[np.arange(len(seats)), learners] = ASK
    plans: list[Found] = []
    actions: list[Found] = []
    while len(live := np.flatnonzero(~batch.over)):
        planning = live[batch.games["phase"][live] == c.PLAN]
        if len(planning):
            plans.append(judged_plans(batch.take(planning), pairs, seats[planning], learners[planning], rng))
        batch.play(pairs, seats, until="plan")
        play, live = batch.playing(pairs, asking, until="round"), np.flatnonzero(~batch.over)
        play(live)
        while len(asked := live[~batch.over[live] & (batch.games["phase"][live] != c.PLAN)]):
            drawn, found = judged_actions(batch.take(asked), bots, seats[asked], learners[asked], rng)
            actions.append(found)
            play(asked, drawn)
    nothing = Decisions(*(array[:0] for array in plans[0][0])), np.zeros(0)  # if no learner had a choice
    return joined(plans, shape), joined([nothing, *actions], shape)


def joined(found: Sequence[Found], shape: Shape) -> Samples:
    """Return what was judged at several times as one."""
    parts, advantages = zip(*found, strict=True)
    firsts = np.cumsum([0, *(int(part.rows.max(initial=-1)) + 1 for part in parts[:-1])])
    decisions = Decisions(*map(np.concatenate, zip(*parts, strict=True)))
    decisions.rows[:] += np.repeat(firsts, [*map(len, parts)])
    nothing = np.zeros((len(decisions), shape.size.n_players), np.float32)
    return Samples.of(decisions, shape, np.concatenate(advantages).astype(np.float32), decisions.values, nothing)


def judged_actions(
    batch: Batch, bots: Sequence[Bot], seats: np.ndarray, learners: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, Found]:
    """Return what learners draw where they decide, int64[B], and all actions tried in those of the phases ``TRIED``.

    Args: batch, games in which the learners decide; bots, seats, rng: as in ``judged``; learners, int64[B].
    """
    view = View.of(batch, np.arange(batch.num_games))
    chances = np.array([weighed.chances for weighed in bots[LEARNER].weigh(view) or ()])
    drawn = rng.multinomial(1, chances).argmax(1)
    likeliest = np.argsort(-chances, axis=1, kind="stable")[:, :ACTIONS]
    is_tried = np.take_along_axis(view.masks, likeliest, 1) == 1
    is_tried &= (np.isin(batch.games["phase"], TRIED) & (view.masks.sum(1) > 1))[:, None]
    root, rank = np.nonzero(is_tried)
    action, seeds = likeliest[root, rank], rng.integers(0, MAX_SEED, (batch.num_games, SEEDS))
    game, each, forced = root.repeat(SEEDS), seeds[root].ravel(), action.repeat(SEEDS)
    order = np.lexsort((forced, each, game))  # equal seeds in a row share the work of dealing
    laid = actions_of(batch.games["plan"][:, : batch.num_players])[game]
    laid[np.arange(len(game)), learners[game]] = NO_ACTION
    worths = np.empty(len(game))
    pairs: list[Any] = [bot.compiled for bot in bots]
    worths[order] = shares_of(batch, pairs, seats, learners, game[order], each[order], laid[order], forced[order])
    means = worths.reshape(-1, SEEDS).mean(1)
    of_game = np.bincount(root, means, batch.num_games) / np.maximum(1, np.bincount(root, None, batch.num_games))
    decisions = Decisions(
        observations=view.observations[root],
        masks=view.masks[root],
        actions=action,
        rows=root,
        players=learners[root],
        log_probs=np.log(chances[root, action].clip(LEAST)).astype(np.float32),
        values=np.zeros(len(root), np.float32),
    )
    return drawn, (decisions, means - of_game[root])


def judged_plans(
    batch: Batch, pairs: Sequence[Drafter], seats: np.ndarray, learners: np.ndarray, rng: np.random.Generator
) -> Found:
    """Return the plans that learners draw when a planning begins, n decisions, and the advantage of each, float64[n].

    Args: batch, games in which nobody has laid a card; pairs, seats, rng: as in ``judged``; learners, int64[B].
    """
    roots = batch.take(None)
    roots.play(["random"], seats_of_all(0, learners, ASK, roots.num_players))
    asked = np.flatnonzero((roots.player == learners) & (roots.games["phase"] == c.PLAN))
    if len(asked) < len(learners):  # somebody without a choice lays what there is
        batch, roots, seats, learners = batch.take(asked), roots.take(asked), seats[asked], learners[asked]
    seeds = rng.integers(0, MAX_SEED, (len(learners), SEEDS))
    others = plans_of_others(batch, pairs, seats, learners, seeds)
    decisions, plans = drawn_plans(roots, pairs[LEARNER], learners, rng)
    worths = worths_of_plans(roots, pairs, seats, learners, seeds, others, plans)
    advantages = (worths - worths.mean(1, keepdims=True)).ravel()[decisions.rows]
    decisions.rows[:] //= PLANS
    return decisions, advantages


def seats_of_all(index: int, learners: np.ndarray, learner: int, players: int) -> np.ndarray:
    """Return int8[B, P]: ``index`` for all players but the ``learners`` int64[B], ``learner`` for these."""
    seats = np.full((len(learners), players), index, np.int8)
    seats[np.arange(len(learners)), learners] = learner
    return seats


def plans_of_others(
    batch: Batch, pairs: Sequence[Drafter], seats: np.ndarray, learners: np.ndarray, seeds: np.ndarray
) -> np.ndarray:
    """Return what all players but the learner lay in a round that begins: int64[B, SEEDS, P, 11]."""
    each = np.arange(len(learners)).repeat(SEEDS)
    games, everybody = batch.take(each), np.arange(len(each))
    games.redeal(None, learners[each], seeds.ravel())
    chosen = seats[each]
    chosen[everybody, learners[each]] = len(pairs)  # what the learner lays here does not matter
    games.play([*pairs, "random"], chosen, until="plan")
    plans = actions_of(games.games["plan"][:, : games.num_players])
    return plans.reshape(len(learners), SEEDS, *plans.shape[1:])


def drawn_plans(
    roots: Batch, learner: Drafter, learners: np.ndarray, rng: np.random.Generator
) -> tuple[Decisions, np.ndarray]:
    """Return the decisions by which learners draw plans, and the plans, int64[B, PLANS, 11].

    A row of the decisions is that of a game times PLANS plus the number of the plan.
    """
    games, me = roots.take(np.arange(len(learners)).repeat(PLANS)), learners.repeat(PLANS)
    games.policy_rngs[:, :, 0] = rng.integers(0, MAX_SEED, games.policy_rngs.shape[:2])
    games.policy_rngs[:, :, 1] = 0
    collector, rounds, players = Collector(games), games.games["season"].copy(), games.num_players
    for _ in range(c.N_SPACES):  # all players are asked for a card in turn
        plans = (games.games["phase"] == c.PLAN) & (games.games["season"] == rounds)
        collector.playing([learner], np.where(plans[:, None], seats_of_all(ASK, me, 0, players), ASK))()
        plans &= games.games["phase"] == c.PLAN
        games.play(["random"], np.where(plans[:, None], seats_of_all(0, me, ASK, players), ASK), until="plan")
    decisions = collector.decisions()
    is_card = decisions.observations[:, PHASE + c.PLAN] > 0
    laid = actions_of(games.games["plan"][np.arange(len(me)), me]).reshape(len(learners), PLANS, c.N_SPACES)
    return Decisions(*(array[is_card] for array in decisions)), laid


def worths_of_plans(
    roots: Batch, pairs: Sequence[Drafter], seats: np.ndarray, learners: np.ndarray, seeds: np.ndarray,
    others: np.ndarray, plans: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Return the share of the win that each plan of a learner leads to, as a mean over the seeds: float64[B, PLANS]."""
    game, seed, plan = (index.ravel() for index in np.indices((len(learners), SEEDS, PLANS)))
    laid = others[game, seed]
    laid[np.arange(len(game)), learners[game]] = plans[game, plan]
    shares = shares_of(roots, pairs, seats, learners, game, seeds[game, seed], laid)
    return shares.reshape(len(learners), SEEDS, PLANS).mean(1)


def shares_of(
    roots: Batch, pairs: Sequence[Drafter], seats: np.ndarray, learners: np.ndarray, game: np.ndarray,
    seeds: np.ndarray, plans: np.ndarray, actions: np.ndarray | None = None,
) -> np.ndarray:  # fmt: skip
    """Return the share of the win that rollouts lead to, for the learners: float64[n].

    Args: game, int64[n], the root of each; seeds, plans, actions: as in ``roll_out``.
    """
    spec, players = roots.spec, roots.num_players
    play_on: Any = make_agent(PLAYS_ON, spec).compiled
    is_network = np.array([isinstance(pair[0], MemoryPolicy) for pair in pairs])
    who = np.where(is_network[seats], len(pairs), seats)
    weights: Any = value_of(spec, players)
    rewards = roll_out(
        roots, game, seeds, [*pairs, play_on], who.astype(np.int8), actions=actions, plans=plans,
        until=[None if is_near else "round" for is_near in are_near_the_end(roots.games)],
        worth=Worth(weights, pairs[LEARNER]),
    )  # fmt: skip
    own: np.ndarray = rewards[np.arange(len(game)), learners[game]]
    return (1 + (players - 1) * own) / players
