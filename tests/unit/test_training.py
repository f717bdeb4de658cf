"""Training: settings, opponents, imitation, run folders, a toy game, a run that is stopped and goes on."""

from __future__ import annotations

import json
import tempfile
import tomllib
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from shogun_env.agents.network import Network
from shogun_env.benchmarks import demo
from shogun_env.policies import make_agent
from shogun_env.shitenno import Batch as ShitennoBatch
from shogun_env.shogun import SHOGUN, Batch
from shogun_env.training import selfplay
from shogun_env.training.config import BASE, CONFIGS, Config, changed, load_config
from shogun_env.training.imitation import imitate, play_lessons
from shogun_env.training.nets import make_learner, prepare_torch
from shogun_env.training.opponents import OpponentPool
from shogun_env.training.runs import Run, check_playable, read_progress
from shogun_env.training.sanity_envs import CueGame, mean_reward

TINY = {
    "n_envs": 4,
    "n_steps": 8,
    "batch_size": 16,
    "n_epochs": 1,
    "net_arch": {"pi": [16], "vf": [16]},
    "decisions": 96,
    "evaluate_every": 64,
    "evaluate_games": 4,
    "snapshot_every": 32,
    "evaluate_against": ["random"],
}


ENGINES = {engine.spec.name: engine for engine in (Batch, ShitennoBatch)}


def each_game(function: Any) -> Any:
    return pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)(function)


@each_game
def test_config__files_of_a_game__load_fit_it_and_change_something(engine):
    names = {path.stem for path in (CONFIGS / engine.spec.name).glob("*.toml")}
    assert names == {BASE, "demo", "small", "scratch"}
    for name in names:
        config = load_config(engine.spec, name)
        check_playable(config, engine)
        assert (config == load_config(engine.spec)) == (name == BASE)


def test_config__files__say_their_game():
    for path in CONFIGS.glob("*/*.toml"):
        assert tomllib.loads(path.read_text("utf-8"))["game"] == path.parent.name


def test_config__changes__go_over_the_file_over_the_base(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("n_envs = 7\nn_steps = 8\n")
    config = load_config(SHOGUN, path, {"n_steps": 9})
    assert (config.n_envs, config.n_steps) == (7, 9)
    assert config.reward == load_config(SHOGUN).reward == "points"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"rowz": 4}, "unknown setting 'rowz'"),
        ({"n_envs": 4.5}, "n_envs=4.5"),
        ({"n_envs": "4"}, "int"),
        ({"rows": 4}, "setting 'rows' is now called n_envs"),
        ({"layers": [8]}, "is now called net_arch = {pi"),
    ],
)
def test_config__unknown_or_of_the_wrong_type__named(changes, says):
    with pytest.raises(ValueError, match=says):
        load_config(SHOGUN, changes=changes)


@each_game
def test_config__through_json__the_same(engine):
    config = load_config(engine.spec, "demo", {"options": {"num_players": 3}})
    assert changed(Config(), json.loads(json.dumps(config.as_json()))) == config


def test_opponents__line_up__shares_as_set_and_by_seed_alone():
    pool = OpponentPool(SHOGUN, ["random", "scripted"], (0.4, 0.3), snapshots=2)
    for _ in range(4):  # the present learner and three of its past
        pool.play_with(None)
    seeds = np.arange(2000)
    drawn = pool.line_up(seeds, 3)
    assert (pool.line_up(seeds[7:8], 3) == drawn[7]).all()
    count = np.bincount(drawn.ravel(), minlength=6) / drawn.size
    assert count[:2] == pytest.approx([0.2, 0.2], abs=0.02)
    assert count[2] == pytest.approx(0.3, abs=0.03)
    assert count[3] == 0  # older than the two snapshots that are played against
    assert count[4:] == pytest.approx([0.15, 0.15], abs=0.02)


