"""What hands, cards and titles are worth to a player of Shitennō, in points."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shogun_env.agents.scripted.shitenno.features import (
    BYTE,
    CARD,
    EXCHANGE,
    HAND,
    KNOWN,
    PLUS_ONE,
    Features,
    cards_at,
    count_troops,
    missing,
)
from shogun_env.agents.scripted.shitenno.weights import NEAR, TITLE
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Bool, Float, Int, Observation, Params
from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c

_OF_TITLE = np.array([0.0, 1.2, 1.14, 0.66, 1.08])
"""What a title brings in a round, by seals 0..4."""
SHOWN = np.array([[(int(card) >> 8 * unit) & BYTE for unit in range(c.N_TROOPS + 1)] for card in CARD], np.float64)
"""Units that a card shows, of each troop type and Koku: float64[17, 5]."""


class Wants(NamedTuple):
    """What one more unit is worth to a player."""

    bushi: float
    samurai: float
    shinobi: float
    sohei: float
    koku: float


@kernel
def spent(hand: Int, need: Int) -> Int:
    """Return the troops of a hand that go into paying a need, written like a hand."""
    used = np.int64(0)
    for troop in range(c.N_TROOPS):
        at = 8 * troop
        used += min((hand >> at) & BYTE, (need >> at) & BYTE) << at
    return used


@kernel
def best_use(s: Features, hand: Int, copies: Int, exchanges: Int, taken: Int) -> tuple[Int, Float, Bool, Float]:
    """Return the placement that a hand pays best: province or NONE, gain, whether by Koku, gain if one troop more.

    An Exchange needs a unit that is of no use otherwise.

    Args: copies: +1 tiles; exchanges: Exchange tiles; taken: a province left out, or NONE
    """
    best, best_gain, by_koku, close = np.int64(c.NONE), 0.0, False, 0.0
    koku = hand >> board.KOKU_AT
    units = count_troops(hand) + koku
    for prov in range(c.N_PROVINCES):
        if prov == taken:
            continue
        gain = s.by_troops[prov]
        if gain > best_gain or gain > close:
            need = s.needs[prov]
            lack = missing(hand, need)
            beyond = lack - copies - min(exchanges, units - count_troops(need) + lack)
            if beyond <= 0 and gain > best_gain:
                best, best_gain, by_koku = np.int64(prov), gain, False
            elif beyond == 1:
                close = max(close, gain)
        gain = s.by_koku[prov]
        if gain > best_gain and koku >= s.prices[prov]:
            best, best_gain, by_koku = np.int64(prov), gain, True
    return best, best_gain, by_koku, close


@kernel
def hand_worth(s: Features, hand: Int, copies: Int, exchanges: Int, near: Float) -> Float:
    """Return what a hand is worth: what it can pay this round, in two placements at most, and what is kept.

    Args: copies, exchanges: tiles that help; near: share at which a payment counts that lacks one troop
    """
    total = s.troop * count_troops(hand) + s.koku * (hand >> board.KOKU_AT)
    taken = np.int64(c.NONE)
    close = 0.0
    for _ in range(board.MAX_PLACED):
        prov, gain, by_koku, close = best_use(s, hand, copies, exchanges, taken)
        if prov == c.NONE:
            break
        total += gain
        taken = prov
        if by_koku:
            hand -= s.prices[prov] << board.KOKU_AT
        else:
            lack = missing(hand, s.needs[prov])
            hand -= spent(hand, s.needs[prov])
            exchanges -= min(exchanges, max(np.int64(0), lack - copies))
            copies -= min(copies, lack)
    return total + near * close


@kernel
def hand_of(o: Observation, seat: Int) -> Int:
    """Return what is known of a player's hand; of the observer's own, all."""
    return cards_at(o, HAND) if seat == 0 else cards_at(o, KNOWN + c.N_KINDS * seat)


@kernel
def worth_with(o: Observation, s: Features, seat: Int, hand: Int, params: Params) -> Float:
    """Return what a hand would be worth to a player, with the tiles he has."""
    return hand_worth(s, hand, np.int64(o[PLUS_ONE + seat]), np.int64(o[EXCHANGE + seat]), params[NEAR])


@kernel
def wanted(s: Features) -> Int:
    """Return the troops that some placement worth its cost needs, by type: the bytes of types that are not 0."""
    troops = np.int64(0)
    for prov in range(c.N_PROVINCES):
        if s.by_troops[prov] > 0.0:
            troops |= s.needs[prov]
    return troops


@kernel
def want(
    o: Observation, s: Features, seat: Int, hand: Int, before: Float, useful: Int, troop: Int, params: Params
) -> Float:
    """Return what one more troop of a type is worth to a player; what no placement needs is only kept."""
    at = 8 * troop
    if (useful >> at) & BYTE == 0:
        return s.troop
    return worth_with(o, s, seat, hand + (np.int64(1) << at), params) - before


@kernel
def wants_of(o: Observation, s: Features, seat: Int, params: Params) -> Wants:
    """Return what one more unit is worth to a player."""
    hand = hand_of(o, seat)
    before, useful = worth_with(o, s, seat, hand, params), wanted(s)
    return Wants(
        want(o, s, seat, hand, before, useful, 0, params),
        want(o, s, seat, hand, before, useful, 1, params),
        want(o, s, seat, hand, before, useful, 2, params),
        want(o, s, seat, hand, before, useful, 3, params),
        s.koku,
    )


@kernel
def card_worth(wants: Wants, kind: Int) -> Float:
    """Return what a card is worth by the units it shows."""
    shown = SHOWN[kind]
    worth = wants.bushi * shown[0] + wants.samurai * shown[1] + wants.shinobi * shown[2] + wants.sohei * shown[3]
    return worth + wants.koku * shown[4]


@kernel
def title_worth(seals: Int, params: Params) -> Float:
    """Return what a title is worth."""
    return params[TITLE] * _OF_TITLE[seals]
