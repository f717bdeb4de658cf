"""How everybody stands after an event."""

import numpy as np

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.rules.scoring import holder_of


def standing(g: np.void) -> dict[str, list[int]]:
    """Return how the players stand, by what is counted: nothing that anybody does not know."""
    players, owners = range(g["n_players"]), g["owner"]
    held = [holder_of(g, prov) for prov in range(c.N_PROVINCES)]
    koku = g["hand"].astype(int) @ np.asarray(board.KOKU_VALUE, int)
    return {
        "points": [int(g["points"][player]) for player in players],
        "majorities": [held.count(player) for player in players],
        "Kamon on the board": [int((owners == player).sum()) for player in players],
        "cards in hand": [int(g["hand"][player].sum()) for player in players],
        "Koku": [int(koku[player]) for player in players],
    }
