"""What is measured on a machine with a GPU runs to its end on one without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from shogun_env.benchmarks.device import LEARNERS, PARTS, thread_counts, times_of
from shogun_env.commands import run_command
from tests.games import each_game


def test_thread_counts__any_machine__are_powers_of_two_and_all_cores():
    assert [thread_counts(cores) for cores in (1, 2, 6, 16)] == [[1], [1, 2], [1, 2, 4, 6], [1, 2, 4, 8, 16]]


def test_cores__quick__has_a_row_for_each_number_of_threads(tmp_path, capsys):
    path = tmp_path / "cores.json"
    assert run_command("device", ["cores", "--game", "shitenno", "--quick", "--threads", "2", "--json", str(path)]) == 0
    rows = json.loads(path.read_text())["rows"]
    assert [row["threads"] for row in rows] == [1, 2]
    assert all(value > 0 for row in rows for value in row.values())
    assert "| threads |" in capsys.readouterr().out


@pytest.mark.full
def test_learner__quick__says_where_the_time_goes(tmp_path):
    path = tmp_path / "learner.json"
    arguments = ["learner", "--game", "shitenno", "--quick", "--threads", "1", "--json", str(path)]
    assert run_command("device", arguments) == 0
    rows = json.loads(path.read_text())["rows"]
    assert [(row["config"], row["ahead"]) for row in rows] == [(name, "yes" if on else "no") for name, on in LEARNERS]
    for row in rows:
        parts = [row[f"{part} %"] for part in PARTS if row["ahead"] == "no" or part != "collect"]
        assert all(part > 0 for part in parts), row
        assert (30 if row["ahead"] == "no" else 10) < sum(parts) <= 101, (
            "the parts are most of the time, and none of it counts twice"
        )


@each_game
@pytest.mark.slow
def test_engine__simulated_gpu__ends_games_as_the_processor_does(name: str):
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "shogun_env", "device", "engine", "--quick", "--game", name]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, result.stderr[-2000:]
    assert "| yes " in result.stdout


def test_times_of__names_on_both_devices__keeps_them_apart():
    def event(key, device, cpu=0.0, gpu=0.0, annotation=False):
        kind = SimpleNamespace(name=device)
        times = {"cpu_time_total": cpu * 1e6, "self_device_time_total": gpu * 1e6}
        return SimpleNamespace(key=key, device_type=kind, is_user_annotation=annotation, **times)

    events = [
        event("learner/forward", "CPU", cpu=3.0, annotation=True),
        event("aten::mm", "CPU", cpu=1.0, gpu=0.5),
        event("learner/forward", "CUDA", gpu=2.0, annotation=True),
        event("gemm", "CUDA", gpu=0.5),
    ]
    assert times_of(events) == ({"learner/forward": 3.0, "aten::mm": 1.0}, 0.5)


def test_engine__no_gpu__is_refused_in_one_line(capsys):
    with pytest.raises(SystemExit):
        run_command("device", ["engine", "--quick"])
    assert capsys.readouterr().err.splitlines()[-1].endswith("for a few games on none")
