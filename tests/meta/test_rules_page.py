"""RULES.md of each game: every ruling stands in it and in the code it names, and its tables are those of the code."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest

from shogun_env.__main__ import rulings
from tests.games import NAMES, batch_class, each_game
from tests.meta.spec_page import ROOT, page_of, rewritten

TAGS = {"shogun": ("R", 24), "shitenno": ("S", 25)}
"""Letter of a game's rulings, and how many there are."""
ROWS = [(name, row) for name in NAMES for row in rulings(name)]


def text_of(name: str) -> str:
    return page_of(name).read_text("utf-8")


@each_game
def test_page__generated_part__is_that_of_the_code(name: str):
    assert text_of(name) == rewritten(name), "run python -m tests.meta.spec_page"


@each_game
def test_rulings__of_a_game__are_all_there_in_order(name: str):
    letter, count = TAGS[name]
    assert [row[0] for row in rulings(name)] == [f"{letter}{number}" for number in range(1, count + 1)]


@pytest.mark.parametrize(("name", "row"), ROWS, ids=lambda value: value if isinstance(value, str) else value[0])
def test_ruling__each__is_cited_by_the_function_it_names_and_in_the_rules(name: str, row: list[str]):
    tag, _, _, where = row
    file, function = re.fullmatch(r"`([\w/]+\.py): (\w+)`", where).groups()
    source = (ROOT / "shogun_env" / name / file).read_text("utf-8")
    (body,) = re.findall(rf"^def {function}\(.*?(?=^@|^def |\Z)", source, re.S | re.M)
    assert re.search(rf"\b{tag}\b", body + source.split('"""')[1])
    rules = re.split(r"^## \d\. Rulings$", text_of(name), flags=re.M)[0]
    assert re.search(rf"\[{tag}\]", rules)


def words_of(name: str) -> list[str]:
    """Names of the game that its page must explain."""
    board, constants = (importlib.import_module(f"shogun_env.{name}.{part}") for part in ("board", "constants"))
    if name == "shitenno":
        return [*board.TITLE_NAMES, *board.TROOP_NAMES, *board.BONUS_NAMES, *constants.REWARDS]
    skips = importlib.import_module("shogun_env.shogun.text.lines").SKIP_NAMES
    return [*board.ACTION_NAMES, *board.EVENT_NAMES, *board.SPECIAL_NAMES, *skips, *constants.REWARDS]


@each_game
def test_page__sections_and_names__are_complete(name: str):
    sections = re.findall(r"^## (\d)\.", text_of(name), re.M)
    assert sections == [str(number) for number in range(1, len(sections) + 1)]
    assert len(sections) >= 8
    assert [word for word in words_of(name) if f"`{word}`" not in text_of(name)] == []


@each_game
def test_page__actions_table__names_them_as_the_code_does(name: str):
    game: Any = batch_class(name).spec
    text = text_of(name).split("## Actions")[1].split("## Observation")[0]
    rows = re.findall(r"^\| ([\d–]+) \| ([^|]+) \|", text, re.M)
    numbers = [int(number) for ids, _ in rows for number in ids.split("–")]
    assert [word for _, words in rows for word in words.strip().split(" … ")] == [game.action_name(n) for n in numbers]
    ends = [(int(ids.split("–")[0]), int(ids.split("–")[-1])) for ids, _ in rows]
    assert ends[0][0] == 0
    assert [first for first, _ in ends[1:]] == [last + 1 for _, last in ends[:-1]]
    assert ends[-1][1] == game.n_actions - 1