def test_opponents__no_past_yet__the_present_learner():
    pool = OpponentPool(SHOGUN, [], (0.4, 0.3), snapshots=2)
    pool.play_with(None)
    assert (pool.line_up(np.arange(50), 3) == pool.current).all()


@each_game
def test_lessons__of_the_teacher_alone__its_own_choices(engine):
    teacher = make_agent("scripted", engine.spec)
    lessons = play_lessons(engine(4, reward="rank"), teacher, np.random.default_rng(0))
    assert lessons.masks[np.arange(len(lessons.actions)), lessons.actions].all()
    function, params = teacher.compiled
    for index in range(0, len(lessons.actions), 97):
        mask = lessons.masks[index].astype(np.int8)
        again = function(lessons.observations[index], mask, np.zeros(2, np.uint64), params)
        assert again == lessons.actions[index]
    assert len(np.unique(lessons.returns)) > 1
    assert np.abs(lessons.returns).max() == 1


@each_game
def test_run__game_has_changed__not_resumed(engine, tmp_path):
    config = load_config(engine.spec)
    Run.create(tmp_path / "r", config, engine)
    about = json.loads((tmp_path / "r" / "run.json").read_text())
    with pytest.raises(ValueError, match="holds a run already"):
        Run.create(tmp_path / "r", config, engine)
    for name, value, says in (("signature", "0", "signature"), ("card", {**about["card"], "layout": "x"}, "layout")):
        (tmp_path / "r" / "run.json").write_text(json.dumps({**about, name: value}))
        with pytest.raises(ValueError, match=says):
            Run.open(tmp_path / "r", engine)


@each_game
def test_network__of_the_other_game__no_bot_for_this_one(engine, tmp_path):
    (other,) = set(ENGINES.values()) - {engine}
    run = Run.create(tmp_path / "r", load_config(engine.spec, changes=TINY), engine)
    learner, _ = selfplay.make(run)
    run.save(learner)
    assert isinstance(make_agent(f"ppo:{run.folder}", engine.spec), Network)
    with pytest.raises(ValueError, match=f"network for {engine.spec.name} does not play {other.spec.name}"):
        make_agent(f"ppo:{run.folder}", other.spec)


def test_run__resumed_as_another_game__refused(tmp_path, capsys):
    Run.create(tmp_path / "r", load_config(SHOGUN), Batch)
    with pytest.raises(SystemExit):
        selfplay.main(["--resume", "--game", "shitenno", "--out", str(tmp_path / "r")])
    assert "is a run of shogun, but --game shitenno" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--config", "none"], "config none"),
        (["--set", "n_envs"], "--set n_envs"),
        (["--set", "n_envs='x'"], "n_envs='x'"),
        (["--resume"], "no run here"),
        (["--game", "chess"], "game='chess': must be one of shogun, shitenno"),
        (["--game", "shitenno", "--config", "none"], "known names for shitenno are base"),
        (["--config", str(CONFIGS / "shitenno" / "small.toml")], "game='shitenno' in the settings, but --game shogun"),
        (["--set", "game='shitenno'"], "game='shitenno' in the settings, but --game shogun"),
        (["--game", "shitenno", "--set", "reward='points'"], "reward='points'"),
        (["--game", "shitenno", "--set", "options={side='moon'}"], "unknown option 'side'"),
        (["--set", "heuristics=['nobody']"], "unknown agent 'nobody'"),
    ],
)
def test_selfplay__bad_arguments__one_line_status_2_and_no_folder(arguments, says, tmp_path, capsys):
    with pytest.raises(SystemExit) as caught:
        selfplay.main([*arguments, "--out", str(tmp_path / "r")])
    assert caught.value.code == 2
    line = capsys.readouterr().err
    assert says in line
    assert line.count("\n") == 1
    assert not (tmp_path / "r").exists()


