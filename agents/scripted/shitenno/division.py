"""What the scripted bot decides in the even year: lots, answers, the division in two and the choice.

A lot is one whole number: three bits a kind, for its number of cards.
"""

from __future__ import annotations

import numpy as np

from agents.scripted.shitenno.sight import GAINED, LOT, LOT_SEALS, POOL, TILE_FREE, cards_at
from agents.scripted.shitenno.weights import NEAR
from agents.scripted.shitenno.worth import card_worth, hand_of, title_worth, wants_of, worth_with
from shogun_env._jit import rule
from shogun_env.shitenno import constants as c

_DIGIT = 3
_FULL = 7
_SURE = 1.5
"""A lead of so many points makes a choice certain."""
_EAGER = 0.9


@rule
def pool_count(o, kind):
    """Return the cards of a kind that the lot is made of: those in it already and those not."""
    return np.int64(o[POOL + kind]) + np.int64(o[LOT + kind])


@rule
def lot_worth(wants, lot):
    """Return what the cards of a lot are worth."""
    worth = 0.0
    for kind in range(c.N_KINDS):
        count = (lot >> (_DIGIT * kind)) & _FULL
        if count > 0:
            worth += count * card_worth(wants, kind)
    return worth


@rule
def whole_pool(o):
    """Return all cards to be divided as a lot."""
    lot = np.int64(0)
    for kind in range(c.N_KINDS):
        lot |= pool_count(o, kind) << (_DIGIT * kind)
    return lot


@rule
def next_step(o, legal, lot, seals):
    """Return the next action towards a lot: its lowest card not added yet, or its tile."""
    for kind in range(c.N_KINDS):
        if (lot >> (_DIGIT * kind)) & _FULL > o[LOT + kind] and legal[c.A_LOT_ADD + kind] == 1:
            return np.int64(c.A_LOT_ADD + kind)
    return c.A_LOT_TILE + seals


@rule
def other_left(o, players):
    """Return the first other player who has no lot yet."""
    for seat in range(1, players):
        if o[GAINED + seat] == 0:
            return np.int64(seat)
    return np.int64(1)


@rule
def choose_halves(o, legal, s, params):
    """Divide in two: the half that the other will leave should be the best for oneself."""
    mine, theirs = wants_of(o, s, 0, params), wants_of(o, s, other_left(o, s.players), params)
    everything = whole_pool(o)
    my_all, their_all = lot_worth(mine, everything), lot_worth(theirs, everything)
    first = np.int64(o[LOT_SEALS])
    best = np.int64(0)
    best_a, best_b = np.int64(0), np.int64(0)
    best_score = -1000.0
    lot = np.int64(0)
    my_a, their_a = 0.0, 0.0
    while True:
        for a in range(1, c.N_TITLES + 1):
            if o[TILE_FREE + a - 1] == 0 or (first != 0 and a != first):
                continue
            for b in range(1, c.N_TITLES + 1):
                if o[TILE_FREE + b - 1] == 0 or a == b:
                    continue
                tile_a, tile_b = title_worth(a, params), title_worth(b, params)
                leads = (2.0 * their_a + tile_a - tile_b - their_all) / _SURE
                takes_a = min(1.0, max(0.0, 0.5 + 0.5 * leads))
                with_a = my_a + tile_a - s.hurt * (their_all - their_a + tile_b)
                with_b = my_all - my_a + tile_b - s.hurt * (their_a + tile_a)
                score = takes_a * with_b + (1.0 - takes_a) * with_a
                if score > best_score:
                    best, best_a, best_b, best_score = lot, np.int64(a), np.int64(b), score
        kind = np.int64(0)  # the next lot: count on, kind by kind
        while kind < c.N_KINDS:
            at = _DIGIT * kind
            count, most = (lot >> at) & _FULL, (everything >> at) & _FULL
            if count < most:
                lot += np.int64(1) << at
                my_a += card_worth(mine, kind)
                their_a += card_worth(theirs, kind)
                break
            lot -= count << at
            my_a -= count * card_worth(mine, kind)
            their_a -= count * card_worth(theirs, kind)
            kind += 1
        if kind == c.N_KINDS:
            break
    if first != 0:
        return c.A_LOT_TILE + best_b
    return next_step(o, legal, best, best_a)


@rule
def free_titles(o, params):
    """Return the mean worth of the titles still to be had."""
    total = 0.0
    count = 0
    for title in range(c.N_TITLES):
        if o[TILE_FREE + title] == 1:
            total += title_worth(title + 1, params)
            count += 1
    return total / count


@rule
def left(o, players):
    """Count the players who have no lot yet."""
    count = np.int64(0)
    for seat in range(players):
        count += 1 if o[GAINED + seat] == 0 else 0
    return count


@rule
def choose_lot(o, legal, s, params):
    """Form a lot that is good to keep and that nobody else quite wants."""
    mine = wants_of(o, s, 0, params)
    everything = whole_pool(o)
    n_left = left(o, s.players)
    share = lot_worth(mine, everything) / n_left + free_titles(o, params)
    best = np.int64(0)
    best_seals = np.int64(0)
    best_score = -1000.0
    for seals in range(1, c.N_TITLES + 1):
        if o[TILE_FREE + seals - 1] == 0:
            continue
        lot = np.int64(0)
        worth = title_worth(seals, params)
        for step in range(c.N_KINDS):
            kind = c.N_KINDS - 1 - step
            at = _DIGIT * kind
            one = card_worth(mine, kind)
            for _ in range((everything >> at) & _FULL):
                if worth + one <= share:
                    worth += one
                    lot += np.int64(1) << at
        if worth > best_score:
            best, best_seals, best_score = lot, np.int64(seals), worth
    return next_step(o, legal, best, best_seals)


@rule
def choose_answer(o, legal, s, params):
    """Accept a lot that is better than the share of the rest one can expect."""
    hand = hand_of(o, 0)
    near = params[NEAR]
    worth = worth_with(o, s, 0, hand + cards_at(o, LOT), near) - worth_with(o, s, 0, hand, near)
    seals = np.int64(o[LOT_SEALS])
    worth += title_worth(seals, params)
    mine = wants_of(o, s, 0, params)
    rest = 0.0
    for kind in range(c.N_KINDS):
        if o[POOL + kind] > 0:
            rest += o[POOL + kind] * card_worth(mine, kind)
    n_left = left(o, s.players)
    share = rest / (n_left - 1) + free_titles(o, params)
    return np.int64(c.A_ACCEPT if worth >= _EAGER * share else c.A_REFUSE)


@rule
def choose_half(o, legal, s, params):
    """Take the better lot."""
    hand, near = hand_of(o, 0), params[NEAR]
    seat = other_left(o, s.players)
    theirs = hand_of(o, seat)
    in_a, in_b = cards_at(o, LOT), cards_at(o, POOL)
    lead = worth_with(o, s, 0, hand + in_a, near) - worth_with(o, s, 0, hand + in_b, near)
    lead += s.hurt * (worth_with(o, s, seat, theirs + in_a, near) - worth_with(o, s, seat, theirs + in_b, near))
    tile_a, tile_b = np.int64(o[LOT_SEALS]), np.int64(o[LOT_SEALS + 1])
    lead += (1.0 + s.hurt) * (title_worth(tile_a, params) - title_worth(tile_b, params))
    return np.int64(c.A_PICK_A if lead >= 0.0 else c.A_PICK_B)
