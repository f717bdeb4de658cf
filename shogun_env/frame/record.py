"""Game records: one file a game, one JSON object a line; written whole or not, read strictly, replayed,
verified.

A record is the referee's view and holds secrets. Chance stands in it as outcomes, so a replay needs none of the
engine's random numbers: a game typed in from a table replays like any other.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.frame.batch import Batch, whole_lines
from shogun_env.frame.game import Game, Script
from shogun_env.log import LENGTH, entries

__all__ = ["RecordError", "parse_record", "read_record", "record_name", "replay", "verify", "write_record", "written"]

Line = Mapping[str, Any]
_MISSING = object()


class RecordError(ValueError):
    """A record that cannot be accepted; ``line`` counts from 1 and is the first one at fault."""

    def __init__(self, line: int, why: str) -> None:
        """Say which line and why."""
        super().__init__(f"line {line}: {why}")
        self.line = line


# --- files -----------------------------------------------------------------------------------------------------------


def record_name(game: Game, seed: int) -> str:
    """Return the name of the file that holds the record of a game."""
    return f"{seed}.{game.name}.jsonl"


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


def read_record(path: str | Path, game: Game) -> list[Line]:
    """Read a record and check every line's fields; whether the rules allow it is for ``verify``.

    Raises: RecordError naming the first line that cannot be accepted; OSError if the file cannot be read.
    """
    return parse_record(Path(path).read_bytes(), game)


def parse_record(data: bytes, game: Game) -> list[Line]:
    """Return the lines of a record, checked like ``read_record`` does."""
    texts = data.removesuffix(b"\n").split(b"\n")
    lines = []
    for number, text in enumerate(texts, 1):
        try:
            line = json.loads(text.decode("utf-8"), object_pairs_hook=_once_each, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise RecordError(number, f"no JSON object: {error}") from None
        if fault := _fault(line, game, number):
            raise RecordError(number, fault)
        lines.append(line)
    return lines


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its fields, each of which may stand once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field stands twice")
    return found


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


# --- fields ----------------------------------------------------------------------------------------------------------


def _fault(line: Any, game: Game, number: int) -> str | None:
    """Say what is wrong with the fields of line ``number``, or None."""
    if not isinstance(line, dict) or not isinstance(line.get("t"), str):
        return "must be an object with a type t"
    if (line["t"] == "header") != (number == 1):
        return "the header must be the first line and no other"
    allowed = game.line_fields(line)
    if allowed is None:
        result = f" with result {line['result']!r}" if "result" in line else ""
        return f"unknown type {line['t']!r}{result}"
    if set(line) - {"t"} != set(allowed):
        return f"{line['t']} has the fields {', '.join(set(line) - {'t'}) or 'none'}; must be {', '.join(allowed)}"
    for name, spec in allowed.items():
        if not _fits(line[name], spec):
            return f"{name} is {_short(line[name])}, must be {_wanted(spec)}"
    return _fault_of_header(line, game) if number == 1 else None


def _fault_of_header(header: Line, game: Game) -> str | None:
    """Say what is wrong with a header whose fields are right one by one."""
    if header["agents"] is not None and len(header["agents"]) != header["players"]:
        return f"{len(header['agents'])} agents for {header['players']} players"
    try:
        game.check_options(game.options_of(header))
    except ValueError as error:
        return str(error)
    return None


def _fits(value: Any, spec: Any) -> bool:
    """Say whether a value is what a game's table of fields allows (the table says how it is to be read)."""
    if isinstance(spec, range):
        return type(value) is int and value in spec
    if isinstance(spec, tuple):
        return any(_fits(value, one) for one in spec)
    if isinstance(spec, list):
        return isinstance(value, list) and _fits_list(value, spec)
    if isinstance(spec, dict):
        return isinstance(value, dict) and _fits_object(value, spec)
    if spec is str:
        return isinstance(value, str)
    if callable(spec):
        return bool(spec(value))
    return type(value) is type(spec) and value == spec


def _fits_list(value: list[Any], spec: list[Any]) -> bool:
    if len(spec) <= 1 or isinstance(spec[1], int):
        return all(_fits(item, spec[0]) for item in value) and len(value) == (spec[1] if len(spec) > 1 else len(value))
    return len(value) == len(spec) and all(map(_fits, value, spec))


def _fits_object(value: dict[str, Any], spec: dict[Any, Any]) -> bool:
    names = next(iter(spec))
    if isinstance(names, tuple) and list(value) != [name for name in names if name in value]:
        return False
    if isinstance(names, tuple | frozenset):
        return all(name in names and _fits(item, spec[names]) for name, item in value.items())
    return set(value) == set(spec) and all(_fits(item, spec[name]) for name, item in value.items())


def _wanted(spec: Any) -> str:
    """Return in words what a table of fields allows."""
    if isinstance(spec, range):
        return f"a whole number from {spec[0]} to {spec[-1]}"
    if isinstance(spec, tuple):
        return f"one of {', '.join(map(_wanted, spec))}"
    if isinstance(spec, list):
        return f"a list of {' and '.join(map(_wanted, spec))}"
    if isinstance(spec, dict):
        return f"an object of {', '.join(map(_names_wanted, spec))}"
    if callable(spec):
        return "text" if spec is str else str(spec.__doc__).rstrip(".").lower()
    return json.dumps(spec)


