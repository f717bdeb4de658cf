"""The board and the printed numbers of Shogun as read-only tables, loaded from ``data.json`` and checked."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import Any

import numpy as np

from shogun_env.shogun import constants as c
from shogun_env.spec.data import check_order

DATA: dict[str, Any] = json.loads(resources.files(__package__).joinpath("data.json").read_text("utf-8"))

PROVINCE_NAMES = tuple(province["name"] for province in DATA["provinces"])
ACTION_NAMES = tuple(action["name"] for action in DATA["actions"])
SPECIAL_NAMES = tuple(DATA["specials"])
EVENT_NAMES = tuple(event["name"] for event in DATA["events"])
REGION_NAMES = tuple(DATA["regions"])
SIDE_NAMES = ("sun", "moon")
START_NAMES = ("preset", "draft", "random")
SEASON_NAMES = ("spring", "summer", "autumn")
KIND_NAMES = ("castle", "temple", "no_theatre")
for _names in (ACTION_NAMES, SPECIAL_NAMES, EVENT_NAMES, SIDE_NAMES, START_NAMES, KIND_NAMES):
    check_order(c, _names)
EVENT_CARDS = tuple(
    (name, loss)
    for event in DATA["events"]
    for name, loss in ((event["name"], loss) for loss in event["copies_rice_loss"])
)
"""The twelve event cards: name of the effect, rice loss."""


def _frozen(values: Any, dtype: type = np.int64) -> np.ndarray:
    table: np.ndarray = np.ascontiguousarray(values, dtype)
    table.setflags(write=False)
    return table


def _column(name: str) -> np.ndarray:
    return _frozen([province[name] for province in DATA["provinces"]])


TAX = _column("tax")
RICE = _column("rice")
SITES = _column("building_sites")
REGION = _frozen([[REGION_NAMES.index(p["region"][side]) for p in DATA["provinces"]] for side in SIDE_NAMES])
"""Region of each province: int64[side, province]."""


def _provinces_of() -> np.ndarray:
    """Return the provinces of each region: int64[side, region, 9]."""
    provinces = [[np.flatnonzero(row == region) for region in range(c.N_REGIONS)] for row in REGION]
    if any(len(region) != c.PROVINCES_IN_REGION for side in provinces for region in side):
        raise ValueError("shogun/data.json: each side must have five regions of nine provinces")
    return _frozen(provinces)


PROVINCES_OF = _provinces_of()


def _in_play() -> np.ndarray:
    table = np.ones((c.N_SIDES, c.MAX_PLAYERS + 1, c.N_PROVINCES), np.int64)
    for side, name in enumerate(SIDE_NAMES):
        table[side, 3] = [not p["out_of_play_with_3_players"][name] for p in DATA["provinces"]]
    return _frozen(table)


IN_PLAY = _in_play()
"""1 where a province is in play: int64[side, number of players, province]."""


def _neighbours() -> np.ndarray:
    """Return the neighbours in play of each province, by land or sea: int64[side, players, province, 11].

    A row is filled up with NONE, of which it holds at least one: loops over neighbours stop there.
    """
    table = np.full((c.N_SIDES, c.MAX_PLAYERS + 1, c.N_PROVINCES, c.MAX_NEIGHBOURS + 1), c.NONE, np.int64)
    neighbours: list[list[int]] = [[] for _ in PROVINCE_NAMES]
    for one, other in DATA["land_borders"] + DATA["sea_routes"]:
        i, j = PROVINCE_NAMES.index(one), PROVINCE_NAMES.index(other)
        neighbours[i].append(j)
        neighbours[j].append(i)
    for side in range(c.N_SIDES):
        for players in range(c.MAX_PLAYERS + 1):
            in_play = IN_PLAY[side, players]
            for province, others in enumerate(neighbours):
                row = [other for other in sorted(others) if in_play[other] and in_play[province]]
                table[side, players, province, : len(row)] = row
    return _frozen(table)


NEIGHBOURS = _neighbours()


def _start_armies() -> np.ndarray:
    """Return the armies of the preset start: int64[players, row of the start table, province]."""
    table = np.zeros((c.MAX_PLAYERS + 1, c.MAX_PLAYERS, c.N_PROVINCES), np.int64)
    for players, rows in DATA["start_positions_sun"].items():
        for number, row in enumerate(rows):
            for name, armies in row.items():
                table[int(players), number, PROVINCE_NAMES.index(name)] = armies
    return _frozen(table)


def _army_groups() -> np.ndarray:
    """Return the number of army groups of each size: int64[players, size 0..5]."""
    table = np.zeros((c.MAX_PLAYERS + 1, c.MAX_GROUP + 1), np.int64)
    for players, sizes in DATA["army_groups"].items():
        for size in sizes:
            table[int(players), size] += 1
    return _frozen(table)


def _by_players(name: str) -> np.ndarray:
    values = DATA[name]
    return _frozen([values.get(str(players), 0) for players in range(c.MAX_PLAYERS + 1)])


START_ARMIES = _start_armies()
ARMY_GROUPS = _army_groups()
START_CHESTS = _by_players("start_chests")
COST = _frozen([action["cost"] for action in DATA["actions"]])
DEPLOYED_ARMIES = _frozen([action.get("armies", 0) for action in DATA["actions"]])


def _fewer_armies() -> np.ndarray:
    """Return the armies deployed by each action under *fewer recruits*: int64[action].

    The text of the event names the numbers of armies, then the numbers that replace them; others stay as they are.
    """
    text = next(event["effect"] for event in DATA["events"] if event["name"] == "fewer_recruits")
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    half = len(numbers) // 2
    fewer = dict(zip(numbers[:half], numbers[half:], strict=True))
    return _frozen([fewer.get(armies, armies) for armies in DEPLOYED_ARMIES.tolist()])


FEWER_ARMIES = _fewer_armies()
EVENT_BOUND = _frozen([int(re.search(r"(\d*)$", name).group() or 0) for name in EVENT_NAMES])  # type: ignore[union-attr]
"""The number at the end of each effect's name: the bound of the tax and rice events, 0 for the others."""
EVENT_OF_CARD = _frozen([EVENT_NAMES.index(name) for name, _ in EVENT_CARDS])
RICE_LOSS_OF_CARD = _frozen([loss for _, loss in EVENT_CARDS])
SUPPLY_OF_KIND = _frozen([DATA["components"][name] for name in ("castles", "temples", "no_theatres")])
ARMIES_PER_PLAYER: int = DATA["components"]["armies_per_player"]
FARMER_ARMIES: int = DATA["components"]["farmer_armies"]
TOWER_START_ARMIES: int = DATA["tower_start"]["armies_per_player"]
TOWER_START_FARMERS: int = DATA["tower_start"]["farmers"]
POINTS_PROVINCE: int = DATA["scoring"]["province"]
POINTS_BUILDING: int = DATA["scoring"]["building"]
POINTS_MOST = _frozen([DATA["scoring"][name] for name in ("most_castles", "most_temples", "most_no_theatres")])
TIE_REDUCTION: int = DATA["scoring"]["tie_reduction"]


