"""Winter: feeding, famine, scoring, the year's end; and who won (rules 3 winter)."""

from ..chance import is_order_of
from ..game import Flow, against_mean, choose, final_rewards
from . import board
from .battle import revolt
from .table import Table

SCORING = board.DATA["scoring"]
LAST_YEAR = 2


def winter(table: Table) -> Flow:
    """Rice loss, famine in autumn's turn order, scoring (rules 3 winter)."""
    table.season = "winter"
    rice_loss = table.events_open[0][1]
    table.events_open = []
    for player in table.players:
        table.rice[player] = max(0, table.rice[player] - rice_loss)
    short = {player: max(0, len(table.provinces_of(player)) - table.rice[player]) for player in table.players}
    table.write("winter", year=table.year, rice_loss=rice_loss, short=table.by_player(short))
    for player in table.order:
        if short[player]:
            yield from famine(table, player, short[player])
    end_year(table)


def end_year(table: Table) -> None:
    """Scoring, clearing up (rules 3 winter)."""
    score(table)
    if table.year < LAST_YEAR:
        table.rice = dict.fromkeys(table.players, 0)
        table.revolts = dict.fromkeys(table.provinces, 0)
    table.lines.append(table.state())


def winter_row(short: int) -> tuple[int, int]:
    """Revolts and extra farmers for so much rice short (winter table)."""
    for row in board.DATA["winter_table"]:
        if row["short_min"] <= short and (row["short_max"] is None or short <= row["short_max"]):
            return row["revolts"], row["extra_farmers"]
    raise AssertionError(short)


def famine(table: Table, player: int, short: int) -> Flow:
    """Draw a player's revolting provinces, let them order these, resolve them (winter 2, R14, R20, R21)."""
    revolts, extra = winter_row(short)
    cards = table.provinces_of(player)
    number = min(revolts, len(cards))
    drawn = list(table.draw("famine", is_order_of(cards, number)))
    order: list[str] = []
    while len(order) < number:
        left = [board.province_action(name) for name in drawn if name not in order]
        order.append(board.province_of((yield from choose(player, "order", left))))
    table.write("famine", player=player, drawn=drawn, order=list(order))
    for name in order:
        revolt(table, player, name, table.revolts[name] + extra, "winter_revolt")


def majority_points(table: Table, kind: str) -> dict[int, int]:
    """Points for most buildings of a kind in each region (winter 3, R22)."""
    points = dict.fromkeys(table.players, 0)
    for region in board.REGIONS:
        built = dict.fromkeys(table.players, 0)
        for name in table.provinces:
            owner = table.owner[name]
            if owner is not None and board.CARD[name]["region"][table.side] == region:
                built[owner] += kind in table.buildings[name]
        most = max(built.values())
        if most == 0:
            continue
        first = [player for player in table.players if built[player] == most]
        for player in first:
            points[player] += SCORING[f"most_{kind}s"] - (SCORING["tie_reduction"] if len(first) > 1 else 0)
    return points


def score(table: Table) -> None:
    """Points for provinces, buildings and majorities (winter 3)."""
    provinces = {player: SCORING["province"] * len(table.provinces_of(player)) for player in table.players}
    buildings = {
        player: SCORING["building"] * sum(len(table.buildings[name]) for name in table.provinces_of(player))
        for player in table.players
    }
    castles, temples, theatres = (majority_points(table, kind) for kind in board.KINDS)
    columns = {
        "provinces": provinces,
        "buildings": buildings,
        "castles": castles,
        "temples": temples,
        "theatres": theatres,
    }
    total = {player: sum(column[player] for column in columns.values()) for player in table.players}
    for player in table.players:
        table.points[player] += total[player]
    table.gains.append(total)
    shown = {name: table.by_player(column) for name, column in columns.items()}
    table.write("score", year=table.year, **shown, total=table.by_player(total))


def standing(table: Table, player: int) -> tuple[int, int]:
    """What players are ranked by: points, then chests (winter 4, R5)."""
    return table.points[player], table.chests[player]


def winners(table: Table) -> list[int]:
    """Players who share the win (winter 4, R5)."""
    best = max(standing(table, player) for player in table.players)
    return [player for player in table.players if standing(table, player) == best]


def write_result(table: Table) -> None:
    """Write the last line of the record."""
    table.over = True
    points, chests = table.by_player(table.points), table.by_player(table.chests)
    table.write("result", points=points, chests=chests, winners=winners(table))


def returns(table: Table, reward: str) -> list[float]:
    """Rewards summed so far (api, rewards)."""
    if reward == "points":
        sums = [against_mean(table.by_player(gain)) for gain in table.gains]
        return [sum(one[player] for one in sums) for player in table.players]
    standings = [standing(table, player) for player in table.players]
    rewards = final_rewards(reward, table.by_player(table.points), standings)
    return rewards if table.over else [0.0 for _ in rewards]
