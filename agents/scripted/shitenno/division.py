"""What the scripted bot of Shitennō decides when two players are left: the division in two, and the choice.

Lot A is planned again from the whole pool at every step; the plan comes out the same each time, so the steps follow one
plan.
"""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shitenno import numbers as n
from shogun_env.agents.scripted.shitenno.evaluate import Wants, hand_of, title_worth, units_worth, wants_of, worth_with
from shogun_env.agents.scripted.shitenno.features import Features, cards_at
from shogun_env.agents.scripted.shitenno.lots import (
    count_in,
    lot_at,
    next_lot,
    next_step,
    one_of,
    other_left,
    units_of,
    whole_pool,
)
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Action, Float, Int, Mask
from shogun_env.shitenno import constants as c
from shogun_env.shitenno import layout as at

_NOTHING = -1000.0
_TINY = 1e-6


@kernel
def score_of(my_a: Float, my_b: Float, their_a: Float, their_b: Float, hurt: Float, sure: Float) -> Float:
    """Return what a division in two is worth: the other player takes the lot worth more to them, more surely the more.

    Args: what lots A and B are worth to the observer and to the other player, titles included; hurt, worth of a point
        of the other player; sure, points by which a lot must be better to be taken surely
    """
    takes_a = min(1.0, max(0.0, 0.5 + 0.5 * (their_a - their_b) / (sure + _TINY)))
    return takes_a * (my_b - hurt * their_a) + (1.0 - takes_a) * (my_a - hurt * their_b)


@kernel
def best_lot(pool: Int, mine: Wants, theirs: Wants, title_a: Float, title_b: Float, hurt: Float, sure: Float) -> Int:
    """Return the lot A that makes the best division, given a title for each lot and what each unit is worth."""
    units = units_of(pool)
    my_b, their_b = units_worth(mine, units) + title_b, units_worth(theirs, units) + title_b
    best, best_score = np.int64(0), _NOTHING
    lot, my_a, their_a = np.int64(0), 0.0, 0.0
    while lot != c.NONE:
        score = score_of(my_a + title_a, my_b - my_a, their_a + title_a, their_b - their_a, hurt, sure)
        if score > best_score:
            best, best_score = lot, score
        lot, my_a, their_a = next_lot(pool, lot, my_a, their_a, mine, theirs)
    return best


@kernel
def halves_worth(f: Features, in_a: Int, in_b: Int, seals_a: Int, seals_b: Int) -> Float:
    """Return what a division in two is worth, by what both players' hands would be worth with each lot.

    Args: in_a and in_b, units of the lots; seals_a and seals_b, of their tiles
    """
    other = other_left(f.obs, f.players)
    mine, theirs = hand_of(f.obs, 0), hand_of(f.obs, other)
    return score_of(
        worth_with(f, 0, mine + in_a, seals_a),
        worth_with(f, 0, mine + in_b, seals_b),
        worth_with(f, other, theirs + in_a, seals_a),
        worth_with(f, other, theirs + in_b, seals_b),
        f.hurt,
        f.params[n.SURE],
    )


@kernel
def refined(f: Features, pool: Int, lot: Int, a: Int, b: Int, score: Float) -> tuple[Int, Float]:
    """Return the best lot A that differs from ``lot`` by at most one card, and what its division is worth.

    Args: a and b, seals of the tiles; score, what the division is worth with ``lot``
    """
    best, best_score, units = lot, score, units_of(pool)
    for kind in range(c.N_KINDS):
        for add in (True, False):
            if add and count_in(lot, kind) < count_in(pool, kind):
                changed = lot + one_of(kind)
            elif not add and count_in(lot, kind) > 0:
                changed = lot - one_of(kind)
            else:
                continue
            in_a = units_of(changed)
            worth = halves_worth(f, in_a, units - in_a, a, b)
            if worth > best_score:
                best, best_score = changed, worth
    return best, best_score


@kernel
def choose_halves(f: Features, legal: Mask, pool: Int) -> Action:
    """Choose the next step of the division in two that is the best for the observer.

    A always gets the tile with fewer seals. That loses nothing: every lot is tried for A, and so every lot for B.
    """
    mine, theirs = wants_of(f, 0), wants_of(f, other_left(f.obs, f.players))
    units = units_of(pool)
    best, best_a, best_b, best_score = np.int64(0), np.int64(0), np.int64(0), _NOTHING
    for a in range(1, c.N_TITLES + 1):
        for b in range(a + 1, c.N_TITLES + 1):
            if f.obs[at.FREE + a - 1] == 1 and f.obs[at.FREE + b - 1] == 1:
                title_a, title_b = title_worth(a, f.params), title_worth(b, f.params)
                lot = best_lot(pool, mine, theirs, title_a, title_b, f.hurt, f.params[n.SURE])
                in_a = units_of(lot)
                score = halves_worth(f, in_a, units - in_a, a, b)
                if score > best_score:
                    best, best_a, best_b, best_score = lot, np.int64(a), np.int64(b), score
    best, _ = refined(f, pool, best, best_a, best_b, best_score)
    return next_step(f.obs, legal, best, best_a)


@kernel
def choose_tile_b(f: Features, pool: Int) -> Action:
    """Choose the tile of lot B, once lot A has its cards and its tile."""
    in_a, first = units_of(lot_at(f.obs, at.LOT)), np.int64(f.obs[at.LOT_SEALS])
    in_b = units_of(pool) - in_a
    best, best_score = np.int64(0), _NOTHING
    for seals in range(1, c.N_TITLES + 1):
        if f.obs[at.FREE + seals - 1] == 1 and seals != first:
            score = halves_worth(f, in_a, in_b, first, np.int64(seals))
            if score > best_score:
                best, best_score = np.int64(seals), score
    return c.A_LOT_TILE + best


@kernel
def choose_division(f: Features, legal: Mask) -> Action:
    """Choose the next step of the division in two."""
    pool = whole_pool(f.obs)
    if f.obs[at.LOT_SEALS] == 0:
        return choose_halves(f, legal, pool)
    return choose_tile_b(f, pool)


@kernel
def choose_half(f: Features) -> Int:
    """Take the lot that is better for the observer, and worse for the other player to get."""
    offset = other_left(f.obs, f.players)
    mine, theirs = hand_of(f.obs, 0), hand_of(f.obs, offset)
    in_a, in_b = cards_at(f.obs, at.LOT), cards_at(f.obs, at.POOL)
    a, b = np.int64(f.obs[at.LOT_SEALS]), np.int64(f.obs[at.LOT_SEALS + 1])
    lead = worth_with(f, 0, mine + in_a, a) - worth_with(f, 0, mine + in_b, b)
    theirs_a = worth_with(f, offset, theirs + in_a, a)
    lead += f.hurt * (theirs_a - worth_with(f, offset, theirs + in_b, b))
    return np.int64(c.A_PICK_A if lead >= 0.0 else c.A_PICK_B)
