"""The results of a tournament on disk: one JSON line per game, appended block by block.

Whatever interrupts a run (kill -9, a full disk), its results file holds whole lines of finished games and at most one
half-written line at the end, which the next run removes. A lock keeps two runs out of one folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from shogun_env.benchmarks.arena.seating import Result, Seating

UNIMPORTANT = ("seconds", "asked", "story", "luck")
"""Fields that are left out of a line where they are None."""


def line_of(result: Result) -> str:
    """Return a result as a line of JSON."""
    values = {name: getattr(result, name) for name in Result.__slots__}
    for name in UNIMPORTANT:
        if values[name] is None:
            del values[name]
    return json.dumps(values, separators=(",", ":")) + "\n"


def read_results(path: Path) -> Iterator[Result]:
    """Yield the results in a file, none if it does not exist; a last line that is cut off is ignored.

    Raises: ValueError naming a line that is not a result, or is the second one of a game.
    """
    if not path.exists():
        return
    seen: set[Seating] = set()
    with open(path, "rb") as stream:
        for number, line in enumerate(stream, 1):
            if not line.endswith(b"\n"):
                return
            try:
                result = Result(**json.loads(line))
                game = result.seating
            except (ValueError, TypeError):
                raise ValueError(f"{path}, line {number}: not the result of a game") from None
            if game in seen:
                raise ValueError(f"{path}, line {number}: the second result of one game")
            seen.add(game)
            yield result


class ResultsFile:
    """A results file that grows; a line that an earlier run left half-written is removed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        self._size = _end_of_last_line(self._handle)
        os.ftruncate(self._handle, self._size)

    def append(self, results: Iterable[Result]) -> None:
        """Append results, whole lines in one write.

        Raises: OSError if they cannot be written; the file then holds what it held before.
        """
        data = memoryview("".join(map(line_of, results)).encode())
        total = len(data)
        try:
            while data:
                data = data[os.write(self._handle, data) :]
        except OSError as error:
            os.ftruncate(self._handle, self._size)
            words = f"{self.path}: {error.strerror}; the games before are kept, the same command resumes"
            raise OSError(error.errno, words) from None
        self._size += total

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)


def _end_of_last_line(handle: int) -> int:
    """Return the length of a file without a last line that has no newline."""
    end = os.fstat(handle).st_size
    while end:
        begin = max(0, end - 65536)
        data = os.pread(handle, end - begin, begin)
        newline = data.rfind(b"\n")
        if newline >= 0:
            return begin + newline + 1
        end = begin
    return 0


def finished(path: Path, games: Collection[Seating]) -> set[Seating]:
    """Return those of some games whose results are in a file."""
    return {result.seating for result in read_results(path) if result.seating in games}
