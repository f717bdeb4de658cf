"""What hands, cards and titles are worth to a player of Shitennō, in points."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.scripted.shitenno.sight import (
    BYTE,
    CARD,
    EXCHANGE,
    HAND,
    KNOWN,
    KOKU_AT,
    PLUS_ONE,
    cards_at,
    count_troops,
    missing,
)
from agents.scripted.shitenno.weights import NEAR, TITLE
from shogun_env._jit import rule
from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c

TITLE_WORTH = np.array([0.0, 1.4, 1.6, 1.4, 2.6])
"""What a title brings on the whole, by seals 0..4."""


class Wants(NamedTuple):
    """What more units are worth to a player."""

    troops: tuple[float, float, float, float]
    """A unit of each type."""
    koku: float


@rule
def spent(hand, need):
    """Return the troops of a hand that go into paying a need, written like a hand."""
    used = np.int64(0)
    for troop in range(c.N_TROOPS):
        at = 8 * troop
        used += min((hand >> at) & BYTE, (need >> at) & BYTE) << at
    return used


@rule
def hand_worth(s, hand, copies, exchanges, near):
    """Return what a hand is worth: what it can pay this round, up to two placements, and what is kept.

    Args: copies: +1 tiles (and the joker); exchanges: Exchange tiles; near: share for a payment that lacks one troop
    """
    koku = (hand >> KOKU_AT) & BYTE
    total = s.troop * count_troops(hand) + s.koku * koku
    close = 0.0
    done = np.int64(c.NONE)
    for _ in range(board.MAX_PLACED):
        units = count_troops(hand)
        best = np.int64(c.NONE)
        best_gain = 0.0
        by_koku = False
        close = 0.0
        for prov in range(c.N_PROVINCES):
            need = s.needs[prov]
            if need == 0 or prov == done:
                continue
            size = count_troops(need)
            lack = missing(hand, need)
            reach = copies + min(exchanges, units - size + lack + koku)
            gain = s.worths[prov] - s.troop * size
            if lack <= reach:
                if gain > best_gain:
                    best, best_gain, by_koku = np.int64(prov), gain, False
            elif lack == reach + 1:
                close = max(close, gain)
            gain = s.worths[prov] - s.koku * s.prices[prov]
            if koku >= s.prices[prov] and gain > best_gain:
                best, best_gain, by_koku = np.int64(prov), gain, True
        if best == c.NONE:
            break
        total += best_gain
        done = best
        if by_koku:
            koku -= s.prices[best]
            hand -= s.prices[best] << KOKU_AT
        else:
            lack = missing(hand, s.needs[best])
            hand -= spent(hand, s.needs[best])
            exchanges -= max(np.int64(0), min(lack - copies, exchanges))
            copies = max(np.int64(0), copies - lack)
    return total + near * close


@rule
def hand_of(o, seat):
    """Return what is known of a player's hand; of the observer's own, all."""
    return cards_at(o, HAND) if seat == 0 else cards_at(o, KNOWN + c.N_KINDS * seat)


@rule
def worth_with(o, s, seat, hand, near):
    """Return what a hand would be worth to a player with his tiles."""
    return hand_worth(s, hand, np.int64(o[PLUS_ONE + seat]), np.int64(o[EXCHANGE + seat]), near)


@rule
def want(o, s, seat, hand, before, unit, near):
    """Return what one more unit is worth to a player."""
    return worth_with(o, s, seat, hand + unit, near) - before


@rule
def wants_of(o, s, seat, params):
    """Return what more units are worth to a player."""
    hand = hand_of(o, seat)
    near = params[NEAR]
    before = worth_with(o, s, seat, hand, near)
    troops = (
        want(o, s, seat, hand, before, np.int64(1), near),
        want(o, s, seat, hand, before, np.int64(1 << 8), near),
        want(o, s, seat, hand, before, np.int64(1 << 16), near),
        want(o, s, seat, hand, before, np.int64(1 << 24), near),
    )
    return Wants(troops, want(o, s, seat, hand, before, np.int64(1 << KOKU_AT), near))


@rule
def card_worth(wants, kind):
    """Return what a card is worth by the units it shows."""
    if kind >= c.N_TROOP_KINDS:
        return wants.koku * board.KOKU_VALUE[kind]
    worth = 0.0
    for troop in range(c.N_TROOPS):
        worth += wants.troops[troop] * ((CARD[kind] >> (8 * troop)) & BYTE)
    return worth


@rule
def title_worth(seals, params):
    """Return what a title is worth."""
    return params[TITLE] * TITLE_WORTH[seals]
