"""The troop pile and its discard (rules 4, 5.1, S2), and rows of counts in the log.

Drawing from the top of a shuffled pile and drawing at random from a set of cards follow the same law, so no order is
kept. Fields are passed as ``field[:]``: to the compiler, slices have the same type whatever their length.
"""

import numpy as np

from shogun_env.kernel.chance import draw_counted, sum_of
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Bool, Int, Log, Player, Rng, Row, State
from shogun_env.shitenno import constants as c


@kernel
def has_troop_cards(g: State) -> Bool:
    """Say whether a troop card can be drawn, if necessary after a reshuffle (S2).

    Reads:  pile, discard
    """
    return sum_of(g["pile"][:]) + sum_of(g["discard"][:]) > 0


@kernel
def draw_troop_card(g: State, rng: Rng, log: Log, kind: Int, player: Player) -> Int:
    """Draw a troop card, after a reshuffle of the discard if the pile is empty (S2).

    Args:   g, with a card in the pile or the discard; kind of the log entry; player who draws it, NONE for the pool
    Reads:  pile, discard
    Writes: error, pile, discard
    Draws:  one
    Returns int: the card's kind, 0..13.
    """
    if sum_of(g["pile"][:]) == 0:
        for card in range(c.N_TROOP_KINDS):
            g["pile"][card] = g["discard"][card]
            g["discard"][card] = 0
        log_entry(log, c.LOG_RESHUFFLE, 0, 0, 0, 0, 0, 0, 0)
    return draw_counted(g, rng, log, kind, g["pile"][:], player, c.NONE)


@kernel
def log_row(log: Log, row: Row) -> None:
    """Log counts, such as the cards of a lot (4) or the items of a payment (5.3): six per entry, padded with zeros.

    Args: row uint8[::1] of any length
    """
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
