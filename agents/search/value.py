"""The fitted value of positions that ``search`` ends its rollouts with; ``training.fit_value`` writes the file."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import numpy as np

from shogun_env.spec.game_spec import GameSpec

VALUE_FILES = {name: Path(__file__).with_name(f"value_{name}.json") for name in ("shogun", "shitenno")}
"""The file of each game that has a fitted value."""


@functools.cache
def value_of(game_spec: GameSpec, num_players: int) -> np.ndarray | None:
    """Return the weights float64[complete rounds, F] of a game with this many players; None without a fitted value.

    The last row is that of games that are over.

    Raises: ValueError if the file was fitted to other features than the game has now.
    """
    file = VALUE_FILES.get(game_spec.name)
    if file is None or not file.is_file():
        return None
    value = json.loads(file.read_text("utf-8"))
    if tuple(value["features"]) != game_spec.engine.value_names:
        raise ValueError(f"{file.name} has other features than the game: run python -m training.fit_value again")
    weights = np.array(value["weights"][str(num_players)], np.float64)
    weights.setflags(write=False)
    return weights
