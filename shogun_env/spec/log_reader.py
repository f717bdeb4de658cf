"""Reading a log back: each game's own reader makes the entries, in order, into the lines of a record."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from shogun_env.kernel.log import NONE

Line = dict[str, Any]


class LogReader(ABC):
    """Goes through log entries and makes lines of them; entries that belong together make one line.

    The subclass of a game names in ``makers`` the methods that make lines; each takes the entries that it needs.
    """

    def __init__(self, entries: np.ndarray) -> None:
        """Begin at the first of ``entries`` int16[n, 8]."""
        self.rows: list[list[int]] = entries.tolist()
        self.at = 0

    @property
    @abstractmethod
    def makers(self) -> Mapping[int, Callable[[], Line]]:
        """The methods that make a line, by the kind of its first entry; entries of other kinds make no line."""

    def next(self, kind: int) -> list[int]:
        """Take the next entry and return its seven numbers.

        Raises: EOFError if the log ends here, or the entry is not of ``kind``.
        """
        if self.peek() != kind:
            raise EOFError(f"log entry {self.at} is of kind {self.peek()}, expected {kind}")
        self.at += 1
        return self.rows[self.at - 1][1:]

    def peek(self, ahead: int = 0) -> int:
        """Return the kind of the entry after the next ``ahead`` ones, or NONE if the log ends before it."""
        at = self.at + ahead
        return self.rows[at][0] if at < len(self.rows) else NONE

    def lines(self) -> Iterator[Line]:
        """Yield all lines; entries that only the engine needs make none."""
        makers = self.makers
        while self.at < len(self.rows):
            maker = makers.get(self.peek())
            if maker is None:
                self.at += 1
            else:
                yield maker()
