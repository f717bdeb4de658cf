"""Uniformly random play comes to what independent simulations of the same rules gave."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shogun_env.batch.batch import Batch
from shogun_env.kernel.log import entries
from shogun_env.shogun import constants as c
from tests.games import batch_class

Known = dict[str, tuple[float, float]]
"""Mean and standard error of each figure in another simulation."""

SHOGUN: list[Known] = [
    {  # 500 games of the first simulation
        "points of rank 1": (41.1, 0.2), "points of rank 2": (35.5, 0.2), "points of rank 3": (31.1, 0.2),
        "points of rank 4": (25.8, 0.2), "battles": (13.5, 0.15), "revolts": (20.0, 0.15),
        "cubes in the tower after the fill": (7.3, 0.15), "cubes in the tower at the end": (12.0, 0.15),
    },
    {  # 1,500 games of the oracle, with chance of its own
        "points of rank 1": (41.1, 0.12), "points of rank 2": (35.6, 0.12), "points of rank 3": (31.2, 0.12),
        "points of rank 4": (25.8, 0.12), "battles": (13.6, 0.09), "revolts": (19.9, 0.09),
        "cubes in the tower after the fill": (7.25, 0.09), "cubes in the tower at the end": (12.2, 0.09),
    },
]  # fmt: skip
SHITENNO: dict[int, Known] = {  # 600 games of the oracle, with chance of its own, for each number of players
    2: {"points of rank 1": (104.41, 0.28), "points of rank 2": (68.05, 0.83), "decisions": (90.63, 0.54),
        "rounds": (9.01, 0.05)},
    3: {"points of rank 1": (87.43, 0.31), "points of rank 2": (63.11, 0.58), "points of rank 3": (40.47, 0.65),
        "decisions": (115.31, 0.65), "rounds": (7.07, 0.04)},
    4: {"points of rank 1": (70.70, 0.30), "points of rank 2": (53.55, 0.43), "points of rank 3": (38.91, 0.47),
        "points of rank 4": (23.66, 0.46), "decisions": (117.98, 0.70), "rounds": (5.37, 0.03)},
}  # fmt: skip


CHUNK = 250
"""Number of games at a time; the log of each takes 64 kB."""
Figures = dict[str, tuple[float, float]]
"""For each figure its mean over the games, and the standard error of the mean."""


def of_shogun(batch: Batch) -> dict[str, Any]:
    """Return battles, revolts and cubes in the tower of each game, from its log."""
    logs = [entries(log) for log in batch.logs]
    thrown = [rows[rows[:, 0] == c.LOG_THROWN, 1 + c.N_COLOURS].tolist() for rows in logs]
    inside = [rows[rows[:, 0] == c.LOG_STATE_TOWER, 1 : 1 + c.N_COLOURS].sum(1) for rows in logs]
    return {
        "battles": [why.count(c.WHY_BATTLE) for why in thrown],
        "revolts": [why.count(c.WHY_REVOLT) + why.count(c.WHY_WINTER_REVOLT) for why in thrown],
        "cubes in the tower after the fill": [cubes[0] for cubes in inside],
        "cubes in the tower at the end": [cubes[-1] for cubes in inside],
    }


def measure(name: str, games: int, of_game: Callable[[Batch], dict[str, Any]], **options: Any) -> Figures:
    """Return the figures of games of uniformly random players: points by rank, decisions, and those of ``of_game``."""
    parts: list[dict[str, Any]] = []
    for first in range(0, games, CHUNK):
        batch = batch_class(name)(CHUNK, seed=first, record=True, **options)
        batch.play(["random"] * batch.num_players)
        by_rank = -np.sort(-batch.points, axis=1)
        points = {f"points of rank {k + 1}": by_rank[:, k] for k in range(batch.num_players)}
        parts.append({**points, "decisions": batch.decisions.copy(), **of_game(batch)})
    joined = {figure: np.concatenate([part[figure] for part in parts]).astype(np.float64) for figure in parts[0]}
    return {figure: (values.mean(), values.std(ddof=1) / len(values) ** 0.5) for figure, values in joined.items()}


def assert_like(figures: Figures, known: Known) -> None:
    """Check that figures differ from those of another simulation by three standard errors at most."""
    for name, (expected, error) in known.items():
        mean, own = figures[name]
        allowed = 3 * (error**2 + own**2) ** 0.5
        assert abs(mean - expected) <= allowed, f"{name}: {mean:.2f}, must be {expected} ± {allowed:.2f}"


@pytest.mark.full
def test_random_play__of_shogun__is_as_in_other_simulations():
    figures = measure("shogun", 2000, of_shogun)
    for known in SHOGUN:
        assert_like(figures, known)
    assert 330 <= figures["decisions"][0] <= 370


@pytest.mark.parametrize("players", SHITENNO)
def test_random_play__of_shitenno__is_as_in_another_simulation(players: int):
    figures = measure("shitenno", 1000, lambda batch: {"rounds": batch.games["round"]}, num_players=players)
    assert_like(figures, SHITENNO[players])
