"""Words that all games say in the same way."""

from __future__ import annotations

__all__ = ["EVERYBODY", "view_of"]

EVERYBODY = -1
"""The viewer who knows only what everybody knows."""


def view_of(player: int | None) -> str:
    """Return whose view a text or drawing shows.

    Example:
        >>> view_of(None), view_of(EVERYBODY), view_of(2)
        ("the referee's view", 'what everybody knows', 'as player 2 sees it')
    """
    if player is None:
        return "the referee's view"
    return "what everybody knows" if player == EVERYBODY else f"as player {player} sees it"
