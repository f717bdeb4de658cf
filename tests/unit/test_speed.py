"""The speed command: every figure is there, ratios and tables follow from them, bad arguments are one line."""

from __future__ import annotations

import json
import math

import pytest

from shogun_env.benchmarks.speed import command, measures
from shogun_env.benchmarks.speed.measures import Settings, rates
from shogun_env.benchmarks.speed.peers import PEERS
from shogun_env.benchmarks.speed.tables import WORDS, compare, leaves, page, ratios, readme, summary, table

TINY = Settings(seconds=0.0, rounds=2, games=4, sizes=(2, 4), one_run=False)
FIGURES = (
    "import_warm_s", "bytes_per_game", "batch_python_decisions_per_s", "parallel_env_steps_per_s",
    "aec_env_steps_per_s", "vector_env_decisions_per_s", "redeals_per_s",
)  # fmt: skip
BY_CORES = ("random_decisions_per_s", "random_games_per_s", "observed_decisions_per_s", "scripted_games_per_s")
LONG = ("compile_cold_s", "selfplay_fps", "memory_100k_games_bytes")


def figure(middle: float, spread: float = 0.0) -> dict[str, float]:
    return {"median": middle, "min": middle - spread, "max": middle + spread}


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the one line a command says that ends with status 2."""
    with pytest.raises(SystemExit) as left:
        command.main(arguments)
    assert left.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


# --- a whole run, as small as can be ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The JSON of a run, with peers."""
    path = tmp_path_factory.mktemp("speed") / "new" / "speed.json"
    assert command.main(["--json", str(path), "--seed", "3", "--peers"], TINY) == 0
    return json.loads(path.read_text("utf-8"))


@pytest.mark.full
def test_run__every_figure__has_median_min_and_max(found):
    assert found["cores"] == command.num_cores()
    assert all(name in found for name in WORDS)
    for value in [found[name] for name in FIGURES] + [found[name][key] for name in BY_CORES for key in ("1", "all")]:
        assert 0 < value["min"] <= value["median"] <= value["max"] < math.inf
    assert [found[name] for name in LONG] == [None] * len(LONG)


@pytest.mark.full
def test_run__players_and_batches__have_figures_of_their_own(found):
    assert list(found["by_players"]) == ["3", "4", "5"]
    assert found["by_players"]["4"]["random_games_per_s"] == found["random_games_per_s"]
    for players in found["by_players"].values():
        assert set(players) >= set(BY_CORES)
    assert list(found["by_batch"]) == ["2", "4"]


@pytest.mark.full
def test_run__says_where_it_was_measured(found):
    machine = found["machine"]
    assert machine["cpu"]
    assert machine["cores"] >= 1
    assert machine["commit"]
    assert {"python", "numpy", "numba"} <= set(machine["versions"])


@pytest.mark.full
def test_run__peers__are_measured_or_named_as_missing(found):
    assert set(found["peers"]) == {peer.name for peer in PEERS}
    for peer in found["peers"].values():
        assert "missing" in peer or peer["decisions_per_s"]["median"] > 0
    assert all(peer.name in page(found) for peer in PEERS)


@pytest.mark.full
def test_publish__files_of_two_games__make_readme_and_baseline(found, tmp_path):
    runs = [found, {**found, "game": "shitenno"}]
    paths = [tmp_path / f"{run['game']}.json" for run in runs]
    for path, run in zip(paths, runs, strict=True):
        path.write_text(json.dumps(run), "utf-8")
    command.publish(paths, tmp_path)
    text = (tmp_path / "README.md").read_text("utf-8")
    assert text == readme(runs)
    assert text.index("## Shogun") < text.index("## Shitenno")
    baseline = json.loads((tmp_path / "baseline.json").read_text("utf-8"))
    assert set(baseline) == {"shogun", "shitenno"}
    assert baseline["shogun"]["ratios"] == found["ratios"]
    assert all(not moved.verdict for moved in compare(found["ratios"], baseline["shogun"]["ratios"]))


# --- pieces ----------------------------------------------------------------------------------------------------------


