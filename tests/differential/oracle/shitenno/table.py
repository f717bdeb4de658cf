"""Everything that lies on the table in a game of Shitenno, and the record lines written so far."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ..chance import Chance
from ..game import Referee
from . import board


class Table(Referee):
    """Board, piles, hands and titles of one game (rules 1)."""

    def __init__(self, *, players: int, chance: Chance) -> None:
        super().__init__(players, chance)
        self.troop_pile = Counter({kind: board.CARDS[kind]["copies"] for kind in board.TROOP_KINDS})
        self.koku_pile = Counter({kind: board.CARDS[kind]["copies"] for kind in board.KOKU_KINDS})
        self.discard: Counter[str] = Counter()
        self.spent: Counter[str] = Counter()
        self.hands: dict[int, Counter[str]] = {player: Counter() for player in self.players}
        self.known: dict[int, Counter[str]] = {player: Counter() for player in self.players}
        self.tiles: dict[int, Counter[str]] = {player: Counter() for player in self.players}
        self.used: Counter[str] = Counter()
        self.covered: Counter[str] = Counter()
        """Tiles whose troop side nobody has seen yet."""
        self.unturned = Counter(board.TILES)
        """Tiles whose bonus side nobody has seen yet."""
        for (troop, _), copies in board.TILES.items():
            self.covered[troop] += copies
        self.top: dict[str, str | None] = dict.fromkeys(board.NAMES)
        self.below = dict.fromkeys(board.NAMES, board.STACK)
        self.positions: dict[str, list[list[int]]] = {name: [] for name in board.NAMES}
        self.kamon = dict.fromkeys(self.players, board.for_players(players, "control_kamon_per_player"))
        self.points = dict.fromkeys(self.players, 0)
        self.seals = dict.fromkeys(self.players, 0)
        self.round = 0
        self.over = False
        self.pool: Counter[str] = Counter()
        self.lot: list[str] = []
        self.lot_seals: list[int] = []
        self.paid: list[int] = []

    def by_rank(self) -> list[int]:
        """Players in the order of their titles, the most seals first."""
        return sorted(self.players, key=lambda player: -self.seals[player])

    def draw_troop(self) -> tuple[str, bool] | None:
        """Draw a troop card; say whether the discard was shuffled in; None if there is no card (S2)."""
        reshuffled = not self.troop_pile.total() and self.discard.total() > 0
        if reshuffled:
            self.troop_pile, self.discard = self.discard, Counter()
        if not self.troop_pile.total():
            return None
        return self.draw_from("card", self.troop_pile), reshuffled

    def draw_from(self, kind: str, counts: Counter[str]) -> str:
        """Take one thing at random out of these."""
        drawn: str = self.draw(kind, lambda value: isinstance(value, str) and counts[value] > 0)
        counts[drawn] -= 1
        return drawn

    def open_tile(self, name: str) -> None:
        """Let the next tile of a stack be seen."""
        self.below[name] -= 1
        self.top[name] = self.draw_from("top", self.covered)
        self.write("top", province=name, troop=self.top[name])

    def give(self, player: int, cards: Iterable[str]) -> None:
        """Put cards of a lot into a hand; everybody has seen them."""
        for kind in cards:
            self.hands[player][kind] += 1
            if kind in board.TROOP_KINDS:
                self.known[player][kind] += 1

    def discard_card(self, player: int, kind: str) -> None:
        """Take a card out of a hand: a troop card to the discard, Koku out of the game (S17)."""
        self.hands[player][kind] -= 1
        if kind in board.TROOP_KINDS:
            self.discard[kind] += 1
            self.known[player][kind] = max(0, self.known[player][kind] - 1)
        else:
            self.spent[kind] += 1

    def use_tiles(self, player: int, bonus: str, number: int = 1) -> None:
        """Take tiles in front of a player out of the game."""
        self.tiles[player][bonus] -= number
        self.used[bonus] += number

    def write_state(self) -> None:
        """Write a `state` line."""
        self.lines.append(self.state())

    def state(self) -> dict[str, Any]:
        """Content of a `state` line."""
        return {
            "t": "state",
            "points": self.by_player(self.points),
            "seals": self.by_player(self.seals),
            "kamon": self.by_player(self.kamon),
            "hands": [counts(self.hands[player], board.KINDS) for player in self.players],
            "known": [counts(self.known[player], board.TROOP_KINDS) for player in self.players],
            "tiles": [counts(self.tiles[player], board.BONUSES) for player in self.players],
            "provinces": {
                name: {"top": self.top[name], "kamon": [list(one) for one in self.positions[name]]}
                for name in board.NAMES
            },
            "discard": counts(self.discard, board.TROOP_KINDS),
            "spent": counts(self.spent, board.KOKU_KINDS),
            "used": counts(self.used, board.BONUSES),
            "pile": [self.troop_pile.total(), self.koku_pile.total()],
        }


def counts(counter: Counter[str], names: list[str]) -> dict[str, int]:
    """Counts as a record shows them: in this order, without zeros."""
    return {name: counter[name] for name in names if counter[name]}
