"""What cases of Shitennō cannot say: what many games come to, numbers of the data."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from shogun_env.shitenno import Batch, board
from tests.cases.language import Case
from tests.cases.runner import all_cases

EXAMPLES = board.DATA["worked_examples"]
PLAYERS = EXAMPLES["division"]["players_by_old_title"]


def test_S1__two_players__any_two_of_the_four_titles_are_dealt():
    batch = Batch(600, num_players=2)
    dealt, counts = np.unique(batch.games["seals"][:, :2], axis=0, return_counts=True)
    assert len(dealt) == 12
    assert counts.min() > 25


# --- the examples of the rulebook, as numbers in the data ------------------------------------------------------------


def example(number: int) -> Case:
    """Return the case of an example."""
    (case,) = (case for case in all_cases() if case.game == "shitenno" and f"E{number}" in case.tags)
    return case


def test_example_2__division__ends_with_the_titles_and_cards_of_the_data():
    after = example(2).items("after")
    seals = EXAMPLES["division"]["new_seals"]
    assert f"titles {' '.join(str(seals[name]) for name in PLAYERS)}" in after
    for player, name in enumerate(PLAYERS):
        (hand,) = (item.split()[2:] for item in after if item.startswith(f"hand {player} "))
        cards = [word for card in hand for word in [card.partition("*")[0]] * int(card.partition("*")[2] or 1)]
        koku = sum(card in ("koku_1", "koku_2", "koku_3") for card in cards)
        assert {"troop": len(cards) - koku, "koku": koku} == EXAMPLES["division"]["cards_gained"][name]


def placements() -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield number and data of each printed example of a placement."""
    yield from zip((3, 4, 5, 7), (each for each in EXAMPLES["control"] if "province" in each), strict=True)


@pytest.mark.parametrize(("number", "data"), list(placements()))
def test_example_3_to_7__placement__is_that_of_the_data(number: int, data: dict[str, Any]):
    lines = [set(item.split()) for item in example(number).items("lines")]
    expected = {
        "control",
        f"player={PLAYERS.index(data['player'])}",
        f"province={data['province']}",
        f"position={data['position']}",
        f"by={data['mode']}",
        f"cards={','.join(sorted(data['pay_cards'], key=board.KIND_NAMES.index))}",
        f"points={data['position_points']}",
        f"title_points={data['title_points']}",
    }
    expected |= {f"{tile}s={data['pay_tiles'].count(tile)}" for tile in data["pay_tiles"]}
    assert any(expected <= line for line in lines)
