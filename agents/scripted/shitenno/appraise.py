"""What lots are worth to each player by the reckoning of the scripted bot, for people who divide or choose."""

from collections.abc import Sequence

import numpy as np

from shogun_env.agents.scripted.shitenno.division import lot_gain
from shogun_env.agents.scripted.shitenno.features import cards_at, extract_features
from shogun_env.shitenno import constants as c
from shogun_env.shitenno import layout as at


def appraise(observation: np.ndarray, tiles: Sequence[int], params: np.ndarray) -> np.ndarray:
    """Return the points that each lot brings to each player, as the observer can reckon them: float64[lots, players].

    Args:
        observation: uint8[D], of a decision in the division; players are counted from the observer.
        tiles: action that gives each lot its tile, first the lot shown, then the rest of the pool; 0 for none yet.
        params: float64[numbers] of the bot.
    """
    size = c.N_PROVINCES
    rows = [np.empty(size, np.int64) for _ in range(2)] + [np.empty(size) for _ in range(2)]
    f = extract_features(observation, params, *rows)
    lots = [
        (cards_at(observation, first), max(0, tile - c.A_LOT_TILE))
        for first, tile in zip((at.LOT, at.POOL), tiles, strict=True)
    ]
    players = range(f.players)
    return np.array([[lot_gain(f, who, lot, seals) for who in players] for lot, seals in lots])
