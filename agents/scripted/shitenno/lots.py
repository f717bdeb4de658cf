"""What lots of cards are to the scripted bot of Shitennō: numbers that count cards, what they show, and who is left.

A lot is one whole number with three bits per kind of card: how many cards of the kind are in it.
"""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shitenno.evaluate import Wants, title_worth, units_worth
from shogun_env.agents.scripted.shitenno.features import CARD, Features, seals_of
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Action, Float, Int, Mask, Observation
from shogun_env.shitenno import constants as c
from shogun_env.shitenno import layout as at

_DIGIT = 3
_FULL = 7
_TINY = 1e-9


@kernel
def lot_at(obs: Observation, first: Int) -> Int:
    """Return as a lot the cards of the 17 kinds whose counts begin at ``first``."""
    lot = np.int64(0)
    for kind in range(c.N_KINDS):
        lot |= np.int64(obs[first + kind]) << (_DIGIT * kind)
    return lot


@kernel
def whole_pool(obs: Observation) -> Int:
    """Return all cards to be divided, as a lot."""
    return lot_at(obs, at.POOL) + lot_at(obs, at.LOT)


@kernel
def one_of(kind: Int) -> Int:
    """Return a lot of one card."""
    return np.int64(1) << (_DIGIT * kind)


@kernel
def count_in(lot: Int, kind: Int) -> Int:
    """Return how many cards of a kind are in a lot."""
    return (lot >> (_DIGIT * kind)) & _FULL


@kernel
def units_of(lot: Int) -> Int:
    """Return the units that the cards of a lot show, in the form of a hand."""
    hand = np.int64(0)
    for kind in range(c.N_KINDS):
        hand += count_in(lot, kind) * CARD[kind]
    return hand


@kernel
def next_step(obs: Observation, legal: Mask, lot: Int, seals: Int) -> Action:
    """Return the next action that forms a lot: add its lowest card not added yet, or else its tile.

    A lot that somebody else has begun may already be beyond some of its cards, or have no room for its tile: such cards
    are left out, and the highest tile that may be added takes the place of the tile.
    """
    for kind in range(c.N_KINDS):
        if count_in(lot, kind) > obs[at.LOT + kind] and legal[c.A_LOT_ADD + kind] == 1:
            return np.int64(c.A_LOT_ADD + kind)
    if legal[c.A_LOT_TILE + seals] == 1:
        return c.A_LOT_TILE + seals
    action = np.int64(c.A_LOT_TILE + c.DAIMYO)
    while action > 0 and legal[action] == 0:
        action -= 1
    return action


@kernel
def count_left(obs: Observation, players: Int) -> Int:
    """Return how many players have no lot yet."""
    left = np.int64(0)
    for offset in range(players):
        left += 1 if obs[at.GAINED + offset] == 0 else 0
    return left


@kernel
def other_left(obs: Observation, players: Int) -> Int:
    """Return the offset of the next player after the observer who has no lot yet."""
    offset = np.int64(1)
    while offset < players - 1 and obs[at.GAINED + offset] != 0:
        offset += 1
    return offset


@kernel
def asked_after(obs: Observation, players: Int, seals: Int) -> Int:
    """Return the offset of the player without a lot who holds the highest title below ``seals``, or NONE."""
    best, best_seals = np.int64(c.NONE), np.int64(0)
    for offset in range(1, players):
        held = seals_of(obs, offset)
        if obs[at.GAINED + offset] == 0 and best_seals < held < seals:
            best, best_seals = np.int64(offset), held
    return best


@kernel
def mean_title(f: Features, without: Int) -> Float:
    """Return what the titles not yet taken are worth on average, without that of ``without`` seals."""
    total = 0.0
    count = 0
    for seals in range(1, c.N_TITLES + 1):
        if f.obs[at.FREE + seals - 1] == 1 and seals != without:
            total += title_worth(seals, f.params)
            count += 1
    return total / max(1, count)


@kernel
def fill_lot(pool: Int, first: Wants, second: Wants, room: Float, measure: Wants, little: Float) -> Int:
    """Return a lot of the cards with the highest worth by ``first`` over that by ``second``, as many as have room.

    Args: room, the highest worth of the lot by ``measure``; little, added to both worths of a card
    """
    lot = np.int64(0)
    while True:
        pick = np.int64(c.NONE)
        best = 0.0
        for kind in range(c.N_KINDS):
            if count_in(pool, kind) > count_in(lot, kind) and units_worth(measure, CARD[kind]) <= room:
                theirs = units_worth(second, CARD[kind]) + little
                score = (units_worth(first, CARD[kind]) + little) / (theirs if theirs != 0.0 else _TINY)
                if score > best:
                    pick, best = np.int64(kind), score
        if pick == c.NONE:
            return lot
        lot += one_of(pick)
        room -= units_worth(measure, CARD[pick])


@kernel
def next_lot(
    pool: Int, lot: Int, my_worth: Float, their_worth: Float, mine: Wants, theirs: Wants
) -> tuple[Int, Float, Float]:
    """Return the lot that comes after ``lot`` among those of the pool, and its worth to both; NONE after the last."""
    for kind in range(c.N_KINDS):
        count = count_in(lot, kind)
        if count < count_in(pool, kind):
            lot += one_of(kind)
            return lot, my_worth + units_worth(mine, CARD[kind]), their_worth + units_worth(theirs, CARD[kind])
        if count > 0:
            lot -= count << (_DIGIT * kind)
            my_worth -= count * units_worth(mine, CARD[kind])
            their_worth -= count * units_worth(theirs, CARD[kind])
    return np.int64(c.NONE), 0.0, 0.0
