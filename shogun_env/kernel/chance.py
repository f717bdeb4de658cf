"""Chance: the only place where an outcome is drawn, or taken from the tape; every outcome is logged here.

The log entry of an outcome holds the outcome itself and two numbers more, which say what it is about. So the outcomes
of a game in the order of its log are the tape that replays it.
"""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import ERR_TAPE, is_taped, log_entry, next_taped
from shogun_env.kernel.rng import below
from shogun_env.kernel.types import Int, Log, Rng, Row, State


@kernel
def count_ones(candidates: Int) -> Int:
    """Return how many numbers are in a set: bit i of an int64 says whether i is."""
    count = np.int64(0)
    while candidates != 0:
        candidates &= candidates - 1
        count += 1
    return count


@kernel
def number_at(candidates: Int, index: Int) -> Int:
    """Return number ``index`` of a set, counted from the lowest; the set must have so many."""
    for _ in range(index):
        candidates &= candidates - 1
    number = np.int64(0)
    while (candidates >> number) & 1 == 0:
        number += 1
    return number


@kernel
def draw_one(g: State, rng: Rng, log: Log, kind: Int, candidates: Int, a: Int, b: Int) -> Int:
    """Draw one number of a set, each equally likely.

    Args:   g; rng; log; kind of the log entry; candidates, the set, not empty, of numbers 0..62 (bit i: i is in it);
            a, b, two numbers for the log
    Writes: error, if the tape holds another number; the lowest candidate then stands for it
    Draws:  one, if there is no tape
    Returns int: the number drawn.
    """
    number = np.int64(0)
    if not is_taped(log):
        number = number_at(candidates, below(rng, count_ones(candidates)))
    else:
        number = next_taped(log, kind)
        if number < 0 or number > 62 or (candidates >> number) & 1 == 0:
            g["error"] = ERR_TAPE
            number = number_at(candidates, np.int64(0))
    log_entry(log, kind, number, a, b, 0, 0, 0, 0)
    return number


@kernel
def certain(g: State, log: Log, kind: Int, number: Int, a: Int, b: Int) -> None:
    """Log an outcome that is certain, so that it takes no draw; a tape names it like any other.

    Args:   g; log; kind of the log entry; number, the outcome; a, b, two numbers for the log
    Writes: error, if the tape holds another number
    """
    if is_taped(log) and next_taped(log, kind) != number:
        g["error"] = ERR_TAPE
    log_entry(log, kind, number, a, b, 0, 0, 0, 0)


@kernel
def draw_place(g: State, rng: Rng, log: Log, kind: Int, row: Row, first: Int, a: Int, b: Int) -> Int:
    """Draw one of the numbers ``row[first:]``, each equally likely, and return its place in the row.

    Args:   g; rng; log; kind of the log entry; row int8[::1]; first, index of the first candidate; a, b for the log
    Writes: error, if the tape holds a number that is not among them; ``first`` then stands for it
    Draws:  one, with or without a tape
    Returns int: index into the row.
    """
    place = first + below(rng, row.shape[0] - first)
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
    """Return the sum of a row uint8[::1] of counts."""
    total = np.int64(0)
    for index in range(counts.shape[0]):
        total += np.int64(counts[index])
    return total


@kernel
def pick(rng: Rng, counts: Row) -> Int:
    """Take one of the things counted by kind, each equally likely; return its kind. There must be one.

    Args:   rng; counts uint8[::1], of which one is taken
    Draws:  one
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
    """Draw one of the things counted by kind, each equally likely, and take it out of the counts. There must be one.

    Args:   g; rng; log; kind of the log entry; counts uint8[::1]; a, b, two numbers for the log
    Writes: error, if the tape holds a kind of which there is none; one is drawn then
    Draws:  one, if there is no tape
    Returns int: index into ``counts``.
    """
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
