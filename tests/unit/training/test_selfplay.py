"""Self-play: the command, runs that are stopped, killed and resumed, and that they learn."""

import csv
import errno
import json
import signal
from typing import Any

import numpy as np
import pytest

from shogun_env.commands import parser_of, run_command

pytest.importorskip("torch")

import torch

from shogun_env.agents.network.agent import FILE, load_network, save_network
from shogun_env.cli import only_run
from shogun_env.policies import make_agent
from shogun_env.shogun import SHOGUN, Batch
from shogun_env.spec.settings import as_json
from shogun_env.training import selfplay
from shogun_env.training.config import ALGORITHMS, changed, load_config
from shogun_env.training.learner import PPO
from shogun_env.training.runs import CHECKPOINT, LOG, Run, about_run, read_progress
from shogun_env.training.trainer import Trainer, train, win_share
from tests.games import each_engine
from tests.positions import BATCHES
from tests.refusals import refusal
from tests.unit.training.settings import SIZES, TINY, limits, tiny


def new_run(folder, name="coins", **more):
    return Run.create(folder, tiny(name, **more), BATCHES[name])


def no_report(share, text):
    """Show nothing."""


class Interrupted:
    """A report that stops a run after so many updates, as Ctrl-C does."""

    def __init__(self, updates):
        self.left = updates

    def __call__(self, share, text):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def trained(run, report=no_report, resume=False):
    """Train to the end, or until the report stops it, and return who trained."""
    trainer = Trainer(run, report, resume)
    try:
        trainer.train()
    except KeyboardInterrupt:
        trainer.save()
    return trainer


def weights_of(run):
    return {name: array.tobytes() for name, array in load_network(run.batch_class.spec, run.folder)[1].items()}


def state_of(run):
    """Return what a checkpoint holds but for the time spent, as comparable values."""

    def plain(value):
        if isinstance(value, torch.Tensor):
            return value.numpy().tobytes()
        if isinstance(value, dict):
            return {key: plain(own) for key, own in value.items() if key != "seconds_before"}
        return [plain(own) for own in value] if isinstance(value, list | tuple) else value

    return plain(run.load_checkpoint())


