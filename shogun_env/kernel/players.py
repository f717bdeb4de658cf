"""The players of a game in the order in which one of them sees the table: the observer, the next player, and so on."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Int, Player, State

NOBODY = -1


@kernel
def player_at(g: State, observer: Player, offset: Int) -> Player:
    """Return the player who comes ``offset`` players after ``observer``, or NOBODY if there are not so many."""
    n = np.int64(g["n_players"])
    if offset >= n:
        return np.int64(NOBODY)
    player = observer + offset
    return player - n if player >= n else player
