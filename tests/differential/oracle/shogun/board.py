"""The printed material of Shogun: provinces, borders, cards and tables, read from the data file (rules 1)."""

import json
from pathlib import Path
from typing import Any

DATA_FILE = Path(__file__).resolve().parents[4] / "shogun_env" / "shogun" / "data.json"
DATA: dict[str, Any] = json.loads(DATA_FILE.read_text(encoding="utf-8"))

PROVINCES: list[str] = [entry["name"] for entry in DATA["provinces"]]
CARD: dict[str, dict[str, Any]] = {entry["name"]: entry for entry in DATA["provinces"]}
REGIONS: list[str] = DATA["regions"]
ACTIONS: list[str] = [entry["name"] for entry in DATA["actions"]]
ACTION_CARD: dict[str, dict[str, Any]] = {entry["name"]: entry for entry in DATA["actions"]}
SPACES: list[str] = ["bid", *ACTIONS]
SPECIALS: list[str] = DATA["specials"]
CHEST_CARDS: dict[str, int] = {f"chest_{value}": value for value in DATA["components"]["chest_cards"]}
EVENT_CARDS: list[list[Any]] = [[entry["name"], loss] for entry in DATA["events"] for loss in entry["copies_rice_loss"]]
SEASONS = ("spring", "summer", "autumn")
FARMERS = "farmers"

ARMIES_PER_PLAYER: int = DATA["components"]["armies_per_player"]
FARMER_ARMIES: int = DATA["components"]["farmer_armies"]
KINDS = ("castle", "temple", "no_theatre")
KIND_OF_ACTION = {f"build_{kind}": kind for kind in KINDS}
STOCK: dict[str, int] = {kind: DATA["components"][f"{kind}s"] for kind in KINDS}

# The numbers of the 120 actions (api, "Shogun's actions").
FIRST_PROVINCE, FIRST_CHEST, FIRST_SPECIAL, FIRST_NUMBER = 1, 46, 51, 56
TOP_OF_DECK, BURY, NONE = 117, 118, 119


def province_action(name: str) -> int:
    """Number of the action that names a province."""
    return FIRST_PROVINCE + PROVINCES.index(name)


def province_of(action: int) -> str:
    """Province that an action number names."""
    return PROVINCES[action - FIRST_PROVINCE]


def number_action(armies: int) -> int:
    """Number of the action that names so many armies."""
    return FIRST_NUMBER - 1 + armies


def number_of(action: int) -> int:
    """Armies that an action number names."""
    return action - FIRST_NUMBER + 1


def card_action(card: str) -> int:
    """Number of the action that puts a card on a space."""
    if card in CHEST_CARDS:
        return FIRST_CHEST + CHEST_CARDS[card]
    return province_action(card)


def card_of(action: int) -> str | None:
    """Card that an action number puts on a space."""
    if action == NONE:
        return None
    if FIRST_CHEST <= action < FIRST_SPECIAL:
        return f"chest_{action - FIRST_CHEST}"
    return province_of(action)


def provinces_in_play(side: str, players: int) -> list[str]:
    """Provinces of this side and player count, in the data's order (rules 1)."""
    if players > 3:
        return list(PROVINCES)
    return [name for name in PROVINCES if not CARD[name]["out_of_play_with_3_players"][side]]


def neighbours(name: str) -> list[str]:
    """Provinces adjacent by land or sea route, in the data's order (rules 1)."""
    near = {b if a == name else a for a, b in DATA["land_borders"] + DATA["sea_routes"] if name in (a, b)}
    return [other for other in PROVINCES if other in near]


def groups(players: int) -> list[int]:
    """Sizes of a player's army groups (rules 2)."""
    return list(DATA["army_groups"][str(players)])


def start_rows(players: int) -> list[dict[str, int]]:
    """Rows of the printed start table (rules 2)."""
    return DATA["start_positions_sun"][str(players)]
