"""Records to test with: played once, given as fresh copies; and ways to look into them."""

import copy
import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from shogun_env.batch.batch import Batch
from shogun_env.records import parse_record
from shogun_env.records.events import Event, events_of
from shogun_env.records.frames import frames_of, stops_of
from tests.games import NAMES, Options, batch_class
from tests.unit.records.faults import GAMES, PLAIN, Line


@cache
def played(name: str, number: int) -> tuple[Batch, list[Line]]:
    """Return a game of the table played at random, and its record."""
    batch = batch_class(name)(1, record=True, **GAMES[name][number])
    batch.play(["random"] * batch.num_players)
    return batch, batch.records(agents=["random"] * batch.num_players)[0]


@cache
def frames_played(name: str) -> tuple[list[Line], dict[str, Any]]:
    """Return the record of a game of three and its frames, which nobody changes: they take seconds."""
    batch = batch_class(name)(1, num_players=3, seed=5, record=True)
    batch.play(["random"] * 3)
    lines = batch.records()[0]
    return lines, frames_of(type(batch), lines)


@cache
def events_played(name: str) -> list[Event]:
    """Return the events of the game of ``frames_played``."""
    lines, _ = frames_played(name)
    return list(events_of(batch_class(name).spec, stops_of(batch_class(name), lines), lines))


def lines_of(name: str, game: Options) -> list[Line]:
    """A fresh copy of the record of a game."""
    return copy.deepcopy(played(name, GAMES[name].index(game))[1])


def plain(name: str) -> list[Line]:
    return lines_of(name, PLAIN[name])


def as_bytes(lines: Iterable[Line]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def parsed(name: str, lines: Iterable[Line]) -> Any:
    return parse_record(as_bytes(lines), batch_class(name).spec)


def first_of(lines: list[Line], fields: Line) -> int:
    """Index of the first line with these fields."""
    return next(i for i, line in enumerate(lines) if all(line.get(key) == value for key, value in fields.items()))


def cases(table: dict[str, Any]) -> list[tuple[str, Any]]:
    """Game and key of every entry of a table by game."""
    return [
        (name, key)
        for name in NAMES
        for key in (table[name] if isinstance(table[name], dict) else range(len(table[name])))
    ]
