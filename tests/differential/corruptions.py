"""One wrong line in a good record: functions that change the lines and return the number of the first wrong one;
and all that are tried, by game.
"""

import json
from collections.abc import Callable
from typing import Any

Line = dict[str, Any]
Corruption = Callable[[list[Line]], int]


def first(lines: list[Line], kind: str, **fields: Any) -> int:
    """Index of the first line of a type with these values."""
    return next(
        index
        for index, line in enumerate(lines)
        if line["t"] == kind and all(line.get(name) == value for name, value in fields.items())
    )


def changed(kind: str, name: str, value: Any, **fields: Any) -> Corruption:
    """Corruption that gives one field of the first such line another value (or what a function makes of it)."""

    def corrupt(lines: list[Line]) -> int:
        index = first(lines, kind, **fields)
        old = lines[index].get(name)
        lines[index][name] = value(old) if callable(value) else value
        assert json.dumps(lines[index][name]) != json.dumps(old)
        return index + 1

    return corrupt


def removed(kind: str, **fields: Any) -> Corruption:
    """Corruption that leaves out the first such line."""

    def corrupt(lines: list[Line]) -> int:
        index = first(lines, kind, **fields)
        del lines[index]
        return index + 1

    return corrupt


def doubled(kind: str) -> Corruption:
    """Corruption that repeats the first such line."""

    def corrupt(lines: list[Line]) -> int:
        index = first(lines, kind)
        lines.insert(index, lines[index])
        return index + 2

    return corrupt


def without_field(kind: str, name: str) -> Corruption:
    """Corruption that leaves out a field of the first such line."""

    def corrupt(lines: list[Line]) -> int:
        index = first(lines, kind)
        del lines[index][name]
        return index + 1

    return corrupt


def plus_one(value: Any) -> Any:
    """A number plus one, or a list or object with its first number plus one."""
    if isinstance(value, dict):
        key = next(iter(value))
        return {**value, key: plus_one(value[key])}
    return [plus_one(value[0]), *value[1:]] if isinstance(value, list) else value + 1


def turned(value: list[Any]) -> list[Any]:
    """A list back to front."""
    return value[::-1]


def twice(value: list[Any]) -> list[Any]:
    """A list whose second entry is its first once more."""
    return [value[0], value[0], *value[2:]]


def other(value: int) -> int:
    """Another player of four."""
    return (value + 1) % 4


def none_left(_: Any) -> dict[str, int]:
    """Counts of nothing."""
    return {}


def back_to_front(value: list[dict[str, int]]) -> list[dict[str, int]]:
    """Counts in another order than the data's."""
    return [dict(reversed(hand.items())) for hand in value]


def overpaid(cards: list[str]) -> list[str]:
    """One card more than needed."""
    return [*cards, "koku_3"]


def titles_of_a_division(lines: list[Line]) -> int:
    """Other titles than those of the hierarchy tiles."""
    index = [index for index, line in enumerate(lines) if line["t"] == "titles"][1]
    lines[index]["seals"].reverse()
    return index + 1


SHOGUN: dict[str, Corruption] = {
    "version": changed("header", "version", 2),
    "version true": changed("header", "version", True),
    "players": changed("header", "players", 6),
    "preset on the moon": changed("header", "side", "moon"),
    "unknown field": changed("specials", "note", "x"),
    "unknown type": changed("round", "t", "season"),
    "missing field": without_field("fight", "remaining"),
    "true for one": changed("year", "year", True, year=1),
    "float for a whole number": changed("bids", "paid", lambda paid: [float(paid[0]), *paid[1:]]),
    "place": changed("place", "armies", plus_one),
    "place twice": doubled("place"),
    "impossible throw": changed("throw", "tray", {"0": 62}, why="battle"),
    "thrown": changed("throw", "thrown", plus_one, why="fill"),
    "state chests": changed("state", "chests", plus_one),
    "state tower": changed("state", "tower", plus_one),
    "event not open": changed("event", "rice_loss", plus_one),
    "events twice": changed("year", "events", twice),
    "actions twice": changed("actions", "open", twice),
    "specials twice": changed("specials", "order", twice),
    "open again": changed("open", "position", plus_one),
    "plan of another player's card": changed("plan", "build_castle", "Mutsu", player=2),
    "plan of a card twice": changed("plan", "build_castle", lambda _: "chest_1", build_temple="chest_1"),
    "plan left empty": changed("plan", "bid", None, player=1),
    "bid order": changed("bids", "order", turned),
    "special taken": changed("special", "position", lambda position: position % 5 + 1),
    "action": changed("action", "action", lambda name: "build_castle" if name != "build_castle" else "collect_taxes"),
    "why skipped": changed("do", "why", "none_left", why="no_card"),
    "amount": changed("do", "amount", plus_one, result="collected"),
    "paid": changed("do", "paid", plus_one, result="built"),
    "armies in an attack": changed("do", "armies", 60, result="attacked"),
    "target": changed("do", "to", lambda name: "Aki" if name != "Aki" else "Mutsu", result="moved"),
    "bonus": changed("do", "bonus", plus_one, result="attacked"),
    "do of another": changed("do", "player", lambda player: (player + 1) % 4),
    "do removed": removed("do"),
    "round twice": doubled("round"),
    "event removed": removed("event"),
    "fight removed": removed("fight"),
    "tray count": changed("fight", "tray_attacker", plus_one),
    "farmers in": changed("fight", "farmers_in", lambda value: not value),
    "remaining": changed("fight", "remaining", plus_one),
    "short": changed("winter", "short", plus_one),
    "famine drawn": changed("famine", "drawn", lambda names: [*names, *names]),
    "score": changed("score", "castles", plus_one),
    "winners": changed("result", "winners", lambda players: [(players[0] + 1) % 4]),
    "result removed": removed("result"),
    "result twice": doubled("result"),
}

