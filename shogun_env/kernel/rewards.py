"""The arithmetic of rewards, the same for all games; all of them sum to 0 over the players of a finished game."""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Float, Int, Player, Row

POINTS_PER_UNIT = 20.0
"""Points of a margin that make a reward of 1."""


@kernel
def win_reward(n: Int, ahead: Int, level: Int) -> Float:
    """Return (n z - 1) / (n - 1), where z is the share of the win: 1 / ``level`` if nobody is ahead, else 0.

    Args: n players; ahead, how many did better than this player; level, how many did equally well, this one included
    """
    return (n / level - 1.0) / (n - 1) if ahead == 0 else -1.0 / (n - 1)


@kernel
def rank_reward(n: Int, ahead: Int, level: Int) -> Float:
    """Return +1 for the first to -1 for the last player, linear in the place; players who tie get the mean.

    Args: n players; ahead, how many did better than this player; level, how many did equally well, this one included
    """
    return 1.0 - (2.0 * ahead + (level - 1)) / (n - 1)


@kernel
def margin_reward(n: Int, points: Row, player: Player) -> Float:
    """Return (own points - mean of the others) / 20.

    Args: n players; points of all players; player
    """
    total = np.int64(0)
    for other in range(n):
        total += np.int64(points[other])
    own = np.int64(points[player])
    return (own - (total - own) / (n - 1)) / POINTS_PER_UNIT
