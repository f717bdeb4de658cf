"""The end of the game: Koku, majorities, the winner (rules 6)."""

from ..game import final_rewards
from . import board
from .payment import Items, Price, suffices, units_of
from .table import Table


def is_over(table: Table) -> bool:
    """Whether this odd year was the last."""
    return 0 in table.kamon.values() or not table.koku_pile.total()


def koku_points(table: Table, player: int) -> int:
    """Most Koku that hand and tiles can show together (S22)."""
    tiles, cards = table.tiles[player], tuple(table.hands[player].elements())
    items = Items(0, tiles["exchange"], tiles["plus_one"], cards)
    points = sum(units_of(kind).count("koku") for kind in cards)
    while suffices(Price((("koku", points + 1),)), items):
        points += 1
    return points


def holder(positions: list[list[int]]) -> int | None:
    """Who has most weight in a province; tied, of those who are the one furthest to the left (S21)."""
    weight: dict[int, int] = {}
    for player, golden in positions:
        weight[player] = weight.get(player, 0) + 1 + golden
    return next((player for player, _ in positions if weight[player] == max(weight.values())), None)


def score(table: Table) -> None:
    """Add the points of the end and write who has won."""
    koku = {player: koku_points(table, player) for player in table.players}
    holders = {name: holder(table.positions[name]) for name in board.NAMES}
    majorities = {player: board.MAJORITY * list(holders.values()).count(player) for player in table.players}
    for player in table.players:
        table.points[player] += koku[player] + majorities[player]
    table.write("score", koku=table.by_player(koku), majorities=table.by_player(majorities), holders=holders)
    table.over = True
    winner = max(table.players, key=lambda player: standing(table, player))
    table.write("result", points=table.by_player(table.points), seals=table.by_player(table.seals), winner=winner)


def standing(table: Table, player: int) -> tuple[int, int]:
    """What players are ranked by: points, then titles (S23)."""
    return table.points[player], table.seals[player]


def returns(table: Table, reward: str) -> list[float]:
    """Rewards so far (api, rewards)."""
    standings = [standing(table, player) for player in table.players]
    rewards = final_rewards(reward, table.by_player(table.points), standings)
    return rewards if table.over else [0.0 for _ in rewards]
