"""What hands, cards and titles are worth to a player of Shitennō, in points."""

from typing import NamedTuple

import numpy as np

from shogun_env.agents.scripted.shitenno import numbers as n
from shogun_env.agents.scripted.shitenno.features import BYTE, Features, cards_at, count_troops, missing
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Bool, Float, Int, Observation, Params
from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno import layout as at


class Wants(NamedTuple):
    """What one more unit of each type is worth to a player, in points."""

    bushi: float
    samurai: float
    shinobi: float
    sohei: float
    koku: float


@kernel
def spent(hand: Int, need: Int) -> Int:
    """Return the troops of a hand that are used to pay a need, in the form of a hand."""
    used = np.int64(0)
    for troop in range(c.N_TROOPS):
        shift = 8 * troop
        used += min((hand >> shift) & BYTE, (need >> shift) & BYTE) << shift
    return used


@kernel
def best_use(
    f: Features, hand: Int, copies: Int, exchanges: Int, more: Float, taken: Int
) -> tuple[Int, Float, Bool, Float]:
    """Return the best placement that a hand can pay.

    An Exchange tile needs a unit that is not needed otherwise.

    Args: copies, +1 tiles; exchanges, Exchange tiles; more, points of the title; taken, a province that is left out

    Returns int, float, bool, float: its province or NONE; its gain; whether it is paid by Koku; the gain of the best
        placement that lacks one troop.
    """
    best, best_gain, by_koku, close = np.int64(c.NONE), 0.0, False, 0.0
    koku = hand >> board.KOKU_AT
    units = count_troops(hand) + koku
    for prov in range(c.N_PROVINCES):
        if prov == taken:
            continue
        gain = f.by_troops[prov] + more
        if gain > best_gain or gain > close:
            need = f.needs[prov]
            lack = missing(hand, need)
            beyond = lack - copies - min(exchanges, units - count_troops(need) + lack)
            if beyond <= 0 and gain > best_gain:
                best, best_gain, by_koku = np.int64(prov), gain, False
            elif beyond == 1:
                close = max(close, gain)
        gain = f.by_koku[prov] + more
        if gain > best_gain and koku >= f.prices[prov]:
            best, best_gain, by_koku = np.int64(prov), gain, True
    return best, best_gain, by_koku, close


@kernel
def hand_worth(f: Features, hand: Int, copies: Int, exchanges: Int, more: Float, near: Float) -> Float:
    """Return what a hand is worth: what it can pay this round, in two placements at most, and what is kept.

    Args: copies, +1 tiles; exchanges, Exchange tiles; more, points of the title; near, share at which a payment that
        lacks one troop counts
    """
    total = f.troop * count_troops(hand) + f.koku * (hand >> board.KOKU_AT)
    taken = np.int64(c.NONE)
    close = 0.0
    for _ in range(board.MAX_PLACED):
        prov, gain, by_koku, close = best_use(f, hand, copies, exchanges, more, taken)
        if prov == c.NONE:
            break
        total += gain
        taken = prov
        if by_koku:
            hand -= f.prices[prov] << board.KOKU_AT
        else:
            lack = missing(hand, f.needs[prov])
            hand -= spent(hand, f.needs[prov])
            exchanges -= min(exchanges, max(np.int64(0), lack - copies))
            copies -= min(copies, lack)
    return total + near * close


@kernel
def hand_of(obs: Observation, offset: Int) -> Int:
    """Return the hand of the player at ``offset``, as far as the observer knows it."""
    return cards_at(obs, at.HAND) if offset == 0 else cards_at(obs, at.KNOWN + c.N_KINDS * offset)


@kernel
def base_of_title(seals: Int, params: Params) -> Float:
    """Return what a title is worth besides what it adds to the placements of its turn."""
    if seals == c.DAIMYO:
        return params[n.DAIMYO]
    if seals == c.SHOMYO:
        return params[n.SHOMYO]
    return params[n.SENSEI] if seals == c.SENSEI else params[n.HATAMOTO]


@kernel
def title_worth(seals: Int, params: Params) -> Float:
    """Return what a title is worth to a player whose hand is not looked at."""
    joker = params[n.JOKER] if seals == c.HATAMOTO else 0.0
    return base_of_title(seals, params) + params[n.PLACED] * board.TITLE_POINTS[seals] + joker


@kernel
def worth_with(f: Features, offset: Int, hand: Int, seals: Int) -> Float:
    """Return what a hand would be worth to the player at ``offset``, with that player's tiles.

    Args: seals, of the title that the player would hold, whose worth is included; 0 for none
    """
    copies, exchanges = np.int64(f.obs[at.PLUS_ONE + offset]), np.int64(f.obs[at.EXCHANGE + offset])
    if seals == 0:
        return hand_worth(f, hand, copies, exchanges, 0.0, f.params[n.NEAR])
    copies += 1 if seals == c.HATAMOTO else 0  # the joker does what a +1 tile does here
    more = f.params[n.USE] * board.TITLE_POINTS[seals]
    return hand_worth(f, hand, copies, exchanges, more, f.params[n.NEAR]) + base_of_title(seals, f.params)


@kernel
def useful_troops(f: Features) -> Int:
    """Return which troop types some placement worth its cost needs: the byte of such a type is not 0."""
    troops = np.int64(0)
    for prov in range(c.N_PROVINCES):
        if f.by_troops[prov] > 0.0:
            troops |= f.needs[prov]
    return troops


@kernel
def want(f: Features, offset: Int, hand: Int, before: Float, useful: Int, troop: Int) -> Float:
    """Return what one more troop of a type is worth to a player; a troop that no placement needs is only kept.

    Args: before, worth of the hand without it; useful, from ``useful_troops``
    """
    shift = 8 * troop
    if (useful >> shift) & BYTE == 0:
        return f.troop
    return worth_with(f, offset, hand + (np.int64(1) << shift), np.int64(0)) - before


@kernel
def wants_of(f: Features, offset: Int) -> Wants:
    """Return what one more unit of each type is worth to the player at ``offset``."""
    hand = hand_of(f.obs, offset)
    before, useful = worth_with(f, offset, hand, np.int64(0)), useful_troops(f)
    return Wants(
        bushi=want(f, offset, hand, before, useful, 0),
        samurai=want(f, offset, hand, before, useful, 1),
        shinobi=want(f, offset, hand, before, useful, 2),
        sohei=want(f, offset, hand, before, useful, 3),
        koku=f.koku,
    )


@kernel
def units_worth(wants: Wants, hand: Int) -> Float:
    """Return what the units of a hand are worth, each by itself."""
    worth = wants.bushi * (hand & BYTE) + wants.samurai * ((hand >> 8) & BYTE) + wants.shinobi * ((hand >> 16) & BYTE)
    return worth + wants.sohei * ((hand >> 24) & BYTE) + wants.koku * (hand >> board.KOKU_AT)
