"""RULES.md of each game: rulings and examples have cases, and functions that apply them; its tables are the code's."""

import re
from typing import Any

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


def text_of(name: str) -> str:
    return (ROOT / "shogun_env" / name / "RULES.md").read_text("utf-8")


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


def test_page__position_shown_of_shogun__is_valid_and_every_field_is_named():
    section = text_of("shogun").split("## Records and positions")[1].split("\n## ")[0]
    (text,) = re.findall(r"^ {4}(shogun/\d+ .*)$", section, re.M)
    assert Game(position=text).position() == text
    assert {*codec.FIELDS, "board"} - set(re.findall(r"`(\w+)`", section)) == set()


MOST_CHARACTERS = 4000


@each_game
def test_short_rules__of_a_game__are_short(name: str):
    assert len(short_rules(batch_class(name).spec)) <= MOST_CHARACTERS
