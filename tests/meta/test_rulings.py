"""Every ruling and every worked example of the rules has a case, and every ruling is cited where it is applied."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shogun_env.shogun import board
from tests.rulebook.runner import all_cases

GAMES = {"R": "shogun", "S": "shitenno"}
ROOT = Path(__file__).resolve().parents[2]
RULINGS = [("shogun", f"R{number}") for number in range(1, 25)] + [
    ("shitenno", f"S{number}") for number in range(1, 26)
]
EXAMPLES = 12, 17
"""Of Shogun and of Shitennō."""
TESTS = [
    path for folder in ("unit", "property", "rulebook_shitenno") for path in (ROOT / "tests" / folder).glob("*.py")
]
NAMES = {name for path in TESTS for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M)}
CASES = all_cases()


@pytest.mark.parametrize(("game", "ruling"), RULINGS)
def test_ruling__each__has_a_case_or_a_test_named_after_it(game: str, ruling: str):
    has_case = any(ruling in case.rules for case in CASES)
    assert has_case or any(ruling in name.split("_") for name in NAMES)


@pytest.mark.parametrize(("game", "ruling"), RULINGS)
def test_ruling__each__is_cited_in_the_code(game: str, ruling: str):
    code = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "shogun_env" / game).rglob("*.py")))
    assert re.search(rf"\b{ruling}\b", code)


@pytest.mark.parametrize("number", range(1, EXAMPLES[0] + 1))
def test_example__each_of_shogun__has_a_case(number: int):
    assert any(f"E{number}" in case.rules for case in CASES)


def test_example__each_of_shitenno__has_a_test():
    heads = [re.match(r"test_examples?_(\d+)(?:_(and|to)_(\d+))?_", name) for name in NAMES]
    told = [(int(head[1]), int(head[3] or head[1])) for head in heads if head]
    assert {number for first, last in told for number in range(first, last + 1)} == set(range(1, EXAMPLES[1] + 1))


@pytest.mark.parametrize("name", [*board.EVENT_NAMES, *board.SPECIAL_NAMES, *board.ACTION_NAMES])
def test_component__each_event_special_and_action__stands_in_a_case(name: str):
    text = "\n".join(row for case in CASES for rows in case.fields.values() for row in rows)
    assert re.search(rf"\b{name}\b", text)
