"""The summary of the table that the scripted bot of Shitennō decides by."""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shitenno.numbers import (
    ENOUGH,
    HURT,
    KEEP,
    KOKU,
    MAJORITY,
    OPENS,
    PACE,
    TILE,
    TILE_LAST,
    TROOP,
)
from shogun_env.agents.scripted.shitenno.reading import (
    FILLED,
    HAND,
    NUMBER,
    STACK,
    Features,
    cards_at,
    count_players,
    count_troops,
    majority_gain,
    rounds_to_come,
    summary_of,
)
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Float, Observation, Params, Prov
from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c

_NOTHING = -1000.0
_TINY = 1e-9


@kernel
def place_worth(o: Observation, prov: Prov, hurt: Float, later: Float, params: Params) -> Float:
    """Return what a Kamon on the next position of a province is worth, without its cost and the points of a title.

    Args: later, what is kept counts, as a share
    """
    number, filled = np.int64(o[NUMBER + prov]), np.int64(o[FILLED + prov])
    if number == 0:
        return _NOTHING
    worth = number + params[MAJORITY] * majority_gain(o, prov, 1, hurt)
    if o[STACK + prov] > 0:
        worth += params[TILE_LAST] + later * params[TILE]
    if filled + 1 < c.N_POSITIONS:
        worth -= params[OPENS] * later * (np.int64(board.NUMBER[prov, filled + 1]) - number)
    return worth


@kernel
def extract_features(o: Observation, params: Params) -> Features:
    """Return the summary of an observation."""
    players = count_players(o)
    rounds = rounds_to_come(o, players, params[PACE])
    later = rounds / (rounds + params[KEEP] + _TINY)
    many = count_troops(cards_at(o, HAND)) / (params[ENOUGH] + _TINY)
    troop, koku, hurt = (
        later * params[TROOP] / (1.0 + many),
        1.0 + later * (params[KOKU] - 1.0),
        params[HURT] / (players - 1),
    )
    worths = (
        place_worth(o, 0, hurt, later, params), place_worth(o, 1, hurt, later, params),
        place_worth(o, 2, hurt, later, params), place_worth(o, 3, hurt, later, params),
        place_worth(o, 4, hurt, later, params), place_worth(o, 5, hurt, later, params),
        place_worth(o, 6, hurt, later, params), place_worth(o, 7, hurt, later, params),
    )  # fmt: skip
    return summary_of(o, players, troop, koku, hurt, worths)
