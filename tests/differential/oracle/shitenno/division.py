"""The even year: pool, lots, new titles (rules 4)."""

from collections.abc import Generator

from ..game import Decision, Flow, choose
from . import board
from .table import Table


def divide(table: Table) -> Flow:
    """Share the open pool out and exchange the titles (rules 4.2 to 4.5)."""
    left = table.by_rank()
    tiles = list(board.SEALS)
    new: dict[int, int] = {}
    while len(left) > 2:
        taker, seals = yield from offer(table, left, tiles)
        left.remove(taker)
        tiles.remove(seals)
        new[taker] = seals
    new |= yield from share_between_two(table, left, tiles)
    table.seals = {player: new[player] for player in table.players}
    table.write("titles", seals=table.by_player(table.seals))


def open_pool(table: Table) -> None:
    """Draw the pool (rules 4.1, S2)."""
    number = len(table.players)
    troops: list[str] = []
    first_after_shuffle = None
    for _ in range(board.for_players(number, "troop_cards_drawn_each_even_year")):
        drawn = table.draw_troop()
        if drawn is None:
            break
        if drawn[1]:
            first_after_shuffle = len(troops)
        troops.append(drawn[0])
    n_koku = board.for_players(number, "koku_cards_drawn_each_even_year")
    koku = [table.draw_from("koku", table.koku_pile) for _ in range(n_koku)]
    table.pool.update(troops + koku)
    table.write("pool", troops=troops, koku=koku, reshuffled=first_after_shuffle)


def form_lot(table: Table, player: int, kind: str, tiles: list[int]) -> Generator[Decision, int, None]:
    """Put cards into a lot, kinds rising, until it gets its hierarchy tile (rules 8, S3)."""
    table.lot, table.lot_seals = [], []
    while not table.lot_seals:
        first = board.KINDS.index(table.lot[-1]) if table.lot else 0
        adds = {board.add_action(one): one for one in board.KINDS[first:] if table.pool[one] > table.lot.count(one)}
        ends = {board.tile_action(seals): seals for seals in tiles}
        action = yield from choose(player, kind, [*adds, *ends])
        if action in adds:
            table.lot.append(adds[action])
        else:
            table.lot_seals.append(ends[action])


def offer(table: Table, left: list[int], tiles: list[int]) -> Generator[Decision, int, tuple[int, int]]:
    """The Tairo offers a lot to the others in turn; a lot that all refuse is the Tairo's (rules 4.3)."""
    tairo = left[0]
    yield from form_lot(table, tairo, "lot", tiles)
    cards, seals = list(table.lot), table.lot_seals[0]
    table.write("lot", player=tairo, cards=cards, seals=seals)
    taker = tairo
    for player in left[1:]:
        accepts = (yield from choose(player, "answer", [board.ACCEPT, board.REFUSE])) == board.ACCEPT
        table.write("answer", player=player, accepts=accepts)
        if accepts:
            taker = player
            break
    take(table, taker, cards, seals)
    return taker, seals


def take(table: Table, player: int, cards: list[str], seals: int) -> None:
    """A player takes a lot into the hand at once (S6)."""
    table.pool.subtract(cards)
    table.give(player, cards)
    table.write("take", player=player, cards=cards, seals=seals)


def share_between_two(table: Table, left: list[int], tiles: list[int]) -> Generator[Decision, int, dict[int, int]]:
    """The Tairo makes two lots of all that is left, the other takes one; give the seals of both (rules 4.4, S5)."""
    tairo, other = left
    yield from form_lot(table, tairo, "divide", tiles)
    remaining = {board.tile_action(seals): seals for seals in tiles if seals not in table.lot_seals}
    action = yield from choose(tairo, "divide", remaining)
    table.lot_seals.append(remaining[action])
    rest = table.pool.copy()
    rest.subtract(table.lot)
    a, b = (list(table.lot), table.lot_seals[0]), (board.in_order(list(rest.elements())), table.lot_seals[1])
    shown = {name: {"cards": cards, "seals": seals} for name, (cards, seals) in (("a", a), ("b", b))}
    table.write("divide", player=tairo, **shown)
    picks_a = (yield from choose(other, "choose", [board.PICK_A, board.PICK_B])) == board.PICK_A
    table.write("pick", player=other, lot="a" if picks_a else "b")
    first, second = (a, b) if picks_a else (b, a)
    take(table, other, *first)
    take(table, tairo, *second)
    return {other: first[1], tairo: second[1]}
