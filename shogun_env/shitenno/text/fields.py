"""What the fields of each line of a record may hold (``RECORD.md``); ``spec.forms`` says how a form is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.text.lines import FORMAT, KOKU_KINDS, LOT_NAMES, TROOP_KINDS, VERSION, WAY_NAMES

_COUNT = range(2**53)
_PLAYER = range(c.MAX_PLAYERS)
_PLAYER_OR_NULL = (None, _PLAYER)
_SEALS = range(1, c.N_TITLES + 1)
_BOOL = (False, True)
_FLAG = range(2)
_PROVINCE, _KIND = board.PROVINCE_NAMES, board.KIND_NAMES
_LOT = {"cards": [_KIND], "seals": _SEALS}
_TILES = {board.BONUS_NAMES: _COUNT}

_LINES: dict[str, dict[Any, Any]] = {
    "header": {
        "format": FORMAT,
        "version": VERSION,
        "players": range(c.MIN_PLAYERS, c.MAX_PLAYERS + 1),
        "options": {(): None},
        "seed": (None, _COUNT),
        "agents": (None, [str]),
    },
    "top": {"province": _PROVINCE, "troop": board.TROOP_NAMES},
    "deal": {"player": _PLAYER, "cards": [TROOP_KINDS, board.START_CARDS]},
    "titles": {"seals": [_SEALS]},
    "round": {"round": _COUNT},
    "pool": {"troops": [TROOP_KINDS], "koku": [KOKU_KINDS], "reshuffled": (None, _COUNT)},
    "lot": {"player": _PLAYER, **_LOT},
    "answer": {"player": _PLAYER, "accepts": _BOOL},
    "divide": {"player": _PLAYER, **dict.fromkeys(LOT_NAMES, _LOT)},
    "pick": {"player": _PLAYER, "lot": LOT_NAMES},
    "take": {"player": _PLAYER, **_LOT},
    "turn": {"player": _PLAYER},
    "draw": {"player": _PLAYER, "card": TROOP_KINDS, "reshuffled": _BOOL},
    "control": {
        "player": _PLAYER,
        "province": _PROVINCE,
        "position": range(1, c.N_POSITIONS + 1),
        "by": WAY_NAMES,
        "joker": _BOOL,
        "exchanges": _COUNT,
        "plus_ones": _COUNT,
        "cards": [_KIND],
        "points": _COUNT,
        "title_points": _COUNT,
    },
    "bonus": {"player": _PLAYER, "province": _PROVINCE, "bonus": board.BONUS_NAMES},
    "end_turn": {"player": _PLAYER},
    "sensei": {"player": _PLAYER, "province": (None, *_PROVINCE)},
    "score": {"koku": [_COUNT], "majorities": [_COUNT], "holders": dict.fromkeys(_PROVINCE, _PLAYER_OR_NULL)},
    "state": {
        "points": [_COUNT],
        "seals": [_SEALS],
        "kamon": [_COUNT],
        "hands": [{_KIND: _COUNT}],
        "known": [{TROOP_KINDS: _COUNT}],
        "tiles": [_TILES],
        "provinces": {name: {"top": (None, *board.TROOP_NAMES), "kamon": [[_PLAYER, _FLAG]]} for name in _PROVINCE},
        "discard": {TROOP_KINDS: _COUNT},
        "spent": {KOKU_KINDS: _COUNT},
        "used": _TILES,
        "pile": [_COUNT, 2],
    },
    "result": {"points": [_COUNT], "seals": [_SEALS], "winner": _PLAYER},
}


def fields_of(line: Mapping[str, Any]) -> Mapping[Any, Any] | None:
    """Return what the fields of a line other than its type may hold; None for an unknown type."""
    kind = line.get("t")
    return _LINES.get(kind) if isinstance(kind, str) else None
