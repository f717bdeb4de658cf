"""What a placement costs, what pays it, and which items a payment can go on with (rules 5.2, 5.3, 8).

A payment is one int64: a byte for the units of each troop type, for Koku units, for the joker, for Exchanges and for
+1s
(``board.WORTH`` of its items, summed). A need is written in the same bytes: troops of each type, or a price in Koku.
"""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Bool, Int, Player, Prov, State
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.board import (
    ENTRANCE_ICONS,
    EXCHANGE_AT,
    ICONS,
    JOKER_AT,
    KOKU_AT,
    NATIVE,
    NUMBER,
    PLUS_ONE_AT,
    WORTH,
)

BYTE = 255
TROOP_BYTES, ONES, HIGH_BITS, LOW_BITS = 0xFFFFFFFF, 0x01010101, 0x80808080, 0x7F
"""Of the four bytes of troops: all bits, a one in each, the top bit of each; and a byte without its top bit."""


@kernel
def need_of(g: State, prov: Prov, way: Int) -> Int:
    """Return what the next position of a province costs (5.2); it must have a free one."""
    if way == c.BY_KOKU:
        return NUMBER[prov, np.int64(g["filled"][prov])] << KOKU_AT
    top = np.int64(g["top"][prov])
    entrance = NATIVE[prov] if top == c.NONE else top
    return (ICONS[prov] << (8 * NATIVE[prov])) + (ENTRANCE_ICONS[prov] << (8 * entrance))


@kernel
def count_troops(paid: Int) -> Int:
    """Return the troop units of all types."""
    return (((paid & TROOP_BYTES) * ONES) >> 24) & BYTE


@kernel
def koku_of(paid: Int) -> Int:
    """Return the Koku a payment comes to (5.3, S22): each Exchange makes one of a troop, the joker among them; each
    +1 adds one where there is any.
    """
    troops = count_troops(paid) + ((paid >> JOKER_AT) & BYTE)
    koku = ((paid >> KOKU_AT) & BYTE) + min((paid >> EXCHANGE_AT) & BYTE, troops)
    return koku + (paid >> PLUS_ONE_AT) if koku > 0 else koku


@kernel
def missing(paid: Int, need: Int) -> Int:
    """Return how many of the troops needed the cards do not show.

    All four bytes at once, a third of the time of a loop: with its top bit set, no byte of the need borrows from the
    next, and the bit stays set where the cards do not show more than the need.
    """
    left = (need | HIGH_BITS) - (paid & TROOP_BYTES)
    return count_troops(left & (((left >> 7) & ONES) * LOW_BITS))


@kernel
def pays_troops(paid: Int, need: Int) -> Bool:
    """Say whether a payment suffices for troops (5.3, S12, S13, S14, S15)."""
    lacking = missing(paid, need)
    if lacking == 0:
        return True
    koku, joker = (paid >> KOKU_AT) & BYTE, (paid >> JOKER_AT) & BYTE
    exchanges, plus_ones = (paid >> EXCHANGE_AT) & BYTE, paid >> PLUS_ONE_AT
    units = count_troops(paid)
    if lacking > joker + exchanges + plus_ones or units + koku + joker == 0:
        return False
    surplus = units + lacking - count_troops(need) + koku
    absent = np.int64(0)
    for troop in range(c.N_TROOPS):
        absent += 1 if (need >> (8 * troop)) & BYTE > 0 and (paid >> (8 * troop)) & BYTE == 0 else 0
    for j in range(min(joker, lacking) + 1):
        for e in range(min(exchanges, lacking - j) + 1):
            if lacking - j - e + max(np.int64(0), e - surplus) <= plus_ones and j + e >= absent:
                return True
    return False


@kernel
def suffices(paid: Int, need: Int) -> Bool:
    """Say whether a payment suffices: ``need`` holds a price, or troops."""
    price = need >> KOKU_AT
    return koku_of(paid) >= price if price > 0 else pays_troops(paid, need)


@kernel
def has_joker(g: State, player: Player) -> Bool:
    """Say whether the player may commit the joker: the Hatamoto, once a turn (S14)."""
    return g["seals"][player] == c.HATAMOTO and g["joker_used"] == 0


@kernel
def worth_of_all(g: State, player: Player) -> Int:
    """Return all that a player could pay with, as a payment."""
    total = WORTH[c.JOKER] if has_joker(g, player) else np.int64(0)
    total += np.int64(g["tiles"][player, c.EXCHANGE]) << EXCHANGE_AT
    total += np.int64(g["tiles"][player, c.PLUS_ONE]) << PLUS_ONE_AT
    for kind in range(c.N_KINDS):
        total += np.int64(g["hand"][player, kind]) * WORTH[c.FIRST_CARD + kind]
    return total


@kernel
def worth_of_committed(g: State) -> Int:
    """Return the items committed, as a payment."""
    total = np.int64(0)
    for item in range(c.N_ITEMS):
        total += np.int64(g["committed"][item]) * WORTH[item]
    return total


