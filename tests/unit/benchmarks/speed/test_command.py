"""The speed command: every figure is there, bad arguments are one line."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from shogun_env.benchmarks.speed import command
from shogun_env.benchmarks.speed.measures import Settings
from shogun_env.benchmarks.speed.peers import PEERS
from shogun_env.benchmarks.speed.tables import WORDS, compare, page, readme
from shogun_env.cli import option_arguments
from tests.refusals import refusal

ROOT = Path(__file__).resolve().parents[4]
TINY = Settings(seconds=0.0, rounds=2, games=4, sizes=(2, 4), one_run=False)


FIGURES = (
    "import_warm_s", "bytes_per_game", "batch_python_decisions_per_s", "parallel_env_steps_per_s",
    "aec_env_steps_per_s", "vector_env_decisions_per_s", "redeals_per_s",
)  # fmt: skip


BY_CORES = (
    "random_decisions_per_s", "random_games_per_s", "observed_decisions_per_s", "scripted_games_per_s",
    "classic_games_per_s",
)  # fmt: skip
SEARCH = [f"{kind}_rollouts_{loop}per_s" for kind in ("plan", "action", "game") for loop in ("", "python_")]


LONG = ("compile_cold_s", "selfplay_fps", "memory_100k_games_bytes")


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The JSON of a run, with peers."""
    path = tmp_path_factory.mktemp("speed") / "new" / "speed.json"
    assert command.main(["--json", str(path), "--seed", "3", "--peers"], TINY) == 0
    return json.loads(path.read_text("utf-8"))


@pytest.mark.full
def test_run__every_figure__has_median_min_and_max(measured):
    assert measured["cores"] == command.num_cores()
    assert all(name in measured for name in WORDS)
    for value in [measured[name] for name in FIGURES] + [
        measured[name][key] for name in (*BY_CORES, *SEARCH) for key in ("1", "all")
    ]:
        assert 0 < value["min"] <= value["median"] <= value["max"] < math.inf
    assert [measured[name] for name in LONG] == [None] * len(LONG)


@pytest.mark.full
def test_run__players_and_batches__have_figures_of_their_own(measured):
    assert list(measured["by_players"]) == ["3", "4", "5"]
    assert measured["by_players"]["4"]["random_games_per_s"] == measured["random_games_per_s"]
    for players in measured["by_players"].values():
        assert set(players) >= set(BY_CORES)
    assert list(measured["by_batch"]) == ["2", "4"]


@pytest.mark.full
def test_run__says_where_it_was_measured(measured):
    machine = measured["machine"]
    assert machine["cpu"]
    assert machine["cores"] >= 1
    assert machine["commit"]
    assert {"python", "numpy", "numba"} <= set(machine["versions"])


@pytest.mark.full
def test_run__peers__are_measured_or_named_as_missing(measured):
    assert set(measured["peers"]) == {peer.name for peer in PEERS}
    for peer in measured["peers"].values():
        assert "missing" in peer or peer["decisions_per_s"]["median"] > 0
    assert all(peer.name in page(measured) for peer in PEERS)


@pytest.mark.full
def test_publish__files_of_two_games__make_readme_and_baseline(measured, tmp_path):
    runs = [measured, {**measured, "game": "shitenno"}]
    paths = [tmp_path / f"{run['game']}.json" for run in runs]
    for path, run in zip(paths, runs, strict=True):
        path.write_text(json.dumps(run), "utf-8")
    command.publish(paths, tmp_path)
    text = (tmp_path / "README.md").read_text("utf-8")
    assert text == readme(runs)
    assert text.index("## Shogun") < text.index("## Shitenno")
    baseline = json.loads((tmp_path / "baseline.json").read_text("utf-8"))
    assert set(baseline) == {"shogun", "shitenno"}
    assert baseline["shogun"]["ratios"] == measured["ratios"]
    assert all(not moved.verdict for moved in compare(measured["ratios"], baseline["shogun"]["ratios"]))


