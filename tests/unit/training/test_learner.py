"""What the learner learns from, and what it learns: shares of the win, advantages, minibatches, losses."""

import itertools

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.batch.collecting import Decisions, collect
from shogun_env.shares import final_shares
from shogun_env.training.config import changed
from shogun_env.training.learner import PPO, RISE_OF_PPO, Samples, advantages_of, minibatch_of, samples_of, telling
from tests.positions import BATCHES, each_of_three
from tests.unit.training.settings import tiny

SIZES = Sizes(4, 8, 4)


def played(name, games=5, seed=0, **options):
    """Return games of a network that draws its actions, and their decisions."""
    shape = Shape(BATCHES[name].spec, SIZES)
    batch = BATCHES[name](games, seed=seed, **options)
    bot = Network(shape, shape.random_weights(seed), greedy=False)
    return batch, collect(batch, [bot.compiled, "random"], np.arange(batch.num_players) % 2, collected=[0])


def learnt_from(name, games=5, seed=0, gae_lambda=0.9):
    """Return the shape of a network, and what there is to learn from games of it."""
    shape = Shape(BATCHES[name].spec, SIZES)
    batch, decisions = played(name, games, seed)
    return shape, samples_of(decisions, final_shares(batch, decisions, shape.size.n_players), shape, gae_lambda)


def slow_advantages(decisions, final, gae_lambda):
    """Return advantages as the definition says: sums of discounted surprises, one player at a time."""
    out = np.zeros(len(decisions))
    for row, player in set(zip(decisions.rows.tolist(), decisions.players.tolist(), strict=True)):
        (own,) = np.nonzero((decisions.rows == row) & (decisions.players == player))
        values = [*decisions.values[own].tolist(), float(final[own[-1]])]
        surprises = [after - before for before, after in itertools.pairwise(values)]
        for place, index in enumerate(own):
            out[index] = sum(gae_lambda**step * surprise for step, surprise in enumerate(surprises[place:]))
    return out


@each_of_three
def test_final_shares__games_of_every_number_of_players__of_all_players_from_the_one_who_decides(name):
    spec = BATCHES[name].spec
    seats = max(spec.players)
    for players in spec.players:
        batch, decisions = played(name, num_players=players)
        shares = final_shares(batch, decisions, seats)
        assert shares.shape == (len(decisions), seats) and shares.dtype == np.float32
        best = batch.returns == batch.returns.max(1, keepdims=True)
        for index in range(0, len(decisions), 7):
            row, player = decisions.rows[index], decisions.players[index]
            expected = [best[row, (player + offset) % players] / best[row].sum() for offset in range(players)]
            assert shares[index].tolist() == pytest.approx([*expected, *[0] * (seats - players)], abs=1e-6)


@pytest.mark.parametrize("gae_lambda", [0.0, 0.5, 0.95, 1.0])
def test_advantages__of_games__are_those_of_the_definition(gae_lambda):
    batch, decisions = played("shitenno", seed=4)
    final = final_shares(batch, decisions, 4)[:, 0]
    advantages = advantages_of(decisions, final, gae_lambda)
    assert advantages.dtype == np.float32
    assert advantages == pytest.approx(slow_advantages(decisions, final, gae_lambda), abs=1e-5)
    assert advantages.std() > 0.05
    nothing = Decisions(*(array[:0] for array in decisions))
    assert advantages_of(nothing, final[:0], gae_lambda).shape == (0,)


@each_of_three
@pytest.mark.parametrize(("precision", "near"), [("float32", 1e-5), ("bfloat16", 0.02)])
def test_samples__of_games__values_and_probabilities_are_those_of_torch(name, precision, near):
    shape, samples = learnt_from(name, seed=3, gae_lambda=1.0)
    learner = PPO(shape, changed(tiny(name), {"precision": precision}))
    learner.network.load_weights(shape.random_weights(3))
    with torch.no_grad():
        logits, shares = learner.network(minibatch_of(samples, shape, "cpu").positions)
    log_probs = logits.log_softmax(1).gather(1, torch.as_tensor(samples.actions)[:, None])
    assert shares.softmax(1)[:, 0].numpy() == pytest.approx(samples.returns - samples.advantages, abs=near)
    assert log_probs[:, 0].numpy() == pytest.approx(samples.log_probs, abs=near)
    assert samples.returns == pytest.approx(samples.shares[:, 0], abs=1e-6)  # with lambda 1


