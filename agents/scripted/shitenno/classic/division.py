"""What the scripted bot of Shitennō decides in the even year: lots, answers, the division in two and the choice.

A lot is one whole number with three bits per kind of card: how many cards of the kind are in it. A lot is planned again
from the whole pool at every step; the plan comes out the same each time, so the steps follow one plan.
"""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shitenno.classic.evaluate import card_worth, title_worth, wants_of, worth_with
from shogun_env.agents.scripted.shitenno.evaluate import Wants, hand_of
from shogun_env.agents.scripted.shitenno.lots import (
    count_in,
    count_left,
    lot_at,
    next_step,
    one_of,
    other_left,
    whole_pool,
)
from shogun_env.agents.scripted.shitenno.reading import LOT, LOT_SEALS, POOL, TILE_FREE, Features, cards_at
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Action, Float, Int, Mask, Observation, Params
from shogun_env.shitenno import constants as c

_SURE = 1.5
"""Points by which a lot must be better for the choice of it to be certain."""
_PICKY = 1.1
"""A lot is accepted if it is worth this many times the share of the rest that the bot can expect."""
_LITTLE = 0.1
_NOTHING = -1000.0


@kernel
def lot_worth(wants: Wants, lot: Int) -> Float:
    """Return what the cards of a lot are worth."""
    worth = 0.0
    for kind in range(c.N_KINDS):
        count = count_in(lot, kind)
        if count > 0:
            worth += count * card_worth(wants, kind)
    return worth


@kernel
def mean_title(o: Observation, params: Params) -> Float:
    """Return what the titles not yet taken are worth on average."""
    total = 0.0
    count = 0
    for title in range(c.N_TITLES):
        if o[TILE_FREE + title] == 1:
            total += title_worth(title + 1, params)
            count += 1
    return total / count


@kernel
def best_title(o: Observation, params: Params) -> Int:
    """Return the seals of the title worth most among those not yet taken."""
    best, best_worth = np.int64(0), _NOTHING
    for seals in range(1, c.N_TITLES + 1):
        if o[TILE_FREE + seals - 1] == 1 and title_worth(seals, params) > best_worth:
            best, best_worth = np.int64(seals), title_worth(seals, params)
    return best


@kernel
def fill_lot(
    pool: Int,
    mine: Wants,
    theirs: Wants,
    room: Float,
) -> Int:
    """Return a lot of cards worth more to the observer than to another player, worth ``room`` at most to the other."""
    lot = np.int64(0)
    while True:
        pick = np.int64(c.NONE)
        best = 0.0
        for kind in range(c.N_KINDS):
            if count_in(pool, kind) > count_in(lot, kind):
                to_other = card_worth(theirs, kind)
                score = card_worth(mine, kind) / (to_other + _LITTLE)
                if to_other <= room and score > best:
                    pick, best = np.int64(kind), score
        if pick == c.NONE:
            return lot
        lot += one_of(pick)
        room -= card_worth(theirs, pick)


@kernel
def choose_lot(
    o: Observation,
    legal: Mask,
    s: Features,
    pool: Int,
    mine: Wants,
    theirs: Wants,
    params: Params,
) -> Action:
    """Choose the next step of a lot that is worth a share to the others, who may refuse it, and more to oneself."""
    share = lot_worth(theirs, pool) / count_left(o, s.players) + mean_title(o, params)
    seals = best_title(o, params)
    return next_step(o, legal, fill_lot(pool, mine, theirs, share - title_worth(seals, params)), seals)


@kernel
def choose_answer(o: Observation, s: Features, params: Params) -> Action:
    """Accept a lot that is worth more than the share of the rest that the observer can expect."""
    hand = hand_of(o, 0)
    worth = worth_with(o, s, 0, hand + cards_at(o, LOT), params) - worth_with(o, s, 0, hand, params)
    worth += title_worth(np.int64(o[LOT_SEALS]), params)
    mine = wants_of(o, s, 0, params)
    share = lot_worth(mine, lot_at(o, POOL)) / (count_left(o, s.players) - 1) + mean_title(o, params)
    return np.int64(c.A_ACCEPT if worth >= _PICKY * share else c.A_REFUSE)


@kernel
def next_lot(
    pool: Int,
    lot: Int,
    my_worth: Float,
    their_worth: Float,
    mine: Wants,
    theirs: Wants,
) -> tuple[Int, Float, Float]:
    """Return the lot that comes after ``lot`` among those of the pool, and its worth to both; NONE after the last."""
    for kind in range(c.N_KINDS):
        count = count_in(lot, kind)
        if count < count_in(pool, kind):
            lot += one_of(kind)
            return lot, my_worth + card_worth(mine, kind), their_worth + card_worth(theirs, kind)
        if count > 0:
            lot -= count * one_of(kind)
            my_worth -= count * card_worth(mine, kind)
            their_worth -= count * card_worth(theirs, kind)
    return np.int64(c.NONE), 0.0, 0.0


