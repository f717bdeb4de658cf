"""Game records as files: one file per game, one JSON object per line, written completely or not at all, read strictly.

A record is the referee's view and holds secrets. Chance is recorded as outcomes, so a replay needs none of the engine's
random numbers: a game that was played at a table and typed in replays like any other.
"""

import codecs
import errno
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from shogun_env import GAMES
from shogun_env.files import bytes_in, write_whole
from shogun_env.spec.forms import cut, fits, in_words, json_of, short, whole
from shogun_env.spec.game_spec import GameSpec, Line


class RecordError(ValueError):
    """A record that is not accepted; ``line`` is the number of the first line at fault, the header being 1."""

    def __init__(self, line: int, why: str) -> None:
        """Make the message from the number of the line and the reason."""
        super().__init__(f"line {line}: {why}")
        self.line = line


# --- files -----------------------------------------------------------------------------------------------------------


def record_name(spec: GameSpec, seed: int) -> str:
    """Return the name of the file for the record of a game with a seed, such as ``7.shogun.jsonl``."""
    return f"{seed}.{spec.name}.jsonl"


def is_record(name: str | Path) -> bool:
    """Return whether a file is a record by the ending of its name."""
    return Path(name).suffix.lower() == ".jsonl"


def write_record(path: str | Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write a record, header first. The file appears only when it is complete, and no file is overwritten.

    Raises: FileExistsError if the file already exists; ValueError if JSON cannot hold a value.
    """
    path = Path(path)
    if path.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    write_whole(path, record_text(lines))


def record_text(lines: Iterable[Mapping[str, Any]]) -> str:
    """Return what the file of a record holds; ValueError if JSON cannot hold a value."""
    return "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)


def read_record(path: str | Path, spec: GameSpec) -> list[Line]:
    """Read a record and check the fields of every line; ``verify`` checks whether the rules allow the game.

    Args:
        path: the file.
        spec: the game.

    Raises: RecordError naming the first line that is not accepted; OSError if the file cannot be read.
    """
    return parse_record(bytes_in(Path(path)), spec)


def parse_record(data: bytes, spec: GameSpec) -> list[Line]:
    """Return the lines of a record from the bytes of its file, checked as ``read_record`` checks them.

    Raises: RecordError naming the first line that is not accepted.
    """
    if data.startswith(codecs.BOM_UTF8):
        raise RecordError(1, "begins with a byte order mark; save the record as UTF-8 without one")
    if not data:
        raise RecordError(1, "the record is empty")
    texts = data.removesuffix(b"\n").split(b"\n")
    lines = []
    for number, text in enumerate(texts, 1):
        if not text.strip():
            raise RecordError(number, "is empty; a record has no empty lines")
        try:
            line = json_of(text.decode("utf-8"), object_pairs_hook=_once_each, parse_constant=_no_number)
        except UnicodeDecodeError:
            raise RecordError(number, "not text in UTF-8; unpack a compressed record first") from None
        except ValueError as error:
            raise RecordError(number, f"not a JSON object: {error}") from None
        check_line(line, spec, number)
        lines.append(line)
    return lines


def check_lines(lines: Sequence[Line], spec: GameSpec) -> None:
    """Check the fields of every line of a record; RecordError naming the first line that is not accepted."""
    if not lines:
        raise RecordError(1, "the record is empty")
    for number, line in enumerate(lines, 1):
        check_line(line, spec, number)


def check_line(line: Any, spec: GameSpec, number: int) -> None:
    """Check the fields of line ``number`` of a record; RecordError saying what is wrong with them."""
    if fault := _fault(line, spec, number):
        raise RecordError(number, fault)


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object from its fields; ValueError if a field is there twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field is there twice")
    return fields


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def game_in_header(line: bytes) -> str | None:
    """Return the game whose record the first line of a file begins, by its field ``format``, or None."""
    try:
        header = json_of(line)
    except ValueError:
        return None
    name = header.get("format") if isinstance(header, dict) else None
    return next((game for game in GAMES if name == f"{game}-record"), None)


def game_of(file: Path, game: str | None) -> str:
    """Return the game of a record: ``game`` unless it is None, else that in the name of the file or in its header.

    Raises: ValueError naming the file if neither its name nor its header says a game; OSError if it cannot be read.
    """
    in_name = [name for name in GAMES if name in file.name.split(".")]
    if game is None and len(in_name) == 1:
        return in_name[0]
    if game is None:
        with open(file, "rb") as stream:
            game = game_in_header(stream.readline())
    if game is None:
        raise ValueError(
            f"{file}: neither the name of the file nor a header in its first line says which game this is; "
            f"give --game with one of {', '.join(GAMES)}"
        )
    return game


# --- fields ----------------------------------------------------------------------------------------------------------


def _fault(line: Any, spec: GameSpec, number: int) -> str | None:
    """Return what is wrong with the fields of line ``number``, or None."""
    if not isinstance(line, dict) or not isinstance(line.get("t"), str):
        return "must be an object with a type under t"
    if (line["t"] == "header") != (number == 1):
        return "the header must be the first line and no other"
    allowed = spec.record_format.kinds.fields_of(line)
    if allowed is None:
        result = f" with result {short(line['result'])}" if "result" in line else ""
        return f"unknown type {short(line['t'])}{result}"
    if number == 1 and "format" in line and not fits(line["format"], allowed["format"]):  # a record of another game
        return f"format is {short(line['format'])}, must be {in_words(allowed['format'])}"
    if set(line) - {"t"} != set(allowed):
        names = ", ".join(name if name.isprintable() else short(name) for name in line if name != "t") or "none"
        return f"{line['t']} has the fields {cut(names, 250)}; must be {', '.join(allowed)}"
    for name, form in allowed.items():
        if not fits(line[name], form):
            return f"{name} is {short(line[name])}, must be {in_words(form)}"
    return _fault_of_header(line, spec) if number == 1 else None


def _fault_of_header(header: Line, spec: GameSpec) -> str | None:
    """Return what is wrong with a header whose fields are valid one by one, or None."""
    if header["agents"] is not None and len(header["agents"]) != header["players"]:
        return f"{len(header['agents'])} agents for {header['players']} players: give one for each"
    if header["agents"] is not None and any(whole(name) != name for name in header["agents"]):
        return "agents holds half a letter, which no file can"
    try:
        spec.check_options(spec.record_format.options_of(header))
    except ValueError as error:
        return str(error)
    return None
