"""The scale command: each step is measured at each size, by the formats that arenas write."""

import json
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from shogun_env.benchmarks import scale
from shogun_env.benchmarks.scale import PARTS, Settings, curves, play, table
from shogun_env.commands import run_command


@pytest.fixture
def here(monkeypatch):
    """Measure in this process, with few games and a small tournament."""

    class Here(nullcontext):
        def submit(self, work, *arguments):
            row = work(*arguments)
            return SimpleNamespace(result=lambda: row)

    monkeypatch.setattr(scale, "ProcessPoolExecutor", lambda *_: Here(Here()))
    monkeypatch.setattr(scale, "SECONDS", 0.0)
    monkeypatch.setattr(scale, "GAMES", 4)
    monkeypatch.setattr(play, "__defaults__", (4,))  # it has the number from above
    name = "games of a tournament"
    monkeypatch.setitem(PARTS, name, PARTS[name]._replace(sizes=scale.powers(2, 6)))


@pytest.mark.full
def test_scale__each_step__is_measured_at_each_size(here, tmp_path, capsys):
    path = tmp_path / "scale.json"
    assert run_command("scale", ["--largest", "100", "--json", str(path)]) == 0
    run = json.loads(path.read_text("utf-8"))
    at = {(row["part"], row["step"]): row["size"] for row in run["rows"]}
    assert set(at) == {(name, step) for name, part in PARTS.items() for step in part.steps}
    assert at["games in a batch", "observed"] == at["games of a tournament", "checked"] == 100
    assert all(row["done"] >= min(row["size"], 10) and row["peak_mb"] > 30 for row in run["rows"])
    assert "| games of a tournament | written, s |  MB |" in capsys.readouterr().out


def test_play__again_and_again__counts_all_decisions(here):
    assert play(Settings(), observed=True, games=2)() > 200


def test_table__of_a_run__shows_cost_and_memory_and_leaves_out_what_was_stopped():
    row = {"size": 1000, "done": 2.0e6, "cpu": 0.5, "elapsed": 3.0, "peak_mb": 181.2}
    steps = [("games in a batch", "random"), ("games in a batch", "observed"), ("games of a tournament", "written")]
    run = {
        "rows": [{"part": part, "step": step, **row} for part, step in steps],
        "command": "x", "machine": {"cpu": "c", "commit": "d"},
    }  # fmt: skip
    lines = table(run).splitlines()
    assert [cell.strip() for cell in lines[2].split("|")[1:-1]] == ["1,000", "250", "181", "250", "181"]
    assert not any("0.5" in line for line in lines) and lines[-1] == "*`x`; c; commit d.*"
    assert curves(run)["games in a batch"]["random"] == ([1000], [0.25])
