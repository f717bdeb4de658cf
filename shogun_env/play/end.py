"""How a game ended: who came where, with points by what they were for and by year."""

from __future__ import annotations

from typing import Any

from shogun_env.game import Game

__all__ = ["end_of"]

FOR = "points for "
"""What the words of habits begin with that count points."""


def end_of(game: Game) -> list[dict[str, Any]]:
    """Return how a game ended, the first place first; empty while it lasts.

    Returns: for each ``player`` the ``place`` from 1, which winners share; the ``points``, and ``sources``, points by
        what they were for, as a list of words and numbers; ``years``, the same by when they were scored, empty for a
        game in which they come at any time.
    """
    if not game.is_over:
        return []
    record = game.record()
    habits, years = game.spec.record_format.habits(record), game.spec.record_format.scorings(record)
    sources = {words.removeprefix(FOR): counts for words, (counts, _) in habits.items() if words.startswith(FOR)}
    points = game.batch.points[0, : game.num_players].tolist()
    behind = {player: (player not in game.winners, -points[player]) for player in range(game.num_players)}
    return [
        {
            "player": player,
            "place": 1 if player in game.winners else 1 + sum(other < behind[player] for other in behind.values()),
            "points": points[player],
            "sources": [(words, counts[player]) for words, counts in sources.items()],
            "years": [(words, scored[player]) for words, scored in years.items()],
        }
        for player in sorted(behind, key=lambda player: behind[player])
    ]
