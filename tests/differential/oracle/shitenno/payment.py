"""What a placement costs and which payments are legal: a search over all ways of using the tiles (rules 5.2, 5.3)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .board import CARDS, KINDS, PAY_EXCHANGE, PAY_JOKER, PAY_PLUS_ONE, PROVINCES, pay_action

Units = tuple[int, ...]
"""Units by class: one class for each type that is needed, and last all others."""


@dataclass(frozen=True)
class Price:
    """What has to be paid: so many units of each of these (troop types, or `koku` alone)."""

    need: tuple[tuple[str, int], ...]

    @property
    def in_koku(self) -> bool:
        """Whether it is paid by Koku."""
        return self.need[0][0] == "koku"

    @property
    def numbers(self) -> Units:
        """Units needed by class; of the others none."""
        return (*(number for _, number in self.need), 0)

    def class_of(self, unit: str) -> int:
        """Class of a troop type or of `koku`."""
        names = [name for name, _ in self.need]
        return names.index(unit) if unit in names else len(names)

    def joker_classes(self) -> list[int]:
        """Classes a joker can be of: it is a troop of any type (S14)."""
        return [1] if self.in_koku else list(range(len(self.numbers)))


@dataclass(frozen=True)
class Items:
    """Committed items: joker and tiles as numbers, cards as kinds in the order of the data."""

    joker: int
    exchanges: int
    plus_ones: int
    cards: tuple[str, ...]

    def actions(self) -> tuple[int, ...]:
        """The one sequence of actions that commits them (rules 8)."""
        tiles = [PAY_JOKER] * self.joker + [PAY_EXCHANGE] * self.exchanges + [PAY_PLUS_ONE] * self.plus_ones
        return (*tiles, *(pay_action(kind) for kind in self.cards))

    def each_less_one(self) -> Iterator["Items"]:
        """The same without one of the items, for every item."""
        if self.joker:
            yield Items(0, self.exchanges, self.plus_ones, self.cards)
        if self.exchanges:
            yield Items(self.joker, self.exchanges - 1, self.plus_ones, self.cards)
        if self.plus_ones:
            yield Items(self.joker, self.exchanges, self.plus_ones - 1, self.cards)
        for index in range(len(self.cards)):
            yield Items(self.joker, self.exchanges, self.plus_ones, self.cards[:index] + self.cards[index + 1 :])


def price_of(name: str, position: int, top: str | None, by: str) -> Price:
    """Price of a position (1 to 4) of a province, with this troop on top of its stack (rules 5.2)."""
    province = PROVINCES[name]
    if by == "koku":
        return Price((("koku", province["koku_cost_by_position"][position - 1]),))
    need = Counter({province["native_troop"]: province["printed_troops_always_visible"]})
    need[province["native_troop"] if top is None else top] += 1
    return Price(tuple(need.items()))


def units_of(kind: str) -> list[str]:
    """Units on a card: its troops, or so many Koku."""
    return list(CARDS[kind]["troops"]) or ["koku"] * CARDS[kind]["koku_value"]


@cache
def reach(units: Units, need: Units, exchanges: int, plus_ones: int) -> bool:
    """Whether the tiles, in some order, make of these units what is needed (S12, S13)."""
    if all(have >= want for have, want in zip(units, need, strict=True)):
        return True
    there = [index for index, have in enumerate(units) if have]
    if plus_ones and any(reach(moved(units, index), need, exchanges, plus_ones - 1) for index in there):
        return True
    return exchanges > 0 and any(
        reach(moved(units, index, away), need, exchanges - 1, plus_ones)
        for away in there
        for index in range(len(units))
        if index != away
    )


def moved(units: Units, more: int, less: int | None = None) -> Units:
    """One unit more of a class, perhaps one less of another."""
    return tuple(have + (index == more) - (index == less) for index, have in enumerate(units))


def suffices(price: Price, items: Items) -> bool:
    """Whether the committed items pay the price."""
    need = price.numbers
    units = [0] * len(need)
    for kind in items.cards:
        for unit in units_of(kind):
            units[price.class_of(unit)] += 1
    starts = [tuple(units)]
    if items.joker:
        starts += [moved(starts[0], index) for index in price.joker_classes()]
    return any(
        reach(cut_down(start, need, items.exchanges), need, items.exchanges, items.plus_ones) for start in starts
    )


def cut_down(units: Units, need: Units, exchanges: int) -> Units:
    """Leave out units that cannot matter: of a class what is needed stays, and each Exchange takes one away at most."""
    return tuple(min(have, want + exchanges) for have, want in zip(units, need, strict=True))


def is_legal(price: Price, items: Items) -> bool:
    """Whether it suffices and no item can be left out (S11)."""
    return suffices(price, items) and not any(suffices(price, less) for less in items.each_less_one())


def legal_payments(price: Price, joker: int, exchanges: int, plus_ones: int, hand: Counter[str]) -> list[Items]:
    """All legal payments out of these items (S11)."""
    return [
        payment
        for tiles in ((j, e, p) for j in range(joker + 1) for e in range(exchanges + 1) for p in range(plus_ones + 1))
        for payment in extended(price, Items(*tiles, ()), hand, 0)
    ]


def extended(price: Price, items: Items, hand: Counter[str], first: int) -> Iterator[Items]:
    """Legal payments that add cards of kind `first` or later to the items.

    Every unit paid stems from one card or the joker. A card from which none stems can be left out, so there are not
    more cards than units; a card without a needed unit has to be exchanged, so there are not more of those than
    Exchanges.
    """
    if suffices(price, items):
        if is_legal(price, items):
            yield items
        return
    if len(items.cards) + items.joker == sum(price.numbers):
        return
    strangers = sum(is_stranger(price, kind) for kind in items.cards)
    for index in range(first, len(KINDS)):
        kind = KINDS[index]
        rest = tuple(one for one in KINDS[index:] for _ in range(hand[one] - items.cards.count(one)))
        if not suffices(price, Items(items.joker, items.exchanges, items.plus_ones, items.cards + rest)):
            return
        if hand[kind] == items.cards.count(kind) or (is_stranger(price, kind) and strangers == items.exchanges):
            continue
        more = Items(items.joker, items.exchanges, items.plus_ones, (*items.cards, kind))
        yield from extended(price, more, hand, index)


def is_stranger(price: Price, kind: str) -> bool:
    """Whether a card has no unit of what is needed."""
    return all(price.class_of(unit) == len(price.need) for unit in units_of(kind))
