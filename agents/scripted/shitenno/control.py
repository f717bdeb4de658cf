"""What the scripted bot decides in the odd year: placements, payments, Draw tiles, golden Kamon."""

from __future__ import annotations

import numpy as np

from agents.scripted.shitenno.sight import (
    BYTE,
    CARD,
    COMMITTED,
    HAND,
    NUMBER,
    TARGET,
    cards_at,
    count_troops,
    majority_gain,
    missing,
    need_in,
    own_seals,
)
from agents.scripted.shitenno.weights import MAJORITY
from shogun_env._jit import rule
from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c

_BY_KOKU = c.BY_KOKU + 1
_NEVER = 1000


@rule
def coins_for(o, price):
    """Return how many Koku cards of value 1, 2, 3 pay a price best: the least waste, then the fewest cards.

    Returns: one byte a value; 0 if Koku cards alone do not pay it.
    """
    ones, twos, threes = np.int64(o[HAND + 14]), np.int64(o[HAND + 15]), np.int64(o[HAND + 16])
    best = np.int64(0)
    best_cost = np.int64(_NEVER)
    for three in range(threes + 1):
        for two in range(twos + 1):
            one = min(ones, max(np.int64(0), price - 3 * three - 2 * two))
            total = one + 2 * two + 3 * three
            cost = 32 * total + one + two + three
            if total >= price and cost < best_cost:
                best, best_cost = one + (np.int64(two) << 8) + (np.int64(three) << 16), cost
    return best


@rule
def choose_turn(o, legal, s):
    """Draw if one can; else make the placement that brings most beyond its cost; else end the turn."""
    if legal[c.A_DRAW] == 1:
        return np.int64(c.A_DRAW)
    more = board.TITLE_POINTS[own_seals(o, 0)]
    best = np.int64(c.A_END_TURN)
    best_gain = 0.0
    for prov in range(c.N_PROVINCES):
        if legal[c.A_TROOPS + prov] == 1:
            gain = s.worths[prov] + more - s.troop * count_troops(s.needs[prov])
            if gain > best_gain:
                best, best_gain = np.int64(c.A_TROOPS + prov), gain
        if legal[c.A_KOKU + prov] == 1:
            coins = coins_for(o, s.prices[prov])
            if coins > 0:
                paid = (coins & BYTE) + 2 * ((coins >> 8) & BYTE) + 3 * (coins >> 16)
                gain = s.worths[prov] + more - s.koku * paid
                if gain > best_gain:
                    best, best_gain = np.int64(c.A_KOKU + prov), gain
    return best


@rule
def choose_item(o, legal):
    """Pay with the joker first, then with cards that waste least, and with tiles only where cards do not do."""
    if legal[c.A_PAY] == 1:
        return np.int64(c.A_PAY)
    prov = np.int64(0)
    while prov < c.N_PROVINCES - 1 and o[TARGET + prov] == 0:
        prov += 1
    if o[TARGET + prov] == _BY_KOKU:
        coins = coins_for(o, np.int64(o[NUMBER + prov]))
        for value in range(c.N_KOKU_KINDS):
            kind = c.N_TROOP_KINDS + value
            action = c.A_PAY + c.FIRST_CARD + kind
            if legal[action] == 1 and (coins >> (8 * value)) & BYTE > o[COMMITTED + kind]:
                return np.int64(action)
    need = need_in(o, prov)
    paid = cards_at(o, COMMITTED)
    lack = missing(paid, need)
    best = np.int64(c.NONE)
    best_waste = np.int64(_NEVER)
    for kind in range(c.N_KINDS):
        action = c.A_PAY + c.FIRST_CARD + kind
        if legal[action] == 1:
            waste = count_troops(CARD[kind]) + board.KOKU_VALUE[kind] - lack + missing(paid + CARD[kind], need)
            if waste < best_waste:
                best, best_waste = np.int64(action), waste
    if best != c.NONE:
        return best
    return np.int64(c.A_PAY + 1 if legal[c.A_PAY + 1] == 1 else c.A_PAY + 2)


@rule
def choose_flip(o, legal, s, params):
    """Turn the Kamon golden that does most for the majorities."""
    best = np.int64(c.A_NO_FLIP)
    best_gain = -1.0
    for prov in range(c.N_PROVINCES):
        if legal[c.A_FLIP + prov] == 1:
            gain = params[MAJORITY] * majority_gain(o, prov, s.players, 0, 1, s.hurt)
            if gain > best_gain:
                best, best_gain = np.int64(c.A_FLIP + prov), gain
    return best
