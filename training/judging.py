"""Plans judged side by side: what single games tell of a plan only after very many of them.

When a planning begins the learner draws several plans. Each is played to the end of the round on the same seeds as
search plays them (``agents/search``): the others lay what their bots lay, ``scripted`` plays on for networks, and the
learner says what the position is then worth. By how much a plan is worth more than the mean of its position is the
advantage of each of its cards. Trying several actions from one state with the same chance is the vine procedure
(Schulman et al. 2015, arXiv 1502.05477); learning from them again and again is policy iteration.
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
from shogun_env.batch.rollouts import NO_WEIGHTS, Worth, roll_out
from shogun_env.batch.validation import MAX_SEED
from shogun_env.kernel.jit import MemoryPolicy
from shogun_env.policies import Bot, make_agent
from shogun_env.shogun import constants as c
from shogun_env.training.learner import Samples
from shogun_env.training.opponents import LEARNER
from shogun_env.training.positions import groups_of

PLANS = 8
"""Plans of the learner in a position."""
SEEDS = 8
"""Seeds on which each is played."""


def judged(batch: Batch, bots: Sequence[Bot], seats: np.ndarray, shape: Shape, rng: np.random.Generator) -> Samples:
    """Play new games to their end and return the plans of a learner in each, of all rounds.

    Args:
        batch: games of Shogun that begin.
        bots: who plays, compiled; the learner is ``LEARNER``, and draws its actions.
        seats: int8[B, P], who plays each player.
        shape: of the learner's network.
        rng: whose plans are judged where the learner plays several players, and all seeds.

    Returns: the decisions of the plans. Advantages are in shares of the win; all plans of a position are in one group.
    """
    pairs: list[Any] = [bot.compiled for bot in bots]
    learners = np.array([rng.choice(np.flatnonzero(row == LEARNER)) for row in seats])
    found: list[tuple[Decisions, np.ndarray]] = []
    while not batch.over.all():
        planning = np.flatnonzero(batch.games["phase"] == c.PLAN)
        if len(planning):
            found.append(judged_now(batch.take(planning), pairs, seats[planning], learners[planning], rng))
        batch.play(pairs, seats, until="round")
    firsts = np.cumsum([0, *(int(decisions.rows.max(initial=-1)) + 1 for decisions, _ in found)])
    columns = [np.concatenate(arrays) for arrays in zip(*(decisions for decisions, _ in found), strict=True)]
    decisions = Decisions(*columns)
    decisions.rows[:] += np.repeat(firsts[:-1], [len(part) for part, _ in found])
    count = len(decisions)
    return Samples(
        observations=decisions.observations,
        masks=decisions.masks.view(np.bool_),
        actions=decisions.actions,
        log_probs=decisions.log_probs,
        advantages=np.concatenate([advantages for _, advantages in found]).astype(np.float32),
        returns=decisions.values,
        shares=np.zeros((count, shape.size.n_players), np.float32),
        groups=groups_of(shape, decisions),
        weights=np.ones(count, np.float32),
    )


def judged_now(
    batch: Batch, pairs: Sequence[Drafter], seats: np.ndarray, learners: np.ndarray, rng: np.random.Generator
) -> tuple[Decisions, np.ndarray]:
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
    worths = shares_of(roots, pairs, seats, learners, seeds, others, plans)
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


def shares_of(
    roots: Batch, pairs: Sequence[Drafter], seats: np.ndarray, learners: np.ndarray, seeds: np.ndarray,
    others: np.ndarray, plans: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Return the share of the win that each plan of a learner leads to, as a mean over the seeds: float64[B, PLANS]."""
    spec, players, count = roots.spec, roots.num_players, len(learners)
    game, seed, plan = (index.ravel() for index in np.indices((count, SEEDS, PLANS)))
    laid = others[game, seed]
    laid[np.arange(len(game)), learners[game]] = plans[game, plan]
    play_on: Any = make_agent(PLAYS_ON, spec).compiled
    is_network = np.array([isinstance(pair[0], MemoryPolicy) for pair in pairs])
    who = np.where(is_network[seats], len(pairs), seats)
    weights = value_of(spec, players)
    rewards = roll_out(
        roots, game, seeds[game, seed], [*pairs, play_on], who.astype(np.int8), plans=laid,
        until=[None if is_near else "round" for is_near in are_near_the_end(roots.games)],
        worth=Worth(NO_WEIGHTS if weights is None else weights, pairs[LEARNER], "margin"),
    )  # fmt: skip
    own: np.ndarray = rewards[np.arange(len(game)), learners[game]].reshape(count, SEEDS, PLANS).mean(1)
    return (1 + (players - 1) * own) / players
