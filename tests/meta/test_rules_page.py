"""RULES.md of each game: every ruling stands in it and in the code it names, and its tables are those of the code."""

from __future__ import annotations

import importlib
import re

import pytest

from shogun_env import GAMES
from shogun_env.__main__ import rulings
from shogun_env.shogun import action_name
from tests.meta.spec_page import ROOT, page_of, rewritten

ROWS = rulings("shogun")


@pytest.mark.parametrize("game", GAMES)
def test_page__generated_part__is_that_of_the_code(game):
    assert page_of(game).read_text("utf-8") == rewritten(game), "run python -m tests.meta.spec_page"


def test_rulings__of_shogun__are_R1_to_R24_in_order():
    assert [row[0] for row in ROWS] == [f"R{number}" for number in range(1, 25)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_ruling__each__is_cited_by_the_function_it_names_and_in_the_rules(row):
    tag, _, _, where = row
    file, function = re.fullmatch(r"`([\w/]+\.py): (\w+)`", where).groups()
    source = (ROOT / "shogun_env" / "shogun" / file).read_text("utf-8")
    (body,) = re.findall(rf"^def {function}\(.*?(?=^@|^def |\Z)", source, re.S | re.M)
    assert re.search(rf"\b{tag}\b", body + source.split('"""')[1])
    sections = page_of("shogun").read_text("utf-8").split("## 6. ")
    assert re.search(rf"\[{tag}\]", sections[0])


def test_page__sections_and_names__are_complete():
    text = page_of("shogun").read_text("utf-8")
    assert re.findall(r"^## (\d)\.", text, re.M) == [str(number) for number in range(1, 9)]
    board = importlib.import_module("shogun_env.shogun.board")
    lines = importlib.import_module("shogun_env.shogun.lines")
    constants = importlib.import_module("shogun_env.shogun.constants")
    names = [*board.ACTION_NAMES, *board.EVENT_NAMES, *board.SPECIAL_NAMES, *lines.SKIP_NAMES, *constants.REWARDS]
    assert [name for name in names if f"`{name}`" not in text] == []


def test_page__actions_table__names_them_as_the_code_does():
    text = page_of("shogun").read_text("utf-8").split("## Actions")[1].split("## Observation")[0]
    rows = re.findall(r"^\| ([\d–]+) \| ([^|]+) \|", text, re.M)
    numbers = [int(number) for ids, _ in rows for number in ids.split("–")]
    assert [name for _, words in rows for name in words.strip().split(" … ")] == [action_name(n) for n in numbers]
    ends = [(int(ids.split("–")[0]), int(ids.split("–")[-1])) for ids, _ in rows]
    assert ends[0][0] == 0
    assert [first for first, _ in ends[1:]] == [last + 1 for _, last in ends[:-1]]
    assert ends[-1][1] == 119
