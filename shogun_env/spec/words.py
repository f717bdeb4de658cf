"""Words that all games say in the same way, and tables of them."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["EVERYBODY", "table", "view_of", "words"]

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


def words(name: str) -> str:
    """Return a name of a game's data as words."""
    return name.replace("_", " ")


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines, the columns aligned to the left and as wide as their widest entries."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
