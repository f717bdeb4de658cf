"""Replay: records are played without random numbers, and verified line by line."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.kernel.log import LENGTH
from shogun_env.records import RecordError, parse_record, replay, verify
from tests.games import UNKNOWABLE, batch_class, each_game
from tests.unit.records.faults import GAMES, ILLEGAL, MISCOUNT, OTHER_GAME, Line
from tests.unit.records.played import cases, first_of, lines_of, parsed, plain, played


def refusal(name: str, lines: list[Line]) -> RecordError:
    """How a record is refused, by the reader or by the rules."""
    with pytest.raises(RecordError) as caught:
        verify(batch_class(name), parsed(name, lines))
    return caught.value


@pytest.mark.parametrize(("name", "number"), cases(GAMES))
def test_replay__from_the_lines__reaches_the_same_game_and_stepwise_with_more_stops(name, number):
    batch, lines = played(name, number)
    plain_stops, stops = (list(_stops(name, parsed(name, lines), stepwise)) for stepwise in (False, True))
    replayed = np.frombuffer(stops[-1][0], batch.games.dtype)
    for field in batch.games.dtype.names or ():
        axis = 1 if field in UNKNOWABLE[name] else 0
        assert (replayed[field].sum(axis) == batch.games[field].sum(axis)).all(), field
    assert [stop for stop in stops if stop[1] is not None] == plain_stops[:-1]
    assert stops[-1] == plain_stops[-1]
    assert len(stops) > len(plain_stops)


def _stops(name, lines, stepwise):
    for batch, action in replay(batch_class(name), lines, stepwise=stepwise):
        yield batch.games.tobytes(), action, batch.logs[0, LENGTH]


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
