"""The journal of a league: lines of JSON that are only ever appended, each with a hash of all lines before it.

=========  ==================================================================================================
kind       what it says
=========  ==================================================================================================
league     the first line: its settings, and the commitment to the secrets of all its rounds (``links``)
entry      a bot entered: number, name, spec, the SHA-256 of what it is made of, its rating if that is fixed
mark       a bot was withdrawn or blamed, or came back; entries are never removed
round      a round begins: who meets; the rest of its chance follows from a secret and the hash of this line
games      a block of games of the round, in order: places and points by player, faults
end        the round is over; its secret
=========  ==================================================================================================

Lines hold no times and come in one order, so the same league has the same journal, byte for byte, however often it was
interrupted and wherever it was played.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from shogun_env.benchmarks.arena.growing import GrowingFile

FILE = "journal.jsonl"
MOST_BYTES = 1 << 24
"""Length of the longest line that is read: a round of a league of 100,000 bots is shorter."""
_END = b',"chain":"'


class Event(NamedTuple):
    """A line of the journal."""

    values: dict[str, Any]
    before: str
    """The hash of the line before; empty for the first."""
    chain: str
    """Its own hash."""


def line_of(values: Mapping[str, Any], before: str) -> tuple[str, Event]:
    """Return an event as a line, and as what a reader of that line makes of it."""
    text = json.dumps(values, separators=(",", ":"), ensure_ascii=False)
    chain = _hash(before, text.encode())
    return f'{text[:-1]},"chain":"{chain}"}}\n', Event(values=dict(values), before=before, chain=chain)


def _hash(before: str, text: bytes) -> str:
    return hashlib.sha256(before.encode() + text).hexdigest()


def read(path: Path) -> Iterator[Event]:
    """Yield the events of a journal; a last line that is cut off is ignored.

    Raises: ValueError naming the first line that was changed or does not follow from those before it; OSError if the
        file cannot be read.
    """
    before = ""
    with open(path, "rb") as stream:
        for number, line in enumerate(iter(lambda: stream.readline(MOST_BYTES), b""), 1):
            if not line.endswith(b"\n") and len(line) < MOST_BYTES:
                return
            text, _, end = line.rpartition(_END)
            text += b"}"
            chain = _hash(before, text)
            if end != chain.encode() + b'"}\n':
                raise ValueError(f"{path}, line {number}: was changed, or does not follow from the lines before it")
            try:
                values = json.loads(text)
            except (ValueError, RecursionError):
                raise ValueError(f"{path}, line {number}: no JSON") from None
            yield Event(values=values, before=before, chain=chain)
            before = chain


class Journal:
    """A journal that grows.

    Args: path of the file; before, the hash of its last line, empty for a new one.
    """

    def __init__(self, path: Path, before: str = "") -> None:
        self.chain = before
        self._file = GrowingFile(path)

    def append(self, values: Mapping[str, Any]) -> Event:
        """Append an event; OSError if it cannot be written, the journal is what it was before then."""
        line, event = line_of(values, self.chain)
        self._file.append(line)
        self.chain = event.chain
        return event

    @property
    def foreign(self) -> list[str]:
        """For each time that others wrote into the file what was done about it."""
        return self._file.foreign

    def close(self) -> None:
        """Close the file."""
        self._file.close()
