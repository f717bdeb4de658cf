"""What the scripted bot of Shitennō decides while more than two players are left: the lot to offer, and the answer.

The Tairō thinks of both ends of an offer: somebody takes it, and the Tairō divides what remains among the others; or
nobody does, and the Tairō has to take it. A lot is planned again from the whole pool at every step; the plan comes out
the same each time, so the steps follow one plan.
"""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shitenno import numbers as n
from shogun_env.agents.scripted.shitenno.evaluate import Wants, hand_of, title_worth, units_worth, wants_of, worth_with
from shogun_env.agents.scripted.shitenno.features import Features, cards_at, seals_of
from shogun_env.agents.scripted.shitenno.lots import (
    asked_after,
    count_left,
    fill_lot,
    lot_at,
    mean_title,
    next_step,
    units_of,
    whole_pool,
)
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Action, Float, Int, Mask
from shogun_env.shitenno import constants as c
from shogun_env.shitenno import layout as at

_NOTHING = -1000.0
_TINY = 1e-6
_ROOMS = (0.6, 1.0, 1.5)
"""Sizes of the lots that are compared, in units of the number ``offer``."""
_FIRST = c.DAIMYO + 1
"""More seals than any title has."""


@kernel
def mean_wants(a: Wants, b: Wants, share: Float) -> Wants:
    """Return the mean of what two players want, ``share`` of it from the second."""
    return Wants(
        bushi=a.bushi + share * (b.bushi - a.bushi),
        samurai=a.samurai + share * (b.samurai - a.samurai),
        shinobi=a.shinobi + share * (b.shinobi - a.shinobi),
        sohei=a.sohei + share * (b.sohei - a.sohei),
        koku=a.koku + share * (b.koku - a.koku),
    )


@kernel
def lot_gain(f: Features, offset: Int, units: Int, seals: Int) -> Float:
    """Return what a player gains by a lot: its cards in their hand, and its title."""
    hand = hand_of(f.obs, offset)
    return worth_with(f, offset, hand + units, seals) - worth_with(f, offset, hand, np.int64(0))


@kernel
def share_of(f: Features, offset: Int, rest: Int, wants: Wants, others: Wants, without: Int) -> Float:
    """Return what a player expects who does not take a lot: a part of the cards that remain, and a mean title.

    It lies between an equal share, unit by unit, and the lot of such a share that suits the hand of the player best.

    Args: rest, lot of the cards that remain; wants, of the player; others, what units are worth to the other players;
        without, seals of the tile that is gone
    """
    title, left = mean_title(f, without), max(np.int64(1), count_left(f.obs, f.players) - 1)
    units = units_of(rest)
    equal = units_worth(wants, units) / left + title
    if f.params[n.HOPE] == 0.0:
        return equal
    lot = fill_lot(rest, wants, others, units_worth(others, units) / left, others, f.params[n.LITTLE])
    best = lot_gain(f, offset, units_of(lot), np.int64(0)) + title
    return equal + f.params[n.HOPE] * (best - equal)


@kernel
def pickiness(f: Features, seals: Int) -> Float:
    """Return how many times their share a lot must be worth for the player with a title of so many seals to accept."""
    return f.params[n.PICKY_LAST] if asked_after(f.obs, f.players, seals) == c.NONE else f.params[n.PICKY]


@kernel
def offer_worth(f: Features, lot: Int, rest: Int, seals: Int, mine: Wants, others: Wants) -> Float:
    """Return what it is worth to the Tairō to offer a lot, whoever takes it.

    Args: lot and rest, of the cards in the lot and of those that remain; seals, of its tile; mine and others, what
        units are worth
    """
    left, units = count_left(f.obs, f.players), units_of(lot)
    kept = f.params[n.REST] * share_of(f, np.int64(0), rest, mine, others, seals)
    equal = units_worth(others, units_of(rest)) / (left - 1) + mean_title(f, seals)
    lost = f.hurt * equal  # per player besides the one who takes the lot
    total, chance = 0.0, 1.0
    offset = asked_after(f.obs, f.players, np.int64(_FIRST))
    while offset != c.NONE:
        held = seals_of(f.obs, offset)
        gain = lot_gain(f, offset, units, seals)
        expected = pickiness(f, held) * equal
        accepts = chance * min(1.0, max(0.0, 0.5 + 0.5 * (gain - expected) / (f.params[n.SURE] + _TINY)))
        total += accepts * (kept - f.hurt * gain - lost * (left - 2))
        chance -= accepts
        offset = asked_after(f.obs, f.players, held)
    return total + chance * (lot_gain(f, np.int64(0), units, seals) - lost * (left - 1))


@kernel
def wants_of_others(f: Features) -> Wants:
    """Return the mean of what units are worth to the other players without a lot."""
    offset = asked_after(f.obs, f.players, np.int64(_FIRST))
    wants = wants_of(f, offset)
    count = 1
    offset = asked_after(f.obs, f.players, seals_of(f.obs, offset))
    while offset != c.NONE:
        count += 1
        wants = mean_wants(wants, wants_of(f, offset), 1.0 / count)
        offset = asked_after(f.obs, f.players, seals_of(f.obs, offset))
    return wants


@kernel
def choose_lot(f: Features, legal: Mask) -> Action:
    """Choose the next step of the best of some lots: of cards that one wants oneself, and of cards that others want."""
    mine, others = wants_of(f, np.int64(0)), wants_of_others(f)
    pool = whole_pool(f.obs)
    share = f.params[n.OFFER] * (units_worth(others, units_of(pool)) / count_left(f.obs, f.players) + mean_title(f, 0))
    best, best_seals, best_worth = np.int64(0), np.int64(0), _NOTHING
    for seals in range(1, c.N_TITLES + 1):
        if f.obs[at.FREE + seals - 1] == 0:
            continue
        for size in range(2 * len(_ROOMS)):
            room = _ROOMS[size // 2] * share - title_worth(seals, f.params)
            first, second = (mine, others) if size % 2 == 0 else (others, mine)
            lot = fill_lot(pool, first, second, room, others, f.params[n.LITTLE])
            worth = offer_worth(f, lot, pool - lot, seals, mine, others)
            if worth > best_worth:
                best, best_seals, best_worth = lot, np.int64(seals), worth
    return next_step(f.obs, legal, best, best_seals)


@kernel
def choose_answer(f: Features) -> Action:
    """Accept a lot that is worth more than the share of the rest that the observer can expect."""
    seals = np.int64(f.obs[at.LOT_SEALS])
    gain = lot_gain(f, np.int64(0), cards_at(f.obs, at.LOT), seals)
    wants, others = wants_of(f, np.int64(0)), wants_of_others(f)
    share = share_of(f, np.int64(0), lot_at(f.obs, at.POOL), wants, others, seals)
    return np.int64(c.A_ACCEPT if gain >= pickiness(f, seals_of(f.obs, 0)) * share else c.A_REFUSE)
