"""Everything that lies on the table in a game of Shogun, and the record lines written so far."""

from collections import Counter
from typing import Any

from ..chance import Chance
from ..game import Referee
from . import board
from .board import FARMERS, KINDS


class Table(Referee):
    """Board, supplies, tower, cards and plans of one game (rules 1)."""

    def __init__(self, *, players: int, side: str, chance: Chance, optional_moves: bool = False) -> None:
        super().__init__(players, chance)
        self.side = side
        self.optional_moves = optional_moves
        self.provinces = board.provinces_in_play(side, players)
        self.owner: dict[str, int | None] = dict.fromkeys(self.provinces)
        self.armies = dict.fromkeys(self.provinces, 0)
        self.revolts = dict.fromkeys(self.provinces, 0)
        self.buildings: dict[str, list[str]] = {name: [] for name in self.provinces}
        self.colours = [*(str(player) for player in self.players), FARMERS]
        self.supply = dict.fromkeys(self.colours, board.ARMIES_PER_PLAYER)
        self.supply[FARMERS] = board.FARMER_ARMIES
        self.tower = dict.fromkeys(self.colours, 0)
        self.tray = dict.fromkeys(self.colours, 0)
        self.chests = dict.fromkeys(self.players, board.DATA["start_chests"][str(players)])
        self.rice = dict.fromkeys(self.players, 0)
        self.points = dict.fromkeys(self.players, 0)
        self.gains: list[dict[int, int]] = []
        self.events_unseen: list[list[Any]] = [list(card) for card in board.EVENT_CARDS]
        self.events_open: list[list[Any]] = []
        self.draft: dict[str, Any] = {}
        self.year = 0
        self.season: str | None = None
        self.over = False
        self.order: list[int] = []
        """Turn order of the last round."""
        self.clear_round()

    def clear_round(self) -> None:
        """Take cards, specials and the event off the table (rules 3.7)."""
        self.event: list[Any] | None = None
        self.event_name: str | None = None
        self.specials: list[str] = []
        """Special cards by position."""
        self.special: dict[int, str] = {}
        self.position: dict[int, int] = {}
        self.action_cards: list[str] = []
        self.action: str | None = None
        self.space: str | None = None
        self.plans: dict[int, dict[str, str | None]] = {player: {} for player in self.players}
        self.emptied: dict[int, list[str]] = {player: [] for player in self.players}

    def neighbours(self, name: str) -> list[str]:
        """Adjacent provinces that are in play (rules 1)."""
        return [other for other in board.neighbours(name) if other in self.owner]

    def provinces_of(self, player: int) -> list[str]:
        """Provinces of a player, in the data's order."""
        return [name for name in self.provinces if self.owner[name] == player]

    def take_from_supply(self, colour: str, number: int) -> int:
        """Take cubes from a supply; one that is short gives what it has (R11)."""
        taken = min(number, self.supply[colour])
        self.supply[colour] -= taken
        return taken

    def tray_to_supply(self, colour: str) -> None:
        """Put all cubes of a colour from the tray into its supply."""
        self.supply[colour] += self.tray[colour]
        self.tray[colour] = 0

    def lose_card(self, name: str) -> None:
        """Take a lost province's card out of its owner's plan (R19)."""
        player = self.owner[name]
        if player is None:
            return
        for space, card in self.plans[player].items():
            if card == name:
                self.plans[player][space] = None
                self.emptied[player].append(space)

    def conquer(self, name: str, player: int, armies: int) -> None:
        """Give a province to a player; buildings and markers stay (5.2, R23)."""
        self.lose_card(name)
        self.owner[name] = player
        self.armies[name] = armies

    def lay_waste(self, name: str) -> None:
        """Make a province neutral and bare (5.2, 5.3)."""
        self.lose_card(name)
        self.owner[name] = None
        self.armies[name] = 0
        self.revolts[name] = 0
        self.buildings[name] = []

    def left_in_box(self, kind: str) -> int:
        """Buildings of a kind not on the board (R17)."""
        return board.STOCK[kind] - sum(kind in built for built in self.buildings.values())

    def state(self) -> dict[str, Any]:
        """Content of a `state` line."""
        return {
            "t": "state",
            "provinces": {
                name: [
                    self.owner[name],
                    self.armies[name],
                    self.revolts[name],
                    *(int(kind in self.buildings[name]) for kind in KINDS),
                ]
                for name in self.provinces
            },
            "chests": self.by_player(self.chests),
            "rice": self.by_player(self.rice),
            "points": self.by_player(self.points),
            "supply": [self.supply[str(player)] for player in self.players],
            "farmers_supply": self.supply[FARMERS],
            "tower": without_zeros(self.tower),
            "tray": without_zeros(self.tray),
        }


def without_zeros(counts: dict[str, int]) -> dict[str, int]:
    """Counts as a record shows them."""
    return {colour: number for colour, number in counts.items() if number}


def same_cards(value: list[Any], cards: list[list[Any]]) -> bool:
    """Return whether these event cards can be taken out of those."""
    chosen = Counter((name, loss) for name, loss in value)
    return not chosen - Counter((name, loss) for name, loss in cards)
