"""Plans that a learner draws, judged side by side: what they are worth, and what is learnt from them."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.agents.search.plans import laid_cards, space_of
from shogun_env.agents.search.value import value_of
from shogun_env.batch.rollouts import Worth, roll_out
from shogun_env.policies import make_agent
from shogun_env.shogun import SHOGUN, Batch
from shogun_env.training import judging
from shogun_env.training import learner as learning
from shogun_env.training.judging import PLANS, drawn_plans, judged, judged_now, plans_of_others, shares_of
from shogun_env.training.learner import PPO, minibatch_of
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
    samples = judged(batch, bots_of_test(), seats_of_test(games, batch.num_players), SHAPE, rng)
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


def test_judged__same_seeds__same_samples_that_do_not_depend_on_threads():
    drawn = [
        judged(Batch(4, seed=9, num_threads=threads), bots_of_test(), seats_of_test(4, 4), SHAPE, rng)
        for threads, rng in ((1, np.random.default_rng(5)), (2, np.random.default_rng(5)))
    ]
    for one, other in zip(*drawn, strict=True):
        assert one.tobytes() == other.tobytes()


def test_judged__a_learner_that_does_not_draw__all_its_plans_are_equal_and_worth_the_same():
    samples = judged(Batch(3), bots_of_test(greedy=True), seats_of_test(3, 4), SHAPE, np.random.default_rng(0))
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


def test_shares_of__a_plan_among_others__is_worth_what_it_is_worth_next_to_others():
    batch, learners, roots = begun(4)
    pairs, seats = [bot.compiled for bot in bots_of_test()], seats_of_test(4, 4)
    seats[np.arange(4), learners] = LEARNER
    seeds = np.arange(4 * 8).reshape(4, 8) + 70
    others = plans_of_others(batch, pairs, seats, learners, seeds)
    assert (others[np.arange(4), :, learners] != others[np.arange(4), :, (learners + 1) % 4]).any()
    _, plans = drawn_plans(roots, pairs[LEARNER], learners, np.random.default_rng(0))
    worths = shares_of(roots, pairs, seats, learners, seeds, others, plans)
    turned = shares_of(roots, pairs, seats, learners, seeds, others, plans[:, ::-1])
    assert worths.shape == (4, PLANS) and (worths > 0).all() and (worths < 1).all()
    np.testing.assert_allclose(worths, turned[:, ::-1], rtol=1e-12)
    for game, plan in ((1, 5), (2, 0)):
        laid = others[game].copy()
        laid[:, learners[game]] = plans[game, plan]
        who = np.ones((1, 4), np.int8)  # scripted plays on for the network
        judge = Worth(value_of(SHOGUN, 4), pairs[LEARNER], "margin")
        alone = np.zeros(8, np.int64), seeds[game], pairs, who
        rewards = roll_out(roots.take([game]), *alone, plans=laid, until="round", worth=judge)
        assert worths[game, plan] == pytest.approx((1 + 3 * rewards[:, learners[game]].mean()) / 4)


def test_judged_now__what_plans_are_worth_over_the_mean__is_the_advantage_of_all_their_cards(monkeypatch):
    monkeypatch.setattr(judging, "shares_of", lambda roots, *_: np.arange(PLANS)[None].repeat(roots.num_games, 0))
    batch, learners, _ = begun(3)
    pairs = [bot.compiled for bot in bots_of_test()]
    decisions, advantages = judged_now(batch, pairs, seats_of_test(3, 4), learners, np.random.default_rng(0))
    firsts = np.flatnonzero([space_of(observation) == 0 for observation in decisions.observations])
    assert decisions.rows[firsts].tolist() == np.arange(3).repeat(PLANS).tolist()
    plans = np.arange(PLANS).tolist() * 3
    assert (advantages + 3.5).tolist() == np.repeat(plans, np.diff([*firsts, len(advantages)])).tolist()


def test_judged_now__learners_who_are_asked_for_no_card__have_no_plans_and_nothing_is_learnt():
    over = Batch(2)
    over.play(["random"] * 4)  # nobody is asked for anything
    pairs = [bot.compiled for bot in bots_of_test()]
    decisions, advantages = judged_now(over, pairs, seats_of_test(2, 4), np.array([0, 1]), np.random.default_rng(0))
    assert len(decisions) == len(advantages) == 0


@pytest.mark.parametrize("fraction", [1.0, 0.5])
def test_learn_plans__again_and_again__better_plans_become_likelier_and_the_value_stays(fraction, monkeypatch):
    seen = []
    monkeypatch.setattr(
        learning, "minibatch_of", lambda part, *args: seen.append(len(part.actions)) or minibatch_of(part, *args)
    )
    learner = PPO(SHAPE, tiny("shogun", learning_rate=1e-2, ent_coef=0.0, learnt_fraction=fraction))
    bots = [learner.agent(), *bots_of_test()[1:]]
    samples = judged(Batch(8, seed=1), bots, seats_of_test(8, 4), SHAPE, np.random.default_rng(0))
    before = learner.network.weights()
    for _ in range(60):
        learner.learn_plans(samples, 1.0)
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
