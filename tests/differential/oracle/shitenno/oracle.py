"""A slow game of Shitenno in plain Python, written from the rules alone, to check the fast engine against."""

from ..chance import Chance
from ..game import Flow, SlowGame
from . import board, scoring
from .control import take_turn
from .division import divide, open_pool
from .table import Table


class OracleGame(SlowGame):
    """One game of Shitenno."""

    def __init__(self, *, players: int, chance: Chance) -> None:
        table = Table(players=players, chance=chance)
        super().__init__(table, whole_game(table))

    def returns(self, reward: str) -> list[float]:
        """Rewards by player so far (api, rewards)."""
        return scoring.returns(self.table, reward)


def whole_game(table: Table) -> Flow:
    """Set-up, then rounds until the end (rules 2, 3)."""
    set_up(table)
    yield from rounds(table)


def rounds(table: Table) -> Flow:
    """Rounds of an even and an odd year until one was the last, then the scoring (rules 3, 6)."""
    while not scoring.is_over(table):
        table.round += 1
        table.write("round", round=table.round)
        open_pool(table)
        yield from even_year(table)
        yield from odd_year(table, table.by_rank())
    scoring.score(table)


def even_year(table: Table) -> Flow:
    """Share out an open pool (rules 4)."""
    yield from divide(table)
    table.write_state()


def odd_year(table: Table, players: list[int]) -> Flow:
    """The turns of these players (rules 5)."""
    for player in players:
        yield from take_turn(table, player)
    table.write_state()


def set_up(table: Table) -> None:
    """Tiles, first cards, titles (rules 2, S1)."""
    for name in board.NAMES:
        table.open_tile(name)
    for player in table.players:
        cards = [table.draw_from("card", table.troop_pile) for _ in range(board.FIRST_CARDS)]
        table.hands[player].update(cards)
        table.write("deal", player=player, cards=cards)
    number = len(table.players)
    seals = table.draw("titles", lambda value: is_titles(value, number))
    table.seals = dict(enumerate(seals))
    table.write("titles", seals=seals)
    table.write_state()


def is_titles(value: list[int], players: int) -> bool:
    """Whether these are different titles, one for each player."""
    return len(value) == len(set(value)) == players and set(value) <= set(board.SEALS)
