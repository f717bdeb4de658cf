"""Imitation: the samples are the bot's choices, and the network learns them."""

import numpy as np
import pytest

pytest.importorskip("torch")

from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.batch.collecting import answers, collect
from shogun_env.cli import batch_class
from shogun_env.commands import run_command
from shogun_env.policies import bot_of, make_agent
from shogun_env.training import export
from shogun_env.training.board_network import BoardNetwork
from shogun_env.training.config import Config, changed, load_config
from shogun_env.training.imitation import Imitation
from shogun_env.training.trainer import win_share
from tests.games import each_engine
from tests.positions import BATCHES
from tests.zoo.bots import asked

ROUNDS = 14
"""How often games are played and learnt from, with about five minibatches each."""


def imitation(engine, sizes=None, **settings):
    config = changed(Config(game=engine.spec.name), settings)
    return Imitation(BoardNetwork(Shape(engine.spec, sizes or Sizes(4, 8, 4))), config)


def samples_in(samples):
    """Return observations, masks int8[n, A], actions and shares."""
    return samples.observations, samples.masks.astype(np.int8), samples.actions, samples.shares


@each_engine
def test_samples__of_a_bot_that_is_asked__are_those_of_the_same_bot_compiled(engine):
    samples = []
    for hide in (lambda bot: bot, lambda bot: bot_of(asked(bot))):
        own = imitation(engine)
        own.teachers = [*map(hide, own.teachers)]
        samples.append(samples_in(own._samples(engine(4, seed=3), 1.0, np.random.default_rng(0))))
    for compiled, other in zip(*samples, strict=True):
        assert (compiled == other).all()


@each_engine
@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_samples__whoever_plays__are_what_the_bot_would_choose(engine, share):
    own = imitation(engine, student_fraction=0.5)
    batch = engine(4, seed=3, num_players=3)
    observations, masks, actions, shares = samples_in(own._samples(batch, share, np.random.default_rng(0)))
    function, params = make_agent("scripted", engine.spec).compiled
    assert len(actions) == batch.decisions.sum()
    assert masks[np.arange(len(actions)), actions].all()
    for index in range(0, len(actions), 31):
        assert function(observations[index], masks[index], np.zeros(2, np.uint64), params) == actions[index]
    assert shares.sum(1) == pytest.approx(np.ones(len(actions)), abs=1e-5)
    bots_alone = engine(4, seed=3, num_players=3)
    bots_alone.play([(function, params)], 0)
    assert (bots_alone.games == batch.games).all() == (share == 0.0)  # at the beginning the bot plays alone


@each_engine
def test_samples__of_a_network_as_bot__are_its_choices(engine, tmp_path):
    teacher = imitation(engine)
    bot = Network(teacher.network.shape, teacher.network.weights())
    own = imitation(engine, student_fraction=0.5)
    own.teachers = [bot, bot]
    observations, masks, actions, _ = samples_in(own._samples(engine(2, seed=3), 1.0, np.random.default_rng(0)))
    function, params = bot.compiled
    memory = np.zeros(int(params[0]), np.float32)
    rows = zip(observations, masks, strict=True)
    assert actions.tolist() == [function(one, mask, np.zeros(2, np.uint64), params, memory) for one, mask in rows]


@pytest.mark.parametrize(
    "engine",
    [
        pytest.param(BATCHES["shitenno"], marks=pytest.mark.full),
        pytest.param(BATCHES["shogun"], marks=pytest.mark.slow),
    ],
    ids=["shitenno", "shogun"],
)
def test_imitation__of_scripted_for_seconds__agrees_more_and_beats_random(engine):
    config = load_config(engine.spec)
    own = imitation(engine, Sizes(16, 64, 16))
    decisions = collect(engine(20, seed=5), [own.teachers[0].compiled], 0)

    def agreement():
        student = Network(own.network.shape, own.network.weights())
        return float((answers(decisions, student.compiled, engine.spec) == decisions.actions).mean())

    before, games = agreement(), {"shogun": 16, "shitenno": 48}[engine.spec.name]
    rng = np.random.default_rng(0)
    for number in range(ROUNDS):
        own.learn_from([engine(games, seed=1000 + games * number)], number / ROUNDS, rng)
    assert agreement() > before + 0.2
    assert own.agreement > 0.1
    student = Network(own.network.shape, own.network.weights())
    assert win_share(student, "random", engine, config.options, games=200).low > 0.35  # 25 % is parity


def far(own, samples, old):
    """Return how far the network has moved from an old policy: KL(old, network), as a mean over decisions."""
    minibatch = own._minibatch(samples)
    new, was = (network(minibatch.positions)[0].log_softmax(1) for network in (own.network, old))
    return float((was.exp() * (was - new)).sum(1).mean().detach())


def test_hold__of_an_old_policy__keeps_the_network_near_it():
    engine, moved = batch_class("shikoku"), []
    for hold in (0.0, 0.5, 1.0):
        own = imitation(engine, imitate="random", imitation_hold=hold)
        old = BoardNetwork(own.network.shape, 7)
        own.network.load_weights(old.weights())
        own.hold_to(old.weights())
        rng = np.random.default_rng(0)
        samples = own._samples(engine(64, seed=3), 0.0, rng)
        samples = samples._replace(actions=samples.masks.argmax(1))  # a teacher who always takes the lowest action
        for _ in range(60):
            own._step(samples)
        moved.append(far(own, samples, old))
    assert moved[0] > 1.5 * moved[1] > 3 * moved[2] and moved[2] < 0.01


def test_held_out_files__foretold_worse__do_not_change_what_is_kept(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(export, "GAMES_PER_FILE", 2)
    words = ["--game", "shikoku", "--agents", "random", "--games", "60", "--out", str(tmp_path)]
    assert run_command("export", words) == 0
    own = imitation(batch_class("shikoku"), imitate=f"export:{tmp_path}")
    learnt, held = own.files
    assert (len(learnt), len(held)) == (27, 3) and not {*learnt} & {*held}
    kept = []
    for _ in range(3):
        own.learn_from((), 0.0, np.random.default_rng(0))
        kept.append((own.is_best(), np.isfinite(own.lowest)))
    lowest = own.lowest
    assert kept == [(True, False), (True, True), (False, True)], "files are looked at ten times a turn"
    own.network.load_weights({name: array + 1.0 for name, array in own.network.weights().items()})
    own.files_read += 1
    assert not own.is_best() and own.lowest == lowest
