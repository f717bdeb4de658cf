"""Statistics of finished games of Shitennō: rounds, and Kamon on the board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def statistics(states: np.ndarray, logs: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """Return statistics of finished games by name, float64[B] each.

    Args: states [B]; logs, not used here.
    """
    figures = {"rounds": states["round"], "Kamon on the board": states["filled"].sum(1)}
    return {name: values.astype(np.float64) for name, values in figures.items()}
