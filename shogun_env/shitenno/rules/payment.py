"""What a placement costs, what pays for it, and with which items a payment can continue (rules 5.2, 5.3, 8).

A payment is one int64, the sum of ``board.WORTH`` over its items: a byte each for the units of the four troop types,
for Koku units, for the joker, for Exchanges and for +1s. A need is written in the same bytes: troops of each type, or a
price in Koku. *Fodder* is a card that brings nothing needed, so that a payment can use it only by way of an Exchange.
"""

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
"""All bits of the four bytes of troops; the lowest bit of each; the top bit of each; one byte without its top bit."""


@kernel
def need_of(g: State, prov: Prov, way: Int) -> Int:
    """Return what the next position of a province costs; there must be a free one (5.2).

    Args:   way BY_TROOPS or BY_KOKU
    Reads:  filled, top
    """
    if way == c.BY_KOKU:
        return NUMBER[prov, np.int64(g["filled"][prov])] << KOKU_AT
    top = np.int64(g["top"][prov])
    entrance = NATIVE[prov] if top == c.NONE else top
    return (ICONS[prov] << (8 * NATIVE[prov])) + (ENTRANCE_ICONS[prov] << (8 * entrance))


@kernel
def count_troops(paid: Int) -> Int:
    """Return the sum of the troop units of all types.

    Args: paid, a payment
    """
    return (((paid & TROOP_BYTES) * ONES) >> 24) & BYTE  # byte 3 of the product is the sum of the four


@kernel
def koku_of(paid: Int) -> Int:
    """Return how many Koku units a payment is worth at most (5.3, 6, S22).

    Each Exchange turns one troop unit, or the joker, into a Koku; then each +1 adds a Koku if there is one to copy.

    Args: paid, a payment
    """
    troops = count_troops(paid) + ((paid >> JOKER_AT) & BYTE)
    koku = ((paid >> KOKU_AT) & BYTE) + min((paid >> EXCHANGE_AT) & BYTE, troops)
    return koku + (paid >> PLUS_ONE_AT) if koku > 0 else koku


@kernel
def missing(paid: Int, need: Int) -> Int:
    """Return how many of the troop units needed the cards lack: the sum over types of max(0, need - units).

    It works on all four bytes at once, in a third of the time of a loop. With its top bit set, no byte of the need
    borrows from the next in the subtraction. Afterwards the top bit is still set where the need is at least the units;
    only those bytes are summed.
    """
    left = (need | HIGH_BITS) - (paid & TROOP_BYTES)
    return count_troops(left & (((left >> 7) & ONES) * LOW_BITS))


@kernel
def pays_troops(paid: Int, need: Int) -> Bool:
    """Say whether a payment suffices for a need of troops: the arithmetic of 5.3 (S12, S13, S14, S15)."""
    lacking = missing(paid, need)
    if lacking == 0:
        return True
    koku, joker = (paid >> KOKU_AT) & BYTE, (paid >> JOKER_AT) & BYTE
    exchanges, plus_ones = (paid >> EXCHANGE_AT) & BYTE, paid >> PLUS_ONE_AT
    units = count_troops(paid)
    if lacking > joker + exchanges + plus_ones or units + koku + joker == 0:
        return False
    surplus = units + lacking - count_troops(need) + koku  # units of the cards that the need does not use
    absent = np.int64(0)
    for troop in range(c.N_TROOPS):
        absent += 1 if (need >> (8 * troop)) & BYTE > 0 and (paid >> (8 * troop)) & BYTE == 0 else 0
    # j units come from the joker, e from Exchanges and the rest from +1s. An Exchange beyond the surplus needs a +1 to
    # make the unit that it turns; a type that is absent needs a joker or an Exchange before a +1 can copy it.
    for j in range(min(joker, lacking) + 1):
        for e in range(min(exchanges, lacking - j) + 1):
            if lacking - j - e + max(np.int64(0), e - surplus) <= plus_ones and j + e >= absent:
                return True
    return False


@kernel
def suffices(paid: Int, need: Int) -> Bool:
    """Say whether a payment suffices for a need (5.3).

    Args: paid, a payment; need, a price in Koku or troops, as ``need_of`` returns it
    """
    price = need >> KOKU_AT
    return koku_of(paid) >= price if price > 0 else pays_troops(paid, need)


@kernel
def has_joker(g: State, player: Player) -> Bool:
    """Say whether the player may commit the joker: the Hatamoto, once per turn (5.3, S14).

    Reads:  joker_used, seals
    """
    return g["seals"][player] == c.HATAMOTO and g["joker_used"] == 0


