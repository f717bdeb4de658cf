"""The players of a game in the order in which one of them sees the table: himself, the next after him, and so on."""

from __future__ import annotations

import numpy as np

from shogun_env._jit import rule

NOBODY = -1


@rule
def player_at(g, player, offset):
    """Return the player who sits ``offset`` after ``player``, or NOBODY if there are not so many."""
    n = np.int64(g["n_players"])
    if offset >= n:
        return np.int64(NOBODY)
    other = player + offset
    return other - n if other >= n else other
