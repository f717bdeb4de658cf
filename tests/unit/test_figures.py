"""Uniformly random play comes to what independent simulations of the same rules gave."""

from __future__ import annotations

import json

import pytest

from benchmarks.figures import main, measure
from shogun_env.shitenno import Batch

FIRST = {  # 500 games of the first simulation; their standard errors
    "points of rank 1": (41.1, 0.2), "points of rank 2": (35.5, 0.2), "points of rank 3": (31.1, 0.2),
    "points of rank 4": (25.8, 0.2), "battles": (13.5, 0.15), "revolts": (20.0, 0.15),
    "cubes in the tower after the fill": (7.3, 0.15), "cubes in the tower at the end": (12.0, 0.15),
}  # fmt: skip
SECOND = {  # 1,500 games of the oracle in tests/differential
    "points of rank 1": (41.1, 0.12), "points of rank 2": (35.6, 0.12), "points of rank 3": (31.2, 0.12),
    "points of rank 4": (25.8, 0.12), "battles": (13.6, 0.09), "revolts": (19.9, 0.09),
    "cubes in the tower after the fill": (7.25, 0.09), "cubes in the tower at the end": (12.2, 0.09),
}  # fmt: skip


@pytest.mark.full
def test_figures__random_play_of_four__are_those_of_other_simulations():
    figures = measure(2000)
    for other in (FIRST, SECOND):
        for name, (wanted, error) in other.items():
            mean, own = figures[name]
            allowed = 3 * (error**2 + own**2) ** 0.5
            assert abs(mean - wanted) <= allowed, f"{name}: {mean:.2f}, {wanted} ± {allowed:.2f} wanted"
    assert 330 <= figures["decisions"][0] <= 370


SHITENNO = {2: (91, 85), 3: (115, 64), 4: (117, 47)}
"""Decisions and points of a game of 2, 3, 4 players in an independent simulation, 300 games each."""


@pytest.mark.parametrize("players", SHITENNO)
def test_figures__random_play_of_shitenno__are_those_of_another_simulation(players: int):
    batch = Batch(1000, num_players=players, seed=11)
    batch.play(["random"] * players)
    length, points = SHITENNO[players]
    assert abs(batch.decisions.mean() - length) < 3
    assert abs(batch.points.mean() - points) < 3


def test_figures__command__prints_and_writes_them(tmp_path, capsys):
    assert main(["--games", "4", "--players", "3", "--json", str(tmp_path / "figures.json")]) == 0
    printed = capsys.readouterr().out
    assert "points of rank 3" in printed
    assert "rank 4" not in printed
    assert set(json.loads((tmp_path / "figures.json").read_text())["battles"]) == {"mean", "standard_error"}


@pytest.mark.parametrize("arguments", [["--games", "1"], ["--side", "moon"], ["--players", "6"], ["--tower", "pisa"]])
def test_figures__bad_argument__is_refused_in_one_line(arguments: list[str], capsys):
    with pytest.raises(SystemExit) as refusal:
        main(arguments)
    assert refusal.value.code == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
