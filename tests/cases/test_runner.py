"""The runner of rule cases can fail: each kind of wrong case is refused, and the message says what would be right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cases.language import Case, counts_of, read_cases, words_of
from tests.cases.runner import FOLDER, VOCABULARIES, all_cases, run

RIGHT = {
    case.game: case for case in all_cases() if (case.game, case.name) in {("shogun", "BAT.6"), ("shitenno", "PLC.1")}
}
"""A right case of each game, which is spoilt in one field."""

WRONG: list[tuple[str, str, str, str]] = [
    # line of the record
    (
        "shogun",
        "lines",
        "do; throw; fight outcome=draw",
        "the case says\nfight outcome=draw\nthe record says\nfight prov",
    ),
    ("shogun", "lines", "do; throw", "the record goes on: ['fight "),
    ("shogun", "lines", "do; throw; fight; fight", "the record ends before: fight"),
    ("shogun", "lines", "do; throw; fight; action", "the case says\ndo\nthe record says\naction"),
    ("shitenno", "lines", "control", ""),  # right: other types need not be named
    ("shitenno", "lines", "control; bonus; top; top", "the record ends before: top"),
    # mask, player, action
    ("shogun", "choose", "0 Kozuke of Kozuke", "0 Kozuke of Kozuke: legal are Echigo "),
    ("shogun", "choose", "0 ? off Kozuke", "the mask must follow the word of"),
    ("shogun", "choose", "1 Kozuke", "1 Kozuke: player 0 decides target among ['"),
    ("shogun", "choose", "0 Aki", "player 0 decides target; 'Aki' is illegal; legal are "),
    ("shitenno", "choose", "1 kanto_by_troops, end_turn", "player 2 decides sensei among"),
    # position at the end
    ("shogun", "after", "Kozuke 1 2", "the case says Kozuke 1 2; it is Kozuke 1 1"),
    ("shogun", "after", "castles 0 1", "must begin with the name of a province, or with one of decides, points, "),
    ("shitenno", "after", "hand 1 -", "it is hand 1 shinobi"),
    ("shitenno", "after", "sees 0 troop_cards 0 0 0 0", "it is sees 0 troop_cards 0 1 0 0"),
    ("shitenno", "after", "decides - over", "it is decides 2 sensei"),
    # words
    ("shogun", "given", "Kyoto 0 5", "'Kyoto 0 5' in given: must begin with a province or one of chests, "),
    ("shogun", "given", "Shinano 0 5 pagoda", "'pagoda': must be one of castle, temple, no_theatre"),
    ("shogun", "given", "event rain", "no event card 'rain' is left; effects are "),
    ("shogun", "chance", "dice 6", "'dice 6' in chance: must begin with one of seats, "),
    ("shitenno", "given", "kyoto bushi", "'kyoto bushi' in given: must begin with a province or one of titles, "),
    ("shitenno", "given", "hand 1 koku_3*5", "more than there are: koku_3"),
    ("shitenno", "given", "tiles 1 draw", "1 tiles are in front of players, but Kamon are only on 0 positions"),
    ("shitenno", "given", "kanto - 1", "kanto - 1: must have - for the tile from 3 Kamon on"),
    ("shitenno", "given", "kamon 1 9", "kamon 1 9: -1 Kamon do not fit"),
    # chance and positions that cannot be
    ("shogun", "chance", "tray 0 6", "the chance outcomes given do not fit the game"),
    ("shogun", "given", "Shinano 0 5 revolts 7; Kozuke 1 3", "revolt markers in a neutral province, or more than six"),
    ("shitenno", "given", "titles 4 2 2 1; turn 1; hand 1 koku_3", "two players hold the same title"),
]


@pytest.mark.parametrize(("game", "field", "text", "says"), WRONG, ids=lambda value: value[:40] or "right")
def test_case__with_one_wrong_field__is_refused_saying_what_is_right(game: str, field: str, text: str, says: str):
    right = RIGHT[game]
    run(right)
    case = Case(game, right.name, right.tags, {**right.fields, field: [text]})
    if not says:
        run(case)
        return
    with pytest.raises((AssertionError, ValueError), match=re.escape(says)):
        run(case)


BAD_FILES = {
    "case X.1\nabout: 1\nabout: 2": "cases.txt, line 3: 'about: 2' must begin a case, or be one of about, options, ",
    "about: no case yet": "cases.txt, line 1: ",
    "case X.1\nwhen: now": "cases.txt, line 2: 'when: now'",
    "# a remark\n\n  indented": "cases.txt, line 3: ",
    "case X.1\nplan: 0 bid Ise": "'plan: 0 bid Ise' must begin a case, or be one of ",
}


@pytest.mark.parametrize("text", BAD_FILES)
def test_file__that_cannot_be_read__is_refused_by_line(text: str, tmp_path: Path):
    path = tmp_path / "cases.txt"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=re.escape(BAD_FILES[text])):
        read_cases(path, "shitenno", VOCABULARIES["shitenno"].setting_fields)


def test_counts__in_words__are_read_and_written():
    names = ("bushi", "koku_1")
    assert counts_of(names, ["koku_1*3", "bushi", "koku_1"]).tolist() == [1, 4]
    assert words_of(names, [1, 4]) == "bushi koku_1*4"
    assert counts_of(names, ["-"]).tolist() == [0, 0]
    assert words_of(names, [0, 0]) == "-"


@pytest.mark.parametrize("game", VOCABULARIES)
def test_readme__of_the_cases__explains_every_word(game: str):
    vocabulary = VOCABULARIES[game]
    text = (FOLDER / "README.md").read_text("utf-8")
    words = {*vocabulary.given_words, *vocabulary.chance, *vocabulary.after, *vocabulary.line_types}
    part = text.split(f"## {vocabulary.game.spec.title}")[1].split("\n## ")[0]
    assert [word for word in sorted(words) if f"`{word}" not in part] == []


def test_readme__examples__are_cases_of_the_files():
    text = (FOLDER / "README.md").read_text("utf-8")
    for game, name in (("shogun", "BAT.6"), ("shitenno", "PLC.16")):
        (case,) = (each for each in all_cases() if (each.game, each.name) == (game, name))
        example = text.split(f"## {VOCABULARIES[game].game.spec.title}")[1].split("```")[1]
        assert example.startswith(f"\ncase {name} ")
        assert [row for rows in case.fields.values() for row in rows if row.strip() not in example] == []
