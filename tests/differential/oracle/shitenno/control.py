"""The odd year: placing control Kamon, Draw tiles, the Sensei (rules 5)."""

from collections.abc import Generator

from ..game import Decision, Flow, choose
from . import board
from .payment import Items, Price, legal_payments, price_of, suffices
from .table import Table

WAYS = ("troops", "koku")


def take_turn(table: Table, player: int) -> Flow:
    """One turn, until the player ends it (rules 5.1, S20)."""
    table.write("turn", player=player)
    placed, joker = 0, int(table.seals[player] == board.HATAMOTO)
    while True:
        controls = possible_controls(table, player, joker) if placed < board.MOST_PLACED else {}
        draws = [board.USE_DRAW_TILE] if can_draw(table, player) else []
        action = yield from choose(player, "turn", [*controls, *draws, board.END_TURN])
        if action == board.END_TURN:
            break
        if action == board.USE_DRAW_TILE:
            use_draw_tile(table, player)
        else:
            joker -= yield from control(table, player, *controls[action], joker)
            placed += 1
    table.write("end_turn", player=player)
    if table.seals[player] == board.SENSEI:
        yield from gild(table, player)


def can_draw(table: Table, player: int) -> bool:
    """Whether the player has a Draw tile and there is a card (S16)."""
    return table.tiles[player]["draw"] > 0 and table.troop_pile.total() + table.discard.total() > 0


def use_draw_tile(table: Table, player: int) -> None:
    """Discard a Draw tile and draw a troop card that nobody else sees (rules 5.1)."""
    table.use_tiles(player, "draw")
    drawn = table.draw_troop()
    assert drawn is not None
    card, reshuffled = drawn
    table.hands[player][card] += 1
    table.write("draw", player=player, card=card, reshuffled=reshuffled)


def price_now(table: Table, name: str, by: str) -> Price:
    """Price of the next position of a province."""
    return price_of(name, len(table.positions[name]) + 1, table.top[name], by)


def possible_controls(table: Table, player: int, joker: int) -> dict[int, tuple[str, str]]:
    """Provinces and ways of paying that all that the player has can pay, by action (rules 8)."""
    if not table.kamon[player]:
        return {}
    tiles = table.tiles[player]
    everything = Items(joker, tiles["exchange"], tiles["plus_one"], tuple(table.hands[player].elements()))
    return {
        board.control_action(name, by): (name, by)
        for name in board.NAMES
        for by in WAYS
        if len(table.positions[name]) < board.PROVINCES[name]["positions"]
        and suffices(price_now(table, name, by), everything)
    }


def control(table: Table, player: int, name: str, by: str, joker: int) -> Generator[Decision, int, int]:
    """Pay, place, score, take the tile (rules 5.1); give 1 if the joker was used."""
    items = yield from pay(table, player, price_now(table, name, by), joker)
    table.use_tiles(player, "exchange", items.exchanges)
    table.use_tiles(player, "plus_one", items.plus_ones)
    for kind in items.cards:
        table.discard_card(player, kind)
    table.kamon[player] -= 1
    table.positions[name].append([player, 0])
    position = len(table.positions[name])
    points = board.PROVINCES[name]["favour_points_by_position"][position - 1]
    title_points = board.TITLES[table.seals[player]]["extra_favour_points_per_kamon_placed"]
    table.points[player] += points + title_points
    paid = {"exchanges": items.exchanges, "plus_ones": items.plus_ones, "cards": list(items.cards)}
    table.write(
        "control",
        **{"player": player, "province": name, "position": position, "by": by, "joker": items.joker == 1, **paid},
        points=points,
        title_points=title_points,
    )
    take_tile(table, player, name)
    return items.joker


def pay(table: Table, player: int, price: Price, joker: int) -> Generator[Decision, int, Items]:
    """Commit items one by one until they suffice (rules 5.3, 8)."""
    tiles = table.tiles[player]
    options = legal_payments(price, joker, tiles["exchange"], tiles["plus_one"], table.hands[player])
    payments = {items.actions(): items for items in options}
    table.paid = []
    while tuple(table.paid) not in payments:
        done = len(table.paid)
        nexts = [actions[done] for actions in payments if list(actions[:done]) == table.paid]
        table.paid.append((yield from choose(player, "pay", nexts)))
    return payments[tuple(table.paid)]


def take_tile(table: Table, player: int, name: str) -> None:
    """Take the top tile, if there is one, and turn it; let the next be seen (S18)."""
    troop = table.top[name]
    if troop is None:
        return
    left = table.unturned
    bonus = table.draw("bonus", lambda value: left[troop, value] > 0)
    left[troop, bonus] -= 1
    table.tiles[player][bonus] += 1
    table.write("bonus", player=player, province=name, bonus=bonus)
    table.top[name] = None
    if table.below[name]:
        table.open_tile(name)


def gild(table: Table, player: int) -> Flow:
    """The Sensei may turn one of their simple Kamon, the leftmost of a province, to its golden side (S19)."""
    simple = {board.flip_action(name): name for name in board.NAMES if [player, 0] in table.positions[name]}
    if not simple:
        return
    action = yield from choose(player, "sensei", [*simple, board.SENSEI_SKIP])
    name = simple.get(action)
    if name is not None:
        table.positions[name][table.positions[name].index([player, 0])][1] = 1
    table.write("sensei", player=player, province=name)