@kernel
def worth_of_all(g: State, player: Player) -> Int:
    """Return all that a player could pay with, as one payment (5.3, 6).

    Reads:  hand, joker_used, seals, tiles
    """
    total = WORTH[c.JOKER] if has_joker(g, player) else np.int64(0)
    total += np.int64(g["tiles"][player, c.EXCHANGE]) << EXCHANGE_AT
    total += np.int64(g["tiles"][player, c.PLUS_ONE]) << PLUS_ONE_AT
    for kind in range(c.N_KINDS):
        total += np.int64(g["hand"][player, kind]) * WORTH[c.FIRST_CARD + kind]
    return total


@kernel
def worth_of_committed(g: State) -> Int:
    """Return the items committed, as a payment (5.3).

    Reads:  committed
    """
    total = np.int64(0)
    for item in range(c.N_ITEMS):
        total += np.int64(g["committed"][item]) * WORTH[item]
    return total


@kernel
def is_tight(g: State, paid: Int, need: Int) -> Bool:
    """Say whether no single committed item could be left out of a payment that suffices (S11)."""
    superfluous = np.int64(0)
    for item in range(c.N_ITEMS):
        if g["committed"][item] > 0 and suffices(paid - WORTH[item], need):
            superfluous += 1
    return superfluous == 0


@kernel
def is_fodder(paid: Int, need: Int, item: Int) -> Int:
    """Return 1 for a card that is fodder if it is added to a payment now, else 0."""
    if item < c.FIRST_CARD:
        return 0
    if need >> KOKU_AT > 0:
        return 1 if item < c.FIRST_KOKU else 0
    return 1 if missing(paid + WORTH[item], need) == missing(paid, need) else 0


@kernel
def count_fodder(g: State, need: Int) -> Int:
    """Return how many committed cards were fodder when they were added in their fixed order."""
    paid = np.int64(0)
    fodder = np.int64(0)
    for item in range(c.N_ITEMS):
        for _ in range(np.int64(g["committed"][item])):
            fodder += is_fodder(paid, need, item)
            paid += WORTH[item]
    return fodder


@kernel
def lay_out_items(g: State, player: Player) -> None:
    """Write the items not committed into ``spare``, and into ``rest`` the worth of those from each item on."""
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
    """Commit some of the items not committed, or take them back with a negative count."""
    g["committed"][item] = np.int64(g["committed"][item]) + count
    g["spare"][item] = np.int64(g["spare"][item]) - count


@kernel
def next_item(g: State, paid: Int, need: Int, item: Int, fodder: Int) -> Int:
    """Return the first item from this one on that is left and not one fodder too many; N_ITEMS if there is none."""
    # Each fodder card must serve an Exchange of its own, otherwise it could be left out.
    room = ((paid >> EXCHANGE_AT) & BYTE) - fodder
    while item < c.N_ITEMS and (g["spare"][item] == 0 or (room == 0 and is_fodder(paid, need, item) == 1)):
        item += 1
    return item


@kernel
def clear_search(g: State) -> None:
    """Clear the scratch fields, so that looking for legal actions leaves no trace in the state."""
    g["spare"][:] = 0
    g["rest"][:] = 0
    g["path"][:] = 0


@kernel
def legal_items(g: State, player: Player) -> Int:
    """Return the items with which some legal payment continues the committed ones (8, S11).

    It is a depth-first search over sets of items in their fixed order, beginning with the last item committed. A set
    that suffices ends its branch; if it is tight, it is a legal payment: its first item is marked, and the search goes
    on with the next first item. A branch also ends where even all remaining items would not suffice, and where there is
    more fodder than Exchanges.

    Args:   g in phase PAY, the same afterwards as before; player who pays
    Reads:  hand, target, rest, last, way, joker_used, seals, tiles, filled, top, committed, spare, path
    Writes: rest, committed, spare, path
    Returns int64: bit ``item`` is set for each such item.
    """
    spare, path, rest = g["spare"], g["path"], g["rest"]
    need = need_of(g, np.int64(g["target"]), np.int64(g["way"]))
    lay_out_items(g, player)
    paid = worth_of_committed(g)
    fodder = count_fodder(g, need) if (paid >> EXCHANGE_AT) & BYTE > 0 else np.int64(0)
    marked = np.int64(0)
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
                marked |= np.int64(1) << np.int64(path[0])
        elif depth == 0:
            break
        # Take back the last item; once the first one is marked, take back all of them.
        succeeded = (marked >> np.int64(path[0])) & 1 == 1
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
    return marked
