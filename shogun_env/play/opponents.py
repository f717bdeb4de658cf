"""What a table knows of the strength of those who sit at it; the ladder that says so is given to it from above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from shogun_env.play.table import Table

__all__ = ["Ladder", "Opponent", "Rating", "Series"]


class Rating(NamedTuple):
    """A rating in points, 400 for odds of ten to one, with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return it as a person reads it."""
        return f"{self.value:.0f} ({self.low:.0f}–{self.high:.0f})"


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

    def standing(self) -> str:
        """Count the game if it is over; return in words how the person is rated, before it and after it."""


class Ladder(Protocol):
    """Who can be played against, and how strong people and bots are."""

    def opponents(self, game: str) -> Sequence[Opponent]:
        """Return the bots of a game by name, the strongest first."""

    def series(self, folder: Path, name: str, game: str, bots: Sequence[str], options: Mapping[str, Any]) -> Series:
        """Return the rated games of a person against some bots; ValueError for what cannot be rated."""

    def standings(self, folder: Path, name: str, game: str) -> list[tuple[str, Rating | None, int]]:
        """Return a person and the bots of the ladder, best first: name, rating, rated games of the person (else 0)."""
