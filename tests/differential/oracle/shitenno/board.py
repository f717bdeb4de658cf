"""The printed material of Shitenno: cards, tiles, provinces and action numbers, read from the data file (rules 1)."""

import json
from pathlib import Path
from typing import Any

DATA_FILE = Path(__file__).resolve().parents[4] / "shogun_env" / "shitenno" / "data.json"
DATA: dict[str, Any] = json.loads(DATA_FILE.read_text(encoding="utf-8"))

TROOPS: list[str] = DATA["troop_types"]["order"]
CARDS: dict[str, dict[str, Any]] = {entry["id"]: entry for entry in DATA["card_kinds"]["order"]}
KINDS: list[str] = list(CARDS)
TROOP_KINDS: list[str] = [kind for kind in KINDS if CARDS[kind]["troops"]]
KOKU_KINDS: list[str] = [kind for kind in KINDS if CARDS[kind]["koku_value"]]
BONUSES: list[str] = DATA["bonus_tiles"]["order_of_bonuses"]
TILES: dict[tuple[str, str], int] = {
    (entry["troop_side"], entry["bonus_side"]): entry["copies"] for entry in DATA["bonus_tiles"]["kinds"]
}
PROVINCES: dict[str, dict[str, Any]] = {entry["id"]: entry for entry in DATA["provinces"]["list"]}
NAMES: list[str] = list(PROVINCES)
TITLES: dict[int, dict[str, Any]] = {entry["bakufu_seals"]: entry for entry in DATA["titles"]["list"]}
SEALS: list[int] = sorted(TITLES)
SENSEI = next(seals for seals in SEALS if TITLES[seals]["id"] == "sensei")
HATAMOTO = next(seals for seals in SEALS if TITLES[seals]["id"] == "hatamoto")
STACK: int = DATA["start"]["bonus_tiles_per_province_stack"]
FIRST_CARDS: int = DATA["start"]["troop_cards_dealt_to_each_player"]
MOST_PLACED: int = DATA["odd_year_limits"]["control_kamon_placed_per_player"]
MAJORITY: int = DATA["final_scoring"]["favour_points_per_province_majority"]

FIRST: dict[str, int] = {entry["name"]: entry["first"] for entry in DATA["action_encoding"]["ranges"]}
ACCEPT, REFUSE, PICK_A, PICK_B = (FIRST[name] for name in ("ACCEPT", "REFUSE", "PICK_A", "PICK_B"))
USE_DRAW_TILE, END_TURN, SENSEI_SKIP = (FIRST[name] for name in ("USE_DRAW_TILE", "END_TURN", "SENSEI_SKIP"))
PAY_JOKER, PAY_EXCHANGE, PAY_PLUS_ONE = (FIRST[name] for name in ("PAY_JOKER", "PAY_EXCHANGE", "PAY_PLUS_ONE"))


def for_players(players: int, name: str) -> int:
    """A number that depends on how many play (rules 1, 4)."""
    return int(DATA["by_player_count"][str(players)][name])


def add_action(kind: str) -> int:
    """Number of the action that puts a card into the lot."""
    return FIRST["LOT_ADD"] + KINDS.index(kind)


def tile_action(seals: int) -> int:
    """Number of the action that gives a lot its hierarchy tile."""
    return FIRST["LOT_TILE"] + SEALS.index(seals)


def control_action(name: str, by: str) -> int:
    """Number of the action that begins to pay for a province, by troops or by koku."""
    return FIRST[f"CONTROL_BY_{by.upper()}"] + NAMES.index(name)


def pay_action(kind: str) -> int:
    """Number of the action that commits a card."""
    return FIRST["PAY_CARD"] + KINDS.index(kind)


def flip_action(name: str) -> int:
    """Number of the action that turns a Kamon in a province to its golden side."""
    return FIRST["SENSEI_FLIP"] + NAMES.index(name)


def in_order(cards: list[str]) -> list[str]:
    """Cards in the order of the data."""
    return sorted(cards, key=KINDS.index)
