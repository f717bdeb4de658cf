"""The results of a tournament on disk: one JSON line per game, appended block by block, each with a hash.

The hash of a line, ``chain``, is the SHA-256 of ``chain_start`` of the settings, of the hash of the line before it (of
``chain_start`` again, before the first), and of the line without its own. So whoever knows the last hash knows that no
line was changed, added, moved or taken out. Lines are in the order in which games were finished, which may differ from
run to run; tables sort them.

Whatever interrupts a run (kill -9, a full disk), its results file holds whole lines of finished games and at most one
half-written line at the end, which the next run removes. A lock keeps two runs out of one folder. A line that does not
follow, or is no result, is set aside: it is named and counted, and its game is played again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from shogun_env.benchmarks.arena.growing import GrowingFile
from shogun_env.benchmarks.arena.referee import FAULTS
from shogun_env.benchmarks.arena.seating import Result, Seating
from shogun_env.benchmarks.arena.story import POINTS
from shogun_env.spec.forms import finite

UNIMPORTANT = ("seconds", "asked", "story", "luck", "record")
"""Fields that are left out of a line where they are None."""
CHAIN = re.compile(rb',"chain":"([0-9a-f]{64})"}\n\Z')
"""How a line ends."""
MOST_BYTES = 1 << 20
"""Length of the longest line that is read."""
MOST_PLAYERS = 8


def chain_start(settings: Mapping[str, Any]) -> str:
    """Return what stands for the line before the first: the SHA-256 of the settings, without what may change.

    Example:
        >>> chain_start({"game": "shogun", "games": 3}) == chain_start({"games": 6, "game": "shogun"})
        True
    """
    fixed = {name: value for name, value in settings.items() if name not in ("games", "until_interval", "record")}
    return hashlib.sha256(json.dumps(fixed, sort_keys=True).encode()).hexdigest()


def line_of(result: Result, start: str, before: str) -> tuple[str, str]:
    """Return a result as a line of JSON, and the hash of that line.

    Args: start, ``chain_start`` of the settings; before, the hash of the line before.
    """
    values = {name: getattr(result, name) for name in Result.__slots__ if name != "record_text"}
    for name in UNIMPORTANT:
        if values[name] is None:
            del values[name]
    text = json.dumps(values, separators=(",", ":"))
    chain = _hash(start, before, text.encode())
    return f'{text[:-1]},"chain":"{chain}"}}\n', chain


def _hash(start: str, before: str, text: bytes) -> str:
    return hashlib.sha256(start.encode() + before.encode() + text).hexdigest()


class ResultsReader:
    """The results in a file, none if it does not exist; a last line that is cut off is ignored.

    Args:
        path: the file.
        start: ``chain_start`` of the settings.

    Attributes, of what has been read so far:
        set_aside: for each line that is not accepted, its number and why.
        is_old: whether a line is a result without a hash, as versions before 0.3 wrote them.
        last: the hash of the last line that is accepted.
        accepted: number of lines that are accepted.
    """

    def __init__(self, path: Path, start: str) -> None:
        self.path, self.start = path, start
        self.set_aside: list[str] = []
        self.is_old = False
        self.last = start
        self.accepted = 0

    def __iter__(self) -> Iterator[Result]:
        """Yield the results that are accepted, from the beginning."""
        self.set_aside, self.is_old, self.last, self.accepted = [], False, self.start, 0
        seen: set[Seating] = set()
        before = [self.start]  # what the next line may follow: the last good line, or a damaged one after it
        for number, line in enumerate(_lines(self.path), 1):
            try:
                result, chain = self._accepted(line, before)
                if result.seating in seen:
                    raise ValueError("the second result of one game")
            except ValueError as error:
                self.set_aside.append(f"line {number}: {error}")
                before += [match[1].decode() for match in [CHAIN.search(line)] if match]
                continue
            seen.add(result.seating)
            before, self.last = [chain], chain
            self.accepted += 1
            yield result

    def _accepted(self, line: bytes, before: list[str]) -> tuple[Result, str]:
        """Return the result and the hash of a line; ValueError saying why it is not accepted."""
        match = CHAIN.search(line)
        if match is None:
            with suppress(ValueError):
                result_of(_parsed(line))
                self.is_old = True
            raise ValueError("has no hash")
        text, chain = line[: match.start()] + b"}", match[1].decode()
        if chain not in (_hash(self.start, each, text) for each in before):
            raise ValueError("was changed, or does not follow the line before it")
        return result_of(_parsed(text)), chain


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the whole lines of a file; one that is too long is cut."""
    if not path.exists():
        return
    with open(path, "rb") as stream:
        while line := stream.readline(MOST_BYTES):
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = stream.readline(MOST_BYTES)
            if not rest:
                return
            yield line


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("not the result of a game: no JSON") from None


