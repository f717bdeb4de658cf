"""Whether items pay a price: the arithmetic of ``rules/payment.py`` in the worked examples 11 to 13."""

import pytest

from shogun_env.shitenno import board
from shogun_env.shitenno.rules.payment import suffices


def worth_of(*items: str) -> int:
    """Return what items are worth together, as one number."""
    names = ("joker", "exchange", "plus_one", *board.KIND_NAMES)
    return sum(int(board.WORTH[names.index(item)]) for item in items)


def troops(**need: int) -> int:
    """Return a price in troops, as one number."""
    return sum(number << 8 * board.TROOP_NAMES.index(troop) for troop, number in need.items())


@pytest.mark.parametrize(
    ("need", "items", "enough"),
    [
        (troops(samurai=3, bushi=1), ("samurai", "samurai", "samurai", "plus_one"), False),
        (troops(samurai=3, bushi=1), ("samurai", "samurai", "samurai", "plus_one", "exchange"), True),
        (troops(sohei=3), ("joker", "plus_one", "plus_one"), True),
        (troops(sohei=3), ("exchange", "plus_one", "plus_one"), False),
        (troops(sohei=1), ("koku_2", "exchange"), True),
        (troops(sohei=2), ("koku_2", "exchange"), False),
    ],
)
def test_suffices__items_of_examples_11_to_13__pay_or_do_not(need: int, items: tuple[str, ...], enough: bool):
    assert suffices(worth_of(*items), need) == enough