def test_joined__rows_in_any_order__are_those_of_all_parts_one_after_the_other():
    parts = [learnt_from("shogun", games=games, seed=games)[1] for games in (1, 3)]
    joined = Samples.joined(parts)
    rows = np.random.default_rng(1).permutation(len(joined.actions))
    some = joined.some(rows, joined.groups[rows])
    for name in Samples._fields[:-2]:
        assert (getattr(some, name) == np.concatenate([getattr(part, name) for part in parts])[rows]).all(), name
    assert joined.groups.tolist() == [*parts[0].groups, *(parts[1].groups + parts[0].groups.max() + 1)]
    assert len(joined.some(rows[:0], rows[:0]).observations) == 0


def test_minibatch__for_a_device__is_there_with_what_it_has_of_the_samples():
    shape, samples = learnt_from("coins", games=20)
    minibatch = minibatch_of(samples, shape, torch.device("meta"))
    parts = [*minibatch.positions, *minibatch]
    assert {part.device.type for part in parts if isinstance(part, torch.Tensor)} == {"meta"}
    minibatch = minibatch_of(samples, shape, "cpu")
    views = minibatch.positions.views.numpy()
    assert (views[: len(samples.actions)] == shape.view.show(samples.observations)).all()
    assert (minibatch.positions.masks.numpy() == samples.masks).all()
    for name, tensor in minibatch._asdict().items():
        assert name == "positions" or (tensor.numpy() == getattr(samples, name)).all()


def test_telling__drawn_often__every_mean_is_that_of_all_decisions():
    _, samples = learnt_from("shogun", games=2, seed=3)
    rng, draws = np.random.default_rng(0), 2000
    ours = {"advantages": samples.advantages, "log_probs": samples.log_probs, "returns": samples.returns}
    sums = {name: np.zeros(draws) for name in ours}
    counts = np.zeros(draws)
    for draw in range(draws):
        part = telling(samples, 0.3, rng)
        counts[draw] = len(part.actions)
        for name, values in sums.items():
            values[draw] = (part.weights * getattr(part, name)).sum()
    assert counts.mean() / len(samples.actions) == pytest.approx(0.3, abs=0.01)
    for name, values in sums.items():
        assert abs(values.mean() - ours[name].sum()) < 4 * values.std() / draws**0.5


