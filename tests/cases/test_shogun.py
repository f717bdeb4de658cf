"""What cases of Shogun cannot say: that an outcome is refused."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from tests.cases.language import Case
from tests.cases.oracle import VERSUS
from tests.cases.runner import all_cases, play, setting_of


def is_accepted(begin: Callable[..., Any], *arguments: Any) -> bool:
    """Say whether a game begins with the outcomes that it is given."""
    try:
        begin(*arguments)
    except ValueError as error:
        assert any(text in str(error) for text in ("the chance outcomes given do not fit", "impossible bid_order"))
        return False
    return True


@pytest.mark.parametrize(("name", "orders"), [("PLN.7", 1), ("PLN.8", 1), ("PLN.9", 4), ("PLN.10", 4), ("PLN.11", 4)])
def test_R18__bids_in_any_order__only_those_of_the_rules_are_accepted(name: str, orders: int):
    case = next(case for case in all_cases() if (case.game, case.name) == ("shogun", name))
    event, *_ = case.items("chance")
    position = {field: case.fields.get(field, []) for field in ("given", "plan")}
    setting, lines = setting_of(case), play(case).lines()
    assert setting is not None
    accepted = {"engine": 0, "oracle": 0}
    for order in permutations(range(4)):
        other = Case("shogun", name, [], position | {"chance": [f"{event}; bids {' '.join(map(str, order))}"]})
        told = [line | {"order": list(order)} if line["t"] == "bids" else line for line in lines]
        accepted["engine"] += is_accepted(play, other)
        accepted["oracle"] += is_accepted(VERSUS["shogun"].game_at, setting.g, told)
    assert accepted == {"engine": orders, "oracle": orders}
