"""Algorithms compared by runs that are over: shares, mixtures, intervals."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shogun_env.commands import run_command

pytest.importorskip("torch")

from shogun_env.benchmarks import finished
from shogun_env.benchmarks.strength import SEED
from shogun_env.policies import make_agent
from shogun_env.shares import share_of, wins
from shogun_env.shitenno import Batch
from shogun_env.training.runs import Run
from tests.refusals import refusal
from tests.unit.training.settings import tiny

SEEDS = np.arange(SEED, SEED + 6)


def over(folder: Path, seed: int, algorithm: str = "ppo", snapshots: tuple[int, ...] = (), **more: Any) -> Run:
    """Return a run that seems to be over: its networks are random, and its progress is made up."""
    run = Run.create(folder, tiny("shitenno", seed=seed, algorithm=algorithm, snapshots=9, **more), Batch)
    run.save_network(run.shape.random_weights(seed), run.config.decisions)
    for at, weights in enumerate(snapshots):
        run.save_network(run.shape.random_weights(weights), at, f"snapshots/{at:012d}.npz")
    for part in (0.1, 0.5, 1.0):
        decisions = round(part * run.config.decisions)
        run.add_progress({"decisions": decisions, "seconds": 120 * part, "win_share": {"random": part / 2}})
    return run


def command(folder: Path) -> list[str]:
    fixed = ["--game", "shitenno", "--runs", str(folder), "--seeds", "6", "--rungs", "random,scripted"]
    return [*fixed, "--threads", "1", "--json", str(folder / "a.json")]


def test_finished__runs_that_are_over__have_shares_and_means(tmp_path, capsys):
    for seed in (0, 1):
        over(tmp_path / f"ppo-{seed}", seed)
    (tmp_path / "notes-on").mkdir()
    assert run_command("strength", command(tmp_path)) == 0
    rows = json.loads((tmp_path / "a.json").read_text())["rows"]
    assert [(row["run"], row["against"]) for row in rows] == [
        (f"ppo-{seed}", against) for seed in (0, 1) for against in ("random", "scripted")
    ]
    agents = [make_agent(bot, Batch.spec) for bot in (f"ppo:{tmp_path / 'ppo-1'}", "random")]
    assert rows[2]["share"] == pytest.approx(share_of(wins(Batch, *agents, SEEDS, {})).share) and rows[2]["share"] > 0
    shares = [100 * row["share"] for row in rows if row["against"] == "random"]
    line = next(line for line in capsys.readouterr().out.splitlines() if "`random`" in line)
    assert [cell.strip() for cell in line.strip("|").split("|")] == [
        "ppo", "`random`", f"{shares[0]:.1f}, {shares[1]:.1f}", finished.mean_interval(np.array(shares), 48), "2.0",
    ]  # fmt: skip


def test_finished__tables__are_those_of_the_run_each_as_often_as_it_was_trained_at(tmp_path):
    run = over(tmp_path / "ppo-0", 0, options={"num_players": 3}, variants=[{}, {"num_players": 2}, {}])
    assert run_command("strength", command(tmp_path)) == 0
    row = json.loads((tmp_path / "a.json").read_text())["rows"][0]
    assert ([options["num_players"] for options in row["variants"]], row["games"]) == ([3, 2, 3], 6 * (3 + 2))
    agents = [make_agent(bot, Batch.spec) for bot in (f"ppo:{run.folder}", "random")]
    three, two = (wins(Batch, *agents, SEEDS, {"num_players": players}).mean(1) for players in (3, 2))
    expected = share_of(((2 * three + two) / 3)[:, None])
    assert [row[name] for name in ("share", "low", "high")] == pytest.approx(expected[:3])


def test_finished__mixture_of_snapshots__plays_each_in_its_part_of_the_games(tmp_path):
    over(tmp_path / "fictitious-0", 0, "fictitious", snapshots=(7, 7))
    over(tmp_path / "fictitious-1", 1, "fictitious", snapshots=(7, 8))
    assert run_command("strength", command(tmp_path)) == 0
    rows = json.loads((tmp_path / "a.json").read_text())["rows"]
    shares = {(row["run"], row["algorithm"]): row["share"] for row in rows if row["against"] == "random"}
    bots = [tmp_path / "fictitious-1" / "snapshots" / f"{at:012d}.npz" for at in (0, 1)]
    agents = [make_agent(f"ppo:{bot}:greedy=false", Batch.spec) for bot in bots]
    won = [wins(Batch, agent, make_agent("random", Batch.spec), SEEDS, {}) for agent in agents]
    assert shares["fictitious-0", "fictitious, mixture"] == pytest.approx(won[0].mean())  # both are alike
    drawn = np.random.default_rng(1).choice(2, 6, p=[0.5, 0.5])
    assert 0 < drawn.sum() < 6
    assert shares["fictitious-1", "fictitious, mixture"] == pytest.approx(
        np.where(drawn[:, None], won[1], won[0]).mean()
    )
    assert ("fictitious-1", "fictitious") in shares


def test_finished__runs_that_are_missing_or_not_over__are_refused(tmp_path, capsys):
    assert "no runs in it that are named ALGORITHM-SEED, such as mmd-0" in refusal(
        capsys, "strength", *command(tmp_path)
    )
    run = over(tmp_path / "ppo-0", 0)
    (run.folder / "progress.jsonl").write_text('{"decisions": 5, "seconds": 1.0}\n')
    line = refusal(capsys, "strength", *command(tmp_path))
    assert "ppo-0: the run is not at its end; shogun-env selfplay --resume --out" in line
    assert not (tmp_path / "a.json").exists()


def test_mean_interval__of_runs__is_that_of_the_tables_of_student_and_of_one_its_value():
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0])  # 2.776 by the tables, times the square root of 2.5 / 5
    assert finished.mean_interval(values, 100) == "3.0 ± 2.0"
    assert finished.mean_interval(10 * values[:2], 100) == "15.0 ± 63.5"
    assert finished.mean_interval(np.array([26.34]), 100) == "26.3"
    assert finished.mean_interval(np.array([100.0, 100.0]), 10) == "100.0 ± 27.8"  # Wilson's for 10 of 10


def test_task__bots_of_any_learner__have_one_row_with_students_interval(tmp_path, capsys):
    """The row was typed from five files, for every learner that is not our own."""
    task = ["--game", "shitenno", "--task", "exploit-1h", "--seeds", "6", "--threads", "1"]
    file = tmp_path / "task.json"
    assert run_command("strength", [*task, "--agent", "scripted,random,pool:2min", "--json", str(file)]) == 0
    rows = json.loads(file.read_text())["rows"]
    bots = [make_agent(name, Batch.spec) for name in ("scripted", "pool:champion-0.2")]
    assert [row["run"] for row in rows] == ["scripted", "random", "pool:2min"]
    assert rows[0]["share"] == pytest.approx(share_of(wins(Batch, *bots, SEEDS, {"num_players": 4})).share)
    assert {row["games"] for row in rows} == {24}
    shares = np.array([100 * row["share"] for row in rows])
    line = capsys.readouterr().out.splitlines()[-1]
    each = ", ".join(f"{share:.1f}" for share in shares)
    told = ["exploit-1h", "`pool:champion-0.2`", each, finished.mean_interval(shares, 72)]
    assert [cell.strip() for cell in line.strip("|").split("|")] == told
    assert "must be different bots" in refusal(capsys, "strength", *task, "--agent", "random,random")
    assert "--task: not with --runs" in refusal(capsys, "strength", *task, "--players", "3")
    assert "unknown agent 'nobody'" in refusal(capsys, "strength", *task, "--agent", "random,nobody")
