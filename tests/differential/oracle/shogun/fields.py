"""What each record line must look like, before any rule is asked: fields and their types (record, version 1)."""

from typing import Any

from ..checks import Check, fault_of, fields, list_of, number, one_of, only, or_null
from . import board


def is_share(value: Any) -> bool:
    """JSON number from 0 to 1."""
    return type(value) in (int, float) and 0 <= value <= 1


def is_colours(value: Any) -> bool:
    """Counts above zero by colour."""
    keys = ("0", "1", "2", "3", "4", board.FARMERS)
    return isinstance(value, dict) and all(key in keys and MANY(count) and count > 0 for key, count in value.items())


def is_provinces(value: Any) -> bool:
    """Provinces of a state line."""
    kinds = [or_null(PLAYER), MANY, MANY, FLAG, FLAG, FLAG]
    return isinstance(value, dict) and all(
        name in board.PROVINCES
        and isinstance(row, list)
        and len(row) == len(kinds)
        and all(check(item) for check, item in zip(kinds, row, strict=True))
        for name, row in value.items()
    )


MANY = number(0, 2**53 - 1)
PLAYER = number(0, 4)
FLAG = number(0, 1)
ARMIES = number(1, 61)
PROVINCE = one_of(board.PROVINCES)
ACTION = one_of(board.ACTIONS)
SPECIAL = one_of(board.SPECIALS)
EVENT = one_of([name for name, _ in board.EVENT_CARDS])
SEASON = one_of(board.SEASONS)
BOOL = only(True, False)
BY_PLAYER = list_of(MANY)
CARD = or_null(one_of([*board.PROVINCES, *board.CHEST_CARDS]))
TOWER = fields(floors=number(1, 4), stick=is_share, dislodge=is_share, shake=is_share)
THROWS = ("fill", "battle", "revolt", "winter_revolt")

LINES: dict[str, dict[str, Check]] = {
    "header": {
        "format": only("shogun-record"),
        "version": only(1),
        "players": number(3, 5),
        "side": one_of(["sun", "moon"]),
        "start": one_of(["preset", "draft", "random"]),
        "tower": or_null(TOWER),
        "options": fields(optional_moves=BOOL, shuffle_seats=BOOL),
        "seed": or_null(MANY),
        "agents": or_null(list_of(lambda value: isinstance(value, str))),
    },
    "place": {"player": PLAYER, "province": PROVINCE, "armies": ARMIES},
    "draft": {
        "player": PLAYER,
        "from": one_of(["open", "deck"]),
        "province": PROVINCE,
        "armies": ARMIES,
        "open": list_of(PROVINCE),
    },
    "bury": {"player": PLAYER, "provinces": list_of(PROVINCE, 2)},
    "throw": {"why": one_of(THROWS), "thrown": is_colours, "tray": is_colours},
    "year": {"year": number(1, 2), "events": list_of(fields(event=EVENT, rice_loss=MANY), 4)},
    "round": {"year": number(1, 2), "season": SEASON},
    "actions": {"open": list_of(ACTION, 5)},
    "open": {"position": number(6, 10), "action": ACTION},
    "specials": {"order": list_of(SPECIAL, 5)},
    "plan": {"player": PLAYER, **dict.fromkeys(board.SPACES, CARD)},
    "event": {"event": EVENT, "rice_loss": MANY},
    "bids": {"order": list_of(PLAYER), "paid": BY_PLAYER},
    "special": {"player": PLAYER, "special": SPECIAL, "position": number(1, 5)},
    "action": {"action": ACTION},
    "fight": {
        "province": PROVINCE,
        "attacker": or_null(PLAYER),
        "defender": or_null(PLAYER),
        "tray_attacker": MANY,
        "tray_defender": MANY,
        "farmers_in": BOOL,
        "tray_farmers": MANY,
        "outcome": one_of(["attacker", "defender", "draw"]),
        "remaining": MANY,
    },
    "winter": {"year": number(1, 2), "rice_loss": MANY, "short": BY_PLAYER},
    "famine": {"player": PLAYER, "drawn": list_of(PROVINCE), "order": list_of(PROVINCE)},
    "score": {
        "year": number(1, 2),
        **dict.fromkeys(["provinces", "buildings", "castles", "temples", "theatres", "total"], BY_PLAYER),
    },
    "state": {
        "provinces": is_provinces,
        **dict.fromkeys(["chests", "rice", "points", "supply"], BY_PLAYER),
        "farmers_supply": MANY,
        "tower": is_colours,
        "tray": is_colours,
    },
    "result": {"points": BY_PLAYER, "chests": BY_PLAYER, "winners": list_of(PLAYER)},
}

SKIPS = (
    "no_card",
    "cannot_pay",
    "no_site",
    "kind_present",
    "none_left",
    "supply_short",
    "too_few_armies",
    "no_target",
    "declined",
)
DO: dict[str, Check] = {"player": PLAYER, "action": ACTION, "province": or_null(PROVINCE)}
DO_RESULTS: dict[str, dict[str, Check]] = {
    "built": {"paid": MANY},
    "collected": {"amount": MANY, "unrest": one_of(["marker", "revolt"])},
    "deployed": {"paid": MANY, "armies": ARMIES},
    "moved": {"to": PROVINCE, "armies": ARMIES},
    "attacked": {
        "to": PROVINCE,
        "armies": ARMIES,
        "defender": or_null(PLAYER),
        "bonus": fields(attacker=MANY, defender=MANY, farmers=MANY),
    },
    "skipped": {"why": one_of(SKIPS)},
}
ALSO_MOVED: dict[str, Check] = {"to": or_null(PROVINCE), "armies_moved": number(0, 61)}


def checks_of(line: dict[str, Any]) -> dict[str, Check] | str:
    """Checks of a line by its type; a string says what is wrong with the type."""
    kind = line.get("t")
    if kind == "do":
        result = line.get("result")
        if not isinstance(result, str) or result not in DO_RESULTS:
            return f"unknown result {result!r}"
        moved = ALSO_MOVED if result == "deployed" and line.get("action") == "deploy_move_1_army" else {}
        return {**DO, "result": one_of(DO_RESULTS), **DO_RESULTS[result], **moved}
    if not isinstance(kind, str) or kind not in LINES:
        return f"unknown type {kind!r}"
    return LINES[kind]


def fault_of_fields(line: Any) -> str | None:
    """What is wrong with a line's fields, or None."""
    if not isinstance(line, dict):
        return "not an object"
    checks = checks_of(line)
    if isinstance(checks, str):
        return checks
    return fault_of(line, checks)


def fault_of_header(header: dict[str, Any]) -> str | None:
    """What is wrong with a header whose fields are right, or None."""
    if header["start"] == "preset" and header["side"] == "moon":
        return "preset start on the moon side"
    if header["options"]["shuffle_seats"] and header["start"] != "preset":
        return "shuffle_seats without the preset start"
    if header["agents"] is not None and len(header["agents"]) != header["players"]:
        return "agents: not one for each player"
    return None
