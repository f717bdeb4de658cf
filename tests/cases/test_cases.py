"""Every rule case of both games is played as its file says; ``README.md`` says how to read and write them."""

from collections import Counter

import pytest

from tests.cases.language import Case
from tests.cases.oracle import compare_with_oracle
from tests.cases.runner import all_cases, play, run

CASES = all_cases()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case__played__is_as_the_file_says(case: Case):
    run(case)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case__played_on_the_oracle__is_as_on_the_engine(case: Case):
    compare_with_oracle(case, play(case))


def test_cases__of_a_game__have_names_of_their_own():
    assert [name for name, count in Counter((case.game, case.name) for case in CASES).items() if count > 1] == []
