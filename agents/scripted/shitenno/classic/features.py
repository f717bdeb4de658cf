"""The summary of the table that the bot of version 0.1 decides by."""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shitenno.classic.numbers import HURT, KOKU, MAJORITY, TILE, TROOP
from shogun_env.agents.scripted.shitenno.reading import (
    NUMBER,
    STACK,
    Features,
    count_players,
    majority_gain,
    rounds_to_come,
    summary_of,
)
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Float, Observation, Params, Prov

_LATER = 0.5
"""With r rounds to come, what is kept counts r / (r + 0.5) of its full worth."""
_ROUNDS_PER_KAMON = 0.6
"""Rounds that a player needs to place one Kamon."""
_NOTHING = -1000.0


@kernel
def place_worth(o: Observation, prov: Prov, hurt: Float, params: Params) -> Float:
    """Return what a Kamon on the next position of a province is worth, without its cost and the points of a title."""
    if o[NUMBER + prov] == 0:
        return _NOTHING
    tile = params[TILE] if o[STACK + prov] > 0 else 0.0
    return np.int64(o[NUMBER + prov]) + tile + params[MAJORITY] * majority_gain(o, prov, 1, hurt)


@kernel
def extract_features(o: Observation, params: Params) -> Features:
    """Return the summary of an observation."""
    players = count_players(o)
    rounds = rounds_to_come(o, players, _ROUNDS_PER_KAMON)
    later = rounds / (rounds + _LATER)
    troop, koku, hurt = later * params[TROOP], 1.0 + later * (params[KOKU] - 1.0), params[HURT] / (players - 1)
    worths = (
        place_worth(o, 0, hurt, params), place_worth(o, 1, hurt, params),
        place_worth(o, 2, hurt, params), place_worth(o, 3, hurt, params),
        place_worth(o, 4, hurt, params), place_worth(o, 5, hurt, params),
        place_worth(o, 6, hurt, params), place_worth(o, 7, hurt, params),
    )  # fmt: skip
    return summary_of(o, players, troop, koku, hurt, worths)
