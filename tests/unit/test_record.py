"""Records: written whole, read strictly, replayed without random numbers, verified line by line."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.batch.batch import Batch
from shogun_env.records import (
    RecordError,
    parse_record,
    read_record,
    record_name,
    replay,
    verify,
    write_record,
)
from tests.games import NAMES, Options, batch_class, each_game
from tests.property.test_sameness import UNKNOWABLE
from tests.unit.record_faults import (
    BAD_FIELDS,
    BAD_HEADERS,
    BAD_TEXT,
    CORRUPTIONS,
    GAMES,
    ILLEGAL,
    MISCOUNT,
    OTHER_GAME,
    PLAIN,
    Line,
)


@cache
def _played(name: str, number: int) -> tuple[Batch, list[Line]]:
    batch = batch_class(name)(1, record=True, **GAMES[name][number])
    batch.play(["random"] * batch.num_players)
    return batch, batch.records(agents=["random"] * batch.num_players)[0]


def lines_of(name: str, game: Options) -> list[Line]:
    """A fresh copy of the record of a game."""
    return copy.deepcopy(_played(name, GAMES[name].index(game))[1])


def plain(name: str) -> list[Line]:
    return lines_of(name, PLAIN[name])


def as_bytes(lines: Iterable[Line]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def parsed(name: str, lines: Iterable[Line]) -> Any:
    return parse_record(as_bytes(lines), batch_class(name).spec)


def first_of(lines: list[Line], fields: Line) -> int:
    """Index of the first line with these fields."""
    return next(i for i, line in enumerate(lines) if all(line.get(key) == value for key, value in fields.items()))


def refusal(name: str, lines: list[Line]) -> RecordError:
    """How a record is refused, by the reader or by the rules."""
    with pytest.raises(RecordError) as caught:
        verify(batch_class(name), parsed(name, lines))
    return caught.value


def cases(table: dict[str, Any]) -> list[tuple[str, Any]]:
    """Game and key of every entry of a table by game."""
    return [
        (name, key)
        for name in NAMES
        for key in (table[name] if isinstance(table[name], dict) else range(len(table[name])))
    ]


# -------------------------------------------------------------------------------------------------- writing and reading


@each_game
def test_file__written__holds_the_same_lines_and_stands_alone(name, tmp_path):
    lines, game = plain(name), batch_class(name).spec
    path = tmp_path / record_name(game, 40)
    write_record(path, lines)
    assert read_record(path, game) == lines
    assert [file.name for file in tmp_path.iterdir()] == [f"40.{name}.jsonl"]


def test_file__there_already__is_not_overwritten(tmp_path):
    path = tmp_path / "game"
    path.write_text("mine")
    with pytest.raises(FileExistsError):
        write_record(path, plain("shogun"))
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


def test_file__writing_fails__leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_record(tmp_path / "game", [{"t": "header", "seed": float("nan")}])
    assert list(tmp_path.iterdir()) == []


@each_game
@pytest.mark.parametrize("fault", BAD_TEXT)
def test_reader__bad_text__is_refused_by_line(name, fault):
    number, spoil, why = BAD_TEXT[fault]
    texts = as_bytes(plain(name)).splitlines()
    assert spoil(texts[number - 1]) != texts[number - 1]
    texts[number - 1] = spoil(texts[number - 1])
    with pytest.raises(RecordError, match=why) as caught:
        parse_record(b"\n".join(texts), batch_class(name).spec)
    assert caught.value.line == number
    assert str(caught.value).startswith(f"line {number}: ")


@pytest.mark.parametrize(("name", "fault"), cases(BAD_HEADERS))
def test_reader__bad_header__is_refused_saying_what_is_right(name, fault):
    changes, why = BAD_HEADERS[name][fault]
    lines = plain(name)
    lines[0] |= changes
    with pytest.raises(RecordError, match=why) as caught:
        parsed(name, lines)
    assert caught.value.line == 1


@pytest.mark.parametrize(("name", "fault"), cases(BAD_FIELDS))
def test_reader__bad_field__is_refused_by_line(name, fault):
    where, changes = BAD_FIELDS[name][fault]
    lines = plain(name)
    index = first_of(lines, where)
    lines[index] |= changes
    with pytest.raises(RecordError) as caught:
        parsed(name, lines)
    assert caught.value.line == index + 1


# --------------------------------------------------------------------------------------------------------------- replay


@pytest.mark.parametrize(("name", "number"), cases(GAMES))
def test_verify__game_of_the_engine__is_accepted(name, number):
    verify(batch_class(name), parsed(name, _played(name, number)[1]))


@pytest.mark.parametrize(("name", "number"), cases(GAMES))
def test_replay__from_the_lines__reaches_the_same_record(name, number):
    batch, lines = _played(name, number)
    *_, replayed = replay(batch_class(name), lines)
    for field in batch.games.dtype.names or ():
        axis = 1 if field in UNKNOWABLE[name] else 0
        assert (replayed.games[field].sum(axis) == batch.games[field].sum(axis)).all(), field


@each_game
def test_replay__typed_in_from_a_table__needs_no_tower_and_no_seed(name):
    lines = plain(name)
    lines[0] |= {key: None for key in ("tower", "seed", "agents") if key in lines[0]}
    verify(batch_class(name), parsed(name, lines))


@pytest.mark.parametrize("number", [5, 2, -1], ids=["preset", "random", "shuffled seats"])
def test_replay__places_in_any_order__is_accepted(number):
    lines = lines_of("shogun", GAMES["shogun"][number])
    count = sum(line["t"] == "place" for line in lines)
    places = lines[1 : 1 + count]
    random.Random(1).shuffle(places)
    verify(batch_class("shogun"), [lines[0], *places, *lines[1 + count :]])


# -------------------------------------------------------------------------------------------- corruptions name the line


@pytest.mark.parametrize(("name", "number"), cases(CORRUPTIONS))
def test_verify__one_field_changed__names_the_line(name, number):
    where, field, change = CORRUPTIONS[name][number]
    lines = plain(name)
    index = first_of(lines, where)
    changed = change(lines[index][field])
    assert changed != lines[index][field]
    lines[index][field] = changed
    error = refusal(name, lines)
    assert error.line == index + 1, error


@each_game
def test_verify__a_field_that_differs__is_named_with_both_values(name):
    lines = plain(name)
    where, field = MISCOUNT[name]
    index = first_of(lines, where)
    right = lines[index][field]
    lines[index][field] += 1
    assert str(refusal(name, lines)) == f"line {index + 1}: {field} is {right + 1}, must be {right}"


@pytest.mark.parametrize(("name", "number"), cases(ILLEGAL))
def test_verify__illegal_decision__names_the_legal_ones(name, number):
    game, where, changes = ILLEGAL[name][number]
    lines = lines_of(name, game)
    index = first_of(lines, where)
    lines[index] |= changes
    error = refusal(name, lines)
    assert error.line == index + 1
    assert f"player {lines[index]['player']} decides" in str(error)
    assert "legal are" in str(error)


@each_game
@given(data=st.data())
def test_verify__lines_missing_doubled_or_too_many__are_refused_at_the_gap(name, data):
    lines = lines_of(name, GAMES[name][data.draw(st.sampled_from([5, 6] if name == "shogun" else [0, 4]))])
    index = data.draw(st.integers(1, len(lines) - 1))
    deed = data.draw(st.sampled_from(["cut", "drop", "double"]))
    kind = lines[index]["t"]
    spoilt = {
        "cut": lines[:index],
        "drop": lines[:index] + lines[index + 1 :],
        "double": lines[: index + 1] + lines[index:],
    }[deed]
    error = refusal(name, spoilt)
    if kind in OTHER_GAME[name]:
        assert error.line > index
    else:
        assert error.line == index + 1 + (deed == "double")


@each_game
@given(data=st.data())
def test_verify__any_count_raised__is_refused_from_there_on(name, data):
    numbers = [number for number in (0, 5, 7, 14) if number < len(GAMES[name])]
    lines = lines_of(name, GAMES[name][data.draw(st.sampled_from(numbers))])
    index = data.draw(st.integers(1, len(lines) - 1))
    fields = [field for field, value in lines[index].items() if type(value) is int]
    if fields:
        lines[index][data.draw(st.sampled_from(fields))] += 1
        assert refusal(name, lines).line >= (2 if lines[index]["t"] == "place" else index + 1)


@each_game
def test_verify__record_of_nothing__is_refused(name):
    with pytest.raises(RecordError, match="line 1"):
        parse_record(b"", batch_class(name).spec)
    assert refusal(name, plain(name)[:1]).line == 2
