"""The ten actions (rules 4)."""

from collections.abc import Callable
from typing import Any

from ..game import Flow, choose
from . import board
from .battle import attack_bonus, resolve_attack, revolt, throw_attack
from .table import Table


def carry_out(table: Table, player: int, action: str) -> Flow:
    """A player's turn in an action: their card is shown, they act or skip (rules 3.6, R24)."""
    card = table.plans[player][action]
    if card is None or card in board.CHEST_CARDS:
        write_do(table, player, action, None, "skipped", why="no_card")
        return
    yield from FAMILY[action](table, player, action, card)


def write_do(table: Table, player: int, action: str, name: str | None, result: str, **fields: Any) -> None:
    """Write a `do` line."""
    table.write("do", player=player, action=action, province=name, result=result, **fields)


def cost(action: str) -> int:
    """Price of an action in chests."""
    return board.ACTION_CARD[action]["cost"]


def build(table: Table, player: int, action: str, name: str) -> Flow:
    """Build a castle, temple or theatre (rules 4, R17)."""
    yield from ()
    kind = board.KIND_OF_ACTION[action]
    standing = table.buildings[name]
    reasons = {
        "cannot_pay": table.chests[player] < cost(action),
        "no_site": len(standing) >= board.CARD[name]["building_sites"],
        "kind_present": kind in standing,
        "none_left": table.left_in_box(kind) == 0,
    }
    for why, holds in reasons.items():
        if holds:
            write_do(table, player, action, name, "skipped", why=why)
            return
    table.chests[player] -= cost(action)
    standing.append(kind)
    if kind == "no_theatre" and table.event_name == "no_theatre_calms" and table.revolts[name] > 0:
        table.revolts[name] -= 1
    write_do(table, player, action, name, "built", paid=cost(action))


def collected_rice(table: Table, player: int, name: str) -> int:
    """Rice of a province, the event first, then the special (rules 4)."""
    amount = board.CARD[name]["rice"]
    if table.event_name == "rice_at_least_4":
        amount = max(4, amount)
    if table.event_name == "rice_at_most_3":
        amount = min(3, amount)
    return amount + (table.special.get(player) == "plus_1_rice")


def collected_taxes(table: Table, player: int, name: str) -> int:
    """Taxes of a province, the event first, then the special (rules 4)."""
    amount = board.CARD[name]["tax"]
    if table.event_name == "taxes_at_most_5":
        amount = min(5, amount)
    if table.event_name == "taxes_at_least_6":
        amount = max(6, amount)
    return amount + (table.special.get(player) == "plus_1_chest")


def collect(table: Table, player: int, action: str, name: str) -> Flow:
    """Confiscate rice or collect taxes, then unrest (rules 4, R9)."""
    yield from ()
    if action == "confiscate_rice":
        amount = collected_rice(table, player, name)
        table.rice[player] += amount
    else:
        amount = collected_taxes(table, player, name)
        table.chests[player] += amount
    markers = table.revolts[name]
    unrest = "revolt" if markers else "marker"
    write_do(table, player, action, name, "collected", amount=amount, unrest=unrest)
    if markers == 0 or revolt(table, player, name, markers, "revolt"):
        table.revolts[name] = markers + 1


def recruits(table: Table, player: int, action: str) -> int:
    """Armies that a deployment brings, if the supply has them (rules 4, R6, R7)."""
    few = table.event_name == "fewer_recruits"
    if action == "deploy_3_armies":
        return 2 if few else 3
    if action == "deploy_move_1_army":
        return 1
    if table.special.get(player) == "six_armies" and table.supply[str(player)] >= 5:
        return min(6, table.supply[str(player)])
    return 3 if few else 5


def deploy(table: Table, player: int, action: str, name: str) -> Flow:
    """Deploy 5, 3 or 1 armies; after 1 army own armies may move on (rules 4)."""
    armies = recruits(table, player, action)
    reasons = {"cannot_pay": table.chests[player] < cost(action), "supply_short": table.supply[str(player)] < armies}
    for why, holds in reasons.items():
        if holds:
            write_do(table, player, action, name, "skipped", why=why)
            return
    table.chests[player] -= cost(action)
    table.supply[str(player)] -= armies
    table.armies[name] += armies
    if action != "deploy_move_1_army":
        write_do(table, player, action, name, "deployed", paid=cost(action), armies=armies)
        return
    own = [board.province_action(other) for other in table.neighbours(name) if table.owner[other] == player]
    target = yield from choose(player, "target", [*own, board.NONE])
    to, moved = None, 0
    if target != board.NONE:
        to = board.province_of(target)
        moved = board.number_of((yield from choose(player, "number", movable(table, name))))
        table.armies[name] -= moved
        table.armies[to] += moved
    write_do(table, player, action, name, "deployed", paid=cost(action), armies=armies, to=to, armies_moved=moved)


def movable(table: Table, name: str) -> list[int]:
    """Numbers of armies that may leave a province: at least 1 goes, at least 1 stays (rules 4)."""
    return [board.number_action(number) for number in range(1, table.armies[name])]


def may_be_entered(table: Table, player: int, name: str) -> bool:
    """Return whether a battle/move may go there; temples may forbid an attack (rules 4, temple peace)."""
    if table.owner[name] == player:
        return True
    return not (table.event_name == "temple_peace" and "temple" in table.buildings[name])


def battle_move(table: Table, player: int, action: str, name: str) -> Flow:
    """Move or attack with armies of the province (rules 4, R8)."""
    if table.armies[name] < 2:
        write_do(table, player, action, name, "skipped", why="too_few_armies")
        return
    near = [other for other in table.neighbours(name) if may_be_entered(table, player, other)]
    if not near:
        write_do(table, player, action, name, "skipped", why="no_target")
        return
    stay = [board.NONE] if table.optional_moves else []
    target = yield from choose(player, "target", [*map(board.province_action, near), *stay])
    if target == board.NONE:
        write_do(table, player, action, name, "skipped", why="declined")
        return
    to = board.province_of(target)
    armies = board.number_of((yield from choose(player, "number", movable(table, name))))
    table.armies[name] -= armies
    if table.owner[to] == player:
        table.armies[to] += armies
        write_do(table, player, action, name, "moved", to=to, armies=armies)
        return
    bonus = attack_bonus(table, player, to)
    defender = table.owner[to]
    write_do(table, player, action, name, "attacked", to=to, armies=armies, defender=defender, bonus=dict(bonus))
    throw_attack(table, player, to, armies, bonus)
    resolve_attack(table, player, to)


FAMILY: dict[str, Callable[[Table, int, str, str], Flow]] = {
    "build_castle": build,
    "build_temple": build,
    "build_no_theatre": build,
    "confiscate_rice": collect,
    "collect_taxes": collect,
    "deploy_5_armies": deploy,
    "deploy_3_armies": deploy,
    "deploy_move_1_army": deploy,
    "battle_move_a": battle_move,
    "battle_move_b": battle_move,
}
