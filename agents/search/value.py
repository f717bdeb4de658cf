"""The fitted value of positions that ``search`` ends its rollouts with where it asks no network.

The command ``fit-value`` of commit 91c31a4 fitted the files, from games of bots with varied numbers: the weights of a
softmax over the players that predicts the winner, by multinomial logistic regression. Each file says how it was called.
"""

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.spec.game_spec import GameSpec


@functools.cache
def value_of(game_spec: GameSpec, num_players: int) -> np.ndarray | None:
    """Return the weights float64[complete rounds, F] of a game with this many players; None without a fitted value.

    The last row is that of games that are over.

    Raises: ValueError if the file was fitted to other features than the game has now.
    """
    file = Path(__file__).with_name(f"value_{game_spec.name}.json")
    if not file.is_file():
        return None
    value: dict[str, Any] = json.loads(file.read_text("utf-8"))
    if tuple(value["features"]) != game_spec.engine.value_names:
        raise ValueError(f"{file.name} has other features than the game: fit it anew with commit 91c31a4")
    weights = np.array(value["weights"][str(num_players)], np.float64)
    weights.setflags(write=False)
    return weights
