"""Reviews of a game by a champion: what choices cost, where the game turned, and hints."""

from typing import NamedTuple

__all__ = ["CHAMPION", "USUAL", "Effort"]

CHAMPION = "champion"


class Effort(NamedTuple):
    """How many rollouts compare a choice with the champion's, half of them for each."""

    first: int = 64
    """For every choice that differs."""
    again: int = 512
    """For those that seem costliest."""
    costliest: int = 8
    """How many of each player these are."""


USUAL = Effort()
