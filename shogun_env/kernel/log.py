"""The log row: every chance outcome and every rule that was carried out, in order; and the tape that forces chance.

A log is an int16 row, kept next to the state. A row of length 1 is switched off: nothing is logged. Otherwise entry
``i`` is the 8 numbers ``[kind, a, b, c, d, e, f, g]`` at ``HEAD + 8 * i``; each game says what they mean. The *tape* is
the end of the same row: pairs ``(kind, value)``, the outcomes to come. While there is a tape, chance comes from it
instead of from the random row; what happens is still logged, so a replay writes its own log.
"""

import operator
from collections.abc import Sequence

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Bool, Int, Log

LENGTH, TAPE, FULL, TAPE_ERROR, STEPWISE = 0, 1, 2, 3, 4
"""Indices into the head of a row: the number of entries written; the index of the next pair of the tape, 0 without a
tape; 1 if there was no room for an entry; 1 if the tape did not fit the game; 1 if the game stops after every phase.
"""
HEAD = 8
"""Numbers at the head of a row."""
WIDTH = 8
"""Numbers of an entry."""
OK, ERR_TAPE, ERR_LOG_FULL, ERR_PHASE, ERR_NO_ACTION = 0, 1, 2, 3, 4
"""Values of a state's field ``error``."""
ASK, ASK_MORE = -1, -2
"""Kinds of entries that say what a tape that has ended should have held, see ``ask``."""
ERRORS = {
    ERR_TAPE: "the chance outcomes given do not fit the game",
    ERR_LOG_FULL: "the log is full",
    ERR_PHASE: "the state is in a phase that the engine does not know",
    ERR_NO_ACTION: "the state asks for a decision without a legal action",
}
MAX_ENTRIES = 3600
"""Room for the longest game there can be (see ``tests/unit/kernel/test_log.py``)."""

NONE = -1


@kernel
def log_entry(log: Log, kind: Int, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int) -> None:
    """Append the entry ``[kind, a, b, c, d, e, f, g]``; do nothing if the row is switched off."""
    if log.shape[0] == 1:
        return
    begin = HEAD + WIDTH * np.int64(log[LENGTH])
    end = log.shape[0] if log[TAPE] == 0 else np.int64(log[TAPE])
    if begin + WIDTH > end:
        log[FULL] = 1
        return
    log[begin] = kind
    log[begin + 1] = a
    log[begin + 2] = b
    log[begin + 3] = c
    log[begin + 4] = d
    log[begin + 5] = e
    log[begin + 6] = f
    log[begin + 7] = g
    log[LENGTH] += 1


@kernel
def is_taped(log: Log) -> Bool:
    """Say whether chance comes from a tape."""
    return log.shape[0] > 1 and log[TAPE] != 0


@kernel
def is_stepwise(log: Log) -> Bool:
    """Say whether the game stops after every decision and after every phase in which nobody decides."""
    return log.shape[0] > 1 and log[STEPWISE] != 0


@kernel
def next_taped(log: Log, kind: Int) -> Int:
    """Return the next outcome of the tape and move on to the one after it.

    Args:   log; kind that the outcome must have
    Returns int: the outcome; NONE, and the row is marked, if the tape has ended or the outcome is of another kind.
    """
    at = np.int64(log[TAPE])
    if at + 1 >= log.shape[0] or log[at] != kind:
        log[TAPE_ERROR] = 1
        return np.int64(NONE)
    log[TAPE] = at + 2
    return np.int64(log[at + 1])


@kernel
def is_asking(log: Log) -> Bool:
    """Say whether the tape has just ended, so that the next outcome is asked for.

    A game that is played with an empty tape, or one of the first outcomes only, so says which outcomes are possible.
    """
    return is_taped(log) and log[TAPE_ERROR] == 0 and np.int64(log[TAPE]) + 1 >= log.shape[0]


@kernel
def ask(log: Log, kind: Int, candidates: Int) -> None:
    """Log which outcome comes next: an entry of the kind ASK with the kind of the outcome, and a set in four parts.

    Args:   log, which is asking; kind of the outcome; candidates, the set of numbers that it can be (bit i: i is in it)
    """
    first, second = candidates & 0xFFFF, (candidates >> 16) & 0xFFFF
    log_entry(log, ASK, kind, first, second, (candidates >> 32) & 0xFFFF, (candidates >> 48) & 0xFFFF, 0, 0)


@kernel
def log_status(log: Log) -> Int:
    """Return the error code of the row: OK, ERR_TAPE or ERR_LOG_FULL."""
    if log.shape[0] == 1:
        return np.int64(OK)
    if log[FULL] > 0:
        return np.int64(ERR_LOG_FULL)
    return np.int64(ERR_TAPE if log[TAPE_ERROR] > 0 else OK)


def new_log(entries: int = MAX_ENTRIES) -> np.ndarray:
    """Return an empty log row with room for ``entries`` entries: int16[L]."""
    return np.zeros(HEAD + WIDTH * entries, np.int16)


def new_tape(outcomes: Sequence[tuple[int, int]], length: int) -> np.ndarray:
    """Return outcomes ``(kind, value)`` one after the other as int16[2 n], for the end of a row of ``length``.

    Raises: ValueError if the row is too short for them, or one is no pair of whole numbers of 16 bits.
    """
    try:
        tape = np.array([operator.index(number) for kind, value in outcomes for number in (kind, value)], np.int16)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"a tape must hold pairs (kind, value) of whole numbers of 16 bits, and is {outcomes!r:.80}"
        ) from None
    if len(tape) > length - HEAD:
        raise ValueError(
            f"a tape of {len(tape) // 2} outcomes does not fit: it may hold {(length - HEAD) // 2} at most"
        )
    return tape


def set_tape(log: np.ndarray, tape: np.ndarray) -> None:
    """Put a tape, as ``new_tape`` returns it, at the end of a row; it replaces one that is already there."""
    begin = len(log) - len(tape)
    log[begin:] = tape
    log[TAPE] = begin
    log[TAPE_ERROR] = 0


def entries(log: np.ndarray) -> np.ndarray:
    """Return the entries of a log row as int16[n, 8]: kind and seven numbers each.

    Raises: ValueError if the row is switched off.
    """
    if len(log) == 1:
        raise ValueError("this log is switched off; make the batch with record=True")
    n = int(log[LENGTH])
    return log[HEAD : HEAD + WIDTH * n].reshape(n, WIDTH)