def _winter_table() -> np.ndarray:
    """Return the number of revolts and of extra farmers by rice short: int64[short 0..45, 2]."""
    table = np.zeros((c.N_PROVINCES + 1, 2), np.int64)
    for row in DATA["winter_table"]:
        last = c.N_PROVINCES if row["short_max"] is None else row["short_max"]
        table[row["short_min"] : last + 1] = (row["revolts"], row["extra_farmers"])
    return _frozen(table)


WINTER = _winter_table()


def _check() -> None:
    """Check that the data have the sizes for which the engine is built; ValueError if not."""
    counts = {
        "provinces": (len(PROVINCE_NAMES), c.N_PROVINCES),
        "regions": (len(REGION_NAMES), c.N_REGIONS),
        "actions": (len(ACTION_NAMES), c.N_ACTION_CARDS),
        "specials": (len(SPECIAL_NAMES), c.N_SPECIALS),
        "events": (len(EVENT_NAMES), c.N_EVENTS),
        "event cards": (len(EVENT_CARDS), c.N_EVENT_CARDS),
        "chest cards": (len(DATA["components"]["chest_cards"]), c.N_CHEST_CARDS),
        "largest group": (int(np.flatnonzero(ARMY_GROUPS.sum(0)).max()), c.MAX_GROUP),
        "revolts in a winter": (int(WINTER[:, 0].max()), c.MAX_FAMINE),
    }
    for name, (count, expected) in counts.items():
        if count != expected:
            raise ValueError(f"shogun/data.json: {count} {name}, must be {expected}")


_check()
