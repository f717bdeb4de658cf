"""Board features: what a learner would have to find out about every province before it can plan or attack."""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Int, Observation, Prov, Row
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun import layout as at
from shogun_env.spec.layout import Board, BoardFeature

ARMY_UNIT, LEAD_UNIT = 4.0, 2.0
"""Units in which armies, and buildings by which a player leads, are counted."""
_MOST = board.ARMIES_PER_PLAYER / ARMY_UNIT
_LEAD = c.PROVINCES_IN_REGION / LEAD_UNIT

BOARD = Board(
    block="provinces",
    neighbours=tuple(
        tuple(int(near) for near in row if near != c.NONE) for row in board.NEIGHBOURS[c.SUN, c.MAX_PLAYERS]
    ),
    groups=(
        "owner_self",
        "owner_none",
        "region_is_1",
        "region_is_2",
        "region_is_3",
        "region_is_4",
        "region_is_5",
        "pending_is_1",
        "pending_is_2",
    ),
    actions=(c.A_CARD,),
    numbers=range(c.A_NUMBER + 1, c.A_DECK),
    late=("planned", "own_card", "running", "pending", "phase"),
    features_read=(
        *("owner_self", "owner_next_1", "owner_next_2", "owner_next_3", "owner_next_4", "armies"),
        *board.KIND_NAMES,
        "moon",
        "players_in_game",
    ),
    features=(
        BoardFeature("own_near", 0.0, _MOST, "armies / 4 of the observer's strongest province next door"),
        BoardFeature("strongest_near", 0.0, _MOST, "armies / 4 of the strongest province next door of another player"),
        BoardFeature("weakest_near", 0.0, _MOST, "armies / 4 of the weakest province next door of another player"),
        BoardFeature("neutral_near", 0.0, c.MAX_NEIGHBOURS / ARMY_UNIT, "neutral provinces next door / 4"),
        BoardFeature(
            "danger", 0.0, _MOST, "armies / 4 by which an attack on the owner from next door can outnumber it"
        ),
        BoardFeature(
            "reach",
            0.0,
            _MOST,
            "armies / 4 by which it can outnumber the weakest neighbour that is not the owner's",
        ),
        BoardFeature(
            "castle_lead", -_LEAD, _LEAD, "castles / 2 that the observer has more in the region than the best rival"
        ),
        BoardFeature("temple_lead", -_LEAD, _LEAD, "the same for temples"),
        BoardFeature("no_theatre_lead", -_LEAD, _LEAD, "the same for Noh theatres"),
    ),
)
"""The provinces as learners use them: their borders, what groups them, and what ``board_features`` writes."""
OWN_NEAR, STRONGEST, WEAKEST, NEUTRAL, DANGER, REACH, LEAD = range(7)
NOBODY, FAR = 5, 99
NEAR = board.NEIGHBOURS


@kernel
def owner_offset(o: Observation, prov: Prov) -> Int:
    """Return how far after the observer the owner of a province sits; NOBODY if it is neutral or out of play."""
    for offset in range(c.MAX_PLAYERS):
        if o[at.OWNER + (1 + offset) * c.N_PROVINCES + prov] == 1:
            return offset
    return NOBODY


@kernel
def see_neighbours(o: Observation, side: Int, players: Int, prov: Prov, out: Row, first: Int) -> None:
    """Write how a province stands against its neighbours.

    Args:   o uint8[D]; side, players; prov; out float32[...], from ``first`` on
    Writes: the features own_near .. reach
    """
    owner, own_armies = owner_offset(o, prov), np.int64(o[at.ARMIES + prov])
    own, strongest, neutral, stronger = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    weakest, weaker = np.int64(FAR), np.int64(FAR)
    for index in range(c.MAX_NEIGHBOURS + 1):
        near = np.int64(NEAR[side, players, prov, index])
        if near == c.NONE:
            break
        holder, armies = owner_offset(o, near), np.int64(o[at.ARMIES + near])
        if holder == 0:
            own = max(own, armies)
        elif holder == NOBODY:
            neutral += 1
        else:
            strongest, weakest = max(strongest, armies), min(weakest, armies)
        if holder != owner:
            weaker = min(weaker, armies)
            if holder != NOBODY:
                stronger = max(stronger, armies - 1)
    out[first + OWN_NEAR] = own / ARMY_UNIT
    out[first + STRONGEST] = strongest / ARMY_UNIT
    out[first + WEAKEST] = weakest / ARMY_UNIT if weakest < FAR else 0.0
    out[first + NEUTRAL] = neutral / ARMY_UNIT
    out[first + DANGER] = max(np.int64(0), stronger - own_armies) / ARMY_UNIT if owner != NOBODY else 0.0
    out[first + REACH] = (
        max(np.int64(0), own_armies - 1 - weaker) / ARMY_UNIT if owner != NOBODY and weaker < FAR else 0.0
    )


@kernel
def see_region(o: Observation, side: Int, region: Int, out: Row, first: Int, width: Int) -> None:
    """Write by how much the observer leads in a region with each kind of building, into the rows of its provinces.

    Args:   o uint8[D]; side; region; out float32[...], row r from ``first + r * width`` on
    Writes: the features castle_lead .. no_theatre_lead
    """
    provinces = board.PROVINCES_OF[side, region]
    for kind in range(c.N_KINDS):
        best, mine = 0, 0
        for offset in range(c.MAX_PLAYERS):
            count = 0
            for index in range(c.PROVINCES_IN_REGION):
                prov = np.int64(provinces[index])
                built = np.int64(o[at.BUILDING + kind * c.N_PROVINCES + prov])
                count += built * np.int64(o[at.OWNER + (1 + offset) * c.N_PROVINCES + prov])
            if offset == 0:
                mine = count
            else:
                best = max(best, count)
        for index in range(c.PROVINCES_IN_REGION):
            out[first + np.int64(provinces[index]) * width + LEAD + kind] = (mine - best) / LEAD_UNIT


@kernel
def board_features(o: Observation, out: Row, first: Int, width: Int) -> None:
    """Write the board features of all provinces; of those out of play only who leads in their region.

    Args:   o uint8[D]; out float32[...]: feature f of province p is at ``first + p * width + f``
    Writes: the features of ``BOARD``
    """
    side, players = np.int64(o[at.MOON]), at.count_players(o)
    for prov in range(c.N_PROVINCES):
        see_neighbours(o, side, players, prov, out, first + prov * width)
    for region in range(c.N_REGIONS):
        see_region(o, side, region, out, first, width)
