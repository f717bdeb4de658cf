"""Every rule case of the text files beside this one; ``runner.py`` says how to read them."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.rulebook.runner import Case, all_cases, play, run

CASES = all_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case__played__as_the_file_says(case: Case):
    run(case)


@pytest.mark.parametrize(("name", "orders"), [("PLN.7", 1), ("PLN.8", 1), ("PLN.9", 4), ("PLN.10", 4), ("PLN.11", 4)])
def test_R18__bids_in_any_order__only_those_of_the_rules_are_accepted(name: str, orders: int):
    case = next(case for case in CASES if case.name == name)
    event = case.items("chance")[0]
    accepted = 0
    for order in permutations(range(4)):
        chance = [f"{event}; bids {' '.join(map(str, order))}"]
        try:
            play(Case(name, [], {"given": case.fields.get("given", []), "plan": case.fields["plan"], "chance": chance}))
        except ValueError as error:
            assert "the chance outcomes given do not fit the game" in str(error)
        else:
            accepted += 1
    assert accepted == orders


def test_cases__all_files__names_differ():
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("field", "text"),
    [("lines", "do player=0 amount=7"), ("after", "chests 0 20"), ("choose", "0 ? of Aki"), ("after", "Settsu 1 2")],
)
def test_runner__a_wrong_word_in_a_case__is_found(field: str, text: str):
    case = next(case for case in CASES if case.name == "COL.1")
    wrong = Case(case.name, case.rules, {**case.fields, field: [text]})
    with pytest.raises(AssertionError):
        run(wrong)
