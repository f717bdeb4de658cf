"""What players do in a game, counted from its record: how often something happened, of how many times it could have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Habits = Mapping[str, tuple[list[float], list[float]]]
"""By the words of a habit, for each player of one game: how much or often, and out of how many occasions."""


class Tally:
    """Counts habits of the players of a game.

    Args:
        players: how many play.
        per_game: words of what is counted per game: there is one occasion in each.
        per_occasion: words of what is counted out of the occasions there are, which are added up as well.
    """

    def __init__(self, players: int, per_game: Iterable[str], per_occasion: Iterable[str]) -> None:
        self.players = players
        self.habits = {
            **{words: ([0.0] * players, [1.0] * players) for words in per_game},
            **{words: ([0.0] * players, [0.0] * players) for words in per_occasion},
        }

    def add(self, words: str, player: int, times: float = 1.0) -> None:
        """Count something that is counted per game."""
        self.habits[words][0][player] += times

    def add_all(self, words: str, times: Iterable[float]) -> None:
        """Count something per game for each player."""
        for player, each in enumerate(times):
            self.add(words, player, each)

    def occasion(self, words: str, player: int, happened: float) -> None:
        """Count an occasion, and whether (or how often) it happened there."""
        count, of = self.habits[words]
        count[player] += happened
        of[player] += 1.0
