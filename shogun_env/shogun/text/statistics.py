"""Statistics of finished games of Shogun, from their logs: battles, revolts, cubes in the tower."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shogun_env.shogun import constants as c


def statistics(states: np.ndarray, logs: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """Return figures of finished games by name, float64[B] each.

    Args: states [B], of which nothing is used; logs, for each game the entries int16[n, 8] of its log.
    """
    thrown = [rows[rows[:, 0] == c.LOG_THROWN, 1 + c.N_COLOURS].tolist() for rows in logs]
    inside = [rows[rows[:, 0] == c.LOG_STATE_TOWER, 1 : 1 + c.N_COLOURS].sum(1) for rows in logs]
    figures = {
        "battles": [why.count(c.WHY_BATTLE) for why in thrown],
        "revolts": [why.count(c.WHY_REVOLT) + why.count(c.WHY_WINTER_REVOLT) for why in thrown],
        "cubes in the tower after the fill": [cubes[0] for cubes in inside],
        "cubes in the tower at the end": [cubes[-1] for cubes in inside],
    }
    return {name: np.array(values, np.float64) for name, values in figures.items()}
