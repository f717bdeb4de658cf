"""Random chance for the oracle of Shitenno: what shuffled piles and stacks would give (record, chance)."""

from typing import Any

from ..chance import DrawnChance
from . import board


class RandomChance(DrawnChance):
    """Uniform draws from what is left."""

    def draw_one(self, facts: dict[str, Any]) -> str:
        """One of so many of each."""
        counts: dict[str, int] = facts["counts"]
        return self.random.choices(list(counts), list(counts.values()))[0]

    draw_top = draw_card = draw_koku = draw_bonus = draw_one

    def draw_titles(self, facts: dict[str, Any]) -> list[int]:
        """A title for each player, out of all four (S1)."""
        return self.random.sample(board.SEALS, facts["players"])
