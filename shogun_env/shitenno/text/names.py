"""What things of the game are called in texts, by their names in ``data.json``."""

from shogun_env.shitenno import board

TROOPS: dict[str, str] = dict(board.DATA["troop_types"]["names"])
PROVINCES = {province["id"]: str(province["name"]) for province in board.DATA["provinces"]["list"]}
PROVINCES_IN_ORDER = tuple(PROVINCES.values())
"""What provinces are called, by number."""
TITLES = {title["bakufu_seals"]: str(title["name"]) for title in board.DATA["titles"]["list"]}
"""Names of the titles, by seals."""
TITLES_HELD = ("no title", *(TITLES[seals] for seals in sorted(TITLES)))
"""What is said of a player, by seals, 0 for none."""
TITLES_BY_POINTS = {
    title["extra_favour_points_per_kamon_placed"]: str(title["name"]) for title in board.DATA["titles"]["list"]
}
"""Names of the titles that bring points for a placement, by these points."""
BONUSES = {"exchange": "Exchange", "plus_one": "+1", "draw": "Draw"}


def kind_name(kind: str) -> str:
    """Return the name of a kind of card.

    Example:
        >>> [kind_name(kind) for kind in ("sohei", "bushi_sohei", "bushi_bushi", "koku_2")]
        ['Sōhei', 'Bushi-Sōhei', 'double Bushi', '2 Koku']
    """
    if kind.startswith("koku_"):
        return f"{kind.removeprefix('koku_')} Koku"
    first, *rest = (TROOPS[troop] for troop in kind.split("_"))
    return first if not rest else f"double {first}" if rest == [first] else f"{first}-{rest[0]}"
