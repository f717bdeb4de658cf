"""Records to test with, of both games, and what can be wrong in them: where, how, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.games import KINDS, Options

Line = dict[str, Any]
Change = Callable[[Any], Any]

STARTS = (("sun", "preset"), ("sun", "draft"), ("sun", "random"), ("moon", "draft"), ("moon", "random"))
GAMES: dict[str, list[Options]] = {
    "shogun": [
        {"num_players": players, "side": side, "start": start, "seed": 10 * players + number}
        for players in (3, 4, 5)
        for number, (side, start) in enumerate(STARTS)
    ]
    + [
        {"tower": "one_shot", "seed": 1},
        {"tower": (4, 0.5, 0.1, 0.05), "num_players": 5, "seed": 2},
        {"tower": (1, 1.0, 0.0, 0.0), "seed": 3},
        {"optional_moves": True, "seed": 4},
        {"shuffle_seats": True, "seed": 5},
        {"shuffle_seats": True, "num_players": 3, "optional_moves": True, "seed": 6},
    ],
    "shitenno": [options | {"seed": seed} for options in KINDS["shitenno"] for seed in (11, 12)],
}
PLAIN = {"shogun": GAMES["shogun"][5], "shitenno": GAMES["shitenno"][4]}
"""A game of four."""

BAD_TEXT: dict[str, tuple[int, Callable[[bytes], bytes], str]] = {
    "no JSON": (3, lambda text: b"{player", "JSON"),
    "no object": (3, lambda text: b"[1]", "object"),
    "empty line": (3, lambda text: b"", "JSON"),
    "not UTF-8": (3, lambda text: text.replace(b"province", b"provinc\xe4"), "JSON"),
    "a field twice": (3, lambda text: text[:-1] + b', "province": 2}', "twice"),
    "NaN": (1, lambda text: text.replace(b'"version": 1', b'"version": NaN'), "NaN"),
    "too deep": (3, lambda text: b"[" * 100_000, "JSON"),
}

_EITHER: dict[str, tuple[Line, str]] = {
    "version": ({"version": 2}, "version is 2, must be 1"),
    "version as truth": ({"version": True}, "version is true, must be 1"),
    "agents": ({"agents": ["random"]}, "1 agents for 4 players"),
    "seed": ({"seed": 2**53}, "seed"),
    "another field": ({"author": "me"}, "must be format, version"),
    "no header": ({"t": "state"}, "header must be the first line"),
}
BAD_HEADERS: dict[str, dict[str, tuple[Line, str]]] = {
    "shogun": {
        **_EITHER,
        "format": ({"format": "shitenno-record"}, 'must be "shogun-record"'),
        "players": ({"players": 6}, "a whole number from 3 to 5"),
        "side": ({"side": "stars"}, 'one of "sun", "moon"'),
        "combination": ({"side": "moon"}, "preset"),
        "tower": ({"tower": {"floors": 2, "stick": 1.5, "dislodge": 0, "shake": 0}}, "tower"),
    },
    "shitenno": {
        **_EITHER,
        "format": ({"format": "shogun-record"}, 'must be "shitenno-record"'),
        "players": ({"players": 5}, "a whole number from 2 to 4"),
        "options": ({"options": {"optional_moves": False}}, "options"),
    },
}

BAD_FIELDS: dict[str, dict[str, tuple[Line, Line]]] = {
    "shogun": {
        "unknown type": ({"t": "place"}, {"t": "castling"}),
        "unknown field": ({"t": "place"}, {"colour": "red"}),
        "unknown province": ({"t": "place"}, {"province": "Kyoto"}),
        "truth for a number": ({"t": "place"}, {"player": False}),
        "number for a truth": ({"t": "fight"}, {"farmers_in": 1}),
        "fraction for a number": ({"t": "place"}, {"armies": 2.0}),
        "negative": ({"t": "winter"}, {"rice_loss": -1}),
        "zero count": ({"t": "throw"}, {"tray": {"0": 0}}),
        "unknown colour": ({"t": "throw"}, {"thrown": {"green": 1}}),
        "unknown result": ({"t": "do"}, {"result": "danced"}),
        "list too short": ({"t": "actions"}, {"open": ["build_castle"]}),
        "short row": ({"t": "state"}, {"provinces": {"Aki": [0, 1]}}),
        "a bidder twice": ({"t": "bids"}, {"order": [0, 1, 2, 2]}),
        "a second header": ({"t": "round"}, {"t": "header"}),
        "a list for a name": ({"t": "do"}, {"result": []}),
    },
    "shitenno": {
        "unknown type": ({"t": "top"}, {"t": "castling"}),
        "unknown field": ({"t": "top"}, {"colour": "red"}),
        "unknown province": ({"t": "top"}, {"province": "kyoto"}),
        "unknown card": ({"t": "pool"}, {"koku": ["koku_4"] * 4}),
        "truth for a number": ({"t": "take"}, {"player": False}),
        "number for a truth": ({"t": "answer"}, {"accepts": 1}),
        "fraction for a number": ({"t": "control"}, {"points": 3.0}),
        "negative": ({"t": "control"}, {"exchanges": -1}),
        "list too short": ({"t": "deal"}, {"cards": ["bushi"]}),
        "troops of Koku": ({"t": "pool"}, {"troops": ["koku_1"]}),
        "counts out of order": ({"t": "state"}, {"used": {"draw": 1, "exchange": 1}}),
        "a lot without a tile": ({"t": "divide"}, {"a": {"cards": []}}),
        "a province without Kamon": ({"t": "state"}, {"provinces": {"kanto": {"top": None}}}),
        "a second header": ({"t": "round"}, {"t": "header"}),
        "a list for a name": ({"t": "bonus"}, {"bonus": []}),
    },
}  # fmt: skip


def to(value: Any) -> Change:
    return lambda _: value


def more(value: int) -> int:
    return value + 1


def less(value: int) -> int:
    return value - 1


def another(player: int) -> int:
    return (player + 1) % 4


def first_more(values: list[int]) -> list[int]:
    return [values[0] + 1, *values[1:]]


def one_farmer_more(cubes: dict[str, int]) -> dict[str, int]:
    return cubes | {"farmers": cubes.get("farmers", 0) + 1}


def an_army_more(provinces: dict[str, list[Any]]) -> dict[str, list[Any]]:
    owner, armies, *rest = provinces["Omi"]
    return provinces | {"Omi": [owner, armies + 1, *rest]}


def a_koku_more(cards: list[str]) -> list[str]:
    return [*cards, "koku_3"]


def a_bushi_more(counts: list[dict[str, int]]) -> list[dict[str, int]]:
    return [{"bushi": counts[0].get("bushi", 0) + 1, **counts[0]}, *counts[1:]]


CORRUPTIONS: dict[str, list[tuple[Line, str, Change]]] = {
    "shogun": [
        ({"t": "place", "player": 2}, "province", to("Echigo")),
        ({"t": "place", "player": 3}, "armies", more),
        ({"t": "throw", "why": "fill"}, "thrown", one_farmer_more),
        ({"t": "throw", "why": "battle"}, "thrown", one_farmer_more),
        ({"t": "throw", "why": "battle"}, "tray", to({"farmers": 20})),
        ({"t": "throw", "why": "revolt"}, "why", to("winter_revolt")),
        ({"t": "year", "year": 1}, "year", more),
        ({"t": "year", "year": 2}, "events", lambda events: [events[0]] * 4),
        ({"t": "round", "season": "summer"}, "season", to("spring")),
        ({"t": "actions"}, "open", to(["build_castle"] * 5)),
        ({"t": "specials"}, "order", to(["six_armies"] * 5)),
        ({"t": "open", "position": 8}, "position", less),
        ({"t": "open", "position": 10}, "action", to("build_castle")),
        ({"t": "event"}, "rice_loss", more),
        ({"t": "bids"}, "paid", first_more),
        ({"t": "special", "player": 1}, "position", lambda position: position % 5 + 1),
        ({"t": "action"}, "action", to("battle_move_a")),
        ({"t": "do", "result": "built"}, "paid", more),
        ({"t": "do", "result": "collected"}, "amount", more),
        ({"t": "do", "result": "deployed", "action": "deploy_5_armies"}, "armies", less),
        ({"t": "do", "result": "deployed", "action": "deploy_move_1_army"}, "armies_moved", to(61)),
        ({"t": "do", "result": "attacked"}, "armies", to(61)),
        ({"t": "do", "result": "attacked"}, "bonus", to({"attacker": 3, "defender": 3, "farmers": 3})),
        ({"t": "do", "result": "skipped"}, "why", to("supply_short")),
        ({"t": "do", "player": 2}, "player", more),
        ({"t": "fight"}, "remaining", more),
        ({"t": "fight"}, "farmers_in", lambda value: not value),
        ({"t": "winter"}, "short", first_more),
        ({"t": "famine"}, "drawn", to(["Echigo"])),
        ({"t": "score", "year": 2}, "castles", first_more),
        ({"t": "state"}, "farmers_supply", less),
        ({"t": "state"}, "provinces", an_army_more),
        ({"t": "state"}, "tower", one_farmer_more),
        ({"t": "result"}, "winners", to([])),
    ],
    "shitenno": [
        ({"t": "top"}, "province", to("kanto")),
        ({"t": "deal", "player": 1}, "cards", to(["sohei_sohei"] * 2)),
        ({"t": "deal", "player": 2}, "player", more),
        ({"t": "titles"}, "seals", to([1, 1, 2, 3])),
        ({"t": "round", "round": 2}, "round", more),
        ({"t": "pool"}, "troops", to(["sohei_sohei"] * 8)),
        ({"t": "pool"}, "koku", to(["koku_3"] * 5)),
        ({"t": "pool"}, "reshuffled", to(0)),
        ({"t": "lot"}, "cards", to(["koku_3"] * 4)),
        ({"t": "answer"}, "player", another),
        ({"t": "divide"}, "player", another),
        ({"t": "divide"}, "b", lambda lot: lot | {"cards": a_koku_more(lot["cards"])}),
        ({"t": "pick"}, "player", another),
        ({"t": "take"}, "player", another),
        ({"t": "take"}, "cards", a_koku_more),
        ({"t": "take"}, "seals", lambda seals: seals % 4 + 1),
        ({"t": "turn"}, "player", another),
        ({"t": "draw"}, "card", to("koku_1")),
        ({"t": "draw"}, "player", another),
        ({"t": "control"}, "position", lambda position: position % 4 + 1),
        ({"t": "control"}, "points", more),
        ({"t": "control"}, "title_points", lambda points: (points + 1) % 3),
        ({"t": "control"}, "exchanges", to(9)),
        ({"t": "control", "by": "koku"}, "cards", a_koku_more),
        ({"t": "control", "by": "troops"}, "cards", to([])),
        ({"t": "bonus"}, "player", another),
        ({"t": "end_turn"}, "player", another),
        ({"t": "sensei"}, "player", another),
        ({"t": "state"}, "points", first_more),
        ({"t": "state"}, "hands", a_bushi_more),
        ({"t": "state"}, "known", a_bushi_more),
        ({"t": "state"}, "pile", first_more),
        ({"t": "score"}, "majorities", first_more),
        ({"t": "score"}, "holders", lambda held: held | {"kanto": another(held["kanto"] or 0)}),
        ({"t": "result"}, "winner", another),
    ],
}

OTHER_GAME = {"shogun": ("place", "draft", "plan"), "shitenno": ("control", "draw")}
"""Lines without which what is left may be the beginning of another game."""

ILLEGAL: dict[str, list[tuple[Options, Line, Line]]] = {
    "shogun": [
        (GAMES["shogun"][5], {"t": "plan", "player": 2}, {"bid": "Mutsu"}),
        (GAMES["shogun"][6], {"t": "draft", "player": 2}, {"from": "open", "province": "Shima"}),
    ],
    "shitenno": [
        (PLAIN["shitenno"], {"t": "lot"}, {"cards": ["koku_3"] * 4}),
        (PLAIN["shitenno"], {"t": "divide"}, {"a": {"cards": ["koku_3"] * 4, "seals": 1}}),
    ],
}
"""Decisions against the rules: record, line, what is changed in it."""

MISCOUNT: dict[str, tuple[Line, str]] = {
    "shogun": ({"t": "do", "result": "built"}, "paid"),
    "shitenno": ({"t": "control"}, "points"),
}
"""A number that follows from the rest."""