@pytest.mark.parametrize("name", ["coins", pytest.param("shitenno", marks=pytest.mark.slow)])
def test_run__same_seed_and_limit_in_decisions__same_run_bit_by_bit(name, tmp_path):
    first, again, other = (new_run(tmp_path / str(seed), name, seed=seed // 2) for seed in (2, 3, 4))
    for run in (first, again, other):
        trained(run)
    assert weights_of(first) == weights_of(again) != weights_of(other)
    assert state_of(first) == state_of(again)
    without_time = [[{**line, "seconds": 0} for line in read_progress(run.folder)] for run in (first, again)]
    assert without_time[0] == without_time[1]
    assert len(without_time[0]) >= 3


ALGORITHM_OF_TEST: dict[str, dict[str, Any]] = {
    "ppo": {"self_fraction": 0.5, "snapshot_fraction": 0.5},
    "mmd": {"magnet_average": 60},
    "r-nad": {"magnet_every": 50},
    "fictitious": {"snapshots": 2, "snapshot_every": SIZES["coins"]},
    "psro": {"snapshots": 2, "snapshot_every": SIZES["coins"], "payoff_games": 12},
}
"""Settings of a short run by algorithm."""


@pytest.mark.parametrize(
    ("algorithm", "updates"), [("ppo", 1), ("ppo", 2), ("ppo", 4), *((name, 7) for name in ALGORITHMS)]
)
def test_run__stopped_and_resumed__same_as_not_stopped(algorithm, updates, tmp_path):
    settings = {"updates": 10, "variants": [{}, {"num_players": 3}], **ALGORITHM_OF_TEST[algorithm]}
    settings["algorithm"] = algorithm
    whole, parts = (new_run(tmp_path / name, **settings) for name in ("whole", "parts"))
    trained(whole)
    stopped = trained(parts, Interrupted(updates))
    assert stopped.done < 1
    resumed = Run.open(parts.folder, parts.batch_class)
    assert resumed.config == whole.config
    trained(resumed, resume=True)
    assert weights_of(whole) == weights_of(resumed)
    assert state_of(whole) == state_of(resumed)
    assert len(state_of(whole)["snapshots"]) == 2
    if magnet := state_of(whole).get("magnet"):
        assert magnet != state_of(whole)["policy"] and algorithm in ("mmd", "r-nad")
    assert len(state_of(whole)["payoffs"]) == (2 if algorithm == "psro" else 0)
    snapshots = [sorted(path.name for path in (run.folder / "snapshots").iterdir()) for run in (whole, parts)]
    assert snapshots[0] == snapshots[1] and len(snapshots[0]) > 2


FAILING: dict[str, dict[str, Any]] = {
    "opponents": {"imitation_fraction": 0.0, "self_fraction": 0.0},
    "ahead": {"imitation_fraction": 0.0, "self_fraction": 0.0, "collect_ahead": True},
    "imitate": {"imitation_fraction": 1.0},
    "evaluate_against": {},
}
"""Settings of a run in which a bot fails, by what it is there for."""


@pytest.mark.parametrize("what", FAILING)
def test_run__with_a_bot_that_fails__keeps_what_was_learnt_before(what, tmp_path):
    """What was learnt since the last checkpoint, up to a minute, was lost."""
    bot, few = tmp_path / "b" / "fails.py", 200 if what == "imitate" else 40  # who is imitated is asked most
    bot.parent.mkdir()
    bot.write_text(
        "from shogun_env import Bot\n\n\nclass Fails(Bot):\n    asked = 0\n\n    def decide(self, decision):\n"
        f"        self.asked += 1\n        return decision.names[0] if self.asked < {few} else 1 / 0\n"
    )
    name = "opponents" if what == "ahead" else what
    given = f"{bot}:Fails" if name == "imitate" else [f"{bot}:Fails"]
    run = new_run(tmp_path / "r", **{**FAILING[what], "updates": 40, name: given})
    with pytest.raises(ZeroDivisionError):
        Trainer(run, no_report).train()
    assert Trainer(Run.open(run.folder, run.batch_class), no_report, resume=True).decisions > 0


def test_log__with_a_row_that_a_kill_cut_off__is_kept_without_it(tmp_path):
    """The next row was written behind what was left of it, as one."""
    run = new_run(tmp_path / "r")
    trained(run)
    log = run.folder / LOG / "progress.csv"
    whole = log.read_text()
    log.write_text(whole + whole.splitlines()[-1][:7])
    assert "".join(run.kept_log(10**9)) == whole


def test_run__that_is_being_trained__second_process_is_kept_out(tmp_path):
    run = new_run(tmp_path / "r")
    trained(run)
    before = weights_of(run)
    with only_run(run.folder), pytest.raises(ValueError, match="another run is writing there"):
        train(run, resume=True)
    assert weights_of(run) == before


def test_run__that_is_being_trained__keeps_its_limits_from_a_second_process(tmp_path, capsys):
    run = Run.create(tmp_path / "r", load_config(SHOGUN), Batch)
    before = (run.folder / "run.json").read_text()
    words = ["selfplay", "--out", str(run.folder), "--resume", "--decisions", "999999"]
    with only_run(run.folder):
        assert "another run is writing there" in refusal(capsys, *words)
    assert (run.folder / "run.json").read_text() == before


def test_run__that_does_not_say_when_to_evaluate__has_twenty_points(tmp_path):
    run = new_run(tmp_path / "r", decisions=80 * SIZES["coins"], evaluate_every=0, evaluate_games=8)
    trained(run, Interrupted(30))
    assert 2 < len(read_progress(run.folder)) < 15
    trained(run, resume=True)
    lines = read_progress(run.folder)
    assert [line["games"] for line in lines] == [2] * 19 + [8]
    assert np.diff([line["decisions"] for line in lines]).min() > SIZES["coins"]


def test_run__that_judges_plans__stopped_and_resumed__same_as_not_stopped(tmp_path):
    whole, parts = (new_run(tmp_path / name, "shogun", updates=4, judged_games=2) for name in ("whole", "parts"))
    trained(whole)
    trained(parts, Interrupted(3))
    trained(parts, resume=True)
    assert weights_of(whole) == weights_of(parts) and state_of(whole) == state_of(parts)
    assert any("judged/approx_kl" in row for row in logged(whole))


def test_run__resumed_with_other_limits__says_both_commands(tmp_path):
    run = Run.create(tmp_path / "r", tiny("coins"), BATCHES["coins"], "the first")
    for limits_of_run in ({}, {"decisions": 400}, {"decisions": 400}):
        run.config = changed(run.config, limits_of_run)
        run.keep_limits("the second")
    assert about_run(run.folder)["command"] == "the first && the second"
    assert Run.open(run.folder, run.batch_class).config.decisions == 400


def logged(run):
    """Return the rows of a run's CSV, with numbers."""
    with open(run.folder / LOG / "progress.csv", encoding="utf-8", newline="") as stream:
        return [{name: float(text) for name, text in row.items() if text} for row in csv.DictReader(stream)]


def test_run__killed_twice_and_resumed__log_has_the_rows_of_one_that_was_not(tmp_path, monkeypatch):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    settings = {"updates": 10, "tensorboard": True, "evaluate_every": 3 * SIZES["coins"]}
    whole, killed = (new_run(tmp_path / name, **settings) for name in ("whole", "killed"))
    trained(whole)
    for updates in (4, 2):  # rows of updates and evaluations that no checkpoint knows, which come again
        trainer = Trainer(Run.open(killed.folder, killed.batch_class), Interrupted(updates), resume=True)
        with pytest.raises(KeyboardInterrupt):
            trainer.train()
        if updates == 4:
            trainer.save()
            trainer.log()
    trained(Run.open(killed.folder, killed.batch_class), resume=True)
    rows = logged(killed)
    assert [{**row, "seconds": 0} for row in rows] == [{**row, "seconds": 0} for row in logged(whole)]
    assert (np.diff([row["decisions"] for row in rows]) > 0).all()
    assert (np.diff([row["seconds"] for row in rows]) >= 0).all()
    assert {"imitation/agreement", "train/value_loss", "eval/win_share/random"} <= {
        name for row in rows for name in row
    }
    events = accumulator.EventAccumulator(str(killed.folder / LOG))
    events.Reload()
    for name in ("decisions", "seconds", "train/value_loss", "eval/win_share/random"):
        told = [(event.step, event.value) for event in events.Scalars(name)]
        assert told == [(row["decisions"], pytest.approx(row[name])) for row in rows if name in row]
    evaluated = [row for row in rows if "eval/win_share_sampled/random" in row]
    assert [row["decisions"] for row in evaluated] == [line["decisions"] for line in read_progress(killed.folder)]


def test_run__limited_by_seconds__ends_by_them_and_time_before_a_stop_counts(tmp_path):
    run = new_run(tmp_path / "r", seconds=2.0, decisions=10**9, evaluate_every=10**9)
    trainer = trained(run, Interrupted(3))
    assert 0 < trainer.seconds < 2 and trainer.decisions > 0
    trainer = trained(run, resume=True)
    assert trainer.seconds >= 2
    assert trainer.imitation.agreement > 0 and trainer.learner.decisions > 0


def test_run__progress__has_shares_of_both_ways_to_play_and_half_widths(tmp_path):
    run = new_run(tmp_path / "r")
    trainer = trained(run)
    line = read_progress(run.folder)[-1]
    assert line["decisions"] == trainer.decisions
    for key in ("win_share", "win_share_sampled"):
        assert 0 <= line[key]["random"] <= 1 and 0 <= line[f"{key}_95"]["random"] <= 1
    result = win_share(make_agent(f"ppo:{run.folder}", run.batch_class.spec), "random", run.batch_class, {}, 4)
    assert line["win_share"]["random"] == pytest.approx(result.share)
    assert line["win_share_95"]["random"] == pytest.approx(result.half_width)


ASKED = """
from shogun_env.policies import Bot, make_agent

class Asked(Bot):
    wants = ("story", "lines", "result")
    told = []

    def __init__(self, game_spec):
        super().__init__(game_spec)
        self.inner = make_agent("random", game_spec)

    def act(self, view, rng):
        self.told += view.stories
        return self.inner.act(view, rng)

    def begin(self, rows):
        self.told.append("begin")

    def end(self, ends):
        self.told.append("end")

    def close(self):
        self.told.append("close")
"""


def test_run__with_a_bot_that_is_asked__learns_what_it_learns_with_the_same_bot_compiled(tmp_path):
    (tmp_path / "mine.py").write_text(ASKED)
    bot = f"{tmp_path}/mine.py:Asked"
    networks = []
    for name in ("random", bot):
        roles = {"opponents": ["random", name], "evaluate_against": [name]}
        run = new_run(tmp_path / str(len(networks)), **roles)
        assert train(run)
        networks.append(weights_of(run))
    told = make_agent(bot, run.batch_class.spec).told
    assert networks[0] == networks[1]
    assert "begin" in told and "end" in told and told[-1] == "close" and any(isinstance(each, tuple) for each in told)


def test_run__that_judges_plans_of_another_game_or_against_a_bot_that_is_asked__refused(tmp_path):
    (tmp_path / "mine.py").write_text(ASKED)
    bot = f"{tmp_path}/mine.py:Asked"
    with pytest.raises(ValueError, match="judged_games: coins has no plans to judge, only shogun"):
        new_run(tmp_path / "r", judged_games=1)
    with pytest.raises(ValueError, match=f"judged_games: opponent {bot} is not compiled; leave it out"):
        new_run(tmp_path / "r", "shogun", judged_games=1, opponents=[bot])
    assert not (tmp_path / "r").exists()


def test_run__tables__weigh_as_often_as_they_are_named(tmp_path):
    run = new_run(tmp_path / "r", variants=[{}, {"num_players": 2}, {}], options={"num_players": 3})
    assert run.config.tables() == [({"num_players": 3}, 2), ({"num_players": 2}, 1)]
    trainer = Trainer(run, no_report)
    trainer.evaluate()
    trainer.save()
    agent = make_agent(f"ppo:{run.folder}", run.batch_class.spec)
    three, two = (
        win_share(agent, "random", run.batch_class, {"num_players": players}, games)
        for players, games in ((3, 8), (2, 4))
    )
    (line,) = read_progress(run.folder)
    assert line["win_share"]["random"] == pytest.approx((2 * three.share + two.share) / 3)
    width = ((2 * three.half_width) ** 2 + two.half_width**2) ** 0.5 / 3
    assert line["win_share_95"]["random"] == pytest.approx(width)


@pytest.mark.parametrize("evaluate_every", [0, 40])
def test_run__stopped_in_an_evaluation__makes_it_when_it_is_resumed(evaluate_every, tmp_path, monkeypatch):
    settings = {"updates": 9, "evaluate_games": 8, "evaluate_every": evaluate_every}
    whole, parts = (new_run(tmp_path / name, **settings) for name in ("whole", "parts"))
    trained(whole)
    assert len(read_progress(whole.folder)) > 2

    def stop(self, games=None):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Trainer, "evaluate", stop)
        trained(parts)
    assert not read_progress(parts.folder)
    trained(parts, resume=True)
    lines = [[{**line, "seconds": 0} for line in read_progress(run.folder)] for run in (whole, parts)]
    assert lines[0] == lines[1] and weights_of(whole) == weights_of(parts)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_train__told_to_stop_in_an_update__ends_it_and_goes_on_as_if_not_stopped(sent, tmp_path, monkeypatch):
    whole, parts = (new_run(tmp_path / name, updates=6, imitation_fraction=0.3) for name in ("whole", "parts"))
    assert train(whole)
    calls = 0

    def told(learner, *rest):
        nonlocal calls
        calls += 1
        if calls == 2:
            signal.raise_signal(sent)
        update(learner, *rest)

    update = PPO._update
    monkeypatch.setattr(PPO, "_update", told)
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell ignores in the background
    try:
        assert not train(parts)
    finally:
        signal.signal(signal.SIGINT, ours)
    assert train(parts, resume=True)
    lines = [[{**line, "seconds": 0} for line in read_progress(run.folder)] for run in (whole, parts)]
    assert lines[0] == lines[1] and state_of(whole) == state_of(parts)


def test_run__resumed_for_longer__does_not_go_back_to_imitation(tmp_path):
    run = new_run(tmp_path / "r", imitation_fraction=0.5)
    imitated, before, lines = trained(run).imitated, weights_of(run), read_progress(run.folder)
    assert imitated > 0
    run.config = changed(run.config, {"decisions": 4 * run.config.decisions})
    longer = trained(run, resume=True)
    assert longer.imitated == imitated and longer.decisions >= run.config.decisions > lines[-1]["decisions"]
    assert weights_of(run) != before
    assert read_progress(run.folder)[: len(lines)] == lines


def test_run__started_from_a_network__begins_with_its_weights(tmp_path):
    first = new_run(tmp_path / "first")
    trained(first)
    run = new_run(tmp_path / "next", start=str(first.folder), algorithm="mmd")
    trainer = Trainer(run, no_report)
    for network in (trainer.learner.network, trainer.learner.magnet):
        assert {name: array.tobytes() for name, array in network.weights().items()} == weights_of(first)
    assert trainer.decisions == 0


def test_run__resumed_without_the_network_that_it_started_from__goes_on(tmp_path):
    first = new_run(tmp_path / "first")
    trained(first)
    run = new_run(tmp_path / "next", start=str(first.folder))
    decisions = trained(run, Interrupted(2)).decisions
    (first.folder / FILE).unlink()
    assert trained(run, resume=True).decisions > decisions


def test_run__after_imitation__goes_on_from_the_network_that_was_kept_which_is_the_reference(tmp_path, monkeypatch):
    trainer, played = Trainer(new_run(tmp_path / "r", algorithm="r-nad"), no_report), []
    play, first = trainer.games_to_play, trainer.learner.magnet.weights()["action.weight"]
    for is_best in (True, False):
        monkeypatch.setattr(trainer.imitation, "is_best", lambda is_best=is_best: is_best)
        trainer.imitate(0.5)
    kept = trainer.average["action.weight"].copy()
    monkeypatch.setattr(trainer, "games_to_play", lambda: played.append(trainer.learner.network.weights()) or play())
    trainer.play()
    learnt = trainer.learner.network.weights()["action.weight"]
    reference = trainer.learner.magnet.weights()["action.weight"]
    assert (played[0]["action.weight"] == kept).all(), "it is the last network, which foretold held-out files worse"
    assert (reference == kept).all() and (reference != learnt).any() and (reference != first).any()


@pytest.mark.parametrize("average", [1, 10**9])
def test_run__average__is_the_mean_over_the_decisions_of_its_updates(average, tmp_path):
    trainer = Trainer(new_run(tmp_path / "r", average=average, imitation_fraction=0.0), no_report)
    total, decisions = 0.0, 0
    for _ in range(4):
        before = trainer.decisions
        trainer.play()
        weights = trainer.learner.network.weights()["action.weight"]
        total, decisions = total + (trainer.decisions - before) * weights.astype(np.float64), trainer.decisions
    expected = weights if average == 1 else total / decisions
    assert trainer.average["action.weight"] == pytest.approx(expected, abs=1e-6)
    trainer.save()
    saved = load_network(trainer.run.batch_class.spec, trainer.run.folder)[1]
    assert all((saved[name] == array).all() for name, array in trainer.average.items())


def test_run__games__are_new_in_every_update_and_others_for_another_seed(tmp_path):
    reached = set()
    for seed in (0, 1):
        trainer = Trainer(new_run(tmp_path / str(seed), seed=seed), no_report)
        for _ in range(5):
            (batch,) = trainer.new_games()
            seeds = set(batch.seeds.tolist())
            assert len(seeds) == TINY["games_per_update"] and not seeds & reached
            reached |= seeds


@pytest.mark.parametrize(
    "own",
    [
        pytest.param({"opponents": ["random"]}, marks=pytest.mark.slow, id="bots"),
        pytest.param({"opponents": [], "self_fraction": 1.0}, marks=pytest.mark.full, id="self"),
    ],
)
def test_ppo__on_coins__takes_far_more_wins_than_its_share(own, tmp_path):
    settings = {
        "imitation_fraction": 0.0, "place_width": 4, "trunk_width": 32, "value_width": 16, "games_per_update": 256,
        "batch_size": 256, "n_epochs": 4, "learning_rate": 3e-3, "decisions": 60_000,
        "evaluate_every": 10**9, "evaluate_games": 1000, "snapshot_every": 10_000, **own,
    }  # fmt: skip
    run = new_run(tmp_path / "r", **settings)
    trained(run)
    line = read_progress(run.folder)[-1]
    for key in ("win_share", "win_share_sampled"):
        assert line[key]["random"] - line[f"{key}_95"]["random"] > 0.6  # 50 % is parity


def test_run__resumed_as_another_game__refused(tmp_path, capsys):
    Run.create(tmp_path / "r", load_config(SHOGUN), Batch)
    line = refusal(capsys, "selfplay", "--resume", "--game", "shitenno", "--out", str(tmp_path / "r"))
    assert "is a run of shogun, but --game shitenno" in line


def test_run__resumed_with_other_options_of_play__refused(tmp_path, capsys):
    arguments = ["--out", str(tmp_path / "r"), "--resume"]
    Run.create(tmp_path / "r", load_config(SHOGUN, changes={"options": {"num_players": 3}}), Batch)
    line = refusal(capsys, "selfplay", *arguments, "--players", "4")
    assert "is a run with num_players=3, which cannot become 4" in line
    same = parser_of("selfplay", "shogun").parse_args([*arguments, "--players", "3", "--decisions", "5"])
    run = selfplay.run_of(same)
    assert (run.config.options, run.config.decisions) == ({"num_players": 3}, 5)
    run.keep_limits("the command")
    assert Run.open(tmp_path / "r", Batch).config == run.config
    line = refusal(capsys, "selfplay", *arguments, "--seed", "4")
    assert "is a run with seed=0, which cannot become 4" in line
    line = refusal(capsys, "selfplay", *arguments, "--config", "quick")
    assert "--config quick: " in line and "is resumed with the settings that it has" in line


def test_run__resumed_with_new_limits_of_which_one_is_reached__refused(tmp_path, capsys):
    run = Run.create(tmp_path / "r", load_config(SHOGUN, changes={"seconds": 60.0}), Batch)
    run.add_progress({"decisions": 500, "seconds": 60.5, "win_share": {}})
    arguments = ["selfplay", "--out", str(run.folder), "--resume", "--decisions", "900"]
    assert "seconds=60.0 is reached, at 60.5; give --seconds more" in refusal(capsys, *arguments)
    line = refusal(capsys, *arguments[:-1], "500", "--seconds", "0")
    assert "decisions=500 is reached, at 500; give --decisions more" in line
    assert Run.open(run.folder, Batch).config == run.config


def test_selfplay__options_of_play__override_those_of_the_settings_one_by_one(tmp_path):
    arguments = ["--set", "options={num_players=3, side='moon', start='draft'}", "--start", "random"]
    args = parser_of("selfplay", "shogun").parse_args([*arguments, "--tower", "2:0.15:0.025:0", "--out", str(tmp_path)])
    options = {"num_players": 3, "side": "moon", "start": "random", "tower": [2, 0.15, 0.025, 0]}
    assert selfplay.config_of(args).options == options
    args.command_line = "the command"
    run = selfplay.run_of(args)
    assert json.loads((tmp_path / "run.json").read_text())["config"]["options"] == options
    assert Run.open(tmp_path, Batch).config == run.config


def setting_arguments(name, **more):
    """Return the arguments of a run like those of ``tiny``."""
    values = {**TINY, **limits(name), **more}
    return ["--game", name, *(f"--set={key}={json.dumps(value)}" for key, value in values.items())]


def test_selfplay__opponents_where_the_learner_plays_all_seats__refused(tmp_path, capsys):
    words = ["selfplay", "--game", "shikoku", "--out", str(tmp_path / "r")]
    line = refusal(capsys, *words, "--opponents", "scripted,random")
    assert "opponents=scripted,random play in no game: self_fraction is 1, give it less" in line
    assert not (tmp_path / "r").exists()


@pytest.mark.full
@each_engine
def test_selfplay__command__trains_the_game_and_says_how(engine, tmp_path, capsys):
    out, figures = tmp_path / "r", tmp_path / "figures.json"
    name = engine.spec.name
    assert run_command("selfplay", [*setting_arguments(name), "--out", str(out), "--json", str(figures)]) == 0
    said = capsys.readouterr().out
    assert f"the bot is ppo:{out}" in said and "of games against random" in said
    assert json.loads(figures.read_text()) == read_progress(out)[-1]
    about = json.loads((out / "run.json").read_text())
    expected = {**as_json(load_config(engine.spec)), **TINY, **limits(name)}
    assert about["config"] == expected
    assert about["command"].startswith(f"shogun-env selfplay --game {name} --set=place_width=4")
    assert list((out / "snapshots").glob("*.npz"))
    assert (out / "log" / "progress.csv").is_file()
    assert 0 <= win_share(make_agent(f"ppo:{out}", engine.spec), "random", engine, {}, games=4).share <= 1


def test_run__killed_before_its_first_or_after_its_last_checkpoint__has_the_lines_of_one_that_was_not(tmp_path):
    whole, killed = (new_run(tmp_path / name, updates=2) for name in ("whole", "killed"))
    trained(whole)
    killed.add_progress({"decisions": 7, "win_share": {}})  # of an evaluation that no checkpoint knows
    for _ in range(2):  # from its beginning, then from its end
        trained(Run.open(killed.folder, killed.batch_class), resume=True)
    lines = [[{**line, "seconds": 0} for line in read_progress(run.folder)] for run in (whole, killed)]
    assert lines[0] == lines[1] and weights_of(whole) == weights_of(killed)


@pytest.mark.parametrize("damage", ["cut", "empty", "of a run of other sizes"])
def test_selfplay__resumed_from_a_bad_checkpoint__one_line(damage, tmp_path, capsys):
    run = new_run(tmp_path / "r", "shitenno")
    path = run.folder / CHECKPOINT
    Trainer(run, no_report).save()
    path.write_bytes({"cut": path.read_bytes()[:-99], "empty": b""}.get(damage, path.read_bytes()))
    if damage == "of a run of other sizes":
        about = json.loads((run.folder / "run.json").read_text())
        about["config"]["trunk_width"] = 9
        (run.folder / "run.json").write_text(json.dumps(about))
    line = refusal(capsys, "selfplay", "--resume", "--out", str(run.folder))
    assert "not a checkpoint of this run, or damaged" in line
    progress = run.folder / "progress.jsonl"
    progress.write_text('{"decisions": 1, "win_share": {}}\n' * 3)
    torch.save({"policy": {}}, path)
    assert "not a checkpoint of this run" in refusal(capsys, "selfplay", "--resume", "--out", str(run.folder))
    assert len(progress.read_text().splitlines()) == 3
    path.unlink()
    network = (run.folder / FILE).read_bytes()
    assert "put it back, or begin a new run" in refusal(capsys, "selfplay", "--resume", "--out", str(run.folder))
    assert (run.folder / FILE).read_bytes() == network


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_train__told_to_stop__saves_the_run_and_says_how_to_resume_it(sent, tmp_path, monkeypatch, capsys):
    run, play = new_run(tmp_path / "a run", imitation_fraction=0.0), Trainer.play

    def stopped(trainer):
        play(trainer)
        signal.raise_signal(sent)

    monkeypatch.setattr(Trainer, "play", stopped)
    before = signal.getsignal(signal.SIGTERM)
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell ignores in the background
    try:
        assert not train(run)
    finally:
        signal.signal(signal.SIGINT, ours)
    assert signal.getsignal(signal.SIGTERM) == before
    assert f"the run is saved, shogun-env selfplay --resume --out '{run.folder}' resumes it" in capsys.readouterr().err
    saved = load_network(run.batch_class.spec, run.folder)[2]["decisions"]
    assert saved == run.load_checkpoint()["counters"]["num_timesteps"] > 0
    with monkeypatch.context() as patched:
        patched.setattr(Trainer, "play", play)
        assert train(run, resume=True)


def test_train__told_to_stop_before_it_begins__says_how_to_resume_it(tmp_path, monkeypatch, capsys):
    run = new_run(tmp_path / "r")

    def stop(run):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("shogun_env.training.trainer.compile_kernels", stop)
        assert not train(run)
    said = f"stopped before it began; the run is saved, shogun-env selfplay --resume --out {run.folder} resumes it"
    assert said in capsys.readouterr().err
    monkeypatch.setattr(Run, "elsewhere", lambda run: "another folder")
    assert train(run, resume=True)
    assert "another folder\n" in capsys.readouterr().err


def test_selfplay__stopped_after_an_evaluation_on_the_way__says_its_shares(tmp_path, monkeypatch, capsys):
    run = new_run(tmp_path / "r", decisions=80 * SIZES["coins"], evaluate_every=0, evaluate_games=8)
    trained(run, Interrupted(30))
    monkeypatch.setattr("shogun_env.training.trainer.train", lambda run, resume, **_: False)  # stopped once more
    monkeypatch.setattr(selfplay, "run_of", lambda args: run)
    args = parser_of("selfplay", "shogun").parse_args(["--resume", "--out", str(run.folder)])
    args.command_line = "the command"
    assert selfplay.main(args) == 130
    says = capsys.readouterr().out
    assert " of games against random\n" in says and f"the bot is ppo:{run.folder}" in says


def test_run__whose_weights_are_no_numbers__ends_in_one_line_and_keeps_what_was_saved(tmp_path, monkeypatch):
    run = new_run(tmp_path / "r", imitation_fraction=0.0)
    monkeypatch.setattr(PPO, "_rate", lambda learner, left: float("inf"))
    with pytest.raises(ValueError, match=r"decisions weights are not finite; begin a new run with a lower"):
        train(run)
    assert not (run.folder / FILE).exists()


@pytest.mark.parametrize("file", ["progress.jsonl", "checkpoint.pt"])
def test_run__on_a_full_disk__says_which_folder(file, tmp_path, monkeypatch):
    run = new_run(tmp_path / "r")

    def full(self, *rest):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Run, {"progress.jsonl": "add_progress", "checkpoint.pt": "save_checkpoint"}[file], full)
    with pytest.raises(OSError, match="No space left") as said:
        train(run)
    assert said.value.filename == str(run.folder)


