"""The bots of an arena, and their names."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_NAME = 200


@dataclass
class Entry:
    """A bot of an arena."""

    name: str
    spec: str
    sha256: str
    """Its ``fingerprint`` when it entered."""
    is_pool: bool
    """Whether it is of the reference pool of a league, which nobody withdraws."""
    mark: str = ""
    """The last of its marks, one of ``journal.MARKS``; empty: none."""
    why: str = ""
    """The reason that was given for the mark."""

    @property
    def plays(self) -> bool:
        """Whether it is put into new rounds."""
        return self.mark in ("", "back")


def why_not_a_name(name: str) -> str | None:
    """Return why a text cannot be the name of a bot; None if it can."""
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        return f"must be one printable line of 1 to {LONGEST_NAME} letters"
    return None