def test_publish__without_a_folder__goes_where_the_published_files_are(tmp_path, monkeypatch, capsys):
    assert command.PUBLISHED.resolve() == ROOT / "benchmarks"
    assert all((command.PUBLISHED / name).is_file() for name in ("README.md", "baseline.json"))
    monkeypatch.setattr(command, "PUBLISHED", tmp_path / "benchmarks")
    monkeypatch.setattr(command, "readme", lambda runs: f"{len(runs)} chapter")
    command.PUBLISHED.mkdir()
    measured = {"machine": {}, "game": "shogun", "options": {}, "ratios": {"a": 1.0}, **dict.fromkeys(WORDS)}
    (tmp_path / "speed.json").write_text(json.dumps(measured), "utf-8")
    assert command.main(["--publish", str(tmp_path / "speed.json")]) == 0
    assert sorted(path.name for path in command.PUBLISHED.iterdir()) == ["README.md", "baseline.json"]
    assert (command.PUBLISHED / "README.md").read_text("utf-8") == "1 chapter"
    baseline = json.loads((command.PUBLISHED / "baseline.json").read_text("utf-8"))
    assert baseline == {"shogun": {"machine": {}, "options": {}, "ratios": {"a": 1.0}}}


def test_baseline__of_other_options_of_play__is_refused(tmp_path, capsys):
    path = tmp_path / "baseline.json"
    before = {"shogun": {"ratios": {"a": {}}}, "shitenno": {"options": {"num_players": 2}, "ratios": {"b": {}}}}
    path.write_text(json.dumps(before), "utf-8")
    assert command.read_baseline(path, Settings()) == {"a": {}}
    assert command.read_baseline(path, Settings(game="shitenno", options={"num_players": 2})) == {"b": {}}
    assert command.read_baseline(None, Settings()) is None
    assert "cannot be compared" in refusal(capsys, command.main, "--players", "3", "--baseline", str(path))
    assert "cannot be compared" in refusal(capsys, command.main, "--game", "shitenno", "--baseline", str(path))
    (tmp_path / "other.json").write_text("{}", "utf-8")
    assert command.read_baseline(tmp_path / "other.json", Settings()) == {}


@pytest.mark.full
def test_run__options_of_play__are_those_of_every_game_measured(tmp_path, monkeypatch):
    spec = command.batch_class("shogun").spec
    check, asked = spec.check_options, []

    def watched(options):
        asked.append(check(options))
        return asked[-1]

    monkeypatch.setitem(spec.__dict__, "check_options", watched)  # the dataclass is frozen
    options = {"num_players": 3, "side": "moon", "start": "draft", "tower": [2, 0.15, 0.025, 0.5]}
    arguments = [*option_arguments(options), "--json", str(tmp_path / "speed.json")]
    assert command.main(arguments, TINY) == 0
    measured = json.loads((tmp_path / "speed.json").read_text("utf-8"))
    assert (measured["num_players"], measured["options"]) == (3, options)
    assert "3 players (`--side moon --start draft --tower 2:0.15:0.025:0.5`)" in page(measured)
    played = [full for full in asked if full != check({})]
    assert len(played) > 10
    assert all({**full, "num_players": 3} == check(options) for full in played)


def test_command__bad_arguments__one_line_and_status_2(capsys, tmp_path):
    junk = tmp_path / "junk.json"
    junk.write_text("no", "utf-8")
    assert "chess" in refusal(capsys, command.main, "--game", "chess")
    assert "--seed" in refusal(capsys, command.main, "--seed", "-1")
    assert "nowhere.json" in refusal(capsys, command.main, "--baseline", str(tmp_path / "nowhere.json"))
    assert "not a JSON file" in refusal(capsys, command.main, "--baseline", str(junk))
    assert "junk.json" in refusal(capsys, command.main, "--publish", str(junk))
    assert "--no-such" in refusal(capsys, command.main, "--no-such")
    junk.write_text("{}", "utf-8")
    assert "not of this command" in refusal(capsys, command.main, "--publish", str(junk))
    junk.write_text(json.dumps({"machine": {}, "game": "shogun", "options": {}, "ratios": {}, **dict.fromkeys(WORDS)}))
    assert "two of these" in refusal(capsys, command.main, "--publish", str(junk), str(junk))


@pytest.mark.full
def test_command__stopped_in_the_first_round__keeps_what_was_measured(monkeypatch, capsys):
    def stop(settings: Settings) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "import_seconds", stop)
    measured = command.run(TINY)
    assert "stopped" in capsys.readouterr().err
    assert measured["redeals_per_s"]["median"] > 0
    assert measured["import_warm_s"] is None
    assert "not measured" in page(measured)
