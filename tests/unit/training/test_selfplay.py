"""Self-play: the command, a run that is stopped and resumed, the network it leaves."""

from __future__ import annotations

import json

import pytest

from shogun_env.agents.network import Network
from shogun_env.policies import make_agent
from shogun_env.shogun import SHOGUN, Batch
from shogun_env.training import selfplay
from shogun_env.training.config import CONFIGS, changed, load_config
from shogun_env.training.runs import Run, read_progress
from tests.games import NAMES, batch_class, each_engine
from tests.refusals import refusal

pytest.importorskip("sb3_contrib")


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


@each_engine
def test_network__of_the_other_game__no_bot_for_this_one(engine, tmp_path):
    (other,) = (batch_class(name) for name in NAMES if name != engine.spec.name)
    run = Run.create(tmp_path / "r", load_config(engine.spec, changes=TINY), engine)
    learner, _ = selfplay.make(run)
    run.save(learner)
    assert isinstance(make_agent(f"ppo:{run.folder}", engine.spec), Network)
    with pytest.raises(ValueError, match=f"network for {engine.spec.name} does not play {other.spec.name}"):
        make_agent(f"ppo:{run.folder}", other.spec)


def test_run__resumed_as_another_game__refused(tmp_path, capsys):
    Run.create(tmp_path / "r", load_config(SHOGUN), Batch)
    line = refusal(capsys, selfplay.main, "--resume", "--game", "shitenno", "--out", str(tmp_path / "r"))
    assert "is a run of shogun, but --game shitenno" in line


def test_run__resumed_with_other_options_of_play__refused(tmp_path, capsys):
    arguments = ["--out", str(tmp_path / "r"), "--resume"]
    Run.create(tmp_path / "r", load_config(SHOGUN, changes={"options": {"num_players": 3}}), Batch)
    line = refusal(capsys, selfplay.main, *arguments, "--players", "4")
    assert "is a run with num_players=3, which cannot become 4" in line
    same = selfplay.make_parser("shogun").parse_args([*arguments, "--players", "3", "--decisions", "5"])
    run = selfplay.run_of(same, "")
    assert (run.config.options, run.config.decisions) == ({"num_players": 3}, 5)


def test_selfplay__options_of_play__override_those_of_the_settings_one_by_one(tmp_path):
    arguments = ["--set", "options={num_players=3, side='moon', start='draft'}", "--start", "random"]
    args = selfplay.make_parser("shogun").parse_args([*arguments, "--tower", "2:0.15:0.025:0", "--out", str(tmp_path)])
    options = {"num_players": 3, "side": "moon", "start": "random", "tower": [2, 0.15, 0.025, 0]}
    assert selfplay.config_of(args).options == options
    run = selfplay.run_of(args, "the command")
    assert json.loads((tmp_path / "run.json").read_text())["config"]["options"] == options
    assert Run.open(tmp_path, Batch).config == run.config


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--config", "none"], "config none"),
        (["--set", "n_envs"], "--set n_envs"),
        (["--set", "n_envs='x'"], "n_envs='x'"),
        (["--resume"], "no run here"),
        (["--decisions", "0"], "argument --decisions: '0' must be a whole number, at least 1"),
        (["--seconds", "-1"], "argument --seconds: '-1' must be a number of seconds, 0 or more"),
        (["--seed", str(2**32)], "seed=4294967296: the seed of a run must be at least 0 and below 2^32"),
        (["--game", "shitenno", "--config", "none"], "known names for shitenno are base"),
        (["--config", str(CONFIGS / "shitenno" / "small.toml")], "game='shitenno' in the settings, but --game shogun"),
        (["--set", "game='shitenno'"], "game='shitenno' in the settings, but --game shogun"),
        (["--game", "shitenno", "--set", "reward='points'"], "reward='points'"),
        (["--game", "shitenno", "--set", "options={side='moon'}"], "unknown option 'side'"),
        (["--set", "heuristics=['nobody']"], "unknown agent 'nobody'"),
    ],
)
def test_selfplay__bad_arguments__one_line_status_2_and_no_folder(arguments, says, tmp_path, capsys):
    assert says in refusal(capsys, selfplay.main, *arguments, "--out", str(tmp_path / "r"))
    assert not (tmp_path / "r").exists()


@each_engine
def test_selfplay__command__trains_the_game_and_says_how(engine, tmp_path, capsys):
    out, figures = tmp_path / "r", tmp_path / "figures.json"
    small = {"n_envs": 4, "n_steps": 8, "batch_size": 16, "n_epochs": 1, "evaluate_games": 4}
    changes = [f"--set={name}={value}" for name, value in small.items()]
    name = engine.spec.name
    assert (
        selfplay.main(["--game", name, "--decisions", "32", *changes, "--out", str(out), "--json", str(figures)]) == 0
    )
    assert f"the bot is ppo:{out}" in capsys.readouterr().out
    assert json.loads(figures.read_text()) == read_progress(out)[-1]
    about = json.loads((out / "run.json").read_text())
    assert about["config"] == {**load_config(engine.spec).as_json(), **small, "decisions": 32}
    assert about["command"].startswith(f"python -m training.selfplay --game {name} --decisions 32")


@pytest.mark.full
@each_engine
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
