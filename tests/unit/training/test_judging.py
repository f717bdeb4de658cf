"""Decisions of a learner, judged side by side: what they are worth, and what is learnt from them."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.agents.search.plans import PHASE, actions_of, laid_cards, space_of
from shogun_env.agents.search.value import value_of
from shogun_env.batch.collecting import Decisions
from shogun_env.batch.rollouts import Worth, roll_out
from shogun_env.policies import make_agent
from shogun_env.shogun import SHOGUN, Batch
from shogun_env.shogun import constants as c
from shogun_env.training import judging
from shogun_env.training import learner as learning
from shogun_env.training.judging import (
    ACTIONS,
    PLANS,
    TRIED,
    drawn_plans,
    judged,
    judged_actions,
    judged_plans,
    plans_of_others,
    worths_of_plans,
)
from shogun_env.training.learner import PPO, Samples, minibatch_of
from shogun_env.training.opponents import LEARNER
from tests.unit.training.settings import tiny

SHAPE = Shape(SHOGUN, Sizes(4, 8, 4, late=SHOGUN.board.late))


def bots_of_test(greedy=False):
    return [Network(SHAPE, SHAPE.random_weights(1), greedy), make_agent("scripted", SHOGUN)]


def seats_of_test(games, players):
    """Return seats in which a learner is each player in turn, and in some games all of them."""
    seats = np.ones((games, players), np.int8)
    seats[np.arange(games), np.arange(games) % players] = LEARNER
    seats[::5] = LEARNER
    return seats


def begun(games=8, **options):
    """Return games in which planning begins, learners, and the same games at the learners' first cards."""
    batch = Batch(games, seed=3, **options)
    learners = np.arange(games) % batch.num_players
    roots = batch.take(None)
    seats = np.zeros((games, batch.num_players), np.int8)
    seats[np.arange(games), learners] = -1
    roots.play(["random"], seats)
    assert (roots.player == learners).all()
    return batch, learners, roots


@pytest.mark.parametrize("options", [{}, {"num_players": 3, "start": "random"}, {"num_players": 5, "start": "draft"}])
def test_judged__whole_games__plans_of_every_round_with_advantages_of_mean_0(options):
    games, rng = 6, np.random.default_rng(0)
    batch = Batch(games, seed=3, **options)
    samples, actions = judged(batch, bots_of_test(), seats_of_test(games, batch.num_players), SHAPE, rng)
    assert batch.over.all()
    rounds = 6 - (options.get("start") == "draft")  # planning of the first begins in a game that is under way
    spaces = np.array([space_of(observation) for observation in samples.observations])
    firsts = np.flatnonzero(spaces == 0)
    assert spaces.min() == 0 and len(firsts) == games * rounds * PLANS and samples.groups.max() + 1 == games * rounds
    assert samples.masks[np.arange(len(spaces)), samples.actions].all()
    for group in range(games * rounds):
        own = samples.advantages[firsts[samples.groups[firsts] == group]]
        assert len(own) == PLANS and abs(own.mean()) < 1e-6 and own.std() > 0
    for begin, end in zip(firsts, [*firsts[1:], len(spaces)], strict=True):
        assert len(set(samples.advantages[begin:end])) == 1 and (np.diff(spaces[begin:end]) > 0).all()
    phases = actions.observations[:, PHASE : PHASE + c.N_DECISIONS].argmax(1)
    assert set(phases.tolist()) == set(TRIED)
    for group in range(actions.groups.max() + 1):
        here = actions.groups == group
        legal = np.flatnonzero(actions.masks[here][0])
        assert set(actions.actions[here]) <= set(legal) and here.sum() == min(len(legal), ACTIONS) > 1
        assert abs(actions.advantages[here].mean()) < 1e-6
    assert actions.advantages.std() > 0


def test_judged__same_seeds__same_samples_that_do_not_depend_on_threads():
    drawn = [
        judged(Batch(4, seed=9, num_threads=threads), bots_of_test(), seats_of_test(4, 4), SHAPE, rng)
        for threads, rng in ((1, np.random.default_rng(5)), (2, np.random.default_rng(5)))
    ]
    for one, other in zip(*drawn, strict=True):
        assert [array.tobytes() for array in one] == [array.tobytes() for array in other]


def test_judged__a_learner_that_does_not_draw__all_its_plans_are_equal_and_worth_the_same():
    samples, _ = judged(Batch(3), bots_of_test(greedy=True), seats_of_test(3, 4), SHAPE, np.random.default_rng(0))
    assert len(samples.advantages) and np.abs(samples.advantages).max() < 1e-12


