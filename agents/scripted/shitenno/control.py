"""What the scripted bot of Shitennō decides in the odd year: placements, payments item by item, golden Kamon."""

import numpy as np

from shogun_env.agents.scripted.shitenno import numbers as n
from shogun_env.agents.scripted.shitenno.evaluate import best_use, spent
from shogun_env.agents.scripted.shitenno.features import (
    BYTE,
    CARD,
    Features,
    cards_at,
    count_troops,
    majority_gain,
    missing,
    need_in,
    seals_of,
)
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Action, Float, Int, Mask, Observation, Prov
from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno import layout as at

_KOKU_1 = c.N_TROOP_KINDS
"""The kind of the Koku card of value 1; 2 and 3 follow."""
_PAY_CARD = c.A_PAY + c.FIRST_CARD
_BY_KOKU = c.BY_KOKU + 1
"""Value of the feature ``target`` for a payment by Koku."""
_MANY = 1000


@kernel
def coins_for(obs: Observation, price: Int) -> tuple[Int, Int]:
    """Return which Koku cards pay a price best: with the least waste, and then with the fewest cards.

    Returns int, int: the numbers of cards of value 1, 2 and 3, one byte each, and their sum; 0 and 0 if the hand cannot
        pay the price.
    """
    ones, twos, threes = (
        np.int64(obs[at.HAND + _KOKU_1]),
        np.int64(obs[at.HAND + _KOKU_1 + 1]),
        np.int64(obs[at.HAND + _KOKU_1 + 2]),
    )
    best, best_total, best_cards = np.int64(0), np.int64(0), np.int64(_MANY)
    for three in range(threes + 1):
        for two in range(twos + 1):
            one = min(ones, max(np.int64(0), price - 3 * three - 2 * two))
            total, cards = one + 2 * two + 3 * three, one + two + three
            better = best == 0 or total < best_total or (total == best_total and cards < best_cards)
            if total >= price and better:
                best, best_total, best_cards = one + (two << 8) + (three << 16), total, cards
    return best, best_total


@kernel
def choose_coin(obs: Observation, legal: Mask, price: Int) -> Action:
    """Return the next of the Koku cards that pay a price best, or NONE if they cannot be paid any more."""
    coins = coins_for(obs, price)[0]
    for value in range(c.N_KOKU_KINDS):
        kind = _KOKU_1 + value
        if (coins >> (8 * value)) & BYTE > obs[at.COMMITTED + kind] and legal[_PAY_CARD + kind] == 1:
            return np.int64(_PAY_CARD + kind)
    return np.int64(c.NONE)


@kernel
def choose_card(obs: Observation, legal: Mask, need: Int) -> Action:
    """Return the card that wastes the fewest units when paid for ``need``, or NONE if no card may be paid."""
    paid = cards_at(obs, at.COMMITTED)
    lack = missing(paid, need)
    best, best_waste = np.int64(c.NONE), np.int64(_MANY)
    for kind in range(c.N_KINDS):
        if legal[_PAY_CARD + kind] == 1:
            used = lack - missing(paid + CARD[kind], need)
            waste = count_troops(CARD[kind]) + board.KOKU_VALUE[kind] - used
            if waste < best_waste:
                best, best_waste = np.int64(_PAY_CARD + kind), waste
    return best


@kernel
def choose_item(obs: Observation, legal: Mask) -> Action:
    """Choose what to pay: the joker, which costs nothing, else the card that wastes least, else a tile."""
    if legal[c.A_PAY + c.JOKER] == 1:
        return np.int64(c.A_PAY + c.JOKER)
    prov = np.int64(0)
    while prov < c.N_PROVINCES - 1 and obs[at.TARGET + prov] == 0:
        prov += 1
    item = np.int64(c.NONE)
    if obs[at.TARGET + prov] == _BY_KOKU:
        item = choose_coin(obs, legal, np.int64(obs[at.NUMBER + prov]))
    if item == c.NONE:
        item = choose_card(obs, legal, need_in(obs, prov))
    if item == c.NONE:
        exchange = c.A_PAY + c.FIRST_TILE
        item = np.int64(exchange if legal[exchange] == 1 else exchange + 1)
    return item


@kernel
def choose_flip(f: Features, legal: Mask) -> Action:
    """Choose the Kamon to turn golden: the one that does most for the majorities."""
    best, best_gain = np.int64(c.A_NO_FLIP), -1.0
    for prov in range(c.N_PROVINCES):
        if legal[c.A_FLIP + prov] == 1:
            gain = majority_gain(f.obs, prov, 0, f.hurt)
            if gain > best_gain:
                best, best_gain = np.int64(c.A_FLIP + prov), gain
    return best


@kernel
def second_gain(f: Features, hand: Int, copies: Int, exchanges: Int, more: Float, prov: Prov) -> Float:
    """Return the gain of the best second placement with what is left of the hand, 0 if the first is already made.

    Args: copies, +1 tiles left; exchanges, Exchange tiles left; more, points of the title; prov, of the first placement
    """
    if f.obs[at.PLACED] > 0:
        return 0.0
    return best_use(f, hand, copies, exchanges, more, prov)[1]


@kernel
def choose_turn(f: Features, legal: Mask) -> Action:
    """Choose to draw if that is legal, else the placement worth most with the best after it, else to end the turn."""
    if legal[c.A_DRAW] == 1:
        return np.int64(c.A_DRAW)
    seals = seals_of(f.obs, 0)
    more, hand = float(board.TITLE_POINTS[seals]), cards_at(f.obs, at.HAND)
    copies, exchanges = np.int64(f.obs[at.PLUS_ONE]), np.int64(f.obs[at.EXCHANGE])
    copies += 1 if seals == c.HATAMOTO and f.obs[at.JOKER_USED] == 0 else 0
    best, best_gain = np.int64(c.A_END_TURN), 0.0
    for prov in range(c.N_PROVINCES):
        gain = f.by_troops[prov] + more
        if legal[c.A_TROOPS + prov] == 1 and gain > 0.0:
            lack = missing(hand, f.needs[prov])
            left = hand - spent(hand, f.needs[prov])
            copied = min(copies, lack)
            gain += f.params[n.SECOND] * second_gain(
                f, left, copies - copied, max(np.int64(0), exchanges - lack + copied), more, prov
            )
            if gain > best_gain:
                best, best_gain = np.int64(c.A_TROOPS + prov), gain
        coins, paid = coins_for(f.obs, f.prices[prov])
        gain = f.by_koku[prov] + more - f.koku * (paid - f.prices[prov])
        if legal[c.A_KOKU + prov] == 1 and coins > 0 and gain > 0.0:
            gain += f.params[n.SECOND] * second_gain(f, hand - (paid << board.KOKU_AT), copies, exchanges, more, prov)
            if gain > best_gain:
                best, best_gain = np.int64(c.A_KOKU + prov), gain
    return best
