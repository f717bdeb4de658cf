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
    need_in,
    rounds_to_come,
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
    n0, n1, n2, n3 = need_in(o, 0), need_in(o, 1), need_in(o, 2), need_in(o, 3)
    n4, n5, n6, n7 = need_in(o, 4), need_in(o, 5), need_in(o, 6), need_in(o, 7)
    p0, p1, p2, p3 = np.int64(o[NUMBER]), np.int64(o[NUMBER + 1]), np.int64(o[NUMBER + 2]), np.int64(o[NUMBER + 3])
    p4, p5, p6, p7 = np.int64(o[NUMBER + 4]), np.int64(o[NUMBER + 5]), np.int64(o[NUMBER + 6]), np.int64(o[NUMBER + 7])
    w0, w1 = place_worth(o, 0, hurt, later, params), place_worth(o, 1, hurt, later, params)
    w2, w3 = place_worth(o, 2, hurt, later, params), place_worth(o, 3, hurt, later, params)
    w4, w5 = place_worth(o, 4, hurt, later, params), place_worth(o, 5, hurt, later, params)
    w6, w7 = place_worth(o, 6, hurt, later, params), place_worth(o, 7, hurt, later, params)
    by_troops = (
        w0 - troop * count_troops(n0), w1 - troop * count_troops(n1),
        w2 - troop * count_troops(n2), w3 - troop * count_troops(n3),
        w4 - troop * count_troops(n4), w5 - troop * count_troops(n5),
        w6 - troop * count_troops(n6), w7 - troop * count_troops(n7),
    )  # fmt: skip
    by_koku = (
        w0 - koku * p0, w1 - koku * p1, w2 - koku * p2, w3 - koku * p3,
        w4 - koku * p4, w5 - koku * p5, w6 - koku * p6, w7 - koku * p7,
    )  # fmt: skip
    return Features(
        players=players,
        troop=troop,
        koku=koku,
        hurt=hurt,
        needs=(n0, n1, n2, n3, n4, n5, n6, n7),
        prices=(p0, p1, p2, p3, p4, p5, p6, p7),
        by_troops=by_troops,
        by_koku=by_koku,
    )
