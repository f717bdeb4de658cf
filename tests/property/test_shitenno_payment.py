"""Masks of payments against brute force: all sets of items, and all orders of applying tiles (S10 to S15)."""

import itertools
from functools import cache

import numpy as np
import pytest

from shogun_env.shitenno import Batch
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.board import DATA, ICONS, KIND_NAMES, KOKU_VALUE, NATIVE, NUMBER, TROOP_NAMES

Units = tuple[int, int, int, int, int]
"""Units in a payment: four troop types, then Koku."""
Items = tuple[int, ...]
"""How many of each item: joker, Exchanges, +1s, then cards by kind."""

KOKU = 4
TROOPS_OF = [[TROOP_NAMES.index(t) for t in kind["troops"]] for kind in DATA["card_kinds"]["order"]]


def changed(units: Units, more: int, less: int = -1) -> Units:
    return tuple(n + (i == more) - (i == less) for i, n in enumerate(units))  # type: ignore[return-value]


@cache
def can_reach(units: Units, exchanges: int, plus_ones: int, need: Units) -> bool:
    """Say whether some order of applying tiles covers the need (5.3)."""
    if all(n >= r for n, r in zip(units, need, strict=True)):
        return True
    present = [i for i in range(5) if units[i]]
    if exchanges:
        for old, new in itertools.product(present, range(5)):
            if old != new and can_reach(changed(units, new, old), exchanges - 1, plus_ones, need):
                return True
    return plus_ones > 0 and any(can_reach(changed(units, i), exchanges, plus_ones - 1, need) for i in present)


@cache
def is_enough(items: Items, need: Units) -> bool:
    joker, exchanges, plus_ones, *cards = items
    units = [0] * 5
    for kind, count in enumerate(cards):
        for troop in TROOPS_OF[kind]:
            units[troop] += count
        units[KOKU] += count * int(KOKU_VALUE[kind])
    starts = [changed(tuple(units), troop) for troop in range(4)] if joker else [tuple(units)]  # type: ignore[arg-type]
    return any(can_reach(start, exchanges, plus_ones, need) for start in starts)


def payments(items: Items, need: Units) -> list[Items]:
    """Return all legal payments that can be made of the items: enough, and none could be left out (S11)."""
    legal = []
    for chosen in itertools.product(*(range(count + 1) for count in items)):
        if is_enough(chosen, need):
            smaller = (tuple(n - (i == j) for i, n in enumerate(chosen)) for j in range(len(chosen)) if chosen[j])
            if not any(is_enough(less, need) for less in smaller):
                legal.append(chosen)
    return legal


def continuations(legal: list[Items], committed: Items) -> set[int]:
    """Return the items that come next in a legal payment which begins with what is committed, in the fixed order."""
    items = set()
    last = max((i for i, n in enumerate(committed) if n), default=0)
    for payment in legal:
        if payment[:last] == committed[:last] and payment[last] >= committed[last]:
            items |= set([i for i in range(last, len(payment)) if payment[i] > committed[i]][:1])
    return items


def random_case(rng: np.random.Generator, g: np.void, size: int) -> tuple[Items, Units]:
    """Put a payment into a record: few cards, few tiles, any province, position and way."""
    hand = np.bincount(rng.integers(c.N_KINDS, size=rng.integers(1, size + 1)), minlength=c.N_KINDS)
    hand = np.minimum(hand, 3)
    tiles = rng.choice(3, size=2, p=(0.4, 0.4, 0.2))
    g["phase"], g["player"], g["last"], g["committed"] = c.PAY, 0, 0, 0
    g["hand"][0], g["tiles"][0, :2], g["joker_used"] = hand, tiles, rng.integers(2)
    g["seals"][0] = rng.choice((c.HATAMOTO, c.DAIMYO))
    prov, position, way = rng.integers(c.N_PROVINCES), rng.integers(c.N_POSITIONS), rng.integers(2)
    top = rng.integers(c.N_TROOPS) if position < 3 else c.NONE
    g["target"], g["way"], g["filled"][prov], g["top"][prov] = prov, way, position, top
    need = [0] * 5
    if way == c.BY_KOKU:
        need[KOKU] = int(NUMBER[prov, position])
    else:
        need[NATIVE[prov]] += int(ICONS[prov])
        need[NATIVE[prov] if top == c.NONE else top] += 1
    joker = int(g["seals"][0] == c.HATAMOTO and not g["joker_used"])
    return (joker, *tiles.tolist(), *hand.tolist()), tuple(need)  # type: ignore[return-value]


@pytest.mark.parametrize(("count", "size", "seed"), [(400, 6, 1), pytest.param(1500, 9, 2, marks=pytest.mark.slow)])
def test_pay__S11_random_hands__mask_is_that_of_brute_force(count, size, seed):
    rng = np.random.default_rng(seed)
    batch = Batch(1)
    g = batch.games[0]
    payable = 0
    for _ in range(count):
        items, need = random_case(rng, g, size)
        legal = payments(items, need)
        committed = [0] * c.N_ITEMS
        while (next_items := continuations(legal, tuple(committed))) and not is_enough(tuple(committed), need):
            g["committed"] = committed
            mask = set(np.flatnonzero(batch.legal_for(0)[0]).tolist())
            assert mask == {c.A_PAY + item for item in next_items}, (
                dict(zip(KIND_NAMES, items[3:], strict=True)),
                items,
                need,
            )
            item = rng.choice(sorted(next_items))
            committed[item] += 1
            g["last"] = item
            payable += 1
        assert not legal or is_enough(tuple(committed), need)
    assert payable > count / 2


def test_turn__random_hands__a_province_is_on_offer_where_some_payment_is_legal():
    rng = np.random.default_rng(3)
    batch = Batch(1)
    g = batch.games[0]
    counts = {False: 0, True: 0}
    for _ in range(300):
        items, need = random_case(rng, g, 6)
        action = (c.A_TROOPS, c.A_KOKU)[g["way"]] + g["target"]
        g["phase"], g["n_placed"] = c.TURN, 0
        g["target"] = c.NONE
        possible = bool(payments(items, need))
        assert bool(batch.legal_for(0)[0, action]) == possible
        counts[possible] += 1
    assert min(counts.values()) > 50
