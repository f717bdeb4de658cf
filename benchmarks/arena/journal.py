"""The journal of an arena: lines of JSON that are only ever appended, each with a hash of all lines before it.

=========  ==================================================================================================
kind       what it says
=========  ==================================================================================================
start      the first line: settings, who made it, and the SHA-256 of the secret that seeds are made from
entry      a bot entered: number, name, spec, the SHA-256 of what it is made of; rating, 0 in the reference pool
mark       a bot was withdrawn or blamed, or came back; entries are never removed
round      a round begins: who meets, in games of which variant; each table plays all rotations of its seats
games      a block of games of a round: seeds, places and points by player, faults, and what else is kept
secret     all games are played; the secret. Games after this line could be foreseen
=========  ==================================================================================================

Blocks of a round come in the order in which they were finished, with the number of their first game in the round and
how many there are (in earlier versions: the number of the block, which had 24 meetings); everything that is made of a
journal (``games``) is the same in whatever order. Whatever interrupts a run (kill -9, a full disk), its journal holds
whole lines and at most one half-written line at the end, which the next run removes.
"""

import hashlib
import json
import mmap
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from shogun_env.spec.bots import FAULTS
from shogun_env.spec.forms import COUNT, anything, fault_of, finite, fits, table

VERSION = 1
"""Version of the form of a journal."""
MOST_BYTES = 1 << 24
"""Length of the longest line that is read: a round of a league of 100,000 bots is shorter."""
MARKS = ("withdrawn", "blamed", "back")
"""Marks of an entry; only with the last, or without any, does a bot play."""
_END = b',"chain":"'


def hex_64(value: Any) -> bool:
    """64 hexadecimal digits."""
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{64}", value) is not None


def _seconds(value: Any) -> bool:
    """Seconds and decisions by the number of a bot."""
    return isinstance(value, dict) and all(bot.isdecimal() and fits(pair, [finite, 2]) for bot, pair in value.items())


FORMS: dict[str, dict[str, Any]] = {
    "start": {"version": VERSION, "settings": anything, "made_by": table, "secret_sha256": (hex_64, None)},
    "entry": {"bot": COUNT, "name": str, "spec": str, "sha256": str, "rating": (finite, None)},
    "mark": {"name": str, "mark": MARKS, "why": str},
    "round": {"number": COUNT, "variant": COUNT, "tables": [[COUNT]]},
    "games": {
        "round": COUNT, "first": COUNT, "count": COUNT, "seeds": anything, "place": anything, "points": anything,
        "faults": [[COUNT, COUNT, {frozenset(FAULTS): range(1, 2**53)}]], "seconds": _seconds, "records": [hex_64],
    },
    "secret": {"secret": str},
}  # fmt: skip
"""For each kind of event the form of its fields. What ``games`` makes arrays of is looked at there, which is faster."""


class JournalEvent(NamedTuple):
    """A line of the journal."""

    values: dict[str, Any]
    """``kind``, and the fields of this kind."""
    chain: str
    """Its hash."""


def line_of(values: Mapping[str, Any], before: str) -> tuple[str, JournalEvent]:
    """Return an event as a line, and as what a reader of that line makes of it.

    Args: before: the hash of the line before; empty for the first.
    """
    text = json.dumps(values, separators=(",", ":"), ensure_ascii=False)
    chain = _hash(before, text.encode())
    return f'{text[:-1]},"chain":"{chain}"}}\n', JournalEvent(values=dict(values), chain=chain)


def _hash(before: str, text: bytes) -> str:
    return hashlib.sha256(before.encode() + text).hexdigest()


def read(path: Path) -> Iterator[JournalEvent]:
    """Yield the events of a journal; a last line that is cut off is ignored.

    Raises: ValueError naming the first line that was changed, does not follow from those before it, or is no event;
        OSError if the file cannot be read.
    """
    if not path.is_file():
        raise ValueError(f"{path}: is not there, or not a file")
    before, is_begun = "", False
    with open(path, "rb") as stream:
        for number, line in enumerate(iter(lambda: stream.readline(MOST_BYTES), b""), 1):
            if not line.endswith(b"\n") and len(line) < MOST_BYTES:
                return
            text, _, end = line.rpartition(_END)
            text += b"}"
            chain = _hash(before, text)
            if end != chain.encode() + b'"}\n':
                keep = f"`head -n {number - 1}` keeps those, and the games after them are played again"
                raise ValueError(
                    f"{path}, line {number}: was changed, or does not follow from the lines before it; "
                    f"{keep if is_begun else 'no game is before it: undo that (line ends?) or begin in another folder'}"
                )
            try:
                values = json.loads(text)
            except (ValueError, RecursionError):
                raise ValueError(f"{path}, line {number}: no JSON") from None
            if fault := wrong(values):
                raise ValueError(f"{path}, line {number}: {fault}")
            yield JournalEvent(values=values, chain=chain)
            before, is_begun = chain, is_begun or values["kind"] == "round"


def wrong(values: Any) -> str | None:
    """Return what is wrong with the values of an event; None for a right one."""
    if not isinstance(values, dict) or not isinstance(values.get("kind"), str):
        return "not an event"
    if values["kind"] not in FORMS:
        return f"not an event: kind {values['kind']!r:.40}"
    forms = FORMS[values["kind"]]
    if "block" in values and "first" in forms:  # of an earlier version
        forms = {"block" if name == "first" else name: form for name, form in forms.items() if name != "count"}
    return fault_of({k: v for k, v in values.items() if k != "kind"}, forms, values["kind"])


class Journal:
    """A journal that grows; a line that an earlier run left half-written is removed.

    Args: path of the file; before, the hash of its last line.
    """

    def __init__(self, path: Path, before: str) -> None:
        self.path, self.chain = path, before
        self._handle = os.open(path, os.O_RDWR | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0))
        with mmap.mmap(self._handle, 0, access=mmap.ACCESS_READ) as content:
            self._size = content.rfind(b"\n") + 1
        os.ftruncate(self._handle, self._size)

    def append(self, values: Mapping[str, Any]) -> JournalEvent:
        """Append an event in one write.

        Raises: OSError if it cannot be written, or others have written into the file; it then holds what it held.
        """
        line, event = line_of(values, self.chain)
        if (size := os.fstat(self._handle).st_size) != self._size:
            raise OSError(
                f"{self.path}: others changed its length from {self._size} to {size} bytes while games were played; "
                f"`truncate -s {self._size}` removes what they added, and the same command resumes"
            )
        data = memoryview(line.encode())
        total = len(data)
        try:
            while data:
                data = data[os.write(self._handle, data) :]
        except OSError as error:
            os.ftruncate(self._handle, self._size)
            words = f"{self.path}: {error.strerror}; the games before are kept, the same command resumes"
            raise OSError(error.errno, words) from None
        self._size += total
        self.chain = event.chain
        return event

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):
            os.close(self._handle)