@each_game
def test_selfplay__command__trains_the_game_and_says_how(engine, tmp_path, capsys):
    out, told = tmp_path / "r", tmp_path / "told.json"
    small = {"n_envs": 4, "n_steps": 8, "batch_size": 16, "n_epochs": 1, "evaluate_games": 4}
    changes = [f"--set={name}={value}" for name, value in small.items()]
    name = engine.spec.name
    assert selfplay.main(["--game", name, "--decisions", "32", *changes, "--out", str(out), "--json", str(told)]) == 0
    assert f"the bot is ppo:{out}" in capsys.readouterr().out
    assert json.loads(told.read_text()) == read_progress(out)[-1]
    about = json.loads((out / "run.json").read_text())
    assert about["config"] == {**load_config(engine.spec).as_json(), **small, "decisions": 32}
    assert about["command"].startswith(f"python -m training.selfplay --game {name} --decisions 32")


@pytest.mark.full
@each_game
def test_selfplay__tiny_run__saved_resumed_and_playable(engine, tmp_path):
    run = Run.create(tmp_path / "r", load_config(engine.spec, changes={**TINY, "imitate_seconds": 0.5}), engine)
    selfplay.train(run)
    assert len(list((run.folder / "snapshots").glob("*.zip"))) >= 2
    lines = read_progress(run.folder)
    assert lines[-1]["decisions"] >= TINY["decisions"]
    again = Run.open(run.folder, engine)
    again.config = changed(again.config, {"decisions": 192})
    selfplay.train(again, resume=True)
    assert read_progress(run.folder)[-1]["decisions"] >= 192
    share = selfplay.win_share(make_agent(f"ppo:{run.folder}", engine.spec), "random", engine, {}, games=8)
    assert 0.0 <= share <= 1.0


@pytest.mark.full
def test_trainer__toy_game__solved(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    config = changed(
        Config(),
        {"n_envs": 64, "n_steps": 32, "net_arch": {"pi": [32], "vf": [32]}, "learning_rate": 1e-3, "batch_size": 512},
    )
    prepare_torch(1)
    learner = make_learner(CueGame(config.n_envs), config)
    assert mean_reward(learner, CueGame(64, seed=1)) < 0.5
    learner.learn(20_000)
    assert mean_reward(learner, CueGame(64, seed=1)) > 0.95
    assert not list(tmp_path.glob("SB3-*"))  # sb3's default logger leaves an empty folder


@pytest.mark.slow
@each_game
def test_imitation__half_a_minute__beats_random(engine, tmp_path):
    run = Run.create(tmp_path / "r", load_config(engine.spec), engine)
    learner, _ = selfplay.make(run)
    imitate(learner.policy, engine(32, reward="rank"), "scripted", 30.0, 2e-3, lambda spent, text: None)
    learner.policy.set_training_mode(False)
    assert selfplay.win_share(Network(learner.policy, engine.spec), "random", engine, {}, games=200) > 0.5


@pytest.mark.slow
@each_game
def test_demo__some_seconds__everything_it_promises(engine, tmp_path, capsys):
    out = tmp_path / "d"
    name = engine.spec.name
    assert demo.main(["--game", name, "--out", str(out), "--seconds", "6", "--games", "8"]) == 0
    said = capsys.readouterr().out
    for file in ("report.html", "replay.html"):
        assert (out / file).is_file()
        assert str(out / file) in said
    assert "Alone against scripted" in said
    report = (out / "report.html").read_text()
    assert f"{engine.spec.title}: a bot trained in 6 seconds" in report
    assert f"python -m benchmarks.tournament --game {name} " in report
    assert f"python -m benchmarks.demo --game {name} " in report
    assert demo.main(["--out", str(out), "--seconds", "2", "--games", "4"]) == 0  # an earlier demo is cleared


def test_demo__folder_of_something_else__left_alone(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(SystemExit) as caught:
        demo.main(["--out", str(tmp_path)])
    assert caught.value.code == 2
    assert (tmp_path / "mine.txt").read_text() == "keep"
    assert "not empty" in capsys.readouterr().err
