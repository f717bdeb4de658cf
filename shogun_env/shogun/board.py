"""The board and the printed numbers of Shogun as read-only tables, loaded from ``data.json`` and checked."""

import json
import re
from collections.abc import Callable
from importlib import resources
from typing import Any

import numpy as np

from shogun_env.shogun import constants as c
from shogun_env.spec.forms import check_order

DATA: dict[str, Any] = json.loads(resources.files(__package__).joinpath("data.json").read_text("utf-8"))
SHIKOKU: dict[str, Any] = json.loads(resources.files(__package__).joinpath("shikoku.json").read_text("utf-8"))
"""The numbers of the small game, where they are not those of ``DATA``."""

PROVINCE_NAMES = tuple(province["name"] for province in DATA["provinces"])
ACTION_NAMES = tuple(action["name"] for action in DATA["actions"])
SPACE_NAMES = ("bid", *ACTION_NAMES)
"""Names of the spaces of a plan, in the order in which they are filled."""
SPECIAL_NAMES = tuple(DATA["specials"])
EVENT_NAMES = tuple(event["name"] for event in DATA["events"])
REGION_NAMES = tuple(DATA["regions"])
SIDE_NAMES = ("sun", "moon")
BOARD_NAMES = (*SIDE_NAMES, *SHIKOKU["sizes"])
"""What the field ``side`` of a state counts: the two sides of the large board, then the sizes of Shikoku."""
SIZES: tuple[dict[str, Any] | None, ...] = (None, None, *SHIKOKU["sizes"].values())
"""The numbers of each board of Shikoku, None for the sides of the large board."""
START_NAMES = ("preset", "draft", "random")
SEASON_NAMES = ("spring", "summer", "autumn")
KIND_NAMES = ("castle", "temple", "no_theatre")
for _names in (ACTION_NAMES, SPECIAL_NAMES, EVENT_NAMES, SIDE_NAMES, START_NAMES, KIND_NAMES):
    check_order(c, _names)
EVENT_CARDS = tuple((event["name"], loss) for event in DATA["events"] for loss in event["copies_rice_loss"])
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


def _regions() -> np.ndarray:
    """Return the region of each province: int64[board, province]; on Shikoku those out of play fill the regions up."""
    rows = [[REGION_NAMES.index(p["region"][side]) for p in DATA["provinces"]] for side in SIDE_NAMES]
    for size in SHIKOKU["sizes"].values():
        row = rows[c.MOON].copy()
        for name, region in size["provinces"].items():
            prov, wanted = PROVINCE_NAMES.index(name), REGION_NAMES.index(region)
            others = (i for i, other in enumerate(PROVINCE_NAMES) if other not in size["provinces"])
            swapped = next((i for i in others if row[i] == wanted), prov)
            row[prov], row[swapped] = wanted, row[prov]
        rows.append(row)
    return _frozen(rows)


REGION = _regions()
"""Region of each province: int64[board, province]."""


def _provinces_of() -> np.ndarray:
    """Return the provinces of each region: int64[board, region, 9]."""
    provinces = [[np.flatnonzero(row == region) for region in range(c.N_REGIONS)] for row in REGION]
    if any(len(region) != c.PROVINCES_IN_REGION for side in provinces for region in side):
        raise ValueError("shogun/data.json: each side must have five regions of nine provinces")
    return _frozen(provinces)


PROVINCES_OF = _provinces_of()


def _in_play() -> np.ndarray:
    table = np.ones((c.N_BOARDS, c.MAX_PLAYERS + 1, c.N_PROVINCES), np.int64)
    for side, name in enumerate(SIDE_NAMES):
        table[side, 3] = [not p["out_of_play_with_3_players"][name] for p in DATA["provinces"]]
    for side, size in enumerate(SIZES):
        if size is not None:
            table[side] = [name in size["provinces"] for name in PROVINCE_NAMES]
    return _frozen(table)


IN_PLAY = _in_play()
"""1 where a province is in play: int64[board, number of players, province]."""


