"""Reading a log back: entries one after the other, made into the lines of a record by each game's own reader."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from shogun_env.kernel.log import NONE

Line = dict[str, Any]


class LogReader(ABC):
    """Walks over log entries and makes lines; entries that belong together are taken together.

    A game's reader names in ``makers`` the method that makes a line of an entry and of those that belong to it.
    """

    def __init__(self, entries: np.ndarray) -> None:
        """Begin before the first of ``entries`` int16[n, 8]."""
        self.rows: list[list[int]] = entries.tolist()
        self.at = 0

    @property
    @abstractmethod
    def makers(self) -> Mapping[int, Callable[[], Line]]:
        """Return who makes a line, by the kind of its first entry; entries of other kinds make none."""

    def next(self, kind: int) -> list[int]:
        """Take the next entry, which must be of ``kind``; EOFError if the log ends or breaks off here."""
        if self.peek() != kind:
            raise EOFError(f"log entry {self.at} is of kind {self.peek()}, expected {kind}")
        self.at += 1
        return self.rows[self.at - 1][1:]

    def peek(self, ahead: int = 0) -> int:
        """Return the kind of the entry that comes after ``ahead`` others, or NONE."""
        at = self.at + ahead
        return self.rows[at][0] if at < len(self.rows) else NONE

    def lines(self) -> Iterator[Line]:
        """Make all lines; entries that only the engine needs make none."""
        makers = self.makers
        while self.at < len(self.rows):
            maker = makers.get(self.peek())
            if maker is None:
                self.at += 1
            else:
                yield maker()
