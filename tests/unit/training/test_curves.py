"""Curves of exact exploitability: runs that are kept, and their table; learners learn (slow)."""

import json
import shlex
from pathlib import Path

import pytest

from shogun_env.commands import run_command

pytest.importorskip("torch")

from shogun_env.exact.policies import profile_of
from shogun_env.exact.tree import Tree
from shogun_env.exact.values import exploitability, mixture
from shogun_env.shikoku import Batch
from shogun_env.training import curves
from shogun_env.training.config import load_config
from shogun_env.training.runs import Run, mixture_of
from shogun_env.training.trainer import Trainer
from tests.refusals import refusal

POINTS = [
    {"decisions": 1000, "seconds": 1.0, "nash_conv": 0.5, "average": 0.7},
    {"decisions": 2000, "seconds": 2.0, "nash_conv": 0.25, "average": 0.6},
]


def test_curves__of_runs_that_are_complete__are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(curves, "ITERATIONS", (10, 20))
    for seed in range(2):
        folder = tmp_path / f"pool-{seed}"
        own = {"seed": seed, "decisions": 2000, "snapshot_every": 1000}
        config = load_config(Batch.spec, changes={**curves.SAME, **curves.LEARNERS["pool"], **own})
        Run.create(folder, config, Batch)
        points = [{**point, "nash_conv": point["nash_conv"] + 0.1 * seed} for point in POINTS[:1] * seed + POINTS]
        (folder / "curve.json").write_text(json.dumps(points))
    arguments = ["--learners", "pool", "--seeds", "2", "--runs", str(tmp_path), "--decisions", "2000"]
    assert run_command("solve", [*arguments, "--every", "1000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["pool", "0.3000", "0.2500", "0.3500", "0.6000", "2"]
    assert "CFR+: 0.0786 after 10" in lines[2] and lines[3].startswith("MMD: ")
    assert len(json.loads((tmp_path / "curves.json").read_text())["pool"]) == 2
    line = refusal(capsys, "solve", *arguments, "--every", "500")
    assert "pool-0 is a run with other settings" in line


def test_curves__of_more_snapshots_than_play__are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The mixture of the latest hundred was worked out, and taken for that of the first."""
    words = ["--learners", "psro", "--decisions", "20001", "--every", "200", "--runs", str(tmp_path)]
    assert "--every 200: must be at least 201, as 100 snapshots play at most" in refusal(capsys, "solve", *words)


@pytest.mark.parametrize("every", ["3000", "100000"])
def test_curves__mixture__is_of_the_snapshots_alone(every: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The network was taken for one more, and PSRO without any ended in a traceback."""
    monkeypatch.setattr(curves, "ITERATIONS", (1,))
    words = ["--learners", "psro,fictitious", "--seeds", "1", "--decisions", "9000", "--every", every]
    assert run_command("solve", [*words, "--runs", str(tmp_path)]) == 0
    tree = Tree.of(Batch)
    for name in ("psro", "fictitious"):
        bots, parts = mixture_of(Run.open(tmp_path / f"{name}-0", Batch))
        mixed = mixture(tree, [profile_of(tree, [bot]).profile for bot in bots], parts)
        last = json.loads((tmp_path / f"{name}-0" / "curve.json").read_text())[-1]
        assert last["average"] == pytest.approx(exploitability(tree, mixed).nash_conv)


def test_curves__stopped_before_the_first_evaluation__is_one_line_and_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(curves.Tree, "of", lambda batch: None)  # it is not asked yet
    arguments = ["--learners", "pool", "--seeds", "1", "--decisions", "2000", "--runs", str(tmp_path)]
    play = Trainer.play

    def stopped(self: Trainer) -> None:
        play(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(Trainer, "play", stopped)
    with pytest.raises(SystemExit) as left:
        run_command("solve", arguments)
    assert left.value.code == 130
    *_, saved, last = capsys.readouterr().err.splitlines()
    assert saved.endswith(f"the run is saved, {shlex.join(['shogun-env', 'solve', *arguments])} resumes it")
    assert last == "shogun-env solve: stopped"
    assert (tmp_path / "pool-0" / "checkpoint.pt").is_file()


@pytest.mark.slow
def test_curves__of_a_short_run__fall(tmp_path: Path):
    arguments = ["--learners", "entropy 0.05", "--seeds", "1", "--decisions", "120000", "--every", "20000"]
    assert run_command("solve", [*arguments, "--runs", str(tmp_path)]) == 0
    points = json.loads((tmp_path / "entropy_0.05-0" / "curve.json").read_text())
    assert points[-1]["nash_conv"] < 0.4 * points[0]["nash_conv"] and points[-1]["decisions"] >= 120_000
