"""What a table knows of the strength of those who sit at it; the ladder that says so is given to it from above."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from shogun_env.play.table import Table


class Rating(NamedTuple):
    """A rating in points, 400 for odds of ten to one, with its 95 % interval.

    Of somebody who has always won or always lost only a bound is known: ``high`` or ``low`` is infinite, and ``value``
    is the other end.
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return it as a person reads it."""
        value, low, high = (f"{number:.0f}".replace("-", "−") for number in self)
        if math.isinf(self.low) or math.isinf(self.high):
            return f"at most {high}" if math.isinf(self.low) else f"at least {low}"
        return f"{value} ({low}–{high})"


class Opponent(NamedTuple):
    """A bot that a person can play against."""

    name: str
    """As ``make_agent`` takes it."""
    plays: str
    """What it plays like, in a few words."""
    rating: Rating | None = None
    """None: it was not rated."""


class Series(Protocol):
    """Rated games of a person."""

    def next_table(self) -> Table:
        """Return the table of the game that is begun and not over, or of the next one."""

    def close(self) -> None:
        """Count the game if it is over, and let other processes play these games."""


class Ladder(Protocol):
    """Who can be played against, and how strong people and bots are."""

    def opponents(self, game: str) -> Sequence[Opponent]:
        """Return the bots of a game by name, the strongest first."""

    def series(self, folder: Path, name: str, game: str, bots: Sequence[str], options: Mapping[str, Any]) -> Series:
        """Return the rated games of a person against some bots; ValueError for what cannot be rated."""

    def standing(self, folder: Path, name: str, table: Table) -> str:
        """Return in words how a person is rated before a rated game, and when it is over after it."""

    def standings(self, folder: Path, name: str, game: str) -> list[tuple[str, Rating | None, int]]:
        """Return a person and the bots of the ladder, best first: name, rating, rated games of the person (else 0)."""