@kernel
def score_of(my_a: Float, my_b: Float, their_a: Float, their_b: Float, hurt: Float) -> Float:
    """Return what a division in two is worth: the other player takes the lot worth more to them, more surely the more.

    Args: what lots A and B are worth to the observer and to the other player, titles included
    """
    takes_a = min(1.0, max(0.0, 0.5 + 0.5 * (their_a - their_b) / _SURE))
    return takes_a * (my_b - hurt * their_a) + (1.0 - takes_a) * (my_a - hurt * their_b)


@kernel
def best_lot(
    pool: Int,
    mine: Wants,
    theirs: Wants,
    title_a: Float,
    title_b: Float,
    hurt: Float,
) -> tuple[Int, Float]:
    """Return the lot A that makes the best division, given a title for each lot, and what the division is worth."""
    my_b, their_b = lot_worth(mine, pool) + title_b, lot_worth(theirs, pool) + title_b
    best, best_score = np.int64(0), _NOTHING
    lot, my_a, their_a = np.int64(0), 0.0, 0.0
    while lot != c.NONE:
        score = score_of(my_a + title_a, my_b - my_a, their_a + title_a, their_b - their_a, hurt)
        if score > best_score:
            best, best_score = lot, score
        lot, my_a, their_a = next_lot(pool, lot, my_a, their_a, mine, theirs)
    return best, best_score


@kernel
def choose_tile_b(
    o: Observation,
    s: Features,
    pool: Int,
    mine: Wants,
    theirs: Wants,
    params: Params,
) -> Action:
    """Choose the tile of lot B, once lot A has its cards and its tile."""
    lot, first = lot_at(o, LOT), np.int64(o[LOT_SEALS])
    my_a, their_a = lot_worth(mine, lot), lot_worth(theirs, lot)
    my_b, their_b = lot_worth(mine, pool) - my_a, lot_worth(theirs, pool) - their_a
    title_a = title_worth(first, params)
    best, best_score = np.int64(0), _NOTHING
    for seals in range(1, c.N_TITLES + 1):
        if o[TILE_FREE + seals - 1] == 1 and seals != first:
            title_b = title_worth(seals, params)
            score = score_of(my_a + title_a, my_b + title_b, their_a + title_a, their_b + title_b, s.hurt)
            if score > best_score:
                best, best_score = np.int64(seals), score
    return c.A_LOT_TILE + best


@kernel
def choose_halves(
    o: Observation,
    legal: Mask,
    s: Features,
    pool: Int,
    mine: Wants,
    theirs: Wants,
    params: Params,
) -> Action:
    """Choose the next step of the division in two whose remaining lot is the best for the observer.

    A always gets the tile with fewer seals. That loses nothing: every lot is tried for A, and so every lot for B.
    """
    best, best_seals, best_score = np.int64(0), np.int64(0), _NOTHING
    for a in range(1, c.N_TITLES + 1):
        for b in range(a + 1, c.N_TITLES + 1):
            if o[TILE_FREE + a - 1] == 1 and o[TILE_FREE + b - 1] == 1:
                title_a, title_b = title_worth(a, params), title_worth(b, params)
                lot, score = best_lot(pool, mine, theirs, title_a, title_b, s.hurt)
                if score > best_score:
                    best, best_seals, best_score = lot, np.int64(a), score
    return next_step(o, legal, best, best_seals)


@kernel
def choose_share(o: Observation, legal: Mask, s: Features, phase: Int, params: Params) -> Action:
    """Choose the next step of the Tairō: of one lot to offer, or of two lots."""
    mine, theirs = wants_of(o, s, 0, params), wants_of(o, s, other_left(o, s.players), params)
    pool = whole_pool(o)
    if phase == c.FORM_LOT:
        return choose_lot(o, legal, s, pool, mine, theirs, params)
    if o[LOT_SEALS] == 0:
        return choose_halves(o, legal, s, pool, mine, theirs, params)
    return choose_tile_b(o, s, pool, mine, theirs, params)


@kernel
def choose_half(o: Observation, s: Features, params: Params) -> Int:
    """Take the lot that is better for the observer, and worse for the other player to get."""
    offset = other_left(o, s.players)
    mine, theirs = hand_of(o, 0), hand_of(o, offset)
    in_a, in_b = cards_at(o, LOT), cards_at(o, POOL)
    title_a, title_b = title_worth(np.int64(o[LOT_SEALS]), params), title_worth(np.int64(o[LOT_SEALS + 1]), params)
    lead = (1.0 + s.hurt) * (title_a - title_b)
    lead += worth_with(o, s, 0, mine + in_a, params) - worth_with(o, s, 0, mine + in_b, params)
    lead += s.hurt * (worth_with(o, s, offset, theirs + in_a, params) - worth_with(o, s, offset, theirs + in_b, params))
    return np.int64(c.A_PICK_A if lead >= 0.0 else c.A_PICK_B)