SHITENNO: dict[str, Corruption] = {
    "version": changed("header", "version", 2),
    "version true": changed("header", "version", True),
    "format": changed("header", "format", "shogun-record"),
    "players": changed("header", "players", 5),
    "options": changed("header", "options", {"optional_moves": False}),
    "agents": changed("header", "agents", ["random"]),
    "unknown field": changed("turn", "note", "x"),
    "unknown type": changed("round", "t", "year"),
    "missing field": without_field("take", "seals"),
    "true for a number": changed("round", "round", True),
    "float for a whole number": changed("control", "points", float),
    "top of another province": changed("top", "province", "kanto"),
    "top removed": removed("top"),
    "card of the deal": changed("deal", "cards", ["koku_1", "bushi"]),
    "deal of another": changed("deal", "player", 1),
    "titles twice the same": changed("titles", "seals", [1, 1, 2, 3]),
    "title that is none": changed("titles", "seals", [0, 1, 2, 3]),
    "pool with a double twice": changed("pool", "troops", ["sohei_sohei", "sohei_sohei", *["bushi"] * 6]),
    "pool too small": changed("pool", "troops", lambda cards: cards[1:]),
    "pool too large": changed("pool", "koku", lambda cards: [*cards, "koku_1"]),
    "pool reshuffled": changed("pool", "reshuffled", 0),
    "lot of cards not there": changed("lot", "cards", ["koku_3"] * 5),
    "lot in another order": changed("lot", "cards", ["koku_3", "bushi"]),
    "lot of another": changed("lot", "player", other),
    "lot removed": removed("lot"),
    "answer out of turn": changed("answer", "player", other),
    "answer twice": doubled("answer"),
    "answer turned round": changed("answer", "accepts", lambda value: "yes" if value else "no"),
    "take of another": changed("take", "player", other),
    "take of other seals": changed("take", "seals", lambda seals: seals % 4 + 1),
    "take removed": removed("take"),
    "divide into wrong rest": changed("divide", "b", lambda lot: {**lot, "cards": [*lot["cards"], "koku_1"]}),
    "divide with one tile twice": changed("divide", "b", lambda lot: {**lot, "seals": lot["seals"] % 4 + 1}),
    "divide by another": changed("divide", "player", other),
    "pick of another": changed("pick", "player", other),
    "titles not those of the tiles": titles_of_a_division,
    "turn of another": changed("turn", "player", other),
    "turn removed": removed("turn"),
    "control position": changed("control", "position", lambda position: position % 4 + 1),
    "control points": changed("control", "points", plus_one),
    "control title points": changed("control", "title_points", lambda points: (points + 1) % 3),
    "control with a card too many": changed("control", "cards", overpaid, by="koku"),
    "control unpaid": changed("control", "cards", []),
    "control with tiles too many": changed("control", "exchanges", 9),
    "control with countless tiles": changed("control", "plus_ones", 2**40),
    "control with the joker": changed("control", "joker", lambda joker: not joker),
    "control by another": changed("control", "player", other),
    "bonus of another province": changed("bonus", "player", other),
    "bonus removed": removed("bonus"),
    "draw of koku": changed("draw", "card", "koku_1"),
    "draw reshuffled": changed("draw", "reshuffled", lambda value: not value),
    "draw twice": doubled("draw"),
    "end of turn of another": changed("end_turn", "player", other),
    "end of turn twice": doubled("end_turn"),
    "sensei of another": changed("sensei", "player", other),
    "sensei removed": removed("sensei"),
    "state points": changed("state", "points", plus_one),
    "state seals": changed("state", "seals", turned),
    "state kamon": changed("state", "kamon", plus_one),
    "state hands": changed("state", "hands", turned),
    "state hands in another order": changed("state", "hands", back_to_front),
    "state pile": changed("state", "pile", plus_one),
    "state used": changed("state", "used", {"draw": 8}),
    "state discard": changed("state", "discard", {"bushi": 1}),
    "state zero": changed("state", "spent", {"koku_1": 0}),
    "state removed": removed("state"),
    "round": changed("round", "round", plus_one),
    "round twice": doubled("round"),
    "score koku": changed("score", "koku", plus_one),
    "score majorities": changed("score", "majorities", plus_one),
    "score holders": changed("score", "holders", lambda value: {**value, "kanto": (value["kanto"] or 0) + 1}),
    "score without a province": changed("score", "holders", none_left),
    "result points": changed("result", "points", plus_one),
    "winner": changed("result", "winner", other),
    "result removed": removed("result"),
    "result twice": doubled("result"),
}

CORRUPTIONS = {"shogun": SHOGUN, "shitenno": SHITENNO}
"""By game and name, in a record of four players in which everything happens that they need."""
