"""Constants are numbered in the order of the data, or a game cannot be imported."""

from types import ModuleType

import pytest

from shogun_env.spec.forms import check_order


def test_check_order__constants_as_in_the_data__are_accepted():
    constants = ModuleType("toy")
    constants.ONE, constants.TWO = 1, 2
    check_order(constants, ["one", "two"], first=1)


@pytest.mark.parametrize(
    ("names", "says"), [(["two", "one"], "toy.TWO is 2, .*two is number 1"), (["six"], "SIX is None")]
)
def test_check_order__other_order_or_missing__names_the_constant(names, says):
    constants = ModuleType("toy")
    constants.ONE, constants.TWO = 1, 2
    with pytest.raises(ValueError, match=says):
        check_order(constants, names, first=1)
