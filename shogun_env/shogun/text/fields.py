"""What the fields of each line of a record may hold (``RECORD.md``); ``spec.forms`` says how a form is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.text.lines import (
    COLOUR_KEYS,
    FORMAT,
    OUTCOME_NAMES,
    SCORE_NAMES,
    SKIP_NAMES,
    TRACK_NAMES,
    VERSION,
    WHY_NAMES,
)

_COUNT = range(2**53)
_PLAYER = range(c.MAX_PLAYERS)
_PLAYER_OR_NULL = (None, _PLAYER)
_ARMIES = range(1, board.ARMIES_PER_PLAYER)
_FLAG = range(2)
_YEAR = range(1, c.N_YEARS + 1)
_BOOL = (False, True)
_PROVINCE, _ACTION = board.PROVINCE_NAMES, board.ACTION_NAMES
_PROVINCE_OR_NULL = (None, *_PROVINCE)
_CARD = (None, *_PROVINCE, *(f"chest_{value}" for value in range(c.N_CHEST_CARDS)))
_EVENT = {"event": board.EVENT_NAMES, "rice_loss": _COUNT}
_CUBES = {frozenset(COLOUR_KEYS): range(1, board.ARMIES_PER_PLAYER + 1)}


def _share(value: Any) -> bool:
    """A number from 0 to 1."""
    return type(value) in (int, float) and 0 <= value <= 1


def _each_once(value: Any) -> bool:
    """A list of players, each once."""
    return isinstance(value, list) and all(type(p) is int for p in value) and sorted(value) == list(range(len(value)))


_LINES: dict[str, dict[Any, Any]] = {
    "header": {
        "format": FORMAT,
        "version": VERSION,
        "players": range(3, c.MAX_PLAYERS + 1),
        "side": board.SIDE_NAMES,
        "start": board.START_NAMES,
        "tower": (None, {"floors": range(1, c.MAX_FLOORS + 1), "stick": _share, "dislodge": _share, "shake": _share}),
        "options": {"optional_moves": _BOOL, "shuffle_seats": _BOOL},
        "seed": (None, _COUNT),
        "agents": (None, [str]),
    },
    "place": {"player": _PLAYER, "province": _PROVINCE, "armies": _ARMIES},
    "draft": {
        "player": _PLAYER,
        "from": ("open", "deck"),
        "province": _PROVINCE,
        "armies": _ARMIES,
        "open": [_PROVINCE],
    },
    "bury": {"player": _PLAYER, "provinces": [_PROVINCE, 2]},
    "throw": {"why": WHY_NAMES, "thrown": _CUBES, "tray": _CUBES},
    "year": {"year": _YEAR, "events": [_EVENT, c.N_YEAR_EVENTS]},
    "round": {"year": _YEAR, "season": board.SEASON_NAMES},
    "actions": {"open": [_ACTION, c.N_OPEN_ACTIONS]},
    "open": {"position": range(c.N_OPEN_ACTIONS + 1, c.N_ACTION_CARDS + 1), "action": _ACTION},
    "specials": {"order": [board.SPECIAL_NAMES, c.N_SPECIALS]},
    "plan": {"player": _PLAYER, **dict.fromkeys(("bid", *_ACTION), _CARD)},
    "event": _EVENT,
    "bids": {"order": _each_once, "paid": [_COUNT]},
    "special": {"player": _PLAYER, "special": board.SPECIAL_NAMES, "position": range(1, c.N_SPECIALS + 1)},
    "action": {"action": _ACTION},
    "fight": {
        "province": _PROVINCE,
        "attacker": _PLAYER_OR_NULL,
        "defender": _PLAYER_OR_NULL,
        "tray_attacker": _COUNT,
        "tray_defender": _COUNT,
        "farmers_in": _BOOL,
        "tray_farmers": _COUNT,
        "outcome": OUTCOME_NAMES,
        "remaining": _COUNT,
    },
    "winter": {"year": _YEAR, "rice_loss": _COUNT, "short": [_COUNT]},
    "famine": {"player": _PLAYER, "drawn": [_PROVINCE], "order": [_PROVINCE]},
    "score": {"year": _YEAR, **{name: [_COUNT] for name in (*SCORE_NAMES, "total")}},
    "state": {
        "provinces": {frozenset(_PROVINCE): [_PLAYER_OR_NULL, _COUNT, _COUNT, _FLAG, _FLAG, _FLAG]},
        **{name: [_COUNT] for name in TRACK_NAMES},
        "farmers_supply": _COUNT,
        "tower": _CUBES,
        "tray": _CUBES,
    },
    "result": {"points": [_COUNT], "chests": [_COUNT], "winners": [_PLAYER]},
}

_DO = {"player": _PLAYER, "action": _ACTION, "province": _PROVINCE_OR_NULL}
_RESULTS: dict[str, dict[str, Any]] = {
    "built": {"paid": _COUNT},
    "collected": {"amount": _COUNT, "unrest": ("marker", "revolt")},
    "deployed": {"paid": _COUNT, "armies": _ARMIES},
    "moved": {"to": _PROVINCE, "armies": _ARMIES},
    "attacked": {
        "to": _PROVINCE,
        "armies": _ARMIES,
        "defender": _PLAYER_OR_NULL,
        "bonus": {"attacker": _COUNT, "defender": _COUNT, "farmers": _COUNT},
    },
    "skipped": {"why": SKIP_NAMES},
}
_THEN_MOVED = {"to": _PROVINCE_OR_NULL, "armies_moved": range(board.ARMIES_PER_PLAYER)}


def fields_of(line: Mapping[str, Any]) -> Mapping[Any, Any] | None:
    """Return what the fields of a line may hold, its type aside; None for an unknown type, or result of a turn."""
    kind, result = line.get("t"), line.get("result")
    if kind != "do":
        return _LINES.get(kind) if isinstance(kind, str) else None
    if not isinstance(result, str) or result not in _RESULTS:
        return None
    moved = _THEN_MOVED if (result, line.get("action")) == ("deployed", _ACTION[c.DEPLOY_MOVE_1_ARMY]) else {}
    return {**_DO, "result": result, **_RESULTS[result], **moved}
