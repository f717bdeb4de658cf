"""What each record line must look like, before any rule is asked: fields and their types (record, version 1)."""

from typing import Any

from ..checks import Check, fault_of, fields, list_of, number, one_of, only, or_null
from . import board


def counts_of(names: list[str]) -> Check:
    """Counts above zero by name, in this order."""
    return lambda value: (
        isinstance(value, dict)
        and list(value) == [name for name in names if name in value]
        and all(MANY(count) and count > 0 for count in value.values())
    )


def by_province(check: Check) -> Check:
    """One such value for every province."""
    return lambda value: isinstance(value, dict) and set(value) == set(board.NAMES) and all(map(check, value.values()))


def is_kamon(value: Any) -> bool:
    """A Kamon on the board: whose, and whether golden."""
    return isinstance(value, list) and len(value) == 2 and PLAYER(value[0]) and number(0, 1)(value[1])


MANY = number(0, 2**53 - 1)
PLAYER = number(0, 3)
SEALS = number(1, 4)
BOOL = only(True, False)
PROVINCE = one_of(board.NAMES)
TROOP = one_of(board.TROOPS)
BONUS = one_of(board.BONUSES)
CARDS = list_of(one_of(board.KINDS))
TROOP_CARDS = list_of(one_of(board.TROOP_KINDS))
BY_PLAYER = list_of(MANY)
SEALS_BY_PLAYER = list_of(SEALS)
LOT = fields(cards=CARDS, seals=SEALS)

LINES: dict[str, dict[str, Check]] = {
    "header": {
        "format": only("shitenno-record"),
        "version": only(1),
        "players": number(2, 4),
        "options": fields(),
        "seed": or_null(MANY),
        "agents": or_null(list_of(lambda value: isinstance(value, str))),
    },
    "top": {"province": PROVINCE, "troop": TROOP},
    "deal": {"player": PLAYER, "cards": list_of(one_of(board.TROOP_KINDS), board.FIRST_CARDS)},
    "titles": {"seals": SEALS_BY_PLAYER},
    "round": {"round": MANY},
    "pool": {"troops": TROOP_CARDS, "koku": list_of(one_of(board.KOKU_KINDS)), "reshuffled": or_null(MANY)},
    "lot": {"player": PLAYER, "cards": CARDS, "seals": SEALS},
    "answer": {"player": PLAYER, "accepts": BOOL},
    "divide": {"player": PLAYER, "a": LOT, "b": LOT},
    "pick": {"player": PLAYER, "lot": one_of(["a", "b"])},
    "take": {"player": PLAYER, "cards": CARDS, "seals": SEALS},
    "turn": {"player": PLAYER},
    "draw": {"player": PLAYER, "card": one_of(board.TROOP_KINDS), "reshuffled": BOOL},
    "control": {
        "player": PLAYER,
        "province": PROVINCE,
        "position": number(1, 4),
        "by": one_of(["troops", "koku"]),
        "joker": BOOL,
        "exchanges": MANY,
        "plus_ones": MANY,
        "cards": CARDS,
        "points": MANY,
        "title_points": number(0, 2),
    },
    "bonus": {"player": PLAYER, "province": PROVINCE, "bonus": BONUS},
    "end_turn": {"player": PLAYER},
    "sensei": {"player": PLAYER, "province": or_null(PROVINCE)},
    "score": {"koku": BY_PLAYER, "majorities": BY_PLAYER, "holders": by_province(or_null(PLAYER))},
    "state": {
        "points": BY_PLAYER,
        "seals": SEALS_BY_PLAYER,
        "kamon": BY_PLAYER,
        "hands": list_of(counts_of(board.KINDS)),
        "known": list_of(counts_of(board.TROOP_KINDS)),
        "tiles": list_of(counts_of(board.BONUSES)),
        "provinces": by_province(fields(top=or_null(TROOP), kamon=list_of(is_kamon))),
        "discard": counts_of(board.TROOP_KINDS),
        "spent": counts_of(board.KOKU_KINDS),
        "used": counts_of(board.BONUSES),
        "pile": list_of(MANY, 2),
    },
    "result": {"points": BY_PLAYER, "seals": SEALS_BY_PLAYER, "winner": PLAYER},
}


def fault_of_fields(line: Any) -> str | None:
    """What is wrong with a line's fields, or None."""
    if not isinstance(line, dict):
        return "not an object"
    kind = line.get("t")
    if not isinstance(kind, str) or kind not in LINES:
        return f"unknown type {kind!r}"
    return fault_of(line, LINES[kind])


def fault_of_header(header: dict[str, Any]) -> str | None:
    """What is wrong with a header whose fields are right, or None."""
    if header["agents"] is not None and len(header["agents"]) != header["players"]:
        return "agents: not one for each player"
    return None
