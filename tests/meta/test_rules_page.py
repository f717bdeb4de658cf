"""RULES.md of each game: its sections and rulings name the code that applies them, its tables are those of the code."""

from __future__ import annotations

import ast
import importlib
import json
import re
from functools import cache
from typing import Any

from shogun_env.records import parse_record
from shogun_env.records.text import rulings, short_rules
from shogun_env.shogun import Game
from shogun_env.shogun.text import codec
from tests.games import batch_class, each_game
from tests.meta.kernel_sources import sources
from tests.meta.test_house import ROOT

TAGS = {"shogun": ("R", 24), "shitenno": ("S", 25)}
"""Letter of a game's rulings, and how many there are."""
NO_RULES = {"Rulings", "Worked examples"}
"""Numbered sections that state no rules: one has a table of its own that names functions."""
REFERENCE = re.compile(r"`([\w/]+\.py): (\w+)`")
REFERENCES = re.compile(rf"Applied\s+by\s+{REFERENCE.pattern}(?:,\s+{REFERENCE.pattern})*\.\s*\Z")


def text_of(name: str) -> str:
    return (ROOT / "shogun_env" / name / "RULES.md").read_text("utf-8")


@each_game
def test_rulings__of_a_game__are_all_there_in_order(name: str):
    letter, count = TAGS[name]
    assert [row[0] for row in rulings(batch_class(name).spec)] == [
        f"{letter}{number}" for number in range(1, count + 1)
    ]


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


def words_of(name: str) -> list[str]:
    """Names of the game that its page must explain."""
    board, constants = (importlib.import_module(f"shogun_env.{name}.{part}") for part in ("board", "constants"))
    if name == "shitenno":
        return [*board.TITLE_NAMES, *board.TROOP_NAMES, *board.BONUS_NAMES, *constants.REWARDS]
    skips = importlib.import_module("shogun_env.shogun.text.kinds").SKIP_NAMES
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


# --- sections and the functions that apply them ----------------------------------------------------------------------


def sections(name: str) -> dict[str, str]:
    """Return what the page says under each numbered heading that states rules, by number; subsections apart."""
    parts = re.split(r"^(#+ .*)$", text_of(name), flags=re.M)
    numbered = {head: re.fullmatch(r"#{2,3} (\d+(?:\.\d+)*)\.? (.*)", head) for head in parts[1::2]}
    return {
        match[1]: text.strip()
        for head, text in zip(parts[1::2], parts[2::2], strict=True)
        if (match := numbered[head]) and match[2] not in NO_RULES and text.strip()
    }


def items(text: str) -> list[str]:
    """Return the items of the numbered lists in a text, each with the indented paragraphs that belong to it."""
    return re.findall(r"^\d+\. .*(?:\n(?! *\d+\. ).+|\n\n {2,}.*)*", text, re.M)


def references(text: str) -> set[tuple[str, str]]:
    """Return the functions that the page names after "Applied by", as (file, function)."""
    return {
        reference
        for paragraph in re.findall(r"Applied\s+by\s+`[^`]*`(?:,\s+`[^`]*`)*\.", text)
        for reference in REFERENCE.findall(paragraph)
    }


