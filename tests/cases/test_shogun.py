"""What cases of Shogun cannot say: that an outcome is refused."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.cases.language import Case
from tests.cases.runner import all_cases, play


@pytest.mark.parametrize(("name", "orders"), [("PLN.7", 1), ("PLN.8", 1), ("PLN.9", 4), ("PLN.10", 4), ("PLN.11", 4)])
def test_R18__bids_in_any_order__only_those_of_the_rules_are_accepted(name: str, orders: int):
    case = next(case for case in all_cases() if (case.game, case.name) == ("shogun", name))
    event = case.items("chance")[0]
    position = {field: case.fields.get(field, []) for field in ("given", "plan")}
    accepted = 0
    for order in permutations(range(4)):
        chance = [f"{event}; bids {' '.join(map(str, order))}"]
        try:
            play(Case("shogun", name, [], {**position, "chance": chance}))
        except ValueError as error:
            assert "the chance outcomes given do not fit the game" in str(error)
        else:
            accepted += 1
    assert accepted == orders
