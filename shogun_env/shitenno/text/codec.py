"""How each field of a state of Shitennō is written in a position text (``RULES.md``, "Records and positions").

``shogun_env.spec.position`` does the writing and reading; the words are here. A derived field is written only where it
differs from what ``fill`` makes of the others. So a position written by hand needs no counts, and an inconsistent one
still shows its faults.
"""

import re

import numpy as np

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.options import options_of_state
from shogun_env.shitenno.text.actions import PHASE_NAMES
from shogun_env.shitenno.text.kinds import KOKU_KINDS, TROOP_KINDS, WAY_NAMES
from shogun_env.spec.game_spec import Field, PositionFormat
from shogun_env.spec.position import NUMBER, counted, named

_TILES = counted(board.BONUS_NAMES)
_CARDS = counted(board.KIND_NAMES)
_TROOP_CARDS = counted(TROOP_KINDS)

OPTIONS: dict[str, Field] = {"n_players": NUMBER}
"""Fields that hold the options of play."""

FIELDS: dict[str, Field] = {
    **OPTIONS,
    "phase": named((*PHASE_NAMES, "set_up", "round", "division", "control", "score")),
    **dict.fromkeys(("player", "round", "rank", "tairo", "last"), NUMBER),
    "target": named(board.PROVINCE_NAMES),
    "way": named(WAY_NAMES),
    **dict.fromkeys(("n_placed", "joker_used", "error", "points", "seals", "gained"), NUMBER),
    "hand": _CARDS,
    "known": _TROOP_CARDS,
    "tiles": _TILES,
    "pool": _CARDS,
    "lot": _CARDS,
    "lot_seals": NUMBER,
    "committed": counted(("joker", "exchange", "plus_one", *board.KIND_NAMES)),
    "discard": _TROOP_CARDS,
    "spent": counted(KOKU_KINDS),
    "unturned": _TILES,
    **dict.fromkeys(("n_left", "n_troops", "tile_free", "kamon", "filled"), NUMBER),
    "covered": counted(board.TROOP_NAMES),
    "used": _TILES,
    "pile": _TROOP_CARDS,
    "koku_pile": counted(KOKU_KINDS),
}
"""How each field is written, in the order of writing; the fields of ``BOARD`` follow together."""

BOARD = ("top", "owner", "golden")
"""Fields that are written together, province by province."""
DERIVED = ("last", "n_left", "n_troops", "tile_free", "kamon", "filled", "covered", "used", "pile", "koku_pile")
"""Fields that ``fill`` derives from the others."""

_PLACE = re.compile(r"(?P<top>-|[a-z]+)(?P<kamon>(?:/P\d\*?)*)")


def place_text(g: np.void, prov: int) -> str:
    """Return a province as text, such as ``sohei/P0/P2*``: the troop on the top tile, then Kamon from the left."""
    top = "-" if g["top"][prov] == c.NONE else board.TROOP_NAMES[g["top"][prov]]
    places = zip(g["owner"][prov].tolist(), g["golden"][prov].tolist(), strict=True)
    return top + "".join(f"/P{owner}{'*' * golden}" for owner, golden in places if owner != c.NONE)


def set_place(g: np.void, prov: int, text: str) -> None:
    """Set a province from its text.

    Raises: ValueError if it is not the text of a province.
    """
    match = _PLACE.fullmatch(text)
    if match is None or match["top"] not in ("-", *board.TROOP_NAMES):
        raise ValueError(f"{text!r} must be like sohei/P0/P2* or -/P1")
    g["top"][prov] = c.NONE if match["top"] == "-" else board.TROOP_NAMES.index(match["top"])
    for position, kamon in enumerate(match["kamon"].split("/")[1:]):
        g["owner"][prov, position] = int(kamon[1])
        g["golden"][prov, position] = kamon.endswith("*")


def fill(g: np.void) -> None:
    """Derive fields from the others: counts, Kamon left, piles, covered and used tiles, what was added last."""
    n = int(g["n_players"])
    # Widened, as differences of bytes would wrap around. An inconsistent position gives zeros, never negative counts.
    wide = {name: g[name].astype(np.int64) for name in ("hand", "pool", "discard", "spent", "unturned", "tiles")}
    g["n_troops"] = wide["hand"][:, : c.N_TROOP_KINDS].sum(1)
    g["filled"] = (g["owner"] != c.NONE).sum(1)
    g["kamon"][:n] = [board.START_KAMON[n] - np.count_nonzero(g["owner"] == player) for player in range(n)]
    gone = np.concatenate([wide["discard"], wide["spent"]])
    in_piles = np.maximum(0, board.COPIES - wide["hand"].sum(0) - wide["pool"] - gone)
    g["pile"], g["koku_pile"] = in_piles[: c.N_TROOP_KINDS], in_piles[c.N_TROOP_KINDS :]
    tops = [np.count_nonzero(g["top"] == troop) for troop in range(c.N_TROOPS)]
    g["covered"] = np.maximum(0, wide["unturned"].sum(1) - tops)
    g["used"] = np.maximum(0, (board.TILE_COPIES - wide["unturned"]).sum(0) - wide["tiles"].sum(0))
    added = g["lot"] if g["phase"] <= c.CHOOSE else g["committed"]
    g["last"] = max(np.flatnonzero(added), default=0)
    if g["phase"] <= c.CHOOSE:
        g["n_left"] = np.count_nonzero(g["gained"][:n] == 0)
        g["tile_free"] = [title not in g["gained"] for title in range(1, c.N_TITLES + 1)]


POSITION_FORMAT = PositionFormat(
    fields=FIELDS,
    options=tuple(OPTIONS),
    options_of=options_of_state,
    derived=DERIVED,
    fill=fill,
    board=BOARD,
    places=board.PROVINCE_NAMES,
    place_text=place_text,
    set_place=set_place,
)