def test_telling__actions_of_which_the_policy_is_sure__are_left_out_but_for_whole_positions():
    _, samples = learnt_from("shogun", games=8)
    is_sure = np.arange(len(samples.actions)) % 2 == 0
    numbers = np.arange(len(samples.actions))
    samples = samples._replace(
        log_probs=np.where(is_sure, 0, -5).astype(np.float32), groups=numbers // 10, returns=numbers.astype(np.float32)
    )
    part = telling(samples, 0.4, np.random.default_rng(0))
    kept = part.returns.astype(int)
    whole, counts = np.unique(kept[is_sure[kept]] // 10, return_counts=True)
    assert len(whole) > 0 and (counts >= 4).all()  # 5, or fewer in a last, shorter group
    assert part.weights[is_sure[kept]] == pytest.approx(1 / 0.2)
    assert part.weights.min() >= 1 and part.weights[~is_sure[kept]].max() <= 1 / 0.2
    assert (part.observations == samples.observations[kept]).all() and (part.actions == samples.actions[kept]).all()
    assert (np.diff(part.groups) >= 0).all() and part.groups.max() + 1 == len(set(part.groups.tolist()))


@pytest.mark.parametrize("fraction", [1e-6, 0.5, 1.0])
def test_telling__nothing_to_tell__is_no_error(fraction):
    _, samples = learnt_from("coins", games=20)
    nothing = samples._replace(advantages=np.zeros(len(samples.actions), np.float32))
    part = telling(nothing, fraction, np.random.default_rng(0))
    assert len(part.actions) <= len(samples.actions) and np.isfinite(part.weights).all()
    assert len(telling(samples.some(np.arange(0), np.arange(0)), fraction, np.random.default_rng(0)).actions) == 0


def test_learner__with_the_most_telling_decisions__goes_as_many_steps_with_the_same_losses():
    shape, samples = learnt_from("shogun", games=64)
    settings = {"precision": "float32", "batch_size": len(samples.actions) // 4, "learning_rate": 0.0}
    figures, steps = [], []
    for fraction in (1.0, 0.5):
        learner = PPO(shape, tiny("shogun", learnt_fraction=fraction, **settings))
        learner.network.load_weights(shape.random_weights(0))
        learner.optimizer.register_step_post_hook(lambda *_, fraction=fraction: steps.append(fraction))
        figures.append(figures_of(learner, samples))
        assert learner.decisions == len(samples.actions)
    assert steps.count(1.0) == 4 and steps.count(0.5) in (3, 4)
    for name in ("value_loss", "entropy_loss"):
        assert figures[0][name] == pytest.approx(figures[1][name], rel=0.05)


def test_learner__better_than_expected__makes_the_action_likelier():
    shape, samples = learnt_from("coins", games=40, gae_lambda=1.0)
    good = np.where(samples.actions == 1, 1.0, -1.0).astype(np.float32)
    learner = PPO(shape, tiny("coins", learning_rate=1e-2, n_epochs=12))
    learner.network.load_weights(shape.random_weights(0))

    def share_of_one():
        with torch.no_grad():
            logits, _ = learner.network(minibatch_of(samples, shape, "cpu").positions)
        return float(logits.softmax(1)[:, 1].mean())

    before = share_of_one()
    learner.learn_from(samples._replace(advantages=good), 1.0)
    assert share_of_one() > before + 0.05
    assert learner.decisions == len(samples.actions)


def figures_of(learner, samples):
    """Return what the learner logs of an update in which it learns nothing."""
    learner.learn_from(samples, 1.0)
    return {name.removeprefix("train/"): value for name, value in learner.logger.name_to_value.items()}


@each_of_three
def test_learner__first_minibatch__losses_are_those_of_numpy(name):
    shape, samples = learnt_from(name, seed=3)
    settings = {"precision": "float32", "batch_size": len(samples.actions), "learning_rate": 0.0}
    losses = {}
    for all_shares in (True, False):
        learner = PPO(shape, tiny(name, all_shares=all_shares, **settings))
        learner.network.load_weights(shape.random_weights(3))
        losses[all_shares] = figures_of(learner, samples)
    with torch.no_grad():
        logits, shares = (
            part.double().numpy() for part in learner.network(minibatch_of(samples, shape, "cpu").positions)
        )
    expected = np.exp(shares) / np.exp(shares).sum(1, keepdims=True)
    chances = np.where(samples.masks, np.exp(np.where(samples.masks, logits, 0)), 0)
    chances /= chances.sum(1, keepdims=True)
    near = {"rel": 1e-4, "abs": 1e-5}
    assert losses[True]["value_loss"] == pytest.approx(-(samples.shares * np.log(expected)).sum(1).mean(), **near)
    assert losses[False]["value_loss"] == pytest.approx(((expected[:, 0] - samples.returns) ** 2).mean(), **near)
    entropy = -np.where(samples.masks, chances * np.log(np.maximum(chances, 1e-30)), 0).sum(1).mean()
    for own in losses.values():
        assert own["entropy_loss"] == pytest.approx(-entropy, **near)
        assert own["approx_kl"] == pytest.approx(0, abs=1e-6)


def near_a_magnet(**settings):
    """Return a learner that knows two biases only, its samples, and the two biases as arrays."""
    shape, samples = learnt_from("coins", games=8)
    learner = PPO(shape, tiny("coins", batch_size=len(samples.actions), **{"magnet_coef": 1.0, **settings}))
    rng = np.random.default_rng(5)
    biases = rng.normal(size=(2, shape.spec.n_actions)).astype(np.float32)
    nothing = {name: np.zeros(size, np.float32) for name, size in shape.weights().items()}
    for network, bias in zip((learner.network, learner.magnet), biases, strict=True):
        network.load_weights({**nothing, "action.bias": bias})
    return learner, samples, biases


def test_magnet__policy_strays__loss_and_gradient_are_those_of_the_divergence_by_hand():
    learner, samples, (own, other) = near_a_magnet()
    losses, _ = learner._losses(minibatch_of(samples, learner.shape, "cpu"))
    losses["magnet_loss"].backward()
    legal = samples.masks
    policy, reference = (np.where(legal, np.exp(bias), 0) for bias in (own, other))
    policy, reference = (table / table.sum(1, keepdims=True) for table in (policy, reference))
    with np.errstate(divide="ignore", invalid="ignore"):
        surprise = np.where(legal, np.log(policy / reference), 0)
    divergence = (policy * surprise).sum(1)
    assert losses["magnet_loss"].item() == pytest.approx(divergence.mean(), rel=1e-5)
    gradient = (policy * (surprise - divergence[:, None])).mean(0)
    assert learner.network.own["action_bias"].grad.numpy() == pytest.approx(gradient, rel=1e-4, abs=1e-6)
    assert np.abs(gradient).max() > 0.01
    assert all(own.grad is None for own in learner.magnet.parameters())


def test_magnet__that_weighs_much__draws_the_policy_towards_it():
    divergences = []
    for coef in (0.001, 10.0):
        learner, samples, _ = near_a_magnet(magnet_coef=coef, learning_rate=0.02, n_epochs=60, ent_coef=0.0)
        learner.learn_from(samples, 1.0)
        divergences.append(figures_of(learner, samples)["magnet_loss"])
    assert divergences[1] < 0.3 * divergences[0]


def test_magnet__that_follows__moves_by_the_decisions_of_an_update_out_of_those_set():
    learner, samples, (own, other) = near_a_magnet(learning_rate=0.0, magnet_average=1)
    count = len(samples.actions)
    learner.config = changed(learner.config, {"magnet_average": 4 * count})
    for updates in (1, 2):
        learner.learn_from(samples, 1.0)
        expected = own + (other - own) * 0.75**updates
        assert learner.magnet.weights()["action.bias"] == pytest.approx(expected, abs=1e-6)


def test_magnet__that_is_replaced__stays_between():
    learner, samples, (own, other) = near_a_magnet(learning_rate=0.0)
    learner.config = changed(learner.config, {"magnet_every": 2 * len(samples.actions) + 1})
    for expected in (other, other, own):
        learner.learn_from(samples, 1.0)
        assert learner.magnet.weights()["action.bias"] == pytest.approx(expected)


def test_magnet__of_no_weight__is_none_and_costs_nothing():
    assert PPO(Shape(BATCHES["coins"].spec, SIZES), tiny("coins")).magnet is None


def test_learner__another_player_always_wins__is_expected_to():
    shape, samples = learnt_from("coins", games=20)
    samples = samples._replace(
        shares=np.eye(samples.shares.shape[1], dtype=np.float32)[np.ones(len(samples.actions), int)]
    )
    learner = PPO(shape, tiny("coins", learning_rate=1e-2, n_epochs=60))
    learner.learn_from(samples, 1.0)
    with torch.no_grad():
        expected = learner.network(minibatch_of(samples, shape, "cpu").positions)[1].softmax(1)
    assert (expected[:, 1] > 0.9).all()


def test_learner__policy_has_moved_too_far__update_stops():
    shape, samples = learnt_from("coins", games=40, gae_lambda=1.0)
    updates = []
    for target_kl in (0.0, 1e-6):
        learner = PPO(shape, tiny("coins", learning_rate=0.1, n_epochs=5, target_kl=target_kl))
        learner.learn_from(samples, 1.0)
        updates.append(learner.n_updates)
    assert updates[0] == 5 and updates[1] < 5


def test_learner__first_steps__rate_rises():
    shape, samples = learnt_from("coins", games=40, gae_lambda=1.0)
    learner = PPO(shape, tiny("coins", batch_size=len(samples.actions), n_epochs=1))
    rates = []
    learner.optimizer.register_step_pre_hook(lambda own, *_: rates.append(own.param_groups[0]["lr"]))
    for _ in range(RISE_OF_PPO + 2):
        learner.learn_from(samples, 1.0)
    full = learner.config.learning_rate
    assert rates == pytest.approx([full * min(1, step / RISE_OF_PPO) for step in range(1, RISE_OF_PPO + 3)])


@pytest.mark.parametrize(("left", "rate"), [(1.0, 1.0), (0.5, 0.55), (0.0, 0.1)])
def test_learner__learning_rate__goes_down_to_a_tenth(left, rate):
    shape, samples = learnt_from("coins")
    learner = PPO(shape, tiny("coins", learning_rate=0.01, batch_size=1))
    for _ in range(1 + RISE_OF_PPO // len(samples.actions)):
        learner.learn_from(samples, left)
    assert learner.optimizer.param_groups[0]["lr"] == pytest.approx(0.01 * rate)
