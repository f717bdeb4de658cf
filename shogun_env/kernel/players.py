"""The players of a game counted from one of them, the observer: offset 0 is the observer, 1 the next player, …"""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Int, Player, State

NOBODY = -1


@kernel
def player_at(g: State, observer: Player, offset: Int) -> Player:
    """Return the player who is ``offset`` players after ``observer``, or NOBODY if the game has too few players.

    Reads:  n_players
    """
    n = np.int64(g["n_players"])
    if offset >= n:
        return np.int64(NOBODY)
    player = observer + offset
    return player - n if player >= n else player


@kernel
def offset_of(observer: Player, player: Player, n: Int) -> Int:
    """Return how many players after ``observer`` a player comes, in a game of n."""
    offset = player - observer
    return offset + n if offset < 0 else offset
