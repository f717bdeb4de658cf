"""The game of choosing a policy: its known equilibria, what is measured, and what a run has learnt."""

import numpy as np
import pytest

pytest.importorskip("torch")

from shogun_env.agents.network.agent import Network
from shogun_env.policies import make_agent
from shogun_env.shares import mean_shares
from shogun_env.training import opponents
from shogun_env.training.config import EVALUATION_SEED
from shogun_env.training.opponents import extended, meta_strategy
from shogun_env.training.runs import mixture_of, parts_of
from shogun_env.training.trainer import Trainer, train
from tests.unit.training.test_selfplay import new_run, trained


def cycle(rock, paper, scissors):
    """Return the payoffs of rock, paper, scissors with this equilibrium."""
    gains = np.array([[0, -scissors, paper], [scissors, 0, -rock], [-paper, rock, 0]])
    return 0.5 + gains / 2


@pytest.mark.parametrize("known", [(1 / 3, 1 / 3, 1 / 3), (0.2, 0.3, 0.5), (0.7, 0.2, 0.1)])
def test_meta_strategy__of_a_cycle__is_its_equilibrium(known):
    assert meta_strategy(cycle(*known)) == pytest.approx(known, abs=0.02)


def test_meta_strategy__of_many_players__plays_what_wins_against_its_own_copies_alone():
    payoffs = np.array([[0.25, 0.40], [0.30, 0.25]])  # each beats copies of the other: 3 of 4 play the first
    assert meta_strategy(payoffs) == pytest.approx([0.75, 0.25], abs=0.02)


def test_extended__a_policy_more__measures_its_row_and_column_only():
    asked = []

    def share(one, other):
        asked.append((one, other))
        return 0.1 * one + 0.01 * other

    first = extended(np.zeros((0, 0)), [0, 1], share)
    assert asked == [(0, 0), (0, 1), (1, 0), (1, 1)]
    del asked[:]
    again = extended(first, [0, 1, 2], share)
    assert asked == [(0, 2), (1, 2), (2, 0), (2, 1), (2, 2)]
    assert again == pytest.approx(np.add.outer(0.1 * np.arange(3), 0.01 * np.arange(3)))


def test_run__of_psro__payoffs_are_shares_of_the_win_and_the_mixture_is_theirs(tmp_path):
    settings = {"algorithm": "psro", "snapshot_every": 24, "snapshots": 9, "payoff_games": 30}
    settings["variants"] = [{"num_players": 3}, {}]
    run = new_run(tmp_path / "r", **settings)
    trainer = trained(run)
    bots, parts = mixture_of(run)
    count = len(bots)
    assert count > 2 and trainer.opponents.payoffs.shape == (count, count)
    agents = [make_agent(bot, run.batch_class.spec) for bot in bots]
    assert trainer.opponents.payoffs[1, 0] == pytest.approx(trainer.payoff(agents[1], agents[0]))
    sure = Network(run.shape, {name: 9 * array for name, array in run.shape.random_weights(5).items()})
    seeds = EVALUATION_SEED + np.arange(round(30 * (1 / 3 + 1 / 2) / 2))
    shares = mean_shares(run.batch_class, sure, agents[0], seeds, [{"num_players": 3}, {}])
    assert trainer.payoff(sure, agents[0]) == pytest.approx(shares.mean()) and np.ptp(shares) > 0
    assert np.diag(trainer.opponents.payoffs) == pytest.approx((1 / 3 + 1 / 2) / 2)
    assert parts == pytest.approx(meta_strategy(trainer.opponents.payoffs))
    assert parts_of(run, 1) == pytest.approx([1.0])
    assert parts_of(run, 2) == pytest.approx(meta_strategy(trainer.opponents.payoffs[:2, :2]))


@pytest.mark.parametrize("algorithm", ["ppo", "fictitious"])
def test_run__of_other_algorithms__what_is_learnt_is_the_network_or_all_snapshots_alike(algorithm, tmp_path):
    run = new_run(tmp_path / "r", algorithm=algorithm, snapshot_every=24, snapshots=9)
    trained(run)
    bots, parts = mixture_of(run)
    paths = sorted((run.folder / "snapshots").iterdir())
    if algorithm == "ppo":
        assert (bots, parts.tolist()) == ([f"ppo:{run.folder}"], [1.0])
    else:
        assert bots == [f"ppo:{path}:greedy=false" for path in paths] and len(paths) > 2
        assert parts == pytest.approx(1 / len(paths))


@pytest.mark.parametrize("algorithm", ["fictitious", "psro"])
def test_run__of_responses__what_enters_the_population_is_learnt_since_the_last_one_entered(algorithm, tmp_path):
    settings = {"algorithm": algorithm, "average": 10**9, "snapshot_every": 60, "imitation_fraction": 0.0}
    run = new_run(tmp_path / "r", **settings)
    trainer = Trainer(run, lambda share, text: None)
    population, updates = trainer.opponents.weights, ([], [])
    trainer.next_snapshot = 60
    while len(population) < 2:
        before, period = trainer.decisions, updates[len(population)]
        trainer.play()
        period.append((trainer.decisions - before, trainer.learner.network.weights()["action.weight"]))
        trainer.keep_up()
    counts, weights = zip(*updates[1], strict=True)
    assert len(counts) > 1
    assert population[1]["action.weight"] == pytest.approx(np.average(weights, 0, counts), abs=1e-6)


@pytest.mark.parametrize("owner, name", [(Trainer, "payoff"), (opponents, "meta_strategy")])
def test_run__of_psro_stopped_while_a_snapshot_is_added__has_each_snapshot_once(owner, name, tmp_path, monkeypatch):
    settings = {"algorithm": "psro", "snapshot_every": 24, "snapshots": 9, "payoff_games": 30}
    run = new_run(tmp_path / "r", **settings)
    function, calls = getattr(owner, name), []

    def stopped(*arguments):
        calls.append(arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return function(*arguments)

    monkeypatch.setattr(owner, name, stopped)
    assert not train(run) and len(calls) == 3
    assert train(run, resume=True)
    snapshots = run.load_checkpoint()["snapshots"]
    assert len(snapshots) == len(list((run.folder / "snapshots").iterdir())) > 2
    one, two = ({name: array.numpy().tobytes() for name, array in weights.items()} for weights in snapshots[:2])
    assert one != two