def test_run__killed_after_a_snapshot_that_no_checkpoint_knows__forgets_it(tmp_path):
    run = new_run(tmp_path / "r", algorithm="fictitious", snapshots=9)
    trained(run, Interrupted(5))
    kept = sorted(path.name for path in (run.folder / "snapshots").iterdir())
    (run.folder / "snapshots" / "000000099999.npz").write_bytes(b"of updates that come again")
    Trainer(run, no_report, resume=True)
    assert kept and sorted(path.name for path in (run.folder / "snapshots").iterdir()) == kept


@each_engine
def test_save__of_a_trainer__network_and_checkpoint_are_of_the_same_moment(engine, tmp_path):
    run = new_run(tmp_path / "r", engine.spec.name)
    trainer = Trainer(run, no_report)
    trainer.save()
    assert [path.name for path in run.folder.iterdir() if path.name.startswith(".")] == []
    policy = run.load_checkpoint()["policy"]
    for name, array in load_network(engine.spec, run.folder / FILE)[1].items():
        assert (policy[f"network.own.{name.replace('.', '_')}"].numpy() == array).all()
    save_network(run.folder / FILE, engine.spec, run.shape.sizes, run.shape.random_weights(9))
    assert weights_of(run) != {name: array.tobytes() for name, array in trainer.learner.network.weights().items()}


def test_selfplay__games_played_ahead__by_the_network_before_and_the_same_twice(tmp_path):
    runs = {name: new_run(tmp_path / name, updates=8, collect_ahead=name != "now") for name in ("now", "one", "two")}
    for run in runs.values():
        trainer = trained(run)
        assert trainer.done >= 1 and bool(trainer.ahead) == run.config.collect_ahead
    assert weights_of(runs["one"]) == weights_of(runs["two"]) != weights_of(runs["now"])
    trainer = Trainer(new_run(tmp_path / "three", imitation_fraction=0.0, collect_ahead=True), no_report)
    players = []
    begin = trainer.games_to_play
    trainer.games_to_play = lambda: (players.append(trainer.learner.network.weights()), begin())[1]
    for _ in range(3):
        trainer.play()
    first, second, *_ = (each["action.weight"] for each in players)
    assert (first == second).all(), "the second games are begun before the network has learnt from the first"
    assert len(players) == 4 and (players[3]["action.weight"] != second).any()