def result_of(values: Any) -> Result:
    """Return the result that JSON values describe.

    Raises: ValueError naming the field that is missing or not what it should be.
    """
    if not isinstance(values, dict) or not isinstance(values.get("agents"), list):
        raise ValueError("not the result of a game")
    count = len(values["agents"])
    if not 2 <= count <= MOST_PLAYERS:
        raise ValueError(f"not the result of a game: {count} agents")
    for name, is_right in FORMS.items():
        if name in values and not is_right(values[name], count):
            raise ValueError(f"not the result of a game: its {name}")
    try:
        result = Result(**values)
    except TypeError:
        raise ValueError("not the result of a game: its fields") from None
    if result.rotation >= count or result.seating.agents != result.agents:
        raise ValueError("not the result of a game: its line_up and agents")
    return result


def _is_count(value: Any, _: int = 0) -> bool:
    return type(value) is int and 0 <= value < 2**53


def _is_number(value: Any) -> bool:
    return finite(value)


def _each(is_right: Callable[[Any], bool], *, or_none: bool = False) -> Callable[[Any, int], bool]:
    """Return a question whether a value is a list of right ones, one for each player."""

    def question(value: Any, count: int) -> bool:
        return (or_none and value is None) or (
            type(value) is list and len(value) == count and all(map(is_right, value))
        )

    return question


def _is_whole(value: Any) -> bool:
    return type(value) is int and abs(value) < 2**31


def _are_faults(value: Any) -> bool:
    return type(value) is dict and all(kind in FAULTS and _is_count(number) for kind, number in value.items())


def _is_record(value: Any) -> bool:
    """Say whether a value names a file of the folder for records, and its hash."""
    is_told = (
        type(value) is dict and set(value) == {"file", "sha256"} and all(type(text) is str for text in value.values())
    )
    return is_told and Path(value["file"]).name == value["file"]


def _is_story(value: Any, count: int) -> bool:
    """Say whether a value is a story: for each deed, by player, a number, or for points a list of numbers."""
    if type(value) is not dict:
        return value is None
    points = value.get(POINTS)
    is_told = type(points) is list and all(
        type(each) is list and each and all(map(_is_number, each)) for each in points
    )
    return is_told and all(type(amounts) is list and len(amounts) == count for amounts in value.values()) and all(
        all(map(_is_number, amounts)) for deed, amounts in value.items() if deed != POINTS
    )  # fmt: skip


FORMS: dict[str, Callable[[Any, int], bool]] = {
    "seed": _is_count,
    "line_up": _each(lambda value: type(value) is str),
    "rotation": _is_count,
    "agents": _each(lambda value: type(value) is str),
    "place": _each(_is_number),
    "points": _each(_is_whole),
    "win": _each(_is_number),
    "decisions": _is_count,
    "faults": _each(_are_faults),
    "variant": lambda value, _: type(value) is str,
    "seconds": _each(_is_number, or_none=True),
    "asked": _each(_is_count, or_none=True),
    "story": _is_story,
    "luck": _each(_is_number, or_none=True),
    "made_by": lambda value, _: type(value) is dict,
    "record": lambda value, _: value is None or _is_record(value),
    "record_text": lambda value, _: False,
}
"""For each field of a result whether a value fits a game of this many players."""


class ResultsFile:
    """A results file that grows; a line that an earlier run left half-written is removed.

    Args: path and start as for ``ResultsReader``.

    Attributes:
        done: the games whose results are in the file.

    Raises: ValueError if the lines have no hashes.
    """

    def __init__(self, path: Path, start: str) -> None:
        self.path, self.start = path, start
        reader = ResultsReader(path, start)
        self.done = {result.seating for result in reader}
        if reader.is_old and not self.done:
            raise ValueError(f"{path}: its lines have no hashes, as before version 0.3; give another --out")
        self.last = reader.last
        self._file = GrowingFile(path)

    @property
    def foreign(self) -> list[str]:
        """For each time that others wrote into the file what was done about it."""
        return self._file.foreign

    def append(self, results: Iterable[Result]) -> None:
        """Append results, whole lines in one write.

        Raises: OSError if they cannot be written; the file then holds what it held before.
        """
        lines, last = [], self.last
        for result in results:
            line, last = line_of(result, self.start, last)
            lines.append(line)
        self._file.append("".join(lines))
        self.last = last

    def close(self) -> None:
        """Close the file."""
        self._file.close()
