"""Positions: a state as one line of text that a person can read and write.

``shogun/1 phase=plan player=0 year=1 chests=12,12,12,12 board=Aki:P3*3,Bingo:P3*4C!``: name of the game and version of
its rules, then the fields that differ from a blank state with default options. Lists end with the last entry that is
not blank; the rows of a table are separated by ``/``. No field is lost when a state is written and read back.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from shogun_env.kernel.log import NONE
from shogun_env.spec.forms import meant, shown
from shogun_env.spec.game_spec import Field, GameSpec, PositionFormat

# --- how fields are written ------------------------------------------------------------------------------------------

NUMBER: Field = ((), str, int)
"""A field of numbers."""


def worded(words: Mapping[int, str], keys: Iterable[str] = ()) -> Field:
    """Return a field whose numbers are written as words."""
    numbers = {word: number for number, word in words.items()}
    return tuple(keys), words.__getitem__, numbers.__getitem__


def named(names: Iterable[str]) -> Field:
    """Return a field whose numbers from 0 are written as names, and NONE as a dash."""
    return worded({NONE: "-", **dict(enumerate(names))})


def counted(keys: Iterable[str]) -> Field:
    """Return a field of counts, each written with the name of what is counted."""
    return tuple(keys), str, int


# --- whole positions -------------------------------------------------------------------------------------------------


def text_from_state(spec: GameSpec, g: np.void) -> str:
    """Return the position text of a state.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> text_from_state(Batch.spec, Batch(1, num_players=3).games[0])[:50]
        'shogun/1 n_players=3 phase=plan player=0 year=1 ch'
    """
    position = spec.position_format
    blank = _blank(spec)
    derived = _blank(spec)
    for name in {*position.fields, *position.board} - {*position.derived}:
        derived[name] = g[name]
    position.fill(derived)
    parts = [f"{spec.name}/{spec.rules_version}"]
    for name in position.fields:
        usual = derived if name in position.derived else blank
        if not np.array_equal(g[name], usual[name]):
            parts.append(f"{name}={_field_text(position, name, g[name], blank[name])}")
    if board := _board_text(position, g, blank):
        parts.append(f"board={board}")
    return " ".join(parts)


def state_from_text(spec: GameSpec, text: str) -> np.void:
    """Return the state that a position text describes; it may be one that no game can reach.

    Raises: ValueError naming the field that cannot be read, or for what is no text.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> int(state_from_text(Batch.spec, "shogun/1 year=2")["year"])
        2
    """
    if not isinstance(text, str):
        raise ValueError(f"a position must be a text, as position() returns it, not {shown(text)}")
    head, *parts = text.split() or [""]
    if head != f"{spec.name}/{spec.rules_version}":
        raise ValueError(f"a position must begin with {spec.name}/{spec.rules_version}, not {head!r}")
    position = spec.position_format
    known, given = [*position.fields, "board"], dict[str, str]()
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals or name in given:
            raise ValueError(f"{part!r} in a position: must be FIELD=VALUE, each field once")
        if name not in known:
            raise ValueError(f"{part!r} in a position: unknown field; {meant(name, known)}")
        given[name] = value
    g = _blank(spec)
    for name in given.keys() - {*position.derived}:
        _read(position, g, name, given[name])
    try:
        spec.check_options(position.options_of(g))
    except ValueError as error:
        raise ValueError(f"a position with {error}") from None
    position.fill(g)
    for name in given.keys() & {*position.derived}:
        g[name] = _blank(spec)[name]
        _read(position, g, name, given[name])
    return g


def _blank(spec: GameSpec) -> np.void:
    """Return a blank state with default options."""
    return spec.blank_state(spec.check_options({}))[0]


# --- writing ---------------------------------------------------------------------------------------------------------


def _board_text(position: PositionFormat, g: np.void, blank: np.void) -> str:
    """Return the places that are not blank, as text."""
    empty = [position.place_text(blank, place) for place in range(len(position.places))]
    texts = [position.place_text(g, place) for place in range(len(position.places))]
    return ",".join(
        f"{name}:{text}" for name, text, none in zip(position.places, texts, empty, strict=True) if text != none
    )


def _field_text(position: PositionFormat, name: str, value: Any, blank: Any) -> str:
    """Return the value of a field as text."""
    keys, word, _ = position.fields[name]
    if value.ndim == 0:
        return word(int(value))
    rows = [
        _row_text(keys, word, row, none) for row, none in zip(np.atleast_2d(value), np.atleast_2d(blank), strict=True)
    ]
    while len(rows) > 1 and not rows[-1]:
        rows.pop()
    return "/".join(rows)


def _row_text(keys: tuple[str, ...], word: Any, row: np.ndarray, blank: np.ndarray) -> str:
    """Return a row as text: entries that are not blank by name, or all entries up to the last that is not blank."""
    (differing,) = np.nonzero(row != blank)
    if keys:
        pairs = ((keys[index], word(int(row[index]))) for index in differing)
        return ",".join(f"{key}:{value}" if value else key for key, value in pairs)
    return ",".join(word(int(value)) for value in row[: differing[-1] + 1 if len(differing) else 0])


# --- reading ---------------------------------------------------------------------------------------------------------


def _read(position: PositionFormat, g: np.void, name: str, text: str) -> None:
    """Set a field, or the places of the board, from text; ValueError if it cannot be read."""
    try:
        if name == "board":
            entries = text.split(",")
            each_once(entry.partition(":")[0] for entry in entries)
            for entry in entries:
                place, _, value = entry.partition(":")
                position.set_place(g, position.places.index(place), value)
        else:
            _read_field(position, g, name, text)
    except (ValueError, KeyError, IndexError, OverflowError) as error:
        raise ValueError(f"{name}={text} in a position cannot be read: {error}") from None


def each_once(names: Iterable[str]) -> None:
    """Raise ValueError for a name that comes twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"{name} comes twice")
        seen.add(name)


def _read_field(position: PositionFormat, g: np.void, name: str, text: str) -> None:
    keys, _, number = position.fields[name]
    if g[name].ndim == 0:
        g[name] = number(text)
        return
    table = np.atleast_2d(g[name])  # a view: what is written to it is written to the state
    for row, row_text in enumerate(text.split("/")):
        if keys:
            each_once(entry.partition(":")[0] for entry in row_text.split(","))
        for index, entry in enumerate(row_text.split(",") if row_text else ()):
            key, _, word = entry.partition(":")
            table[row, keys.index(key) if keys else index] = number(word if keys else entry)
