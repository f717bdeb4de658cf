"""A slow game of Shogun in plain Python, written from the rules alone, to check the fast engine against."""

import copy
from collections.abc import Generator
from typing import Any

from ..chance import Chance, ChanceError
from ..game import Decision, Flow, SlowGame
from . import board, winter
from .actions import carry_out
from .planning import draw_event, lay_cards, open_action, open_year, pay_bids, plan, take_specials, turn_order
from .setup import set_up
from .table import Table

__all__ = ["Chance", "ChanceError", "OracleGame"]


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
        check_options(players, side, start, shuffle_seats)
        table = Table(players=players, side=side, chance=chance, optional_moves=optional_moves)
        super().__init__(table, whole_game(table, start, shuffle_seats))

    def returns(self, reward: str) -> list[float]:
        """Rewards by player, summed so far (api, rewards)."""
        return winter.returns(self.table, reward)

    def drawn_state(self) -> dict[str, Any]:
        """Content of a `state` line at this moment, and what else is on the table, under `more`."""
        table = self.table
        more = {
            "year": table.year,
            "season": table.season,
            "events_open": table.events_open,
            "event": table.event,
            "action_cards": table.action_cards,
            "action": table.action,
            "space": table.space,
            "special": table.special,
            "position": table.position,
            "plans": table.plans,
            "emptied": table.emptied,
            "draft": table.draft,
            "over": table.over,
        }
        return {**table.state(), "more": copy.deepcopy(more)}


def check_options(players: int, side: str, start: str, shuffle_seats: bool) -> None:
    """Refuse options that do not exist or do not go together (rules 2)."""
    if players not in (3, 4, 5):
        raise ValueError(f"players: {players}")
    if side not in ("sun", "moon"):
        raise ValueError(f"side: {side}")
    if start not in ("preset", "draft", "random"):
        raise ValueError(f"start: {start}")
    if start == "preset" and side == "moon":
        raise ValueError("start: preset is for the sun side only")
    if shuffle_seats and start != "preset":
        raise ValueError("shuffle_seats: for the preset start only")


def whole_game(table: Table, start: str, shuffle_seats: bool) -> Flow:
    """Set-up, two years of three seasons and a winter, the result (rules 2, 3)."""
    yield from set_up(table, start, shuffle_seats)
    table.lines.append(table.state())
    for year in (1, 2):
        open_year(table, year)
        order: list[int] = []
        for season in board.SEASONS:
            table.season = season
            order = yield from play_round(table)
            table.clear_round()
            table.lines.append(table.state())
        table.season = "winter"
        yield from winter.winter(table, order)
        table.lines.append(table.state())
    winter.write_result(table)


def play_round(table: Table) -> Generator[Decision, int, list[int]]:
    """Play one season up to the last action; return its turn order (rules 3.1 to 3.6)."""
    table.write("round", year=table.year, season=table.season)
    specials = lay_cards(table)
    yield from plan(table)
    draw_event(table)
    yield from take_specials(table, pay_bids(table), specials)
    order = turn_order(table)
    for number in range(1, len(board.ACTIONS) + 1):
        table.action = table.action_cards[number - 1]
        table.write("action", action=table.action)
        for player in order:
            yield from carry_out(table, player, table.action)
        if len(table.action_cards) < len(board.ACTIONS):
            open_action(table, len(table.action_cards) + 1)
    return order
