"""RULES.md of each game: rulings and examples have cases, and functions that apply them; its tables are the code's."""

from __future__ import annotations

import importlib
import re
from typing import Any

from shogun_env.records import parse_record
from shogun_env.records.text import rulings, short_rules
from shogun_env.shogun import Game
from shogun_env.shogun.board import ACTION_NAMES
from shogun_env.shogun.text import codec
from tests.cases.runner import all_cases
from tests.games import batch_class, each_game
from tests.tree import ROOT

TAGS = {"shogun": ("R", 24, 12), "shitenno": ("S", 25, 17)}
"""Letter of a game's rulings, how many there are, and how many examples."""
IN_UNIT_TESTS = {"R10"}
"""The law of the tower, which no case can show."""
MOST_CHARACTERS = 4000
"""Of the rules in short, which language models read."""


def text_of(name: str) -> str:
    return (ROOT / "shogun_env" / name / "RULES.md").read_text("utf-8")


def board_of(name: str) -> Any:
    return importlib.import_module(f"shogun_env.{name}.board")


@each_game
def test_rulings_and_examples__of_a_game__are_in_order_and_have_a_case_each(name: str):
    letter, count, examples = TAGS[name]
    tags = [f"{letter}{number}" for number in range(1, count + 1)]
    assert [row[0] for row in rulings(batch_class(name).spec)] == tags
    known = {*tags, *(f"E{number}" for number in range(1, examples + 1))}
    with_case = {tag for case in all_cases() if case.game == name for tag in case.tags}
    assert known - with_case - IN_UNIT_TESTS == set()
    assert [tag for tag in with_case - known if not re.fullmatch(r"\d(\.(\d|w))?", tag)] == []


@each_game
def test_components__of_a_game__are_in_a_case_each(name: str):
    cases = [case for case in all_cases() if case.game == name]
    text = "\n".join(row for case in cases for rows in case.fields.values() for row in rows)
    kinds = {"shogun": ("EVENT", "SPECIAL", "ACTION"), "shitenno": ("KIND", "BONUS", "PROVINCE")}[name]
    components = {word for kind in kinds for word in getattr(board_of(name), f"{kind}_NAMES")}
    assert components - set(re.findall(r"\w+", text)) == set()


@each_game
def test_rulings__of_a_game__are_cited_by_the_functions_they_name_and_in_the_rules(name: str):
    rules = re.split(r"^## \d\. Rulings$", text_of(name), flags=re.M)[0]
    wrong = []
    for tag, _, _, where in rulings(batch_class(name).spec):
        file, function = re.fullmatch(r"`([\w/]+\.py): (\w+)`", where).groups()
        source = (ROOT / "shogun_env" / name / file).read_text("utf-8")
        (body,) = re.findall(rf"^def {function}\(.*?(?=^@|^def |\Z)", source, re.S | re.M)
        if not re.search(rf"\b{tag}\b", body + source.split('"""')[1]) or not re.search(rf"\[{tag}\]", rules):
            wrong.append(tag)
    assert wrong == []


@each_game
def test_page__functions_it_names__exist(name: str):
    named = re.findall(r"`([\w/]+\.py): (\w+)`", text_of(name))
    assert len(named) > 20
    missing = [
        (file, function)
        for file, function in named
        if f"\ndef {function}(" not in (ROOT / "shogun_env" / name / file).read_text("utf-8")
    ]
    assert missing == []


@each_game
def test_page__names_of_the_game__are_explained(name: str):
    board, words = board_of(name), list(batch_class(name).spec.rewards)
    if name == "shogun":
        skips = importlib.import_module("shogun_env.shogun.text.kinds").SKIP_NAMES
        words += [*board.ACTION_NAMES, *board.EVENT_NAMES, *board.SPECIAL_NAMES, *skips]
    else:
        words += [*board.TITLE_NAMES, *board.TROOP_NAMES, *board.BONUS_NAMES]
    assert [word for word in words if f"`{word}`" not in text_of(name)] == []


@each_game
def test_page__actions_table__names_them_as_the_code_does(name: str):
    game: Any = batch_class(name).spec
    text = text_of(name).split("## Actions")[1].split("## Observation")[0]
    rows = re.findall(r"^\| ([\d–]+) \| ([^|]+) \|", text, re.M)
    numbers = [int(number) for ids, _ in rows for number in ids.split("–")]
    assert [word for _, words in rows for word in words.strip().split(" … ")] == [game.action_name(n) for n in numbers]
    ends = [(int(ids.split("–")[0]), int(ids.split("–")[-1])) for ids, _ in rows]
    assert [number for first, last in ends for number in range(first, last + 1)] == list(range(game.n_actions))


@each_game
def test_record_page__table__has_every_kind_of_line_with_its_fields(name: str):
    page = (ROOT / "shogun_env" / name / "RECORD.md").read_text("utf-8")
    table = page.split("| t | fields | when |")[1].split("\n\n")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \| [^|]*\|$", table, re.M))
    kinds = batch_class(name).spec.record_format.kinds
    assert list(rows) == list(kinds)
    missing = [
        (kind, {*kinds[kind].fields} - {*re.findall(r"\w+", text)} - {*ACTION_NAMES}) for kind, text in rows.items()
    ]
    assert [(kind, fields) for kind, fields in missing if fields] == []


def test_record_page__lines_shown_of_shogun__are_accepted_by_the_reader():
    page = (ROOT / "shogun_env" / "shogun" / "RECORD.md").read_text("utf-8")
    lines = parse_record(page.split("```jsonl\n")[1].split("```")[0].encode(), batch_class("shogun").spec)
    assert len({line["t"] for line in lines}) > 10


def test_page__position_shown_of_shogun__is_valid_and_every_field_is_named():
    section = text_of("shogun").split("## Records and positions")[1].split("\n## ")[0]
    (text,) = re.findall(r"^ {4}(shogun/\d+ .*)$", section, re.M)
    assert Game(position=text).position() == text
    assert {*codec.FIELDS, "board"} - set(re.findall(r"`(\w+)`", section)) == set()


@each_game
def test_short_rules__of_a_game__are_short(name: str):
    assert len(short_rules(batch_class(name).spec)) <= MOST_CHARACTERS
