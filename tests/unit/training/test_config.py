"""Settings of a training run: files, changes, what is refused."""

import json
import tomllib

import pytest

from shogun_env.shitenno import SHITENNO
from shogun_env.shogun import SHOGUN
from shogun_env.spec.settings import as_json
from shogun_env.training.config import ALGORITHMS, BASE, CONFIGS, Config, changed, load_config, with_options
from tests.games import each_engine

pytest.importorskip("torch")


@each_engine
def test_config__files_of_a_game__name_it_load_fit_it_and_change_something(engine):
    from shogun_env.training.runs import check_playable

    paths = {path.stem: path for path in (CONFIGS / engine.spec.name).glob("*.toml")}
    assert paths.keys() - {"self", "judged"} == {BASE, "exploit", "quick", "gpu", "laptop", "night", "scratch", "teach"}
    for name, path in paths.items():
        config = load_config(engine.spec, name)
        check_playable(config, engine)
        assert (config == load_config(engine.spec)) == (name == BASE)
        assert tomllib.loads(path.read_text("utf-8"))["game"] == engine.spec.name


def test_config__changes__go_over_the_file_over_the_base(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("games_per_update = 7\nn_epochs = 8\n")
    config = load_config(SHOGUN, path, {"n_epochs": 9})
    assert (config.games_per_update, config.n_epochs) == (7, 9)
    base = tomllib.loads((CONFIGS / "shogun" / "base.toml").read_text())["place_width"]
    assert config.place_width == load_config(SHOGUN).place_width == base != Config().place_width


def test_config__algorithm__its_defaults_go_over_what_is_before_the_place_that_names_it(tmp_path):
    own = ALGORITHMS["fictitious"]
    config = load_config(SHOGUN, "scratch", {"algorithm": "fictitious", "snapshots": 9})
    assert load_config(SHOGUN, "scratch").snapshot_every != own["snapshot_every"] == config.snapshot_every
    assert (config.snapshot_draw, config.self_fraction, config.snapshots) == ("uniform", 0.0, 9)
    path = tmp_path / "mine.toml"
    path.write_text('magnet_average = 7\nalgorithm = "mmd"\n')
    config = load_config(SHOGUN, path, {"magnet_coef": 0.5})
    assert (config.magnet_average, config.magnet_coef) == (7, 0.5)
    assert load_config(SHOGUN, path, {"algorithm": "ppo"}).magnet_coef == 0.0
    assert changed(config, {"algorithm": "mmd"}).magnet_average == ALGORITHMS["mmd"]["magnet_average"]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"gamez": 4}, "unknown setting 'gamez'; did you mean game"),
        ({"seconds": 10**400}, "seconds=1000.*: must be a finite number, 0 or more"),
        *(({"games_per_update": value}, f"games_per_update={value!r}: must be a whole number, at least 1") for value in
          (4.5, True, "4", 0)),
        ({"opponents": "random"}, "opponents='random': must be a list of text"),
        ({"options": [3]}, r"options=\[3\]: must be a table of values by name"),
        *(({"variants": value}, "variants=.*: must be a list of tables, at least one") for value in ([3], [])),
        *(({"seed": value}, "seed=.*: must be a whole number from 0 to 8372223") for value in (-1, 2**32)),
        *(({name: value}, f"{name}=.*: must be a number from 0 to 1") for name, value in
          (("imitation_fraction", 1.5), ("self_fraction", -0.1), ("student_fraction", 7), ("gae_lambda", 2))),
        ({"learnt_fraction": 0.0}, "learnt_fraction=0.0: must be a number above 0, at most 1"),
        ({"algorithm": "cfr"}, 'algorithm=.cfr.: must be one of "ppo", "mmd", "r-nad", "fictitious", "psro"'),
        ({"algorithm": ["mmd"]}, r"algorithm=\['mmd'\]: must be one of"),
        ({"snapshot_draw": "best"}, 'snapshot_draw=.best.: must be one of "score", "uniform", "payoff"'),
        ({"precision": "half"}, 'precision=.half.: must be one of "auto", "float32", "bfloat16"'),
        ({"magnet_every": -1}, "magnet_every=-1: must be a whole number from 0 to"),
        ({"snapshots": 101}, "snapshots=101: must be a whole number from 1 to 100"),
        ({"threads": 100_000}, "threads=100000: must be a whole number from 1 to 1024"),
        *(({name: -1.0}, f"{name}=-1.0: must be a finite number, 0 or more") for name in ("seconds", "learning_rate")),
        *(({"seconds": float(value)}, "seconds=.*: must be a finite number, 0 or more") for value in ("inf", "nan")),
        ({"game": "shitenno"}, "game='shitenno' in the settings, which asks for --game shitenno, not shogun"),
    ],
    ids=str,
)  # fmt: skip
def test_config__unknown_or_wrong__one_line_names_it(changes, says):
    with pytest.raises(ValueError, match=says) as refused:
        load_config(SHOGUN, changes=changes)
    assert "\n" not in str(refused.value)


def test_config__file_that_is_none__one_line(tmp_path):
    with pytest.raises(
        ValueError, match="config huge: no such file; known names for shitenno are base, exploit, gpu, laptop, "
    ):
        load_config(SHITENNO, "huge")
    path = tmp_path / "mine.toml"
    path.write_text("games_per_update = \n")
    with pytest.raises(ValueError, match=r"mine\.toml: Invalid value"):
        load_config(SHITENNO, path)
    path.write_text("variants = 3\n")
    with pytest.raises(ValueError, match=r"config .*mine\.toml: variants=3: must be a list"):
        load_config(SHITENNO, path)
    with pytest.raises(ValueError, match=r"^variants=4: must be a list"):
        load_config(SHITENNO, changes={"variants": 4})


def test_config__options_of_play__go_over_those_of_the_config_one_by_one():
    config = load_config(SHOGUN, changes={"options": {"num_players": 3, "start": "draft"}})
    assert with_options(config, {"start": "random"}).options == {"num_players": 3, "start": "random"}
    assert with_options(config, {}) == config


@each_engine
def test_config__through_json__the_same(engine):
    for name in (BASE, "night"):
        config = load_config(engine.spec, name, {"options": {"num_players": 3}})
        assert changed(Config(), json.loads(json.dumps(as_json(config)))) == config


@each_engine
def test_config__files_limited_by_seconds__are_not_ended_by_decisions_before(engine):
    for path in (CONFIGS / engine.spec.name).glob("*.toml"):
        config = load_config(engine.spec, path.stem)
        assert not config.seconds or config.decisions / config.seconds >= 25_000, path.stem


def test_config__export_without_a_folder__is_refused():
    """It took all files below the working folder."""
    with pytest.raises(ValueError, match=r"imitate='export:': must be a bot, or export: with a folder after it"):
        load_config(SHOGUN, changes={"imitate": "export:"})
