"""The glossaries: everything that the data name is explained, briefly and in good English."""

import re

from shogun_env.shitenno import board as shitenno_board
from shogun_env.shogun import board as shogun_board
from shogun_env.shogun import constants as c
from tests.differential.oracle.shitenno.payment import price_of
from tests.games import batch_class, each_game

NAMES = {
    "shogun": {
        *shogun_board.EVENT_NAMES, *shogun_board.SPECIAL_NAMES, *shogun_board.ACTION_NAMES,
        *shogun_board.PROVINCE_NAMES,
        "bid", "none", *(f"chest_{value}" for value in range(c.N_CHEST_CARDS)),
    },
    "shitenno": {
        *shitenno_board.PROVINCE_NAMES, *shitenno_board.KIND_NAMES, *shitenno_board.BONUS_NAMES,
        *shitenno_board.TITLE_NAMES,
    },
}  # fmt: skip


@each_game
def test_glossary__has_every_name_of_the_data(name: str):
    assert NAMES[name] - set(batch_class(name).spec.glossary) == set()


@each_game
def test_glossary__spaces_of_a_plan__are_explained(name: str):
    spec = batch_class(name).spec
    assert [space for space in spec.plan_spaces if space not in spec.glossary] == []


def test_glossary__provinces_of_shitenno__name_the_prices_of_the_rules():
    glossary = batch_class("shitenno").spec.glossary
    for name in shitenno_board.PROVINCE_NAMES:
        ((_, first), _), ((_, last),) = (price_of(name, at, top, "troops").need for at, top in ((1, ""), (4, None)))
        numbers = re.search(r"By troops: (\d+) .* the last position (\d+) of its own", glossary[name]).groups()
        assert (*map(int, numbers),) == (first, last)
