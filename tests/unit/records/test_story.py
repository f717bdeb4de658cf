"""What happened in plain English: every line is told about, in good words, and nothing that its viewer cannot know."""

import copy
import dataclasses
import re
from typing import Any

import numpy as np
import pytest

from shogun_env import shikoku
from shogun_env.records.replay import replay, written
from shogun_env.records.story import LONGEST, known_lines, raw_words, sentences
from shogun_env.shogun.text.names import ACTIONS
from shogun_env.spec.voice import Voice, spoken
from shogun_env.views import _stories_and_lines
from tests.coins import COINS
from tests.games import KINDS, batch_class, each_game
from tests.unit.records.played import plain, played

RAW = re.compile(r"\w_\w|[{}\[\]]|None|True|False|  |\.\.|\x02|\x03| [,.;:]|^[^A-Z]|[^.]$")
"""Names of data, values of Python, marks, no capital at the beginning, no full stop at the end."""
GRAMMAR = re.compile(
    r"\b[Yy]ou (is|has|does|\w+[^s]s)\b|you's|\bP\d (are|have|do|take|get|build|hold|lose)\b|\ba [AEIOU]|"
    r"\b1 (\w+ies|chests|points|farmers|provinces)\b|"
    r"\b(no|[02-9]|\d\d+) (army|chest|point|farmer|province)\b(?! card)"
)
"""Verbs and numbers that do not fit."""
SECRETS = {
    "shogun": {"plan": tuple(ACTIONS)},
    "shitenno": {"deal": ("cards",), "draw": ("card",), "state": ("hands", "known")},
}
"""Fields by type of line that only its player knows; of a plan not the bid, which all see. Those of ``state`` nobody is
told."""


def stories(name: str, n_games: int, seed: int, **options: Any) -> list[tuple[list[Any], Any]]:
    """Return games played at random, each with what player 0 is told of it."""
    batch = batch_class(name)(n_games, seed=seed, record=True, **options)
    batch.play(["random"] * batch.num_players)
    return [(lines, sentences(batch.spec, lines, 0)) for lines in batch.records()]


def faults_of(lines: list[Any], told: list[Any]) -> list[str]:
    """Return texts that are not as they should be, and lines that are told about twice or never."""
    faults = [one.text for one in told if "".join(piece for piece, _ in one.parts) != one.text or not one.text]
    faults += [one.text for one in told if RAW.search(one.text) or GRAMMAR.search(one.text)]
    numbers = [number for one in told for number in range(one.first, one.last + 1)]
    if numbers != [*range(1, len(lines) + 1)]:
        faults.append("the lines are not told about once each, in order")
    return faults


@each_game
def test_sentences__of_dozens_of_games__tell_every_line_in_good_words(name: str):
    kinds: set[str] = set()
    for number, options in enumerate(KINDS[name]):
        for lines, told in stories(name, 4, number, **options):
            assert faults_of(lines, told) == []
            kinds |= {line["t"] for line in lines}
    assert len(kinds) > 15


@pytest.mark.parametrize(("length", "shown"), [(LONGEST, LONGEST), (LONGEST + 1, LONGEST)])
def test_raw_words__longer_than_a_page_has_room_for__are_cut(length: int, shown: int):
    text = raw_words({"t": "note", "text": "x" * (length - len("note: text "))})
    assert len(text) == shown and text.endswith("…") == (length > shown)


@each_game
def test_sentences__never_lead_over_a_decision(name: str):
    """A page shows what has happened since a decision, so a text must not begin before it and end after it."""
    lines = played(name, 1)[1]
    ends = {one.last for one in sentences(batch_class(name).spec, lines)}
    counts = {len(written(batch)) for batch, _ in replay(batch_class(name), lines)}
    assert counts - ends == set()


@each_game
def test_sentences__for_a_player__are_the_same_whatever_the_others_hide(name: str):
    """Everything that a line hides from player 0 is replaced by what other lines of its type have there."""
    spec, lines = batch_class(name).spec, plain(name)
    others = copy.deepcopy(lines)
    for kind, fields in SECRETS[name].items():
        hidden = [line for line in others if line["t"] == kind and line.get("player") != 0]
        values = [{key: line[key] for key in fields} for line in hidden]
        for line, value in zip(hidden, [*values[1:], *values[:1]], strict=True):
            line.update(value)
    assert others != lines
    assert set(SECRETS[name]) == {name for name, kind in spec.record_format.kinds.items() if kind.is_secret}
    for viewer in (0, -1):
        assert sentences(spec, others, viewer) == sentences(spec, lines, viewer)
    assert sentences(spec, others, None) != sentences(spec, lines, None)
    assert known_lines(spec, others[1:], 0) == known_lines(spec, lines[1:], 0) != lines[1:]


