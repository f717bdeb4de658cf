"""The troop pile and its discard (S2), and rows of numbers in the log.

A shuffled pile drawn from the top and a set of cards drawn from at random have the same law, so no order is kept. Rows
of a state are handed over as ``row[:]``: whatever their length, they are then of one type to the compiler.
"""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.chance import draw_counted, sum_of
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Bool, Int, Log, Player, Rng, Row, State
from shogun_env.shitenno import constants as c


@kernel
def has_troop_cards(g: State) -> Bool:
    """Say whether a troop card can be drawn, if need be after a reshuffle (S2)."""
    return sum_of(g["pile"][:]) + sum_of(g["discard"][:]) > 0


@kernel
def draw_troop_card(g: State, rng: Rng, log: Log, kind: Int, player: Player) -> Int:
    """Draw a troop card; an empty pile first takes in the discard (S2). Returns int: its kind; there must be one."""
    if sum_of(g["pile"][:]) == 0:
        for card in range(c.N_TROOP_KINDS):
            g["pile"][card] = g["discard"][card]
            g["discard"][card] = 0
        log_entry(log, c.LOG_RESHUFFLE, 0, 0, 0, 0, 0, 0, 0)
    return draw_counted(g, rng, log, kind, g["pile"][:], player, c.NONE)


@kernel
def log_row(log: Log, row: Row) -> None:
    """Log a row uint8[::1], six numbers per entry, padded with zeros."""
    if log.shape[0] == 1:
        return
    size = row.shape[0]
    for first in range(0, size, 6):
        b = np.int64(row[first + 1]) if first + 1 < size else np.int64(0)
        d = np.int64(row[first + 2]) if first + 2 < size else np.int64(0)
        e = np.int64(row[first + 3]) if first + 3 < size else np.int64(0)
        f = np.int64(row[first + 4]) if first + 4 < size else np.int64(0)
        last = np.int64(row[first + 5]) if first + 5 < size else np.int64(0)
        log_entry(log, c.LOG_ROW, first, np.int64(row[first]), b, d, e, f, last)
