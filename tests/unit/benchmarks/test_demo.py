"""The demo: everything that it promises, and folders that it leaves alone."""

from pathlib import Path

import pytest

from shogun_env.benchmarks import demo
from shogun_env.commands import run_command
from shogun_env.training.config import load_config, with_options
from tests.games import batch_class, each_engine
from tests.refusals import refusal

pytestmark = pytest.mark.usefixtures("no_pictures")

pytest.importorskip("torch")


@pytest.mark.slow
@each_engine
def test_demo__some_seconds__everything_it_promises(engine, tmp_path, capfd):
    out = tmp_path / "d"
    name = engine.spec.name
    assert run_command("demo", ["--game", name, "--out", str(out), "--seconds", "6", "--games", "8"]) == 0
    said = capfd.readouterr().out
    for file in ("report.html", "replay.html"):
        assert (out / file).is_file()
        assert f" {(out / file).as_uri()}\n" in said
    assert f"/shogun-env play --game {name} --against ppo:{out / 'run'}" in said
    report = (out / "report.html").read_text()
    for command in ("tournament", "selfplay --config quick --seconds 6"):
        assert f"shogun-env {command} --game {name} " in said
        assert f"shogun-env {command} --game {name} " in report
    assert "alone-against-scripted" in report
    assert run_command("demo", ["--out", str(out), "--seconds", "2", "--games", "4"]) == 0  # an earlier demo is cleared


def test_demo__options_of_play__are_those_of_every_command_that_plays():
    options = {"num_players": 3, "side": "moon", "start": "draft", "tower": [3, 0.2, 0.1, 0.05], "optional_moves": True}
    config = with_options(load_config(batch_class("shogun").spec, "quick"), options)
    commands = [command for some in demo.commands_of(Path("out"), config, 6).values() for command in some]
    playing = [command for command in commands if command[0] not in ("report", "view")]
    assert {command[0] for command in playing} == {"selfplay", "tournament", "record"}
    for command in playing:
        assert "--players 3 --side moon --start draft --tower 3:0.2:0.1:0.05 --optional-moves" in " ".join(command)
    assert "play --game shogun --against 'ppo:a b' --players 3 --side moon " in demo.play_command("ppo:a b", config)


def test_demo__folder_of_something_else__left_alone(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("keep")
    assert "not empty" in refusal(capsys, "demo", "--out", str(tmp_path))
    assert (tmp_path / "mine.txt").read_text() == "keep"