def test_rates__work_of_known_duration__is_counted_and_divided_by_the_time(monkeypatch):
    clock, cpu = iter([100.0, 100.5, 101.0, 101.5]), iter([7.0, 7.75])
    monkeypatch.setattr(measures.time, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(measures.time, "process_time", lambda: next(cpu))
    found, cores = rates(lambda: (30, 3), 1.2)
    assert found.tolist() == [60, 6]
    assert cores == 0.5


def test_rates__no_time__works_once():
    assert rates(lambda: (1,), 0.0)[0].shape == (1,)


def test_summary__values_in_any_order__median_of_the_middle():
    assert summary([3, 1, 2]) == {"median": 2, "min": 1, "max": 3}
    assert summary([4, 1, 2, 3]) == {"median": 2.5, "min": 1, "max": 4}
    assert summary([]) is None
    assert summary([3, 1, 2], [0.5, 1, 1]) == {"median": 2, "min": 1, "max": 3, "per_core_second": 2}


STICKS = ("yardstick_per_s",)


def test_ratios__rates_are_divided_and_seconds_multiplied_round_by_round():
    samples = {STICKS: [10, 20], ("a", "all"): [5, 20], ("import_warm_s",): [2, 1], ("none",): []}
    found = ratios(samples, {STICKS: [1, 0.5], ("a", "all"): [2, 1]})
    assert found == {"a/all": {"median": 0.75, "min": 0.5, "max": 1.0}, "import_warm_s": summary([20, 20])}


def test_ratios__one_core_on_a_busy_machine__stays_what_it_is_on_an_idle_one():
    samples = {STICKS: [10, 20], ("a", "1"): [5, 5]}
    assert ratios(samples, {STICKS: [0.5, 1], ("a", "1"): [1, 0.5]}) == {"a/1": figure(0.375, 0.125)}


def test_compare__rounds_that_overlap__did_not_move():
    before = {"same": figure(10, 2), "up": figure(10, 2), "down": figure(10, 2), "import_warm_s": figure(10, 2)}
    now = {"same": figure(13, 2), "up": figure(15, 2), "down": figure(5, 2), "import_warm_s": figure(15, 2)}
    now["first"] = figure(1)
    verdicts = {moved.name: moved.verdict for moved in compare(now, before)}
    assert verdicts == {"same": "", "up": "faster", "down": "slower", "import_warm_s": "slower", "first": "new"}


def test_table__columns__line_up():
    lines = table(["a", "long head"], [["some words", "1"], ["b", "12,345,678,901"]]).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert lines[1].endswith("-: |")


def test_leaves__of_a_tree__are_its_figures_and_gaps():
    tree = {"a": {"1": figure(1), "all": None}, "b": figure(2)}
    assert [path for path, _ in leaves(tree)] == [("a", "1"), ("a", "all"), ("b",)]


# --- bad arguments ---------------------------------------------------------------------------------------------------


def test_command__bad_arguments__one_line_and_status_2(capsys, tmp_path):
    junk = tmp_path / "junk.json"
    junk.write_text("no", "utf-8")
    assert "chess" in refused(capsys, "--game", "chess")
    assert "--seed" in refused(capsys, "--seed", "-1")
    assert "nowhere.json" in refused(capsys, "--baseline", str(tmp_path / "nowhere.json"))
    assert "not a JSON file" in refused(capsys, "--baseline", str(junk))
    assert "junk.json" in refused(capsys, "--publish", str(junk))
    assert "--no-such" in refused(capsys, "--no-such")
    junk.write_text("{}", "utf-8")
    assert "not of this command" in refused(capsys, "--publish", str(junk))
    junk.write_text(json.dumps({"machine": {}, "game": "shogun", "ratios": {}, **dict.fromkeys(WORDS)}), "utf-8")
    assert "two of these" in refused(capsys, "--publish", str(junk), str(junk))


@pytest.mark.full
def test_command__stopped_in_the_first_round__keeps_what_was_measured(monkeypatch, capsys):
    def stop(game: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "import_seconds", stop)
    found = command.run(TINY)
    assert "stopped" in capsys.readouterr().err
    assert found["redeals_per_s"]["median"] > 0
    assert found["import_warm_s"] is None
    assert "not measured" in page(found)
