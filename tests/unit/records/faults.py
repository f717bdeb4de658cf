"""Records to test with, of both games, and what can be wrong in them: where, how, and what is said of it."""

from collections.abc import Callable
from typing import Any

from tests.games import KINDS, Options

Line = dict[str, Any]

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
    "empty line": (3, lambda text: b"", "is empty; a record has no empty lines"),
    "not UTF-8": (3, lambda text: text.replace(b"province", b"provinc\xe4"), "not text in UTF-8"),
    "a field twice": (3, lambda text: text[:-1] + b', "province": 2}', "twice"),
    "NaN": (1, lambda text: text.replace(b'"version": 1', b'"version": NaN'), "NaN"),
    "byte order mark": (
        1,
        lambda text: b"\xef\xbb\xbf" + text,
        "begins with a byte order mark; save the record as UTF-8",
    ),
    "too deep": (3, lambda text: b"[" * 100_000, "JSON"),
}

_EITHER: dict[str, tuple[Line, str]] = {
    "version": ({"version": 2}, "version is 2, must be 1"),
    "version as truth": ({"version": True}, "version is true, must be 1"),
    "agents": ({"agents": ["random"]}, "1 agents for 4 players"),
    "seed": ({"seed": 2**53}, "seed"),
    "another game": ({"format": "chess-record", "author": "me"}, 'format is "chess-record", must be'),
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