@cache
def docstrings_of(name: str, file: str) -> tuple[str, dict[str, str]]:
    """Return the docstring of a module of a game, and those of its functions by name."""
    tree = ast.parse((ROOT / "shogun_env" / name / file).read_text("utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    return ast.get_docstring(tree) or "", {key: ast.get_docstring(node) or "" for key, node in functions.items()}


@each_game
def test_page__every_section_with_rules__ends_with_the_functions_that_apply_it(name: str):
    def ends_so(text: str) -> bool:
        return REFERENCES.search(text) is not None

    missing = [
        number
        for number, text in sections(name).items()
        if not ends_so(text.split("\n\n")[-1]) and not (items(text) and all(map(ends_so, items(text))))
    ]
    assert missing == []


@each_game
def test_page__every_function_it_names__exists_and_cites_the_section(name: str):
    for file, function in references(text_of(name)):
        assert function in docstrings_of(name, file)[1], f"no function {function} in {file}"
    for number, text in sections(name).items():
        cited = re.compile(rf"(?:[(,]\s?|\b(?:rules?|sections?|to|and|Rule:)\s+){re.escape(number)}(?!\d)")
        for file, function in references(text):
            module, functions = docstrings_of(name, file)
            assert cited.search(module) or cited.search(functions[function]), f"{file}: {function} must cite {number}"


@each_game
def test_page__every_rule_that_other_files_call__is_named(name: str):
    folder = ROOT / "shogun_env" / name
    rules = {
        (source.path.relative_to(folder).as_posix(), source.name.rpartition(".")[2])
        for source in sources().values()
        if source.is_exported and source.path.parent == folder / "rules"
    }
    assert len(rules) > 20
    assert rules - references(text_of(name)) == set()


# --- records and positions -------------------------------------------------------------------------------------------


def test_record_page__lines_shown_of_shogun__are_accepted_by_the_reader():
    page = (ROOT / "shogun_env" / "shogun" / "RECORD.md").read_text("utf-8")
    spec = batch_class("shogun").spec
    lines = parse_record(page.split("```jsonl\n")[1].split("```")[0].encode(), spec)
    assert len({line["t"] for line in lines}) > 10


def test_page__position_shown_of_shogun__is_valid_and_every_field_is_named():
    section = text_of("shogun").split("## Records and positions")[1].split("\n## ")[0]
    (text,) = re.findall(r"^ {4}(shogun/\d+ .*)$", section, re.M)
    game = Game(position=text)
    assert game.position() == text
    assert {*codec.FIELDS, "board"} - set(re.findall(r"`(\w+)`", section)) == set()


# --- the rules in short ----------------------------------------------------------------------------------------------

MOST_CHARACTERS = 4000
KINDS_OF_BUILDING = ("castle", "temple", "no_theatre")


def listed(values: Any, last: str = ", ") -> str:
    """Return values as people list them, such as ``3, 2 or 1``."""
    *first, end = map(str, values)
    return f"{', '.join(first)}{last}{end}"


def data_of(name: str) -> Any:
    return json.loads((ROOT / "shogun_env" / name / "data.json").read_text("utf-8"))


def numbers_of_shogun() -> list[str]:
    """Return what the short rules of Shogun must say with numbers of the data."""
    data = data_of("shogun")
    cost = {action["name"]: action["cost"] for action in data["actions"]}
    ranges = [(row["short_min"], row["short_max"]) for row in data["winter_table"]]
    short = ["7+" if high is None else f"{low}–{high}" if high > low else str(low) for low, high in ranges]
    revolts, farmers = ([row[name] for row in data["winter_table"]] for name in ("revolts", "extra_farmers"))
    losses = [loss for event in data["events"] for loss in event["copies_rice_loss"]]
    first, parts, points = data["tower_start"], data["components"], data["scoring"]
    return [
        f"({listed(data['army_groups']['5'])} armies; one more 2 with four players, two more with",
        f"{listed([data['start_chests'][n] for n in '345'], ' or ')} at the start with 3, 4 or 5 players",
        f"| castle, temple, Noh theatre | {listed(cost[f'build_{kind}'] for kind in KINDS_OF_BUILDING)} |",
        f"| deploy 5, deploy 3 | {cost['deploy_5_armies']}, {cost['deploy_3_armies']} |",
        f"| deploy/move 1 | {cost['deploy_move_1_army']} |",
        f"{first['armies_per_player']} of each player and {first['farmers']} of the {parts['farmer_armies']} farmers",
        f"{parts['armies_per_player']} a player",
        f"({min(losses)} to {max(losses)})",
        f"Short of {listed(short)}: {listed(revolts)} of",
        f"with {listed(farmers)} farmers plus",
        f"{points['province']} per province, {points['building']} per building",
        f"most castles {points['most_castles']}, most temples {points['most_temples']}, most theatres "
        f"{points['most_no_theatres']}, one less if tied",
    ]


def numbers_of_shitenno() -> list[str]:
    """The same of Shitennō."""
    data = data_of("shitenno")
    by_count = [data["by_player_count"][n] for n in "234"]
    kamon = listed((each["control_kamon_per_player"] for each in by_count), " or ")
    rounds = listed((each["rounds_until_koku_pile_is_empty"] for each in by_count), " or ")
    prices: dict[str, list[str]] = {}
    for province in data["provinces"]["list"]:
        prices.setdefault(listed(province["koku_cost_by_position"]), []).append(province["name"])
    cards = data["card_kinds"]["order"]
    koku = {card["koku_value"]: card["copies"] for card in cards if card["koku_value"]}
    singles, doubles = (sum(c["copies"] for c in cards if len(c["troops"]) == size) for size in (1, 2))
    final = data["final_scoring"]
    return [
        f"{kamon} with 2, 3 or 4 players",
        f"{singles} singles, six of each, and {doubles} doubles",
        f"{koku[1]} cards of 1, {koku[2]} of 2, {koku[3]} of 3",
        *(f"{price} in {listed(names, ' and ')}" for price, names in prices.items()),
        *(f"| {each['name']} | {each['bakufu_seals']} | " for each in data["titles"]["list"]),
        f"round {rounds} with",
        f"{final['favour_points_per_koku_in_hand']} point each",
        f"{final['favour_points_per_province_majority']} points per province",
    ]


NUMBERS = {"shogun": numbers_of_shogun, "shitenno": numbers_of_shitenno}


@each_game
def test_short_rules__of_a_game__have_the_numbers_of_the_data_in_4000_characters(name: str):
    text = short_rules(batch_class(name).spec)
    plain = " ".join(text.split())
    assert [words for words in NUMBERS[name]() if words not in plain] == []
    assert len(text) <= MOST_CHARACTERS