def test_sentences__of_an_attack__say_who_sent_what_and_what_came_of_it():
    lines = [
        {"t": "do", "player": 3, "action": "battle_move_a", "province": "Mino", "result": "attacked", "to": "Ise",
         "armies": 7, "defender": 1, "bonus": {"attacker": 0, "defender": 0, "farmers": 0}},
        {"t": "throw", "why": "battle", "thrown": {"1": 6, "3": 9}, "tray": {"0": 1, "1": 5, "3": 5, "farmers": 1}},
        {"t": "fight", "province": "Ise", "attacker": 3, "defender": 1, "tray_attacker": 5, "tray_defender": 5,
         "farmers_in": True, "tray_farmers": 1, "outcome": "defender", "remaining": 1},
    ]  # fmt: skip
    spec = batch_class("shogun").spec
    (told,) = sentences(spec, lines)
    assert told.text == (
        "P3 attacks Ise from Mino with 7 armies. "
        "The tower gives back 5 of P3's, 5 of P1's and a farmer, who helps P1: P1 holds Ise with 1."
    )
    assert (told.player, told.kind, told.first, told.last) == (3, "do", 2, 4)
    assert told.parts[:2] == (("P3", 3), (" attacks Ise from Mino with 7 armies. The tower gives back 5 of ", None))
    mine, yours = (sentences(spec, lines, viewer)[0].text for viewer in (3, 1))
    assert mine.startswith("You attack Ise from Mino with 7 armies. The tower gives back 5 of yours, 5 of P1's")
    assert yours.endswith("and a farmer, who helps you: you hold Ise with 1.")
    assert [one.text for one in sentences(spec, lines[:2])] == [
        "P3 attacks Ise from Mino with 7 armies.",
        "The tower is used: 1 of P0's, 5 of P1's, 5 of P3's and a farmer lie in its tray.",
    ]
    named = sentences(spec, lines, names=["Ann", "Bob", "Cleo", "champion", "Eve"])[0].text
    assert named.startswith("champion attacks Ise")


def test_sentences__of_a_game_without_words__are_its_lines_without_secrets():
    kinds = COINS.record_format.kinds.but("coins", COINS.players)
    kinds["charm"] = dataclasses.replace(kinds["charm"], is_secret=True)
    formats = dataclasses.replace(COINS.record_format, kinds=kinds)
    lines = [{"t": "charm", "player": player, "value": 2} for player in (0, 1)] + [
        {"t": "take", "player": 1, "coins": 3}
    ]
    told = sentences(dataclasses.replace(COINS, record_format=formats), lines, 0)
    assert [one.text for one in told] == ["Charm: player 0, value 2", "Charm", "Take: player 1, coins 3"]


@pytest.mark.parametrize(
    ("verb", "you", "others"),
    [("take", "take", "takes"), ("carry", "carry", "carries"), ("pass", "pass", "passes"), ("be", "are", "is"),
     ("play", "play", "plays"), ("have", "have", "has")],
)  # fmt: skip
def test_voice__verbs__fit_who_does_it(verb: str, you: str, others: str):
    voice = Voice(["you", "Ann"], 0)
    assert [voice.verb(player, verb) for player in (0, 1)] == [you, others]


def test_voice__you__is_capital_only_where_a_sentence_begins():
    voice = Voice(["you", "Ann"], 0)
    text = f"{voice.does(0, 'go')}. {voice.possessive(0)} turn: {voice.name(0)} and {voice.theirs(1)}."
    assert spoken(text)[0] == "You go. Your turn: you and Ann's."


def test_story__of_shikoku__names_its_own_actions_only_wherever_it_is_told():
    game = shikoku.Game(seed=3)
    while not any(line["t"] == "plan" for line in game.lines()):
        game.play(game.suggest("random"))
    told = [*_stories_and_lines(game.batch, np.array([0]), np.array([0]), ("story",))[0][0]]
    assert told == [one.text for one in sentences(game.spec, game.record(), 0)[1:]]
    assert any("Without a card" in text for text in told) <= (not any("Noh theatre" in text for text in told))
