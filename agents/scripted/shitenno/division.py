"""What the scripted bot of Shitennō decides in the even year: lots, answers, the division in two.

A lot is one whole number with three bits per kind of card: how many cards of the kind are in it. It is planned again
from the whole pool at every step; the plan comes out the same each time, so the steps follow one plan.
"""

import numpy as np

from shogun_env.agents.scripted.shitenno import numbers as n
from shogun_env.agents.scripted.shitenno.evaluate import Wants, hand_of, title_worth, units_worth, wants_of, worth_with
from shogun_env.agents.scripted.shitenno.features import CARD, Features, cards_at, seals_of
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Action, Float, Int, Mask, Observation
from shogun_env.shitenno import constants as c
from shogun_env.shitenno import layout as at

_DIGIT = 3
_FULL = 7
_NEARLY_0 = 1e-9
_TINY = 1e-6
_NOTHING = -1000.0
_ROOMS = (0.6, 1.0, 1.5)
"""Sizes of the lots that are compared, in units of the number ``offer``."""
_FIRST = c.DAIMYO + 1
"""More seals than any title has."""


# --- lots and who is left ---------------------------------------------------------------------------------------------


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
                score = (units_worth(first, CARD[kind]) + little) / (theirs if theirs != 0.0 else _NEARLY_0)
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


# --- more than two players are left -----------------------------------------------------------------------------------
#
# The Tairō thinks of both ends of an offer: somebody takes it, and the Tairō divides what remains among the others; or
# nobody does, and the Tairō has to take it.


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


# --- two players are left ---------------------------------------------------------------------------------------------


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
