"""Constants are numbered in the order of the data, or a game cannot be imported; which texts of JSON are read."""

from types import ModuleType

import pytest

from shogun_env.spec.forms import check_order, json_of


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


@pytest.mark.parametrize("text", [r'{"name": "a\ud83d"}', rb'["\uDE00"]', r'{"\udc00": 1}'])
def test_json_of__half_of_a_surrogate_pair__refused(text):
    with pytest.raises(ValueError, match="holds half of a surrogate pair"):
        json_of(text)


@pytest.mark.parametrize("text", [r'"\ud83d\ude00"', '"\U0001f600"'])
def test_json_of__a_whole_pair__is_one_character(text):
    assert json_of(text) == "\U0001f600"
