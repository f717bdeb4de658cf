"""Uniformly random play comes to what independent simulations of the same rules gave."""

from __future__ import annotations

import json

import pytest

from shogun_env.benchmarks.figures import Figures, main, measure
from tests.games import batch_class
from tests.refusals import refusal

Known = dict[str, tuple[float, float]]
"""Mean and standard error of each figure in another simulation."""

SHOGUN: list[Known] = [
    {  # 500 games of the first simulation
        "points of rank 1": (41.1, 0.2), "points of rank 2": (35.5, 0.2), "points of rank 3": (31.1, 0.2),
        "points of rank 4": (25.8, 0.2), "battles": (13.5, 0.15), "revolts": (20.0, 0.15),
        "cubes in the tower after the fill": (7.3, 0.15), "cubes in the tower at the end": (12.0, 0.15),
    },
    {  # 1,500 games of the oracle in tests/differential
        "points of rank 1": (41.1, 0.12), "points of rank 2": (35.6, 0.12), "points of rank 3": (31.2, 0.12),
        "points of rank 4": (25.8, 0.12), "battles": (13.6, 0.09), "revolts": (19.9, 0.09),
        "cubes in the tower after the fill": (7.25, 0.09), "cubes in the tower at the end": (12.2, 0.09),
    },
]  # fmt: skip
SHITENNO: dict[int, Known] = {  # 600 games of the oracle in tests/differential for each number of players
    2: {"points of rank 1": (104.41, 0.28), "points of rank 2": (68.05, 0.83), "decisions": (90.63, 0.54),
        "rounds": (9.01, 0.05)},
    3: {"points of rank 1": (87.43, 0.31), "points of rank 2": (63.11, 0.58), "points of rank 3": (40.47, 0.65),
        "decisions": (115.31, 0.65), "rounds": (7.07, 0.04)},
    4: {"points of rank 1": (70.70, 0.30), "points of rank 2": (53.55, 0.43), "points of rank 3": (38.91, 0.47),
        "points of rank 4": (23.66, 0.46), "decisions": (117.98, 0.70), "rounds": (5.37, 0.03)},
}  # fmt: skip


def assert_like(figures: Figures, known: Known) -> None:
    """Check that figures differ from those of another simulation by three standard errors at most."""
    for name, (expected, error) in known.items():
        mean, own = figures[name]
        allowed = 3 * (error**2 + own**2) ** 0.5
        assert abs(mean - expected) <= allowed, f"{name}: {mean:.2f}, must be {expected} ± {allowed:.2f}"


@pytest.mark.full
def test_figures__random_play_of_shogun__are_those_of_other_simulations():
    figures = measure(batch_class("shogun"), 2000)
    for known in SHOGUN:
        assert_like(figures, known)
    assert 330 <= figures["decisions"][0] <= 370


@pytest.mark.parametrize("players", SHITENNO)
def test_figures__random_play_of_shitenno__are_those_of_another_simulation(players: int):
    assert_like(measure(batch_class("shitenno"), 1000, num_players=players), SHITENNO[players])


def test_figures__command__prints_and_writes_them(tmp_path, capsys):
    assert main(["--games", "4", "--players", "3", "--json", str(tmp_path / "figures.json")]) == 0
    printed = capsys.readouterr().out
    assert "points of rank 3" in printed
    assert "rank 4" not in printed
    assert set(json.loads((tmp_path / "figures.json").read_text())["battles"]) == {"mean", "standard_error"}
    assert main(["--games", "4", "--tower", "3:0.2:0.1:0.05", "--side", "moon", "--start", "draft"]) == 0
    captured = capsys.readouterr()
    assert "points of rank 4" in captured.out
    assert "4 of 4 games" in captured.err
    assert main(["--game", "shitenno", "--games", "4", "--players", "2"]) == 0
    assert "rounds" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [["--games", "1"], ["--option", "side=moon"], ["--players", "6"], ["--option", "tower=pisa"], ["--game", "go"]],
)
def test_figures__bad_argument__is_refused_in_one_line(arguments: list[str], capsys):
    refusal(capsys, main, *arguments)
