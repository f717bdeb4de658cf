"""Settings of a training run: files, changes, what is refused."""

from __future__ import annotations

import json
import tomllib

import pytest

from shogun_env.shogun import SHOGUN
from shogun_env.training.config import BASE, CONFIGS, Config, changed, load_config, with_options
from shogun_env.training.runs import check_playable
from tests.games import each_engine

pytest.importorskip("sb3_contrib")


@each_engine
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
        ({"seed": -1}, "seed=-1: the seed of a run must be at least 0"),
        ({"seed": 2**32}, "below 2\\^32"),
    ],
)
def test_config__unknown_or_of_the_wrong_type__named(changes, says):
    with pytest.raises(ValueError, match=says):
        load_config(SHOGUN, changes=changes)


def test_config__options_of_play__go_over_those_of_the_config_one_by_one():
    config = load_config(SHOGUN, changes={"options": {"num_players": 3, "start": "draft"}})
    assert with_options(config, {"start": "random"}).options == {"num_players": 3, "start": "random"}
    assert with_options(config, {}) == config


@each_engine
def test_config__through_json__the_same(engine):
    config = load_config(engine.spec, "demo", {"options": {"num_players": 3}})
    assert changed(Config(), json.loads(json.dumps(config.as_json()))) == config
