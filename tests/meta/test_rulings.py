"""Every ruling and every worked example of the rules has a case, and every ruling is cited where it is applied."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shogun_env.shogun import board
from tests.rulebook.runner import all_cases

ROOT = Path(__file__).resolve().parents[2]
RULINGS = [f"R{number}" for number in range(1, 25)]
EXAMPLES = [f"E{number}" for number in range(1, 13)]
CODE = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "shogun_env" / "shogun").rglob("*.py")))
TESTS = [*(ROOT / "tests" / "unit").glob("*.py"), *(ROOT / "tests" / "property").glob("*.py")]
NAMES = {name for path in TESTS for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M)}
CASES = all_cases()


@pytest.mark.parametrize("ruling", RULINGS)
def test_ruling__each__has_a_case_or_a_test_named_after_it(ruling: str):
    has_case = any(ruling in case.rules for case in CASES)
    assert has_case or any(ruling in name.split("_") for name in NAMES)


@pytest.mark.parametrize("ruling", RULINGS)
def test_ruling__each__is_cited_in_the_code(ruling: str):
    assert re.search(rf"\b{ruling}\b", CODE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_example__each_of_the_rulebook__has_a_case(example: str):
    assert any(example in case.rules for case in CASES)


@pytest.mark.parametrize("name", [*board.EVENT_NAMES, *board.SPECIAL_NAMES, *board.ACTION_NAMES])
def test_component__each_event_special_and_action__stands_in_a_case(name: str):
    text = "\n".join(row for case in CASES for rows in case.fields.values() for row in rows)
    assert re.search(rf"\b{name}\b", text)