def _neighbours() -> np.ndarray:
    """Return the neighbours in play of each province, by land or sea: int8[board, players, province, 11].

    A row is filled up with NONE, of which it holds at least one: loops over neighbours stop there.
    """
    table = np.full((c.N_BOARDS, c.MAX_PLAYERS + 1, c.N_PROVINCES, c.MAX_NEIGHBOURS + 1), c.NONE, np.int8)
    neighbours: list[list[int]] = [[] for _ in PROVINCE_NAMES]
    for one, other in DATA["land_borders"] + DATA["sea_routes"]:
        i, j = PROVINCE_NAMES.index(one), PROVINCE_NAMES.index(other)
        neighbours[i].append(j)
        neighbours[j].append(i)
    for side in range(c.N_BOARDS):
        for players in range(c.MAX_PLAYERS + 1):
            in_play = IN_PLAY[side, players]
            for province, others in enumerate(neighbours):
                row = [other for other in sorted(others) if in_play[other] and in_play[province]]
                table[side, players, province, : len(row)] = row
    return _frozen(table, np.int8)


NEIGHBOURS = _neighbours()


def _start_armies() -> np.ndarray:
    """Return the armies of the preset start: int64[board, players, row of the start table, province]."""
    table = np.zeros((c.N_BOARDS, c.MAX_PLAYERS + 1, c.MAX_PLAYERS, c.N_PROVINCES), np.int64)
    for side, size in enumerate(SIZES):
        positions = DATA["start_positions_sun"] if size is None else size["start_positions"]
        for players, rows in positions.items():
            for number, row in enumerate(rows):
                for name, armies in row.items():
                    table[side, int(players), number, PROVINCE_NAMES.index(name)] = armies
    return _frozen(table)


START_ARMIES = _start_armies()


def _army_groups() -> np.ndarray:
    """Return the number of army groups of each size: int64[board, players, size 0..5]."""
    table = np.zeros((c.N_BOARDS, c.MAX_PLAYERS + 1, c.MAX_GROUP + 1), np.int64)
    for players, sizes in DATA["army_groups"].items():
        for size in sizes:
            table[: c.N_SIDES, int(players), size] += 1
    for armies in range(1, c.MAX_GROUP + 1):
        table[c.N_SIDES :, :, armies] = (START_ARMIES[c.N_SIDES :, :, 0] == armies).sum(-1)
    return _frozen(table)


def _by_players(name: str) -> np.ndarray:
    """Return a number for every number of players: int64[board, players]."""
    rows = [DATA[name] if size is None else size[name] for size in SIZES]
    return _frozen([[row.get(str(players), 0) for players in range(c.MAX_PLAYERS + 1)] for row in rows])


def _by_board(of_shogun: int, of_size: Callable[[dict[str, Any]], int]) -> np.ndarray:
    """Return a number for every board: int64[board]."""
    return _frozen([of_shogun if size is None else of_size(size) for size in SIZES])


ARMY_GROUPS = _army_groups()
START_CHESTS = _by_players("start_chests")
START_RICE = _by_board(0, lambda size: size["start_rice"])
"""The numbers of Shikoku, by board: of players, years, seasons, action cards, spaces, and so on. The game is the end of
a large one: its first year is the second, its first season comes late, and the actions that are not in play lie done in
front of those that are."""
FEWEST_PLAYERS = _by_board(3, lambda size: min(map(int, size["start_positions"])))
MOST_PLAYERS = _by_board(c.MAX_PLAYERS, lambda size: max(map(int, size["start_positions"])))
FIRST_YEAR = _by_board(1, lambda size: c.N_YEARS)
FIRST_SEASON = _by_board(0, lambda size: c.N_SEASONS - 1)
CHEST_CARDS = _by_board(c.N_CHEST_CARDS, lambda size: size["chest_cards"])
OPEN_ACTIONS = _by_board(c.N_OPEN_ACTIONS, lambda size: size["open_actions"])
YEAR_EVENTS = _by_board(c.N_YEAR_EVENTS, lambda size: len(size["events"]))


