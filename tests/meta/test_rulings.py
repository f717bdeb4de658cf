"""Every ruling, worked example and component of each game has a case, and every ruling is cited where it is applied."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from shogun_env.shitenno import board as shitenno
from shogun_env.shogun import board as shogun
from tests.cases.runner import all_cases

ROOT = Path(__file__).resolve().parents[2]
TESTS = [path for folder in ("unit", "cases") for path in (ROOT / "tests" / folder).rglob("test_*.py")]
NAMES = {name for path in TESTS for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M)}


class Rules(NamedTuple):
    """What a game's rules have to be covered."""

    rulings: tuple[str, ...]
    only_in_tests: set[str]
    """Rulings that no case can show, but a test named after them."""
    examples: tuple[str, ...]
    components: tuple[str, ...]


RULES = {
    "shogun": Rules(
        tuple(f"R{number}" for number in range(1, 25)),
        {"R10"},  # the law of the tower
        tuple(f"E{number}" for number in range(1, 13)),
        (*shogun.EVENT_NAMES, *shogun.SPECIAL_NAMES, *shogun.ACTION_NAMES),
    ),
    "shitenno": Rules(
        tuple(f"S{number}" for number in range(1, 26)),
        set(),
        tuple(f"E{number}" for number in range(1, 18)),
        (*shitenno.KIND_NAMES, *shitenno.BONUS_NAMES, *shitenno.PROVINCE_NAMES),
    ),
}


@cache
def tags_of(game: str) -> set[str]:
    """Return all that the cases of a game are about."""
    return {tag for case in all_cases() if case.game == game for tag in case.tags}


@cache
def text_of(game: str) -> str:
    """Return the text of all cases of a game."""
    cases = (case for case in all_cases() if case.game == game)
    return "\n".join(row for case in cases for rows in case.fields.values() for row in rows)


each_game = pytest.mark.parametrize("game", RULES)


@each_game
def test_rulings__of_a_game__have_a_case_each(game: str):
    with_test = {part for name in NAMES for part in name.split("_")} & RULES[game].only_in_tests
    assert set(RULES[game].rulings) - tags_of(game) - with_test == set()


@each_game
def test_rulings__of_a_game__are_cited_in_the_code(game: str):
    code = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "shogun_env" / game).rglob("*.py")))
    assert set(RULES[game].rulings) - set(re.findall(r"\b[RS]\d+\b", code)) == set()


@each_game
def test_examples__of_a_game__have_a_case_each(game: str):
    assert set(RULES[game].examples) - tags_of(game) == set()


@each_game
def test_components__of_a_game__are_in_a_case_each(game: str):
    assert set(RULES[game].components) - set(re.findall(r"\w+", text_of(game))) == set()


@each_game
def test_tags__of_the_cases__are_rulings_examples_and_sections(game: str):
    known = {*RULES[game].rulings, *RULES[game].examples}
    sections = re.compile(r"\d(\.(\d|w))?")  # 3.w: the winter of Shogun
    assert {tag for tag in tags_of(game) if tag not in known and not sections.fullmatch(tag)} == set()
