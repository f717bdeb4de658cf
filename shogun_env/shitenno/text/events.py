"""How everybody stands after an event."""

import numpy as np

from shogun_env.shitenno import board


def standing(g: np.void) -> dict[str, list[int]]:
    """Return how the players stand, by what is counted: nothing that anybody does not know."""
    players, owners = range(g["n_players"]), g["owner"]
    weights = 1 + g["golden"].astype(int)
    held = [_leader(owners[prov, :filled].tolist(), weights[prov].tolist()) for prov, filled in enumerate(g["filled"])]
    koku = g["hand"].astype(int) @ np.asarray(board.KOKU_VALUE, int)
    return {
        "points": [int(g["points"][player]) for player in players],
        "majorities": [held.count(player) for player in players],
        "Kamon on the board": [int((owners == player).sum()) for player in players],
        "cards in hand": [int(g["hand"][player].sum()) for player in players],
        "Koku": [int(koku[player]) for player in players],
    }


def _leader(owners: list[int], weights: list[int]) -> int | None:
    """Return who has the majority among the Kamon of a province, the leftmost of equals; None for nobody (S21)."""
    weight_of = {owner: sum(w for who, w in zip(owners, weights, strict=False) if who == owner) for owner in owners}
    return max(weight_of, key=lambda owner: weight_of[owner]) if weight_of else None