def _names_wanted(names: str | tuple[str, ...] | frozenset[str]) -> str:
    """Return in words which names the fields of an object may have."""
    if isinstance(names, str):
        return names
    return f"{'/'.join(names)}, in this order" if isinstance(names, tuple) else "/".join(sorted(names))


def _short(value: Any) -> str:
    """Return a value as JSON, cut where it grows long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else text[:99] + "…"


# --- replay ----------------------------------------------------------------------------------------------------------


def replay(batch_type: type[Batch], lines: Sequence[Line]) -> Iterator[Batch]:
    """Play a record on the engine, chance from its lines; yield the game before every decision and at the end.

    Args:
        batch_type: the game's ``Batch``.
        lines: a record whose fields are right, as ``read_record`` returns them.

    Yields: one and the same batch of one game, which keeps its log.

    Raises: RecordError when the record ends or leaves the rules, naming the first line that the engine would not write.
    """
    game, header = batch_type.game, lines[0]
    script = game.script(lines)
    batch = batch_type(1, record=True, **game.options_of(header))
    end = _End(batch, lines, script)
    alive = end.goes_on(lambda: batch.reset(seeds=[header["seed"] or 0], tapes={0: script.tape()}))
    while alive and not batch.over[0]:
        yield batch
        action, index = script.answer(batch.games[0])
        if action is None or not 0 <= action < game.n_actions or not batch.legal[0, action]:
            end.refuse(action, index)
            break
        alive = end.goes_on(lambda: batch.step([action]))  # noqa: B023 - called at once
    end.compare()
    yield batch


def verify(batch_type: type[Batch], lines: Sequence[Line]) -> None:
    """Replay a record and compare every line with what the engine writes.

    Raises: RecordError naming the first line, and the field of it, that differs.
    """
    for _ in replay(batch_type, lines):
        pass


class _End:
    """Why a replay stopped, and where the record first differs from what the engine wrote."""

    def __init__(self, batch: Batch, lines: Sequence[Line], script: Script) -> None:
        self.batch, self.lines, self.order = batch, lines, script.order
        self.sure = 0
        """Log entries written by the calls that did not fail."""
        self.refused: tuple[int | None, str] | None = None
        """Index of the line at fault, as far as it is known, and what is wrong."""

    def goes_on(self, call: Callable[[], None]) -> bool:
        """Call what moves the game on; False if chance from the record did not fit it."""
        try:
            call()
        except ValueError:
            if not self.batch.games["error"][0]:
                raise
            self.refused = (None, "what this line says cannot happen here")
            return False
        self.sure = int(self.batch.logs[0, LENGTH])
        return True

    def refuse(self, action: int | None, index: int | None) -> None:
        """Note that the record's answer to a decision is missing or illegal."""
        game, player, phase = self.batch.game, self.batch.player[0], self.batch.games["phase"][0]
        legal = ", ".join(game.action_name(a) for a in np.flatnonzero(self.batch.legal[0]).tolist())
        found = "no decision found" if action is None else f"{game.action_name(action)} is illegal"
        self.refused = (index, f"player {player} decides {game.phase_names[phase]}: {found}; legal are {legal}")

    def compare(self) -> None:
        """Raise a RecordError for the first line that is wrong; return if the record is right from end to end."""
        made, sure = written(self.batch), len(written(self.batch, self.sure))
        index, why = self.refused or (None, "")
        for place in range(1, len(made)):
            at = self._line_at(place)
            if index is not None and at >= index:
                break
            if at == len(self.lines):
                raise RecordError(at + 1, f"the record ends; {made[place]['t']} must follow")
            if difference := _difference(self.lines[at], made[place]):
                raise RecordError(at + 1, why if why and place >= sure else difference)
        if self.refused or len(made) < len(self.order):
            index = self._line_at(len(made)) if index is None else index
            why = why or "the game is over before this line"
            raise RecordError(index + 1, why if index < len(self.lines) else f"the record ends; {why}")

    def _line_at(self, place: int) -> int:
        """Return the index of the line that stands where the engine wrote one, or how many there are."""
        return self.order[place] if place < len(self.order) else len(self.lines)


def written(batch: Batch, count: int | None = None) -> list[dict[str, Any]]:
    """Return the lines that the log of a batch of one game, or its first ``count`` entries, make; none cut short."""
    return whole_lines(batch.game.record_lines(entries(batch.logs[0])[:count], batch.options, None, None))


def _difference(line: Line, wanted: Line) -> str | None:
    """Name the first field in which a line differs from what the engine wrote."""
    if line["t"] != wanted["t"]:
        return f"{line['t']} found, {wanted['t']} must stand here"
    for name, value in wanted.items():
        if isinstance(value, dict) and isinstance(line.get(name), dict):
            for key in sorted(value.keys() | line[name].keys()):
                if line[name].get(key, _MISSING) != value.get(key, _MISSING):
                    found, right = (_short(row[key]) if key in row else "missing" for row in (line[name], value))
                    return f"{name}: {key} is {found}, must be {right}"
        elif name not in line or line[name] != value:
            return f"{name} is {_short(line.get(name))}, must be {_short(value)}"
    return next((f"{name} must not be here" for name in line if name not in wanted), None)
