"""Every rule case of both games is played as its file says; ``README.md`` says how to read and write them."""

from collections import Counter

import pytest

from tests.cases.language import Case
from tests.cases.oracle import compare_with_oracle
from tests.cases.runner import all_cases, compare_lines, compare_state, play

CASES = all_cases()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case__played__is_as_the_file_says_and_as_on_the_oracle(case: Case):
    game = play(case)
    compare_lines(case, game.lines())
    compare_state(case, game)
    compare_with_oracle(case, game)


def test_cases__of_a_game__have_names_of_their_own():
    assert [name for name, count in Counter((case.game, case.name) for case in CASES).items() if count > 1] == []
