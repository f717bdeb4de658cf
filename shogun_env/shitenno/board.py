"""The printed numbers of Shitennō as read-only tables, loaded once from ``data.json`` and checked."""

import json
from importlib import resources
from typing import Any

import numpy as np

from shogun_env.shitenno import constants as c
from shogun_env.spec.forms import check_order

DATA: dict[str, Any] = json.loads(resources.files(__package__).joinpath("data.json").read_text("utf-8"))

_PROVINCES: list[dict[str, Any]] = DATA["provinces"]["list"]
_KINDS: list[dict[str, Any]] = DATA["card_kinds"]["order"]
_TITLES: list[dict[str, Any]] = DATA["titles"]["list"]

TROOP_NAMES = tuple(DATA["troop_types"]["order"])
PROVINCE_NAMES = tuple(province["id"] for province in _PROVINCES)
KIND_NAMES = tuple(kind["id"] for kind in _KINDS)
BONUS_NAMES = tuple(DATA["bonus_tiles"]["order_of_bonuses"])
check_order(c, BONUS_NAMES)
_BY_SEALS = sorted(_TITLES, key=lambda title: int(title["bakufu_seals"]))
TITLE_NAMES = tuple(title["id"] for title in _BY_SEALS)
check_order(c, TITLE_NAMES, first=c.HATAMOTO)
"""Names of the titles, from one seal to four."""


def _frozen(values: Any, dtype: type = np.int64) -> np.ndarray:
    table: np.ndarray = np.ascontiguousarray(values, dtype)
    table.setflags(write=False)
    return table


def _by_players(name: str) -> np.ndarray:
    counts = DATA["by_player_count"]
    return _frozen([counts[str(n)][name] if str(n) in counts else 0 for n in range(c.MAX_PLAYERS + 1)])


NATIVE = _frozen([TROOP_NAMES.index(province["native_troop"]) for province in _PROVINCES])
"""Native troop type of a province."""
ICONS = _frozen([province["printed_troops_always_visible"] for province in _PROVINCES])
"""Printed icons of the native type that are always in sight."""
ENTRANCE_ICONS = _frozen([province["printed_troops_under_the_tile_stack"] for province in _PROVINCES])
"""Printed icons on the entrance, which the tiles hide."""
NUMBER = _frozen([province["favour_points_by_position"] for province in _PROVINCES])
"""The number on a position, its points and its price: int64[province, position]."""
MAJORITY = _frozen([province["majority_favour_points"] for province in _PROVINCES])

COPIES = _frozen([kind["copies"] for kind in _KINDS])
"""Copies of each card kind: int64[17]."""
KOKU_VALUE = _frozen([kind["koku_value"] for kind in _KINDS])
_TILES = {(tile["troop_side"], tile["bonus_side"]): tile["copies"] for tile in DATA["bonus_tiles"]["kinds"]}
TILE_COPIES = _frozen([[_TILES[troop, bonus] for bonus in BONUS_NAMES] for troop in TROOP_NAMES])
"""Copies of each bonus tile: int64[troop, bonus]."""

START_KAMON = _by_players("control_kamon_per_player")
POOL_TROOPS = _by_players("troop_cards_drawn_each_even_year")
POOL_KOKU = _by_players("koku_cards_drawn_each_even_year")
START_CARDS: int = DATA["start"]["troop_cards_dealt_to_each_player"]
STACK: int = DATA["start"]["bonus_tiles_per_province_stack"]
MAX_PLACED: int = DATA["odd_year_limits"]["control_kamon_placed_per_player"]
TITLE_POINTS = _frozen([0, *(title["extra_favour_points_per_kamon_placed"] for title in _BY_SEALS)])
"""Points that a placement earns beyond the number of its position, by seals 0..4 (S25)."""
KOKU_POINTS: int = DATA["final_scoring"]["favour_points_per_koku_in_hand"]
WEIGHT = _frozen([DATA["final_scoring"][f"majority_weight_{side}_kamon"] for side in ("simple", "golden")])
"""Weight of a Kamon in a majority: simple, golden."""

# A payment is one number: bytes 0 to 3 count the units of each troop type, then a byte each for Koku units, the joker,
# Exchanges and +1s. The lowest bits of the last four bytes:
KOKU_AT, JOKER_AT, EXCHANGE_AT, PLUS_ONE_AT = 32, 40, 48, 56


def _worth() -> np.ndarray:
    """Return what each item adds to a payment: int64[20]."""
    table = [1 << JOKER_AT, 1 << EXCHANGE_AT, 1 << PLUS_ONE_AT]
    for kind in _KINDS:
        troops = sum(1 << 8 * TROOP_NAMES.index(troop) for troop in kind["troops"])
        table.append(troops + (int(kind["koku_value"]) << KOKU_AT))
    return _frozen(table)


WORTH = _worth()
"""What each item adds to a payment, by item."""


def _check() -> None:
    """Raise ValueError if the data do not have the shapes for which the engine is built."""
    counts = {
        "provinces": (len(PROVINCE_NAMES), c.N_PROVINCES),
        "positions": (NUMBER.shape[1], c.N_POSITIONS),
        "troop types": (len(TROOP_NAMES), c.N_TROOPS),
        "card kinds": (len(KIND_NAMES), c.N_KINDS),
        "troop card kinds": (int((KOKU_VALUE == 0).sum()), c.N_TROOP_KINDS),
        "titles": (len(TITLE_NAMES), c.N_TITLES),
        "tiles": (int(TILE_COPIES.sum()), STACK * c.N_PROVINCES),
        "tiles per province": (STACK, c.N_POSITIONS - 1),
        "actions": (DATA["action_encoding"]["size"], c.N_ACTIONS),
    }
    for name, (count, expected) in counts.items():
        if count != expected:
            raise ValueError(f"shitenno/data.json has {count} {name}; the engine is built for {expected}")
    if BONUS_NAMES != ("exchange", "plus_one", "draw") or (KOKU_VALUE[: c.N_TROOP_KINDS] != 0).any():
        raise ValueError(
            "shitenno/data.json: bonuses must be exchange, plus_one, draw; Koku cards must follow troop cards"
        )
    if [province["koku_cost_by_position"] for province in _PROVINCES] != NUMBER.tolist():
        raise ValueError("shitenno/data.json: the price of every position must equal its points")


_check()
