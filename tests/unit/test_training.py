"""Training: settings, opponents, imitation, run folders, a toy game, a run that is stopped and goes on."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from agents.policy import Network
from benchmarks.signature import main as signature_command
from shogun_env.policies import make_agent
from shogun_env.shogun import SHOGUN, Batch
from training import demo, selfplay
from training.config import CONFIGS, Config, changed, load_config
from training.imitation import imitate, play_lessons
from training.nets import make_learner, prepare_torch
from training.opponents import OpponentPool
from training.runs import Run, read_progress
from training.sanity_envs import CueGame, mean_reward
from training.signature import combinations_of, signature

TINY = {
    "rows": 4,
    "steps": 8,
    "batch": 16,
    "epochs": 1,
    "layers": [16],
    "value_layers": [16],
    "decisions": 96,
    "evaluate_every": 64,
    "evaluate_games": 4,
    "snapshot_every": 32,
    "evaluate_against": ["random"],
}


def test_config__files__all_load_and_change_something():
    for path in CONFIGS.glob("*.toml"):
        assert load_config(path.stem) != Config()


@pytest.mark.parametrize(
    ("changes", "says"), [({"rowz": 4}, "unknown setting 'rowz'"), ({"rows": 4.5}, "rows=4.5"), ({"rows": "4"}, "int")]
)
def test_config__unknown_or_of_the_wrong_type__named(changes, says):
    with pytest.raises(ValueError, match=says):
        load_config(None, changes)


def test_config__through_json__the_same():
    config = load_config("demo", {"options": {"num_players": 3}})
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


def test_lessons__of_the_teacher_alone__its_own_choices():
    teacher = make_agent("scripted", SHOGUN)
    lessons = play_lessons(Batch(4, reward="rank"), teacher, np.random.default_rng(0))
    assert lessons.masks[np.arange(len(lessons.actions)), lessons.actions].all()
    function, params = teacher.compiled
    for index in range(0, len(lessons.actions), 97):
        mask = lessons.masks[index].astype(np.int8)
        again = function(lessons.observations[index], mask, np.zeros(2, np.uint64), params)
        assert again == lessons.actions[index]
    assert len(np.unique(lessons.returns)) > 1
    assert np.abs(lessons.returns).max() == 1


def test_signature__same_twice__and_by_number_of_games():
    assert signature(Batch, 60) == signature(Batch, 60) != signature(Batch, 61)
    assert len(combinations_of(Batch)) == 72


def test_signature__command__prints_the_hex(capsys):
    assert signature_command(["--games", "8"]) == 0
    assert int(capsys.readouterr().out, 16) >= 0


def test_run__game_has_changed__not_resumed(tmp_path):
    Run.create(tmp_path / "r", Config(), Batch)
    about = json.loads((tmp_path / "r" / "run.json").read_text())
    with pytest.raises(ValueError, match="holds a run already"):
        Run.create(tmp_path / "r", Config(), Batch)
    for name, value, says in (("signature", "0", "signature"), ("card", {**about["card"], "layout": "x"}, "layout")):
        (tmp_path / "r" / "run.json").write_text(json.dumps({**about, name: value}))
        with pytest.raises(ValueError, match=says):
            Run.open(tmp_path / "r", Batch)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--config", "none"], "config none"),
        (["--set", "rows"], "--set rows"),
        (["--set", "rows='x'"], "rows='x'"),
        (["--resume"], "no run here"),
    ],
)
def test_selfplay__bad_arguments__one_line_and_status_2(arguments, says, tmp_path, capsys):
    with pytest.raises(SystemExit) as caught:
        selfplay.main([*arguments, "--out", str(tmp_path / "r")])
    assert caught.value.code == 2
    line = capsys.readouterr().err
    assert says in line
    assert line.count("\n") == 1


@pytest.mark.full
def test_selfplay__tiny_run__saved_resumed_and_playable(tmp_path):
    run = Run.create(tmp_path / "r", changed(Config(), {**TINY, "imitate_seconds": 0.5}), Batch)
    selfplay.train(run)
    assert len(list((run.folder / "snapshots").glob("*.zip"))) >= 2
    lines = read_progress(run.folder)
    assert lines[-1]["decisions"] >= TINY["decisions"]
    again = Run.open(run.folder, Batch)
    again.config = changed(again.config, {"decisions": 192})
    selfplay.train(again, resume=True)
    assert read_progress(run.folder)[-1]["decisions"] >= 192
    share = selfplay.win_share(make_agent(f"ppo:{run.folder}", SHOGUN), "random", Batch, {}, games=8)
    assert 0.0 <= share <= 1.0


@pytest.mark.full
def test_trainer__toy_game__solved():
    config = changed(
        Config(),
        {"rows": 64, "steps": 32, "layers": [32], "value_layers": [32], "learning_rate": 1e-3, "batch": 512},
    )
    prepare_torch(1)
    learner = make_learner(CueGame(config.rows), config)
    assert mean_reward(learner, CueGame(64, seed=1)) < 0.5
    learner.learn(20_000)
    assert mean_reward(learner, CueGame(64, seed=1)) > 0.95


@pytest.mark.slow
def test_imitation__half_a_minute__beats_random(tmp_path):
    run = Run.create(tmp_path / "r", Config(), Batch)
    learner, _ = selfplay.make(run)
    imitate(learner.policy, Batch(32, reward="rank"), "scripted", 30.0, 2e-3, lambda spent, text: None)
    learner.policy.set_training_mode(False)
    assert selfplay.win_share(Network(learner.policy, SHOGUN), "random", Batch, {}, games=200) > 0.5


@pytest.mark.slow
def test_demo__some_seconds__everything_it_promises(tmp_path, capsys):
    assert demo.main(["--out", str(tmp_path / "d"), "--seconds", "6", "--games", "8"]) == 0
    said = capsys.readouterr().out
    for name in ("report.html", "replay.html"):
        assert (tmp_path / "d" / name).is_file()
        assert str(tmp_path / "d" / name) in said
    assert "Alone against scripted" in said
    assert (
        demo.main(["--out", str(tmp_path / "d"), "--seconds", "2", "--games", "4"]) == 0
    )  # an earlier demo is cleared


def test_demo__folder_of_something_else__left_alone(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(SystemExit) as caught:
        demo.main(["--out", str(tmp_path)])
    assert caught.value.code == 2
    assert (tmp_path / "mine.txt").read_text() == "keep"
    assert "not empty" in capsys.readouterr().err
