"""Random chance for the oracle: uniform draws, and the tower played naively, cube by cube (rules 5.1, R10)."""

from typing import Any

from ..chance import DrawnChance


class RandomChance(DrawnChance):
    """Uniform draws, and a tower of so many floors."""

    def __init__(self, seed: int, *, floors: int = 2, stick: float = 0.15, dislodge: float = 0.025) -> None:
        super().__init__(seed)
        self.stick, self.dislodge = stick, dislodge
        self.floors: list[list[str]] = [[] for _ in range(floors)]

    def draw_seats(self, facts: dict[str, Any]) -> list[int]:
        """A row of the start table for each player."""
        return self.random.sample(facts["players"], len(facts["players"]))

    def draw_starter(self, facts: dict[str, Any]) -> int:
        """First player of the draft."""
        return self.random.choice(facts["players"])

    def draw_card(self, facts: dict[str, Any]) -> str:
        """A card off the deck."""
        return self.random.choice(facts["cards"])

    def draw_deal(self, facts: dict[str, Any]) -> list[list[list[Any]]]:
        """Provinces and groups dealt at random."""
        names = self.random.sample(facts["provinces"], len(facts["provinces"]))
        sizes = facts["groups"]
        return [[[names.pop(), size] for size in self.random.sample(sizes, len(sizes))] for _ in facts["players"]]

    def draw_events(self, facts: dict[str, Any]) -> list[list[Any]]:
        """Four events of a year."""
        return self.random.sample(facts["cards"], 4)

    def draw_actions(self, facts: dict[str, Any]) -> list[str]:
        """Five open action cards."""
        return self.random.sample(facts["cards"], facts["number"])

    def draw_specials(self, facts: dict[str, Any]) -> list[str]:
        """Five special cards."""
        return self.random.sample(facts["cards"], len(facts["cards"]))

    def draw_event(self, facts: dict[str, Any]) -> list[Any]:
        """One of the open events."""
        return self.random.choice(facts["cards"])

    def draw_open(self, facts: dict[str, Any]) -> str:
        """One of the hidden action cards."""
        return self.random.choice(facts["cards"])

    def draw_bid_order(self, facts: dict[str, Any]) -> list[int]:
        """Best bid first, ties in random order."""
        ranks = facts["ranks"]
        return sorted(ranks, key=lambda player: (ranks[player], self.random.random()))

    def draw_famine(self, facts: dict[str, Any]) -> list[str]:
        """Revolting provinces."""
        return self.random.sample(facts["cards"], facts["number"])

    def draw_throw(self, facts: dict[str, Any]) -> dict[str, dict[str, int]]:
        """Let the cubes fall one by one, in random order."""
        cubes = [colour for colour, number in facts["thrown"].items() for _ in range(number)]
        self.random.shuffle(cubes)
        tray: dict[str, int] = {}
        for cube in cubes:
            self.fall(cube, 0, tray)
        return {"tray": tray}

    def fall(self, cube: str, floor: int, tray: dict[str, int]) -> None:
        """Pass the floors from this one on: dislodge resting cubes, which go ahead, then stick or go on."""
        if floor == len(self.floors):
            tray[cube] = tray.get(cube, 0) + 1
            return
        resting: list[str] = []
        loose: list[str] = []
        for other in self.floors[floor]:
            (loose if self.random.random() < self.dislodge else resting).append(other)
        self.floors[floor] = resting
        for other in loose:
            self.fall(other, floor + 1, tray)
        if self.random.random() < self.stick:
            self.floors[floor].append(cube)
        else:
            self.fall(cube, floor + 1, tray)
