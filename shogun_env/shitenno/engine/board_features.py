"""Board features: what a learner would have to find out about every province before it can place a Kamon."""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Int, Observation, Row
from shogun_env.shitenno import constants as c
from shogun_env.shitenno import layout as at
from shogun_env.shitenno.board import TROOP_NAMES, WORTH
from shogun_env.shitenno.rules.payment import BYTE
from shogun_env.spec.layout import Board, BoardFeature

BOARD = Board(
    block="provinces",
    neighbours=(),
    groups=("target_is_1", "target_is_2"),
    actions=(c.A_TROOPS, c.A_KOKU, c.A_FLIP),
    features_read=(
        *(f"position_{position}_{name}" for position in range(1, c.N_POSITIONS + 1) for name in at.OFFSET_NAMES),
        *(f"need_{troop}" for troop in TROOP_NAMES),
        "hand",
    ),
    features=(
        BoardFeature("own_kamon", 0.0, c.N_POSITIONS / 2.0, "Kamon / 2 of the observer"),
        BoardFeature("lead", -c.N_POSITIONS / 2.0, c.N_POSITIONS / 2.0, "Kamon / 2 more than the best rival has"),
        BoardFeature(
            "troops_missing",
            0.0,
            c.N_POSITIONS / 2.0,
            "troops / 2 that the next position costs beyond the troop cards in hand",
        ),
    ),
)
"""The provinces as learners use them: what groups them, and what ``board_features`` writes."""
OWN, LEAD, MISSING = range(len(BOARD.features))


@kernel
def count_kamon(o: Observation, prov: Int, offset: Int) -> Int:
    """Return the number of Kamon in a province of the player who comes ``offset`` after the observer."""
    count = 0
    for position in range(c.N_POSITIONS):
        count += np.int64(o[at.OWNER + (position * c.MAX_PLAYERS + offset) * c.N_PROVINCES + prov])
    return count


@kernel
def board_features(o: Observation, out: Row, first: Int, width: Int) -> None:
    """Write the board features of all provinces.

    Args:   o uint8[D]; out float32[...]: feature f of province p is at ``first + p * width + f``
    Writes: the features of ``BOARD``
    """
    hand = np.int64(0)
    for kind in range(c.N_TROOP_KINDS):
        hand += np.int64(o[at.HAND + kind]) * WORTH[c.FIRST_CARD + kind]
    for prov in range(c.N_PROVINCES):
        row = first + prov * width
        own, best, missing = count_kamon(o, prov, 0), 0, 0
        for offset in range(1, c.MAX_PLAYERS):
            best = max(best, count_kamon(o, prov, offset))
        for troop in range(c.N_TROOPS):
            need = np.int64(o[at.NEED + troop * c.N_PROVINCES + prov])
            missing += max(np.int64(0), need - ((hand >> (8 * troop)) & BYTE))
        out[row + OWN] = own / 2.0
        out[row + LEAD] = (own - best) / 2.0
        out[row + MISSING] = missing / 2.0
