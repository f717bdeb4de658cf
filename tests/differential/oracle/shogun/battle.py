"""Throwing cubes into the tower, attacks and revolts (rules 5)."""

from typing import Any

from .board import FARMERS
from .table import Table, without_zeros


def throw(table: Table, why: str, cubes: dict[str, int]) -> None:
    """Throw these cubes and all that lie in the tray; what falls out lies in the tray (5.1)."""
    thrown = {colour: cubes.get(colour, 0) + table.tray[colour] for colour in table.colours}
    most = {colour: thrown[colour] + table.tower[colour] for colour in table.colours}

    def possible(value: Any) -> bool:
        tray = value["tray"]
        return set(tray) <= set(most) and all(
            type(number) is int and 0 <= number <= most[colour] for colour, number in tray.items()
        )

    tray = table.draw("throw", possible)["tray"]
    table.tray = {colour: tray.get(colour, 0) for colour in table.colours}
    table.tower = {colour: most[colour] - table.tray[colour] for colour in table.colours}
    table.write("throw", why=why, thrown=without_zeros(thrown), tray=without_zeros(table.tray))


def write_fight(table: Table, fields: dict[str, Any], outcome: str, remaining: int) -> None:
    """Write the `fight` line that follows a throw."""
    table.write("fight", **fields, outcome=outcome, remaining=remaining)


def attack_bonus(table: Table, attacker: int, name: str) -> dict[str, int]:
    """Take the cubes added to an attack from the supplies (5.2, R11, R12)."""
    defender = table.owner[name]
    bonus = {"attacker": 0, "defender": 0, "farmers": 0}
    if table.special.get(attacker) == "plus_1_attack":
        bonus["attacker"] = table.take_from_supply(str(attacker), 1)
    if defender is None:
        bonus["farmers"] = table.take_from_supply(FARMERS, 2 if table.event_name == "two_farmers" else 1)
        return bonus
    if table.special.get(defender) == "plus_1_defence":
        bonus["defender"] += table.take_from_supply(str(defender), 1)
    if table.event_name == "castle_defence" and "castle" in table.buildings[name]:
        bonus["defender"] += table.take_from_supply(str(defender), 1)
    return bonus


def throw_attack(table: Table, attacker: int, name: str, armies: int, bonus: dict[str, int]) -> None:
    """Throw the cubes of an attack (5.2)."""
    defender = table.owner[name]
    cubes = {str(attacker): armies + bonus["attacker"], FARMERS: bonus["farmers"]}
    if defender is not None:
        cubes[str(defender)] = table.armies[name] + bonus["defender"]
        table.armies[name] = 0
    throw(table, "battle", cubes)


def resolve_attack(table: Table, attacker: int, name: str) -> None:
    """Count the tray after an attack and settle it (5.2)."""
    defender = table.owner[name]
    farmers_in = defender is None or table.revolts[name] == 0
    a = table.tray[str(attacker)]
    d = table.tray[str(defender)] if defender is not None else 0
    f = table.tray[FARMERS] if farmers_in else 0
    fields = {
        "province": name,
        "attacker": attacker,
        "defender": defender,
        "tray_attacker": a,
        "tray_defender": d,
        "farmers_in": farmers_in,
        "tray_farmers": table.tray[FARMERS],
    }
    table.tray_to_supply(str(attacker))
    if defender is not None:
        table.tray_to_supply(str(defender))
    if farmers_in:
        table.tray_to_supply(FARMERS)
    if a > d + f:
        outcome, remaining = "attacker", a - d - f
        table.supply[str(attacker)] -= remaining
        table.conquer(name, attacker, remaining)
    elif d + f > a and d >= 1:
        outcome, remaining = "defender", d - max(0, a - f)
        table.supply[str(defender)] -= remaining
        table.armies[name] = remaining
    else:
        outcome, remaining = "draw", 0
        table.lay_waste(name)
    write_fight(table, fields, outcome, remaining)


def revolt(table: Table, player: int, name: str, farmers: int, why: str) -> bool:
    """Fight a revolt; true when the player keeps the province (5.3, R11, R13)."""
    cubes = {str(player): table.armies[name], FARMERS: table.take_from_supply(FARMERS, farmers)}
    table.armies[name] = 0
    throw(table, why, cubes)
    p, f = table.tray[str(player)], table.tray[FARMERS]
    fields = {
        "province": name,
        "attacker": None,
        "defender": player,
        "tray_attacker": f,
        "tray_defender": p,
        "farmers_in": True,
        "tray_farmers": f,
    }
    table.tray_to_supply(str(player))
    table.tray_to_supply(FARMERS)
    if p > f:
        table.supply[str(player)] -= p - f
        table.armies[name] = p - f
        write_fight(table, fields, "defender", p - f)
        return True
    table.lay_waste(name)
    write_fight(table, fields, "draw" if p == f else "attacker", 0)
    return False
