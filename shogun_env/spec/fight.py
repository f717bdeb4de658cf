"""What a picture of a fight shows: the forces before it, the throw, and who holds the province afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["FARMERS", "Fight"]

FARMERS = "farmers"
"""The colour of cubes that no player owns; the colour of a player's is the player's number as text."""


class Fight(NamedTuple):
    """A throw into a tower, and the fight that it decides, if any."""

    why: str
    """What it is thrown for, in a word or two."""
    thrown: Mapping[str, int]
    """Cubes thrown, by colour."""
    tray: Mapping[str, int]
    """Cubes in the tray after the throw, by colour."""
    province: str | None = None
    """Where the fight is; None for a throw without one."""
    sides: tuple[tuple[str, int], ...] = ()
    """The attacker and the defender, by colour, each with their cubes before the throw, those from the supply too."""
    holder: str | None = None
    """Colour of the player who holds the province afterwards; None for nobody."""
    remaining: int = 0
    """Armies in the province afterwards."""
