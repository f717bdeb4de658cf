"""A slow game of Shogun in plain Python, written from the rules alone, to check the fast engine against."""

from collections.abc import Sequence

from ..chance import Chance
from ..game import Flow, SlowGame
from . import board, winter
from .actions import carry_out
from .planning import draw_event, lay_cards, open_action, open_year, pay_bids, plan, show_plans, take_specials
from .setup import set_up
from .table import Table


class OracleGame(SlowGame):
    """One game of Shogun."""

    def __init__(
        self,
        *,
        players: int,
        side: str,
        start: str,
        optional_moves: bool = False,
        shuffle_seats: bool = False,
        chance: Chance,
    ) -> None:
        table = Table(players=players, side=side, chance=chance, optional_moves=optional_moves)
        super().__init__(table, whole_game(table, start, shuffle_seats))

    def returns(self, reward: str) -> list[float]:
        """Rewards by player, summed so far (api, rewards)."""
        return winter.returns(self.table, reward)


def whole_game(table: Table, start: str, shuffle_seats: bool) -> Flow:
    """Set-up, two years, the result (rules 2, 3)."""
    yield from set_up(table, start, shuffle_seats)
    table.lines.append(table.state())
    yield from years_left(table)


def years_left(table: Table) -> Flow:
    """The years after this one, and the result (rules 3)."""
    while table.year < winter.LAST_YEAR:
        open_year(table, table.year + 1)
        yield from seasons_left(table, board.SEASONS)
    winter.write_result(table)


def seasons_left(table: Table, seasons: Sequence[str]) -> Flow:
    """These seasons and the winter (rules 3)."""
    for season in seasons:
        table.season = season
        table.write("round", year=table.year, season=season)
        lay_cards(table)
        yield from plan(table)
        yield from bid(table)
        yield from act(table, 0)
    yield from winter.winter(table)


def bid(table: Table) -> Flow:
    """Show the plans, draw the event, and share out the special cards (rules 3.3 to 3.5)."""
    show_plans(table)
    draw_event(table)
    yield from take_specials(table, pay_bids(table))


def act(table: Table, first: int) -> Flow:
    """Carry out the actions from this one on, and clear the table (rules 3.6, 3.7)."""
    table.order = sorted(table.position, key=lambda player: table.position[player])
    for number in range(first, len(board.ACTIONS)):
        table.action = table.action_cards[number]
        table.write("action", action=table.action)
        for player in table.order:
            yield from carry_out(table, player, table.action)
        if len(table.action_cards) < len(board.ACTIONS):
            open_action(table, len(table.action_cards) + 1)
    table.clear_round()
    table.lines.append(table.state())
