"""Chance: an outcome is drawn or taken from the tape here, and logged.

The log entry of an outcome holds the outcome and two more numbers that say what it is about. The outcomes of a game, in
the order of its log, are therefore the tape that replays it.

One exception: a throw of Shogun's cube tower is many draws with one result. ``shogun/rules/tower.py`` makes these draws
itself, or takes the cubes in the tray after the throw from the tape, one number per colour, and logs them as one entry.
"""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import ASK_MORE, ERR_TAPE, ask, is_asking, is_taped, log_entry, next_taped
from shogun_env.kernel.rng import below
from shogun_env.kernel.types import Int, Log, Rng, Row, State


@kernel
def count_ones(candidates: Int) -> Int:
    """Return how many numbers are in the set ``candidates``: bit i of the int64 says whether i is in it."""
    count = np.int64(0)
    while candidates != 0:
        candidates &= candidates - 1
        count += 1
    return count


@kernel
def number_at(candidates: Int, index: Int) -> Int:
    """Return the number of the set ``candidates`` that has ``index`` smaller ones; the set must be large enough."""
    for _ in range(index):
        candidates &= candidates - 1
    number = np.int64(0)
    while (candidates >> number) & 1 == 0:
        number += 1
    return number


@kernel
def draw_one(g: State, rng: Rng, log: Log, kind: Int, candidates: Int, a: Int, b: Int) -> Int:
    """Draw one number of a set, each equally likely.

    Args:   g; rng; log; kind of the log entry; candidates, a set of numbers 0..62, not empty (bit i: i is in it); a and
            b, two numbers for the log
    Writes: error; only if the tape holds a number that is not in the set, and the lowest candidate is taken instead
    Draws:  one number of the set, if there is no tape
    Returns int: the number drawn.
    """
    number = np.int64(0)
    if not is_taped(log):
        number = number_at(candidates, below(rng, count_ones(candidates)))
    else:
        if is_asking(log):
            ask(log, kind, candidates)
        number = next_taped(log, kind)
        if number < 0 or number > 62 or (candidates >> number) & 1 == 0:
            g["error"] = ERR_TAPE
            number = number_at(candidates, np.int64(0))
    log_entry(log, kind, number, a, b, 0, 0, 0, 0)
    return number


@kernel
def certain(g: State, log: Log, kind: Int, number: Int, a: Int, b: Int) -> None:
    """Log an outcome that is certain, and so takes no draw; a tape holds it like any other outcome.

    Args:   g; log; kind of the log entry; number, the outcome; a and b, two numbers for the log
    Writes: error; only if the tape holds another number
    """
    if is_asking(log):
        ask(log, kind, np.int64(1) << number)
    if is_taped(log) and next_taped(log, kind) != number:
        g["error"] = ERR_TAPE
    log_entry(log, kind, number, a, b, 0, 0, 0, 0)


@kernel
def draw_place(g: State, rng: Rng, log: Log, kind: Int, row: Row, first: Int, a: Int, b: Int) -> Int:
    """Draw one of the numbers ``row[first:]``, each equally likely, and return its index in the row.

    Args:   g; rng; log; kind of the log entry; row int8[::1]; first, index of the first candidate; a and b, two numbers
            for the log
    Writes: error; only if the tape holds a number that is not a candidate, and the first candidate is taken instead
    Draws:  one number of the row, with or without a tape
    Returns int: index into the row.
    """
    place = first + below(rng, row.shape[0] - first)
    if is_asking(log):
        candidates = np.int64(0)
        for index in range(first, row.shape[0]):
            candidates |= np.int64(1) << np.int64(row[index])
        ask(log, kind, candidates)
    if is_taped(log):
        taped = next_taped(log, kind)
        place = np.int64(row.shape[0])
        for index in range(first, row.shape[0]):
            if row[index] == taped:
                place = np.int64(index)
        if place == row.shape[0]:
            g["error"] = ERR_TAPE
            place = np.int64(first)
    log_entry(log, kind, np.int64(row[place]), a, b, 0, 0, 0, 0)
    return place


@kernel
def sum_of(counts: Row) -> Int:
    """Return the sum of the row ``counts`` uint8[::1]."""
    total = np.int64(0)
    for index in range(counts.shape[0]):
        total += np.int64(counts[index])
    return total


@kernel
def pick(rng: Rng, counts: Row) -> Int:
    """Take one of the pieces counted in ``counts``, each equally likely, and return its kind; there must be one.

    Args:   rng; counts uint8[::1], pieces of each kind; the one taken is subtracted
    Draws:  one piece
    Returns int: index into ``counts``.
    """
    left = below(rng, sum_of(counts))
    index = np.int64(0)
    while left >= np.int64(counts[index]):
        left -= np.int64(counts[index])
        index += 1
    counts[index] -= 1
    return index


@kernel
def draw_counted(g: State, rng: Rng, log: Log, kind: Int, counts: Row, a: Int, b: Int) -> Int:
    """Take one of the pieces counted in ``counts``, each equally likely, and log its kind; there must be one.

    Args:   g; rng; log; kind of the log entry; counts uint8[::1], pieces of each kind; the one taken is subtracted; a
            and b, two numbers for the log
    Writes: error; only if the tape holds a kind of which no piece is left, and one is drawn instead
    Draws:  one piece, unless the tape holds a possible kind
    Returns int: index into ``counts``.
    """
    if is_asking(log):
        candidates = np.int64(0)
        for index in range(counts.shape[0]):
            if counts[index] > 0:
                candidates |= np.int64(1) << index
        ask(log, kind, candidates)
        for index in range(counts.shape[0]):
            log_entry(log, ASK_MORE, index, np.int64(counts[index]), 0, 0, 0, 0, 0)
    if is_taped(log):
        taped = next_taped(log, kind)
        if taped >= 0 and taped < counts.shape[0] and counts[taped] > 0:
            counts[taped] -= 1
            log_entry(log, kind, taped, a, b, 0, 0, 0, 0)
            return taped
        g["error"] = ERR_TAPE
    index = pick(rng, counts)
    log_entry(log, kind, index, a, b, 0, 0, 0, 0)
    return index
