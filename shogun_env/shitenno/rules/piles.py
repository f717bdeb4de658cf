"""Drawing cards and tiles: the one place of chance (S2), and rows of numbers into the log.

A shuffled pile drawn from the top and a set of cards drawn from at random have the same law, so no order is kept. Rows
of the record are handed over as ``row[:]``: whatever their length, they are then of one type to the compiler.
"""

from __future__ import annotations

import numpy as np

from shogun_env._jit import rule
from shogun_env.log import ERR_TAPE, is_taped, note, take
from shogun_env.rng import below
from shogun_env.shitenno import constants as c


@rule
def count(row):
    """Return the sum of a row uint8[::1]."""
    total = np.int64(0)
    for index in range(row.shape[0]):
        total += np.int64(row[index])
    return total


@rule
def pick(rng, counts):
    """Take one of the things counted by kind, each equally likely; return its kind. There must be one."""
    left = below(rng, count(counts))
    index = np.int64(0)
    while left >= np.int64(counts[index]):
        left -= np.int64(counts[index])
        index += 1
    counts[index] -= 1
    return index


@rule
def draw_from(g, rng, log, kind, counts, a, b):
    """Take one of the things counted by kind, or what the tape says, and note it. There must be one.

    Args: kind of log entry; counts uint8[::1], written; a, b two numbers for the log.   Returns int: index into counts.
    """
    if is_taped(log):
        taped = take(log, kind)
        if taped >= 0 and taped < counts.shape[0] and counts[taped] > 0:
            counts[taped] -= 1
            note(log, kind, taped, a, b, 0, 0, 0, 0)
            return taped
        g["error"] = ERR_TAPE
    index = pick(rng, counts)
    note(log, kind, index, a, b, 0, 0, 0, 0)
    return index


@rule
def has_troop_cards(g):
    """Say whether a troop card can be drawn, if need be after a reshuffle (S2)."""
    return count(g["pile"][:]) + count(g["discard"][:]) > 0


@rule
def draw_troop_card(g, rng, log, kind, player):
    """Draw a troop card; an empty pile first takes in the discard (S2). Returns int: its kind; there must be one."""
    if count(g["pile"][:]) == 0:
        for card in range(c.N_TROOP_KINDS):
            g["pile"][card] = g["discard"][card]
            g["discard"][card] = 0
        note(log, c.LOG_RESHUFFLE, 0, 0, 0, 0, 0, 0, 0)
    return draw_from(g, rng, log, kind, g["pile"][:], player, c.NONE)


@rule
def note_row(log, row):
    """Note a row uint8[::1], six numbers an entry, zero-padded."""
    if log.shape[0] == 1:
        return
    size = row.shape[0]
    for first in range(0, size, 6):
        b = np.int64(row[first + 1]) if first + 1 < size else np.int64(0)
        d = np.int64(row[first + 2]) if first + 2 < size else np.int64(0)
        e = np.int64(row[first + 3]) if first + 3 < size else np.int64(0)
        f = np.int64(row[first + 4]) if first + 4 < size else np.int64(0)
        last = np.int64(row[first + 5]) if first + 5 < size else np.int64(0)
        note(log, c.LOG_ROW, first, np.int64(row[first]), b, d, e, f, last)
