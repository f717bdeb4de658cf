"""Game records: one file a spec, one JSON object a line; written whole or not, read strictly, replayed,
verified.

A record is the referee's view and holds secrets. Chance stands in it as outcomes, so a replay needs none of the
engine's random numbers: a game typed in from a table replays like any other.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from shogun_env.spec.game_spec import GameSpec, Line

__all__ = ["Line", "RecordError", "check_lines", "parse_record", "read_record", "record_name", "short", "write_record"]


class RecordError(ValueError):
    """A record that cannot be accepted; ``line`` counts from 1 and is the first one at fault."""

    def __init__(self, line: int, why: str) -> None:
        """Say which line and why."""
        super().__init__(f"line {line}: {why}")
        self.line = line


# --- files -----------------------------------------------------------------------------------------------------------


def record_name(spec: GameSpec, seed: int) -> str:
    """Return the name of the file that holds the record of a game."""
    return f"{seed}.{spec.name}.jsonl"


def write_record(path: str | Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write a record, header first. The file appears whole, and none is ever overwritten.

    Raises: FileExistsError if there is such a file already.
    """
    target = Path(path)
    text = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        temporary.write_text(text, "utf-8")
        os.link(temporary, target)  # unlike a rename, this fails where a file is
    finally:
        temporary.unlink(missing_ok=True)


def read_record(path: str | Path, spec: GameSpec) -> list[Line]:
    """Read a record and check every line's fields; whether the rules allow it is for ``verify``.

    Raises: RecordError naming the first line that cannot be accepted; OSError if the file cannot be read.
    """
    return parse_record(Path(path).read_bytes(), spec)


def parse_record(data: bytes, spec: GameSpec) -> list[Line]:
    """Return the lines of a record, checked like ``read_record`` does."""
    texts = data.removesuffix(b"\n").split(b"\n")
    lines = []
    for number, text in enumerate(texts, 1):
        try:
            line = json.loads(text.decode("utf-8"), object_pairs_hook=_once_each, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise RecordError(number, f"no JSON object: {error}") from None
        check_line(line, spec, number)
        lines.append(line)
    return lines


def check_lines(lines: Sequence[Line], spec: GameSpec) -> None:
    """Check the fields of every line of a record; RecordError naming the first that cannot be accepted."""
    if not lines:
        raise RecordError(1, "the record is empty")
    for number, line in enumerate(lines, 1):
        check_line(line, spec, number)


def check_line(line: Any, spec: GameSpec, number: int) -> None:
    """Check the fields of line ``number`` of a record; RecordError saying what is wrong with them."""
    if fault := _fault(line, spec, number):
        raise RecordError(number, fault)


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its fields, each of which may stand once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field stands twice")
    return found


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


# --- fields ----------------------------------------------------------------------------------------------------------


def _fault(line: Any, spec: GameSpec, number: int) -> str | None:
    """Say what is wrong with the fields of line ``number``, or None."""
    if not isinstance(line, dict) or not isinstance(line.get("t"), str):
        return "must be an object with a type t"
    if (line["t"] == "header") != (number == 1):
        return "the header must be the first line and no other"
    allowed = spec.record_format.fields_of(line)
    if allowed is None:
        result = f" with result {line['result']!r}" if "result" in line else ""
        return f"unknown type {line['t']!r}{result}"
    if set(line) - {"t"} != set(allowed):
        return f"{line['t']} has the fields {', '.join(set(line) - {'t'}) or 'none'}; must be {', '.join(allowed)}"
    for name, form in allowed.items():
        if not _fits(line[name], form):
            return f"{name} is {short(line[name])}, must be {_in_words(form)}"
    return _fault_of_header(line, spec) if number == 1 else None


def _fault_of_header(header: Line, spec: GameSpec) -> str | None:
    """Say what is wrong with a header whose fields are right one by one."""
    if header["agents"] is not None and len(header["agents"]) != header["players"]:
        return f"{len(header['agents'])} agents for {header['players']} players"
    try:
        spec.check_options(spec.record_format.options_of(header))
    except ValueError as error:
        return str(error)
    return None


def _fits(value: Any, form: Any) -> bool:
    """Say whether a value is what a game's table of fields allows (the table says how it is to be read)."""
    if isinstance(form, range):
        return type(value) is int and value in form
    if isinstance(form, tuple):
        return any(_fits(value, one) for one in form)
    if isinstance(form, list):
        return isinstance(value, list) and _fits_list(value, form)
    if isinstance(form, dict):
        return isinstance(value, dict) and _fits_object(value, form)
    if form is str:
        return isinstance(value, str)
    if callable(form):
        return bool(form(value))
    return type(value) is type(form) and value == form


def _fits_list(value: list[Any], form: list[Any]) -> bool:
    if len(form) <= 1 or isinstance(form[1], int):
        return all(_fits(item, form[0]) for item in value) and len(value) == (form[1] if len(form) > 1 else len(value))
    return len(value) == len(form) and all(map(_fits, value, form))


def _fits_object(value: dict[str, Any], form: dict[Any, Any]) -> bool:
    names = next(iter(form))
    if isinstance(names, tuple) and list(value) != [name for name in names if name in value]:
        return False
    if isinstance(names, tuple | frozenset):
        return all(name in names and _fits(item, form[names]) for name, item in value.items())
    return set(value) == set(form) and all(_fits(item, form[name]) for name, item in value.items())


def _in_words(form: Any) -> str:
    """Return in words what a table of fields allows."""
    if isinstance(form, range):
        return f"a whole number from {form[0]} to {form[-1]}"
    if isinstance(form, tuple):
        return f"one of {', '.join(map(_in_words, form))}"
    if isinstance(form, list):
        return f"a list of {' and '.join(map(_in_words, form))}"
    if isinstance(form, dict):
        return f"an object of {', '.join(map(_names_in_words, form))}"
    if callable(form):
        return "text" if form is str else str(form.__doc__).rstrip(".").lower()
    return json.dumps(form)


def _names_in_words(names: str | tuple[str, ...] | frozenset[str]) -> str:
    """Return in words which names the fields of an object may have."""
    if isinstance(names, str):
        return names
    return f"{'/'.join(names)}, in this order" if isinstance(names, tuple) else "/".join(sorted(names))


def short(value: Any) -> str:
    """Return a value as JSON, cut where it grows long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else text[:99] + "…"
