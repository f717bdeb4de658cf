"""Records: written whole, read strictly, replayed without random numbers, verified line by line."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.frame.record import (
    RecordError,
    parse_record,
    read_record,
    record_name,
    replay,
    verify,
    write_record,
)
from shogun_env.shogun import SHOGUN, Batch

Line = dict[str, Any]

STARTS = (("sun", "preset"), ("sun", "draft"), ("sun", "random"), ("moon", "draft"), ("moon", "random"))
GAMES: list[dict[str, Any]] = [
    {"num_players": players, "side": side, "start": start, "seed": 10 * players + number}
    for players in (3, 4, 5)
    for number, (side, start) in enumerate(STARTS)
] + [
    {"tower": "one_shot", "seed": 1},
    {"tower": (4, 0.5, 0.1, 0.05), "num_players": 5, "seed": 2},
    {"tower": (1, 1.0, 0.0, 0.0), "seed": 3},
    {"optional_moves": True, "seed": 4},
    {"shuffle_seats": True, "seed": 5},
    {"shuffle_seats": True, "num_players": 3, "optional_moves": True, "seed": 6},
]
PLAIN, DRAFT = GAMES[5], GAMES[6]


@cache
def _played(number: int) -> tuple[Batch, list[Line]]:
    batch = Batch(1, record=True, **GAMES[number])
    batch.play(["random"] * batch.num_players)
    return batch, batch.records(agents=["random"] * batch.num_players)[0]


def lines_of(game: dict[str, Any]) -> list[Line]:
    """A fresh copy of the record of a game."""
    return copy.deepcopy(_played(GAMES.index(game))[1])


def as_bytes(lines: Iterable[Line]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def first_of(lines: list[Line], **fields: Any) -> int:
    """Index of the first line with these fields."""
    return next(i for i, line in enumerate(lines) if all(line.get(name) == value for name, value in fields.items()))


def refusal(lines: list[Line]) -> RecordError:
    """How a record is refused, by the reader or by the rules."""
    with pytest.raises(RecordError) as caught:
        verify(Batch, parse_record(as_bytes(lines), SHOGUN))
    return caught.value


# -------------------------------------------------------------------------------------------------- writing and reading


def test_file__written__holds_the_same_lines_and_stands_alone(tmp_path):
    lines = lines_of(PLAIN)
    path = tmp_path / record_name(SHOGUN, PLAIN["seed"])
    write_record(path, lines)
    assert read_record(path, SHOGUN) == lines
    assert [file.name for file in tmp_path.iterdir()] == ["40.shogun.jsonl"]


def test_file__there_already__is_not_overwritten(tmp_path):
    path = tmp_path / "game"
    path.write_text("mine")
    with pytest.raises(FileExistsError):
        write_record(path, lines_of(PLAIN))
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


def test_file__writing_fails__leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_record(tmp_path / "game", [{"t": "header", "seed": float("nan")}])
    assert list(tmp_path.iterdir()) == []


BAD_TEXT: dict[str, tuple[int, Callable[[bytes], bytes], str]] = {
    "no JSON": (3, lambda text: b"{player", "JSON"),
    "no object": (3, lambda text: b"[1]", "object"),
    "empty line": (3, lambda text: b"", "JSON"),
    "not UTF-8": (3, lambda text: text.replace(b"place", b"pl\xe4ce"), "JSON"),
    "a field twice": (3, lambda text: text[:-1] + b', "armies": 2}', "twice"),
    "NaN": (1, lambda text: text.replace(b'"stick": 0.15', b'"stick": NaN'), "NaN"),
    "too deep": (3, lambda text: b"[" * 100_000, "JSON"),
}


@pytest.mark.parametrize("name", BAD_TEXT)
def test_reader__bad_text__is_refused_by_line(name):
    number, spoil, why = BAD_TEXT[name]
    texts = as_bytes(lines_of(PLAIN)).splitlines()
    texts[number - 1] = spoil(texts[number - 1])
    with pytest.raises(RecordError, match=why) as caught:
        parse_record(b"\n".join(texts), SHOGUN)
    assert caught.value.line == number
    assert str(caught.value).startswith(f"line {number}: ")


BAD_HEADERS: dict[str, tuple[Line, str]] = {
    "version": ({"version": 2}, "version is 2, must be 1"),
    "version as truth": ({"version": True}, "version is true, must be 1"),
    "format": ({"format": "shitenno-record"}, 'must be "shogun-record"'),
    "players": ({"players": 6}, "a whole number from 3 to 5"),
    "side": ({"side": "stars"}, 'one of "sun", "moon"'),
    "combination": ({"side": "moon"}, "preset"),
    "agents": ({"agents": ["random"]}, "1 agents for 4 players"),
    "seed": ({"seed": 2**53}, "seed"),
    "tower": ({"tower": {"floors": 2, "stick": 1.5, "dislodge": 0, "shake": 0}}, "tower"),
    "another field": ({"author": "me"}, "must be format, version"),
    "no header": ({"t": "place"}, "header must be the first line"),
}


@pytest.mark.parametrize("name", BAD_HEADERS)
def test_reader__bad_header__is_refused_saying_what_is_right(name):
    changes, why = BAD_HEADERS[name]
    lines = lines_of(PLAIN)
    lines[0] |= changes
    with pytest.raises(RecordError, match=why) as caught:
        parse_record(as_bytes(lines), SHOGUN)
    assert caught.value.line == 1


BAD_FIELDS: dict[str, tuple[Line, Line]] = {
    "unknown type": ({"t": "place"}, {"t": "castling"}),
    "unknown field": ({"t": "place"}, {"colour": "red"}),
    "unknown province": ({"t": "place"}, {"province": "Kyoto"}),
    "truth for a number": ({"t": "place"}, {"player": False}),
    "number for a truth": ({"t": "fight"}, {"farmers_in": 1}),
    "fraction for a number": ({"t": "place"}, {"armies": 2.0}),
    "negative": ({"t": "winter"}, {"rice_loss": -1}),
    "zero count": ({"t": "throw"}, {"tray": {"0": 0}}),
    "unknown colour": ({"t": "throw"}, {"thrown": {"green": 1}}),
    "unknown result": ({"t": "do"}, {"result": "danced"}),
    "list too short": ({"t": "actions"}, {"open": ["build_castle"]}),
    "short row": ({"t": "state"}, {"provinces": {"Aki": [0, 1]}}),
    "a bidder twice": ({"t": "bids"}, {"order": [0, 1, 2, 2]}),
    "a second header": ({"t": "round"}, {"t": "header"}),
    "a list for a name": ({"t": "do"}, {"result": []}),
}


@pytest.mark.parametrize("name", BAD_FIELDS)
def test_reader__bad_field__is_refused_by_line(name):
    where, changes = BAD_FIELDS[name]
    lines = lines_of(PLAIN)
    index = first_of(lines, **where)
    lines[index] |= changes
    with pytest.raises(RecordError) as caught:
        parse_record(as_bytes(lines), SHOGUN)
    assert caught.value.line == index + 1


# --------------------------------------------------------------------------------------------------------------- replay


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_verify__game_of_the_engine__is_accepted(number):
    verify(Batch, parse_record(as_bytes(_played(number)[1]), SHOGUN))


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_replay__from_the_lines__reaches_the_same_record(number):
    batch, lines = _played(number)
    *_, replayed = replay(Batch, lines)
    for name in SHOGUN.dtype.names or ():
        axis = 1 if name == "tower" else 0  # on which floor a cube rests is nobody's knowledge
        assert (replayed.games[name].sum(axis) == batch.games[name].sum(axis)).all(), name


def test_replay__typed_in_from_a_table__needs_no_tower_and_no_seed():
    lines = lines_of(PLAIN)
    lines[0] |= {"tower": None, "seed": None, "agents": None}
    verify(Batch, parse_record(as_bytes(lines), SHOGUN))


@pytest.mark.parametrize("game", [PLAIN, GAMES[2], GAMES[-1]], ids=["preset", "random", "shuffled seats"])
def test_replay__places_in_any_order__is_accepted(game):
    lines = lines_of(game)
    count = sum(line["t"] == "place" for line in lines)
    places = lines[1 : 1 + count]
    random.Random(1).shuffle(places)
    verify(Batch, [lines[0], *places, *lines[1 + count :]])


# -------------------------------------------------------------------------------------------- corruptions name the line

Change = Callable[[Any], Any]


def to(value: Any) -> Change:
    return lambda _: value


def more(value: int) -> int:
    return value + 1


def less(value: int) -> int:
    return value - 1


def first_more(values: list[int]) -> list[int]:
    return [values[0] + 1, *values[1:]]


def one_farmer_more(cubes: dict[str, int]) -> dict[str, int]:
    return cubes | {"farmers": cubes.get("farmers", 0) + 1}


def an_army_more(provinces: dict[str, list[Any]]) -> dict[str, list[Any]]:
    owner, armies, *rest = provinces["Omi"]
    return provinces | {"Omi": [owner, armies + 1, *rest]}


CORRUPTIONS: list[tuple[Line, str, Change]] = [
    ({"t": "place", "player": 2}, "province", to("Echigo")),
    ({"t": "place", "player": 3}, "armies", more),
    ({"t": "throw", "why": "fill"}, "thrown", one_farmer_more),
    ({"t": "throw", "why": "battle"}, "thrown", one_farmer_more),
    ({"t": "throw", "why": "battle"}, "tray", to({"farmers": 20})),
    ({"t": "throw", "why": "revolt"}, "why", to("winter_revolt")),
    ({"t": "year", "year": 1}, "year", more),
    ({"t": "year", "year": 2}, "events", lambda events: [events[0]] * 4),
    ({"t": "round", "season": "summer"}, "season", to("spring")),
    ({"t": "actions"}, "open", to(["build_castle"] * 5)),
    ({"t": "specials"}, "order", to(["six_armies"] * 5)),
    ({"t": "open", "position": 8}, "position", less),
    ({"t": "open", "position": 10}, "action", to("build_castle")),
    ({"t": "event"}, "rice_loss", more),
    ({"t": "bids"}, "paid", first_more),
    ({"t": "special", "player": 1}, "position", lambda position: position % 5 + 1),
    ({"t": "action"}, "action", to("battle_move_a")),
    ({"t": "do", "result": "built"}, "paid", more),
    ({"t": "do", "result": "collected"}, "amount", more),
    ({"t": "do", "result": "deployed", "action": "deploy_5_armies"}, "armies", less),
    ({"t": "do", "result": "deployed", "action": "deploy_move_1_army"}, "armies_moved", to(61)),
    ({"t": "do", "result": "attacked"}, "armies", to(61)),
    ({"t": "do", "result": "attacked"}, "bonus", to({"attacker": 3, "defender": 3, "farmers": 3})),
    ({"t": "do", "result": "skipped"}, "why", to("supply_short")),
    ({"t": "do", "player": 2}, "player", more),
    ({"t": "fight"}, "remaining", more),
    ({"t": "fight"}, "farmers_in", lambda value: not value),
    ({"t": "winter"}, "short", first_more),
    ({"t": "famine"}, "drawn", to(["Echigo"])),
    ({"t": "score", "year": 2}, "castles", first_more),
    ({"t": "state"}, "farmers_supply", less),
    ({"t": "state"}, "provinces", an_army_more),
    ({"t": "state"}, "tower", one_farmer_more),
    ({"t": "result"}, "winners", to([])),
]


@pytest.mark.parametrize("number", range(len(CORRUPTIONS)))
def test_verify__one_field_changed__names_the_line(number):
    where, name, change = CORRUPTIONS[number]
    lines = lines_of(PLAIN)
    index = first_of(lines, **where)
    changed = change(lines[index][name])
    assert changed != lines[index][name]
    lines[index][name] = changed
    error = refusal(lines)
    assert error.line == index + 1, error


def test_verify__a_field_that_differs__is_named_with_both_values():
    lines = lines_of(PLAIN)
    index = first_of(lines, t="do", result="built")
    lines[index]["paid"] += 1
    paid = lines[index]["paid"]
    assert str(refusal(lines)) == f"line {index + 1}: paid is {paid}, must be {paid - 1}"


@pytest.mark.parametrize("kind", ["plan", "draft"])
def test_verify__illegal_decision__names_the_legal_ones(kind):
    lines = lines_of(DRAFT if kind == "draft" else PLAIN)
    index = first_of(lines, t=kind, player=2)
    lines[index] |= {"from": "open", "province": "Shima"} if kind == "draft" else {"bid": "Mutsu"}
    error = refusal(lines)
    assert error.line == index + 1
    assert "player 2 decides" in str(error)
    assert "legal are" in str(error)


@given(st.data())
def test_verify__lines_missing_doubled_or_too_many__are_refused_at_the_gap(data):
    lines = lines_of(DRAFT if data.draw(st.booleans()) else PLAIN)
    index = data.draw(st.integers(1, len(lines) - 1))
    deed = data.draw(st.sampled_from(["cut", "drop", "double"]))
    kind = lines[index]["t"]
    spoilt = {
        "cut": lines[:index],
        "drop": lines[:index] + lines[index + 1 :],
        "double": lines[: index + 1] + lines[index:],
    }[deed]
    error = refusal(spoilt)
    if kind in ("place", "draft", "plan"):  # what is left may be the beginning of another game
        assert error.line > index
    else:
        assert error.line == index + 1 + (deed == "double")


@given(st.data())
def test_verify__any_count_raised__is_refused_from_there_on(data):
    lines = lines_of(GAMES[data.draw(st.sampled_from([0, 5, 7, 14]))])
    index = data.draw(st.integers(1, len(lines) - 1))
    names = [name for name, value in lines[index].items() if type(value) is int]
    if names:
        lines[index][data.draw(st.sampled_from(names))] += 1
        assert refusal(lines).line >= (2 if lines[index]["t"] == "place" else index + 1)


def test_verify__record_of_nothing__is_refused():
    with pytest.raises(RecordError, match="line 1"):
        parse_record(b"", SHOGUN)
    assert refusal(lines_of(PLAIN)[:1]).line == 2
