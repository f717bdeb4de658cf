"""Set-up: starting provinces and the first filling of the tower (rules 2)."""

from collections import Counter
from collections.abc import Generator
from typing import Any

from ..game import Decision, Flow, choose
from . import board
from .battle import throw
from .table import Table


def set_up(table: Table, start: str, shuffle_seats: bool) -> Flow:
    """Starting provinces in one of three ways, then the tower (rules 2)."""
    if start == "preset":
        preset_start(table, shuffle_seats)
    elif start == "random":
        random_start(table)
    else:
        yield from draft_start(table)
    fill_tower(table)


def put_group(table: Table, player: int, name: str, armies: int) -> None:
    """Give a player a starting province with an army group."""
    table.owner[name] = player
    table.armies[name] = armies
    table.supply[str(player)] -= armies


def place(table: Table, player: int, name: str, armies: int) -> None:
    """Put a group and write its `place` line."""
    put_group(table, player, name, armies)
    table.write("place", player=player, province=name, armies=armies)


def preset_start(table: Table, shuffle_seats: bool) -> None:
    """The printed table; seat A is player 0 unless seats are shuffled (rules 2)."""
    rows = board.start_rows(len(table.players))
    seats = list(table.players)
    if shuffle_seats:
        seats = table.draw("seats", lambda value: sorted(value) == table.players)
    for player in table.players:
        for name, armies in rows[seats[player]].items():
            place(table, player, name, armies)


def random_start(table: Table) -> None:
    """Provinces and groups dealt at random (rules 2)."""
    sizes = board.groups(len(table.players))

    def possible(value: Any) -> bool:
        names = [name for hand in value for name, _ in hand]
        return (
            len(value) == len(table.players)
            and len(set(names)) == len(names)
            and all(name in table.owner for name in names)
            and all(Counter(armies for _, armies in hand) == Counter(sizes) for hand in value)
        )

    deal = table.draw("deal", possible)
    for player in table.players:
        for name, armies in deal[player]:
            place(table, player, name, armies)


def draft_start(table: Table) -> Flow:
    """Players take province cards in turn and put a group on each (rules 2, R3)."""
    table.draft = {
        "unseen": list(table.provinces),
        "buried": [],
        "open": [],
        "groups": {player: board.groups(len(table.players)) for player in table.players},
        "before": dict.fromkeys(table.players),
        "drawn": None,
    }
    player = table.draw("starter", lambda value: value in table.players)
    open_two(table)
    while True:
        yield from draft_turn(table, player)
        if not any(table.draft["groups"].values()):
            break
        refill(table)
        player = (player + 1) % len(table.players)
    table.draft = {}


def deck_has_cards(table: Table) -> bool:
    """Return whether a card can be drawn in the draft."""
    return bool(table.draft["unseen"] or table.draft["buried"])


def draw_card(table: Table) -> str:
    """Take the top card of the deck: buried cards come last, in the order they went under (R3)."""
    unseen, buried = table.draft["unseen"], table.draft["buried"]
    can_be = list(unseen) if unseen else buried[:1]
    name = table.draw("card", lambda value: value in can_be)
    (unseen if unseen else buried).remove(name)
    return name


def open_two(table: Table) -> None:
    """Open two cards, left first (rules 2)."""
    table.draft["open"] = []
    for _ in range(2):
        if deck_has_cards(table):
            table.draft["open"].append(draw_card(table))


def refill(table: Table) -> None:
    """Replace an open card that was taken, in its place, while the deck lasts (rules 2)."""
    shown = table.draft["open"]
    if None in shown:
        where = shown.index(None)
        if deck_has_cards(table):
            shown[where] = draw_card(table)
        else:
            shown.pop(where)


def may_bury(table: Table, player: int) -> bool:
    """Return whether the player finds the two cards again that were open at their previous pick (R3)."""
    shown, before = table.draft["open"], table.draft["before"][player]
    return len(shown) == 2 and before is not None and set(shown) == set(before)


def bury(table: Table, player: int) -> None:
    """Put both open cards under the deck, left one first, and open two new ones (R3)."""
    shown = list(table.draft["open"])
    table.draft["buried"] += shown
    table.write("bury", player=player, provinces=shown)
    open_two(table)


def draft_card(table: Table, player: int, can_bury: bool) -> Generator[Decision, int, int]:
    """Ask for a card: an open one, the top of the deck, or both open ones under the deck."""
    legal = [board.province_action(name) for name in table.draft["open"]]
    legal += [board.TOP_OF_DECK] if deck_has_cards(table) else []
    legal += [board.BURY] if can_bury else []
    return (yield from choose(player, "draft", legal))


def draft_turn(table: Table, player: int) -> Flow:
    """One player's pick: perhaps a bury, a card, an army group (rules 2)."""
    action = yield from draft_card(table, player, may_bury(table, player))
    if action == board.BURY:
        bury(table, player)
        action = yield from draft_card(table, player, False)
    shown = list(table.draft["open"])
    table.draft["before"][player] = shown
    if action == board.TOP_OF_DECK:
        source, name = "deck", draw_card(table)
    else:
        source, name = "open", board.province_of(action)
        table.draft["open"][shown.index(name)] = None
    table.draft["drawn"] = name
    left = table.draft["groups"][player]
    size = board.number_of((yield from choose(player, "group", map(board.number_action, left))))
    left.remove(size)
    table.draft["drawn"] = None
    put_group(table, player, name, size)
    table.write("draft", player=player, **{"from": source}, province=name, armies=size, open=shown)


def fill_tower(table: Table) -> None:
    """Throw the first cubes; what falls out goes back to the supplies (rules 2)."""
    first = board.DATA["tower_start"]
    cubes = {
        colour: first["farmers"] if colour == board.FARMERS else first["armies_per_player"] for colour in table.colours
    }
    for colour, number in cubes.items():
        table.take_from_supply(colour, number)
    throw(table, "fill", cubes)
    for colour in table.colours:
        table.tray_to_supply(colour)