def test_drawn_plans__cards_and_their_probabilities__are_what_the_network_says():
    _, learners, roots = begun()
    network = bots_of_test()[LEARNER]
    decisions, plans = drawn_plans(roots, network.compiled, learners, np.random.default_rng(0))
    assert len({plan.tobytes() for plan in plans[0]}) > 1
    for index in range(0, len(decisions), 29):
        row, space = decisions.rows[index], space_of(decisions.observations[index])
        plan = plans[row // PLANS, row % PLANS]
        assert decisions.players[index] == learners[row // PLANS]
        assert plan[space] == decisions.actions[index]
        assert (laid_cards(decisions.observations[index], space) == plan[:space]).all()
        shown = SimpleNamespace(observations=decisions.observations[[index]], masks=decisions.masks[[index]])
        chances = network.weigh(shown)[0].chances
        assert np.exp(decisions.log_probs[index]) == pytest.approx(chances[decisions.actions[index]], rel=1e-4)


def test_worths_of_plans__a_plan_among_others__is_worth_what_it_is_worth_next_to_others():
    batch, learners, roots = begun(4)
    pairs, seats = [bot.compiled for bot in bots_of_test()], seats_of_test(4, 4)
    seats[np.arange(4), learners] = LEARNER
    seeds = np.arange(4 * 8).reshape(4, 8) + 70
    others = plans_of_others(batch, pairs, seats, learners, seeds)
    assert (others[np.arange(4), :, learners] != others[np.arange(4), :, (learners + 1) % 4]).any()
    _, plans = drawn_plans(roots, pairs[LEARNER], learners, np.random.default_rng(0))
    worths = worths_of_plans(roots, pairs, seats, learners, seeds, others, plans)
    turned = worths_of_plans(roots, pairs, seats, learners, seeds, others, plans[:, ::-1])
    assert worths.shape == (4, PLANS) and (worths > 0).all() and (worths < 1).all()
    np.testing.assert_allclose(worths, turned[:, ::-1], rtol=1e-12)
    for game, plan in ((1, 5), (2, 0)):
        laid = others[game].copy()
        laid[:, learners[game]] = plans[game, plan]
        who = np.ones((1, 4), np.int8)  # scripted plays on for the network
        judge = Worth(value_of(SHOGUN, 4), pairs[LEARNER])
        alone = np.zeros(8, np.int64), seeds[game], pairs, who
        rewards = roll_out(roots.take([game]), *alone, plans=laid, until="round", worth=judge)
        assert worths[game, plan] == pytest.approx((1 + 3 * rewards[:, learners[game]].mean()) / 4)


def test_judged_plans__what_plans_are_worth_over_the_mean__is_the_advantage_of_all_their_cards(monkeypatch):
    monkeypatch.setattr(judging, "worths_of_plans", lambda roots, *_: np.arange(PLANS)[None].repeat(roots.num_games, 0))
    batch, learners, _ = begun(3)
    pairs = [bot.compiled for bot in bots_of_test()]
    decisions, advantages = judged_plans(batch, pairs, seats_of_test(3, 4), learners, np.random.default_rng(0))
    firsts = np.flatnonzero([space_of(observation) == 0 for observation in decisions.observations])
    assert decisions.rows[firsts].tolist() == np.arange(3).repeat(PLANS).tolist()
    plans = np.arange(PLANS).tolist() * 3
    assert (advantages + 3.5).tolist() == np.repeat(plans, np.diff([*firsts, len(advantages)])).tolist()


def test_judged_plans__learners_who_are_asked_for_no_card__have_no_plans_and_nothing_is_learnt():
    over = Batch(2)
    over.play(["random"] * 4)  # nobody is asked for anything
    pairs = [bot.compiled for bot in bots_of_test()]
    decisions, advantages = judged_plans(over, pairs, seats_of_test(2, 4), np.array([0, 1]), np.random.default_rng(0))
    assert len(decisions) == len(advantages) == 0


def asked():
    """Return games in which learners choose a target, who they are, and who plays."""
    batch = Batch(8, seed=3)
    learners = np.arange(8) % 4
    seats = np.ones((8, 4), np.int8)
    seats[np.arange(8), learners] = LEARNER
    asking = np.where(seats == LEARNER, -1, seats)
    pairs = [bot.compiled for bot in bots_of_test()]
    batch.play(pairs, seats, until="plan")
    play = batch.playing(pairs, asking)
    play()
    while len(rows := np.flatnonzero(batch.games["phase"] != c.TARGET)):
        play(rows, batch.legal[rows].argmax(1))
    return batch, learners, seats


def test_judged_actions__an_action_tried__is_worth_what_rollouts_with_the_plans_of_the_others_say():
    batch, learners, seats = asked()
    before = batch.games.tobytes()
    drawn, (decisions, advantages) = judged_actions(batch, bots_of_test(), seats, learners, np.random.default_rng(1))
    assert batch.games.tobytes() == before and batch.legal[np.arange(8), drawn].all()
    assert len(set(decisions.rows.tolist())) > 2
    pairs, row = [bot.compiled for bot in bots_of_test()], int(decisions.rows[0])
    plans = actions_of(batch.games["plan"][[row], :4].repeat(2, 0))
    plans[:, learners[row]] = -1
    first, second = np.flatnonzero(decisions.rows == row)[:2]
    gains = []
    for trial in range(400):
        rewards = roll_out(
            batch.take([row]), np.zeros(2, np.int64), np.full(2, trial), pairs, np.ones((1, 4), np.int8), plans=plans,
            actions=decisions.actions[[first, second]], until="round", worth=Worth(value_of(SHOGUN, 4), pairs[LEARNER]),
        )[:, learners[row]]  # fmt: skip
        gains.append(0.75 * (rewards[0] - rewards[1]))
    error = np.std(gains) * (1 / 8 + 1 / 400) ** 0.5
    assert advantages[first] - advantages[second] == pytest.approx(np.mean(gains), abs=4 * error + 1e-9)


def test_judged_actions__likeliest_first__with_the_probabilities_of_the_network(monkeypatch):
    monkeypatch.setattr(judging, "ACTIONS", 2)
    batch, learners, seats = asked()

    def by_number(roots, pairs, seats, learners, game, seeds, plans, actions):
        others = np.arange(4) != learners[game][:, None]
        assert (plans[others] == actions_of(batch.games["plan"][:, :4])[game][others]).all() and (
            plans[~others] == -1
        ).all()
        return actions.astype(np.float64)

    monkeypatch.setattr(judging, "shares_of", by_number)
    _, (decisions, advantages) = judged_actions(batch, bots_of_test(), seats, learners, np.random.default_rng(1))
    for row in set(decisions.rows.tolist()):
        here = np.flatnonzero(decisions.rows == row)
        shown = SimpleNamespace(observations=decisions.observations[here[:1]], masks=decisions.masks[here[:1]])
        chances = bots_of_test()[LEARNER].weigh(shown)[0].chances
        assert decisions.actions[here].tolist() == np.argsort(-chances, kind="stable")[:2].tolist()
        assert np.exp(decisions.log_probs[here]) == pytest.approx(chances[decisions.actions[here]], rel=1e-5)
        assert advantages[here] == pytest.approx(decisions.actions[here] - decisions.actions[here].mean())


@pytest.mark.parametrize("coef", [0.0, 0.1])
def test_learn_judged__actions__come_to_the_policy_of_the_reference_times_exp_of_advantages(coef, monkeypatch):
    monkeypatch.setattr(learning, "HEAT", 0.02)
    learner = PPO(SHAPE, tiny("shogun", learning_rate=3e-3, magnet_coef=coef))
    batch, learners, seats = asked()
    bots = [learner.agent(), *bots_of_test()[1:]]
    _, (decisions, _) = judged_actions(batch, bots, seats, learners, np.random.default_rng(0))
    row = int(decisions.rows[0])
    few = decisions.rows == row
    found = Decisions(*(array[few] for array in decisions)), np.linspace(-0.02, 0.02, few.sum())
    actions = judging.joined([found], SHAPE)
    if coef:  # the reference is what it was, whoever drew
        actions = actions._replace(log_probs=np.float32(3) * actions.log_probs)
    for _ in range(100):
        learner.learn_judged(Samples(*(array[:0] for array in actions)), actions, 1.0)
    shown = SimpleNamespace(observations=actions.observations[:1], masks=actions.masks[:1].view(np.int8))
    before, after = (bot.weigh(shown)[0].chances[actions.actions] for bot in (bots[0], learner.agent()))
    moved = np.log(after) - np.log(before)
    assert moved - moved.mean() == pytest.approx(np.linspace(-1, 1, few.sum()), abs=0.05)
    assert learner.decisions == 0


@pytest.mark.parametrize("fraction", [1.0, 0.5])
def test_learn_judged__plans__again_and_again__better_plans_become_likelier_and_the_value_stays(fraction, monkeypatch):
    seen = []
    monkeypatch.setattr(
        learning, "minibatch_of", lambda part, *args: seen.append(len(part.actions)) or minibatch_of(part, *args)
    )
    learner = PPO(SHAPE, tiny("shogun", learning_rate=1e-2, ent_coef=0.0, learnt_fraction=fraction))
    bots = [learner.agent(), *bots_of_test()[1:]]
    samples, actions = judged(Batch(8, seed=1), bots, seats_of_test(8, 4), SHAPE, np.random.default_rng(0))
    none = Samples(*(array[:0] for array in actions))
    before = learner.network.weights()
    for _ in range(60):
        learner.learn_judged(samples, none, 1.0)
    assert sum(seen) / (60 * len(samples.actions)) == pytest.approx(fraction, abs=0.1)
    after = learner.network.weights()
    of_others = ("number.weight", "value.weight", "value.bias", "share.weight", "share.bias")
    assert [name for name in before if (before[name] == after[name]).all()] == [*of_others]
    with torch.no_grad():
        logits, _ = learner.network(minibatch_of(samples, SHAPE, "cpu").positions)
    log_probs = logits.log_softmax(1).numpy()[np.arange(len(samples.actions)), samples.actions]
    for sign in (-1, 1):
        chosen = sign * samples.advantages > 0.01
        assert sign * (log_probs - samples.log_probs)[chosen].mean() > 0.1
    assert learner.decisions == 0
