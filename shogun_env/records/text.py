"""A game of a batch as text for people."""

from __future__ import annotations

from shogun_env.batch.batch import Batch
from shogun_env.spec.words import EVERYBODY

__all__ = ["render_text"]


def render_text(batch: Batch, row: int = 0, player: int | None = None) -> str:
    """Return a game in words and tables: board, cards, plans, tracks, and who decides what.

    Args:
        batch: the games.
        row: which of them.
        player: whose view is shown, exactly what they may know; None is the referee, who sees everything, -1 everybody.

    Raises: ValueError for a row or player that does not exist.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> print(render_text(Batch(1), player=2).splitlines()[0])
        Shogun, year 1, spring: everybody puts a card on the bid
    """
    check_view(batch, row, player)
    return batch.spec.render(batch.games[row], player)


def check_view(batch: Batch, row: int, player: int | None) -> None:
    """Raise a ValueError for a row or player that does not exist."""
    if not 0 <= row < batch.num_games:
        raise ValueError(f"row={row!r}: rows are 0 to {batch.num_games - 1}")
    if player not in (None, EVERYBODY) and not 0 <= player < batch.num_players:
        raise ValueError(f"player={player!r}: players are 0 to {batch.num_players - 1}, or None for the referee")
