"""What the value of a state is made of: numbers per player that a fitted value weighs (``agents/search/value.py``)."""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Player, Prov, Row, Rows, State
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.scoring import of_player, score_kind

VALUE_NAMES = (
    "points", "provinces", "armies", "chests", "castles", "temples", "theatres", "majorities", "rice", "rice_short",
    "revolts", "free_sites", "tax", "harvest", "exposed", "reach", "supply", "inside", "spendable", "front",
)  # fmt: skip
"""Points; provinces; armies on the board; chests; buildings by kind; points of majorities as of now; rice; provinces
beyond the rice; revolt markers; free building sites; chests and rice that the provinces yield; armies by which the
strongest neighbour outnumbers a province, summed; armies by which a province outnumbers its weakest neighbour, summed;
armies in supply; cubes in the tower; chests up to 12; provinces next to another player's."""
(
    POINTS, PROVINCES, ARMIES, CHESTS, CASTLES, TEMPLES, THEATRES, MAJORITIES, RICE, RICE_SHORT, REVOLTS, FREE_SITES,
    TAX, HARVEST, EXPOSED, REACH, SUPPLY, INSIDE, SPENDABLE, FRONT,
) = range(len(VALUE_NAMES))  # fmt: skip
SPENT = 12
"""Chests that can be spent in a round."""
NEAR = board.NEIGHBOURS


@kernel
def weigh_front(g: State, prov: Prov, owner: Player, row: Row) -> None:
    """Add to a player's features how one of their provinces stands against its neighbours."""
    own, strongest, weakest, foreign = np.int64(g["armies"][prov]), np.int64(0), np.int64(99), False
    for index in range(c.MAX_NEIGHBOURS + 1):
        near = np.int64(NEAR[np.int64(g["side"]), np.int64(g["n_players"]), prov, index])
        if near == c.NONE:
            break
        holder, armies = np.int64(g["owner"][near]), np.int64(g["armies"][near])
        if holder != owner:
            weakest = min(weakest, armies)
            if holder != c.NONE:
                foreign = True
                strongest = max(strongest, armies - 1)
    row[EXPOSED] += max(np.int64(0), strongest - own)
    row[REACH] += max(np.int64(0), own - 1 - weakest)
    row[FRONT] += 1.0 if foreign else 0.0


@kernel
def weigh_provinces(g: State, out: Rows) -> None:
    """Add to the features of all players what their provinces hold."""
    for prov in range(c.N_PROVINCES):
        owner = np.int64(g["owner"][prov])
        if owner == c.NONE:
            continue
        row = out[owner]
        built = np.int64(0)
        for kind in range(c.N_KINDS):
            built += np.int64(g["building"][kind, prov])
            row[CASTLES + kind] += g["building"][kind, prov]
        row[ARMIES] += g["armies"][prov]
        row[REVOLTS] += g["revolts"][prov]
        row[FREE_SITES] += board.SITES[prov] - built
        row[TAX] += board.TAX[prov]
        row[HARVEST] += board.RICE[prov]
        weigh_front(g, prov, owner, row)


@kernel
def value_features(g: State, out: Rows) -> None:
    """Write for each player the numbers named ``VALUE_NAMES``.

    Args:   out float64[P, F], written
    Reads:  chests, rice, points, n_players, side, owner, armies, revolts, building, n_owned, supply, tower
    """
    out[:] = 0.0
    weigh_provinces(g, out)
    majorities = np.int64(0)
    for kind in range(c.N_KINDS):
        majorities += score_kind(g, kind)[0]
    for player in range(np.int64(g["n_players"])):
        row = out[player]
        provinces, chests, rice = (
            np.int64(g["n_owned"][player]),
            np.int64(g["chests"][player]),
            np.int64(g["rice"][player]),
        )
        row[POINTS], row[PROVINCES], row[CHESTS], row[RICE] = np.int64(g["points"][player]), provinces, chests, rice
        row[MAJORITIES] = of_player(majorities, player)
        row[RICE_SHORT] = max(np.int64(0), provinces - rice)
        row[SUPPLY] = np.int64(g["supply"][player])
        row[SPENDABLE] = min(chests, np.int64(SPENT))
        for floor in range(c.MAX_FLOORS):
            row[INSIDE] += np.int64(g["tower"][floor, player])
