"""One wrong line in a good record: functions that change the lines and tell the number of the first wrong one."""

import json
from collections.abc import Callable
from typing import Any

Line = dict[str, Any]
Corruption = Callable[[list[Line]], int]


def first(lines: list[Line], kind: str, **wanted: Any) -> int:
    """Index of the first line of a type with these values."""
    return next(
        index
        for index, line in enumerate(lines)
        if line["t"] == kind and all(line.get(name) == value for name, value in wanted.items())
    )


def changed(kind: str, name: str, value: Any, **wanted: Any) -> Corruption:
    """Corruption that gives one field of the first such line another value (or what a function makes of it)."""

    def corrupt(lines: list[Line]) -> int:
        index = first(lines, kind, **wanted)
        old = lines[index].get(name)
        lines[index][name] = value(old) if callable(value) else value
        assert json.dumps(lines[index][name]) != json.dumps(old)
        return index + 1

    return corrupt


def removed(kind: str, **wanted: Any) -> Corruption:
    """Corruption that leaves out the first such line."""

    def corrupt(lines: list[Line]) -> int:
        index = first(lines, kind, **wanted)
        del lines[index]
        return index + 1

    return corrupt


def doubled(kind: str) -> Corruption:
    """Corruption that repeats the first such line."""

    def corrupt(lines: list[Line]) -> int:
        index = first(lines, kind)
        lines.insert(index, lines[index])
        return index + 2

    return corrupt


def without_field(kind: str, name: str) -> Corruption:
    """Corruption that leaves out a field of the first such line."""

    def corrupt(lines: list[Line]) -> int:
        index = first(lines, kind)
        del lines[index][name]
        return index + 1

    return corrupt


def plus_one(value: Any) -> Any:
    """A number plus one, or a list or object with its first number plus one."""
    if isinstance(value, dict):
        key = next(iter(value))
        return {**value, key: plus_one(value[key])}
    return [plus_one(value[0]), *value[1:]] if isinstance(value, list) else value + 1


def turned(value: list[Any]) -> list[Any]:
    """A list back to front."""
    return value[::-1]


def twice(value: list[Any]) -> list[Any]:
    """A list whose second entry is its first once more."""
    return [value[0], value[0], *value[2:]]
