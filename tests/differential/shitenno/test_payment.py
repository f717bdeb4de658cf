"""Payments of the oracle of Shitenno: the search against the closed formula of the rules and full enumeration."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from ..oracle.shitenno import board
from ..oracle.shitenno.payment import Items, Price, legal_payments, price_of, suffices, units_of


def formula(price: Price, items: Items) -> bool:
    """The test of rules 5.3, as it is written there."""
    troops = Counter(unit for kind in items.cards for unit in units_of(kind))
    koku = troops.pop("koku", 0)
    total, joker = troops.total(), items.joker
    if price.in_koku:
        value = koku + min(items.exchanges, total + joker)
        return value + (items.plus_ones if value else 0) >= price.need[0][1]
    need = Counter(dict(price.need))
    lacking, spare = (need - troops).total(), (troops - need).total() + koku
    missing = sum(troops[troop] == 0 for troop in need)
    if not lacking:
        return True
    if total + koku + joker == 0:
        return False
    return any(
        (lacking - j - e) + max(0, e - spare) <= items.plus_ones and j + e >= missing
        for j in range(min(joker, lacking) + 1)
        for e in range(min(items.exchanges, lacking - j) + 1)
    )


TROOP_PRICES = [
    Price((("samurai", 3), ("bushi", 1))),
    Price((("samurai", 2), ("bushi", 1))),
    Price((("sohei", 3),)),
    Price((("samurai", 4),)),
]


@pytest.mark.parametrize("price", TROOP_PRICES, ids=str)
def test_5_3__troops_suffice__search_equals_the_closed_formula(price: Price) -> None:
    names = [name for name, _ in price.need]
    for *units, rest, koku in product(*[range(price.numbers[0] + 2)] * len(names), range(3), range(3)):
        cards = tuple(name for name, number in zip(names, units, strict=True) for _ in range(number))
        cards += ("shinobi",) * rest + (f"koku_{koku}",) * (koku > 0)
        for tiles in product(range(2), range(4), range(4)):
            items = Items(*tiles, cards)
            assert suffices(price, items) == formula(price, items), items


def test_5_3__koku_suffice__search_equals_the_closed_formula() -> None:
    for cost, troops, koku in product((3, 4, 5, 6, 8, 9, 11), range(4), range(12)):
        for tiles in product(range(2), range(4), range(5)):
            items = Items(*tiles, ("shinobi",) * troops + ("koku_1",) * koku)
            assert suffices(Price((("koku", cost),)), items) == formula(Price((("koku", cost),)), items), items


def sub_multisets(hand: Counter[str]) -> Iterator[tuple[str, ...]]:
    """Every selection of cards, in the order of the data."""
    kinds = board.in_order(list(hand))
    for numbers in product(*(range(hand[kind] + 1) for kind in kinds)):
        yield tuple(kind for kind, number in zip(kinds, numbers, strict=True) for _ in range(number))


def compare_with_enumeration(seed: int, cards: int) -> int:
    """Compare the legal payments of a random price and hand with all selections; give their number."""
    rng = random.Random(seed)
    name, position, top = rng.choice(board.NAMES), rng.randint(1, 4), rng.choice(board.TROOPS)
    price = price_of(name, position, None if position == 4 else top, rng.choice(["troops", "koku"]))
    deck = [kind for kind in board.KINDS for _ in range(board.CARDS[kind]["copies"])]
    hand = Counter(rng.sample(deck, cards))
    joker, exchanges, plus_ones = rng.randint(0, 1), rng.randint(0, 3), rng.randint(0, 3)
    expected = {
        items
        for selection in sub_multisets(hand)
        for tiles in product(range(joker + 1), range(exchanges + 1), range(plus_ones + 1))
        if formula(price, items := Items(*tiles, selection))
        and not any(formula(price, less) for less in items.each_less_one())
    }
    payments = legal_payments(price, joker, exchanges, plus_ones, hand)
    assert len(payments) == len(set(payments))
    assert set(payments) == expected
    return len(payments)


def test_S11__legal_payments__equal_full_enumeration() -> None:
    assert sum(compare_with_enumeration(seed, 5) > 1 for seed in range(40)) > 15


@pytest.mark.full
def test_S11__legal_payments_of_larger_hands__equal_full_enumeration() -> None:
    assert max(compare_with_enumeration(seed, 9) for seed in range(40)) > 50