@kernel
def is_tight(g: State, paid: Int, need: Int) -> Bool:
    """Say whether no single committed item could be left out (S11)."""
    superfluous = np.int64(0)
    for item in range(c.N_ITEMS):
        if g["committed"][item] > 0 and suffices(paid - WORTH[item], need):
            superfluous += 1
    return superfluous == 0


@kernel
def is_fodder(paid: Int, need: Int, item: Int) -> Int:
    """Return 1 for a card that brings a payment nothing needed, so that it can only serve an Exchange; else 0."""
    if item < c.FIRST_CARD:
        return 0
    if need >> KOKU_AT > 0:
        return 1 if item < c.FIRST_KOKU else 0
    return 1 if missing(paid + WORTH[item], need) == missing(paid, need) else 0


@kernel
def count_fodder(g: State, need: Int) -> Int:
    """Return how many committed cards were fodder when they were added."""
    paid = np.int64(0)
    fodder = np.int64(0)
    for item in range(c.N_ITEMS):
        for _ in range(np.int64(g["committed"][item])):
            fodder += is_fodder(paid, need, item)
            paid += WORTH[item]
    return fodder


@kernel
def lay_out_items(g: State, player: Player) -> None:
    """Count in ``spare`` the items not committed and sum up in ``rest`` what each and all after it are worth."""
    spare, rest = g["spare"], g["rest"]
    spare[c.JOKER] = 1 if has_joker(g, player) else 0
    spare[c.FIRST_TILE] = g["tiles"][player, c.EXCHANGE]
    spare[c.FIRST_TILE + 1] = g["tiles"][player, c.PLUS_ONE]
    for kind in range(c.N_KINDS):
        spare[c.FIRST_CARD + kind] = g["hand"][player, kind]
    after = np.int64(0)
    rest[c.N_ITEMS] = after
    for step in range(1, c.N_ITEMS + 1):
        item = c.N_ITEMS - step
        spare[item] = np.int64(spare[item]) - np.int64(g["committed"][item])
        after += np.int64(spare[item]) * WORTH[item]
        rest[item] = after


@kernel
def move_item(g: State, item: Int, count: Int) -> None:
    """Move items from those not committed to those committed, or with a negative count back."""
    g["committed"][item] = np.int64(g["committed"][item]) + count
    g["spare"][item] = np.int64(g["spare"][item]) - count


@kernel
def next_item(g: State, paid: Int, need: Int, item: Int, fodder: Int) -> Int:
    """Return the first item from this one on that is there and not too much fodder for the Exchanges; or N_ITEMS."""
    room = ((paid >> EXCHANGE_AT) & BYTE) - fodder
    while item < c.N_ITEMS and (g["spare"][item] == 0 or (room == 0 and is_fodder(paid, need, item) == 1)):
        item += 1
    return item


@kernel
def clear_search(g: State) -> None:
    """Clear the scratch fields, so that looking for legal actions leaves no trace in the record."""
    for item in range(c.N_ITEMS):
        g["spare"][item] = 0
        g["rest"][item] = 0
    for step in range(c.MAX_PATH):
        g["path"][step] = 0


@kernel
def legal_items(g: State, player: Player) -> Int:
    """Find the items with which some legal payment continues the committed ones (8, S11).

    Depth-first over sets of items in their fixed order, from the last one committed on: a set that suffices ends its
    branch, and is a legal payment if it is tight; a branch ends where even all remaining items do not suffice, or with
    more fodder than Exchanges. The first item of a legal payment found is marked, and its branch left.

    Args:   g, phase PAY, as before afterwards; player who pays
    Returns int64: bit ``item`` set for each item found.
    """
    spare, path, rest = g["spare"], g["path"], g["rest"]
    need = need_of(g, np.int64(g["target"]), np.int64(g["way"]))
    lay_out_items(g, player)
    paid = worth_of_committed(g)
    fodder = count_fodder(g, need) if (paid >> EXCHANGE_AT) & BYTE > 0 else np.int64(0)
    found = np.int64(0)
    depth = np.int64(0)
    item = np.int64(g["last"])
    while True:
        item = next_item(g, paid, need, item, fodder)
        if item < c.N_ITEMS and suffices(paid + np.int64(spare[item]) * WORTH[item] + rest[item + 1], need):
            path[depth] = item
            depth += 1
            move_item(g, item, np.int64(1))
            fodder += is_fodder(paid, need, item)
            paid += WORTH[item]
            if not suffices(paid, need):
                continue
            if is_tight(g, paid, need):
                found |= np.int64(1) << np.int64(path[0])
        elif depth == 0:
            break
        # Take back the last item, or after a success all of them.
        succeeded = (found >> np.int64(path[0])) & 1 == 1
        while depth > 0:
            depth -= 1
            item = np.int64(path[depth])
            move_item(g, item, np.int64(-1))
            paid -= WORTH[item]
            fodder -= is_fodder(paid, need, item)
            if not succeeded:
                break
        item += 1
    clear_search(g)
    return found
