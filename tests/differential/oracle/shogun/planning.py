"""A round's cards, planning, the event, bids and special cards (rules 3.1 to 3.5)."""

from typing import Any

from ..chance import is_order_of
from ..game import Flow, choose
from . import board
from .table import Table, same_cards

OPEN_ACTIONS = 5


def open_year(table: Table, year: int) -> None:
    """Open the year's four events (rules 2.4, 3 winter 4)."""
    table.year = year

    def possible(value: Any) -> bool:
        return len(value) == 4 and same_cards(value, table.events_unseen)

    events = table.draw("events", possible)
    table.events_open = [list(card) for card in events]
    for card in table.events_open:
        table.events_unseen.remove(card)
    shown = [{"event": name, "rice_loss": loss} for name, loss in table.events_open]
    table.write("year", year=year, events=shown)


def lay_cards(table: Table) -> None:
    """Open five action cards and the five special cards (rules 3.1, 3.2)."""
    test = is_order_of(board.ACTIONS, OPEN_ACTIONS)
    table.action_cards = list(table.draw("actions", test))
    table.write("actions", open=list(table.action_cards))
    table.specials = list(table.draw("specials", is_order_of(board.SPECIALS)))
    table.write("specials", order=list(table.specials))


def open_action(table: Table, position: int) -> None:
    """Open the next face-down action card (rules 3.1)."""
    hidden = [name for name in board.ACTIONS if name not in table.action_cards]
    name = table.draw("open", lambda value: value in hidden)
    table.action_cards.append(name)
    table.write("open", position=position, action=name)


def hand(table: Table, player: int) -> list[str]:
    """Cards of a player that are not yet on a space (rules 3.3)."""
    used = table.plans[player].values()
    return [card for card in [*table.provinces_of(player), *board.CHEST_CARDS] if card not in used]


def may_stay_empty(table: Table, player: int) -> bool:
    """Return whether the player still lacks cards for the spaces (rules 3.3)."""
    lacking = len(board.SPACES) - len(table.provinces_of(player)) - len(board.CHEST_CARDS)
    return list(table.plans[player].values()).count(None) < lacking


def legal_cards(table: Table, player: int, space: str) -> list[int]:
    """Cards that may go on the space; a chest card bid must be payable (rules 3.3, R4)."""
    cards = hand(table, player)
    if space == "bid":
        cards = [card for card in cards if board.CHEST_CARDS.get(card, 0) <= table.chests[player]]
    legal = [board.card_action(card) for card in cards]
    return legal + ([board.NONE] if may_stay_empty(table, player) else [])


def plan(table: Table) -> Flow:
    """All players fill the bid space, then space after space (rules 3.3, api 2)."""
    for space in board.SPACES:
        table.space = space
        for player in table.players:
            action = yield from choose(player, "plan", legal_cards(table, player, space))
            table.plans[player][space] = board.card_of(action)
    table.space = None


def show_plans(table: Table) -> None:
    """Write down what all players have planned."""
    for player in table.players:
        table.write("plan", player=player, **table.plans[player])


def draw_event(table: Table) -> None:
    """Draw the event of the round out of the open ones (rules 3.4)."""
    cards = [list(card) for card in table.events_open]
    table.event = list(table.draw("event", lambda value: same_cards([value], cards)))
    table.events_open.remove(table.event)
    table.event_name = table.event[0]
    table.write("event", event=table.event[0], rice_loss=table.event[1])


def bid_rank(card: str | None) -> int:
    """Rank of a bid, best lowest: chests 4 to 1, a province, chest 0, nothing (rules 3.5, R18)."""
    if card is None:
        return 6
    if card in board.CHEST_CARDS:
        value = board.CHEST_CARDS[card]
        return 5 if value == 0 else 4 - value
    return 4


def pay_bids(table: Table) -> list[int]:
    """Show and pay the bids; return the order of choice, ties broken (rules 3.5)."""
    bids = {player: table.plans[player]["bid"] for player in table.players}
    ranks = {player: bid_rank(bids[player]) for player in table.players}

    def possible(value: Any) -> bool:
        in_order = [ranks[player] for player in value]
        return sorted(value) == table.players and in_order == sorted(in_order)

    order = list(table.draw("bid_order", possible))
    paid = {player: board.CHEST_CARDS.get(bids[player] or "", 0) for player in table.players}
    for player in table.players:
        table.chests[player] -= paid[player]
    table.write("bids", order=order, paid=table.by_player(paid))
    return order


def take_specials(table: Table, order: list[int]) -> Flow:
    """In bid order each takes a special card and its position (rules 3.5)."""
    for player in order:
        free = [number for number in range(1, 6) if number not in table.position.values()]
        action = yield from choose(player, "special", [board.FIRST_SPECIAL - 1 + number for number in free])
        position = action - board.FIRST_SPECIAL + 1
        table.position[player] = position
        table.special[player] = table.specials[position - 1]
        table.write("special", player=player, special=table.special[player], position=position)