def _actions_out() -> np.ndarray:
    """Return the actions that are not in play, filled up with NONE: int64[board, 10]."""
    table = np.full((c.N_BOARDS, c.N_ACTION_CARDS), c.NONE, np.int64)
    for side, size in enumerate(SIZES):
        out = [] if size is None else [i for i, name in enumerate(ACTION_NAMES) if name not in size["actions"]]
        table[side, : len(out)] = out
    return _frozen(table)


ACTIONS_OUT = _actions_out()
FIRST_ACTION = _frozen((ACTIONS_OUT != c.NONE).sum(1))
"""Position of the first action card in play: int64[board]."""


def _spaces_from() -> np.ndarray:
    """Return how many spaces are in play from each on: int64[board, 12]."""
    table = np.zeros((c.N_BOARDS, c.N_SPACES + 1), np.int64)
    for side in range(c.N_BOARDS):
        in_play = [space == c.BID_SPACE or space - 1 not in ACTIONS_OUT[side].tolist() for space in range(c.N_SPACES)]
        table[side, : c.N_SPACES] = np.cumsum(in_play[::-1])[::-1]
    return _frozen(table)


SPACES_FROM = _spaces_from()
SPACES = _frozen(SPACES_FROM[:, 0])
"""Number of spaces in play: int64[board]."""
SPACE_IN_PLAY = _frozen(SPACES_FROM[:, :-1] - SPACES_FROM[:, 1:])
"""1 for a space in play: int64[board, 11]."""


def _next_space() -> np.ndarray:
    """Return the space in play after each, N_SPACES after the last: int64[board, 11]."""
    rows = [[*np.flatnonzero(row).tolist(), c.N_SPACES] for row in SPACE_IN_PLAY]
    return _frozen([[next(space for space in row if space > at) for at in range(c.N_SPACES)] for row in rows])


NEXT_SPACE = _next_space()


def _specials() -> np.ndarray:
    """Return the specials in play, filled up with NONE: int64[board, players, 5]."""
    table = np.full((c.N_BOARDS, c.MAX_PLAYERS + 1, c.N_SPECIALS), c.NONE, np.int64)
    table[: c.N_SIDES] = range(c.N_SPECIALS)
    for side, size in enumerate(SIZES):
        for players, names in ({} if size is None else size["specials"]).items():
            table[side, int(players), : len(names)] = [SPECIAL_NAMES.index(name) for name in names]
    return _frozen(table)


SPECIALS = _specials()
N_SPECIALS = _frozen((SPECIALS != c.NONE).sum(-1))
"""Number of specials in play: int64[board, players]."""


def _events_out() -> np.ndarray:
    """Return 1 for each event card that is not in play: int64[board, card]."""
    decks = [EVENT_CARDS if size is None else [(name, loss) for name, loss in size["events"]] for size in SIZES]
    return _frozen([[card not in deck for card in EVENT_CARDS] for deck in decks])


EVENTS_OUT = _events_out()
N_EVENTS_OUT = _frozen(EVENTS_OUT.sum(1))
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
ARMIES = _by_board(ARMIES_PER_PLAYER, lambda size: size["armies_per_player"])
"""Armies of a player: int64[board]."""
FARMERS = _by_board(DATA["components"]["farmer_armies"], lambda size: size["farmer_armies"])
"""Cubes of the farmers: int64[board]."""
TOWER_ARMIES = _by_board(
    DATA["tower_start"]["armies_per_player"], lambda size: size["tower_start"]["armies_per_player"]
)
TOWER_FARMERS = _by_board(DATA["tower_start"]["farmers"], lambda size: size["tower_start"]["farmers"])
"""Cubes of each player and of the farmers that are thrown into the tower before the game: int64[board]."""
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
        "largest group": (int(np.flatnonzero(ARMY_GROUPS[c.SUN].sum(0)).max()), c.MAX_GROUP),
        "revolts in a winter": (int(WINTER[:, 0].max()), c.MAX_FAMINE),
    }
    for name, (count, expected) in counts.items():
        if count != expected:
            raise ValueError(f"shogun/data.json: {count} {name}, must be {expected}")


_check()
