"""A state of Shogun as one line of text, both ways: how each field is written (``RULES.md``: Records and positions).

``shogun_env.spec.position`` writes and reads the line; the words of the fields are here. Derived fields, whose values
follow from the others, are written only if they differ from that: so a position written by hand needs no counts, and a
broken state still shows its faults.
"""

import re

import numpy as np

from shogun_env.kernel.rng import threshold
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.options import options_of_state
from shogun_env.shogun.text.actions import ACTION_NAMES, PHASE_NAMES
from shogun_env.shogun.text.kinds import card_name
from shogun_env.spec.game_spec import Field, PositionFormat
from shogun_env.spec.position import NUMBER, counted, named, worded


def _probability(value: int) -> str:
    """Return the shortest decimal number that has this threshold (R10)."""
    exact = threshold(1.0) if value == threshold(1.0) else value
    texts = (f"{exact / 2**32:.{digits}g}" for digits in range(1, 18))
    return next(text for text in texts if threshold(float(text)) == value)


_PROBABILITY: Field = ((), _probability, lambda text: threshold(float(text)))
_PROVINCE = named(board.PROVINCE_NAMES)
_CARD = {c.NOT_SHOWN: "?", c.EMPTY: "-"} | {card: str(card_name(card)) for card in range(c.N_CARDS)}
_EVENT_KEYS = tuple(f"{name}-{loss}" for name, loss in board.EVENT_CARDS)

OPTIONS: dict[str, Field] = {
    "n_players": NUMBER,
    "side": named(board.SIDE_NAMES),
    "start": named(board.START_NAMES),
    **dict.fromkeys(("optional_moves", "shuffle_seats", "floors"), NUMBER),
    **dict.fromkeys(("stick", "dislodge", "shake"), _PROBABILITY),
}
"""The options of play."""

FIELDS: dict[str, Field] = {
    **OPTIONS,
    "phase": named(PHASE_NAMES),
    "player": NUMBER,
    "year": NUMBER,
    "season": named((*board.SEASON_NAMES, "winter")),
    "space": named((*board.SPACE_NAMES, "end")),
    "running": NUMBER,
    "rank": NUMBER,
    "source": _PROVINCE,
    "target": _PROVINCE,
    "event": named(board.EVENT_NAMES),
    **dict.fromkeys(("error", "chests", "rice", "points", "short", "tray", "tower", "falling"), NUMBER),
    "action_at": named(board.ACTION_NAMES),
    "special_at": named(board.SPECIAL_NAMES),
    "holder": NUMBER,
    "bid_order": NUMBER,
    "event_card": worded({c.EVENT_OPEN: "open", c.EVENT_IN_FORCE: "now", c.EVENT_USED: "used"}, _EVENT_KEYS),
    "plan": worded(_CARD),
    "shown": worded(_CARD),
    "emptied": worded({1: ""}, board.SPACE_NAMES),
    "drawn": _PROVINCE,
    "ordered": _PROVINCE,
    "groups": NUMBER,
    "card": worded(
        {c.CARD_IN_DECK: "deck", c.CARD_OPEN: "open", c.CARD_TAKEN: "taken", c.CARD_UNDER_DECK: "under"},
        board.PROVINCE_NAMES,
    ),
    "under": counted(board.PROVINCE_NAMES),
    "open_card": _PROVINCE,
    "last_open": _PROVINCE,
    **dict.fromkeys(("buried", "n_owned", "supply", "kinds_left", "position_of"), NUMBER),
    "hand": worded({1: ""}, ACTION_NAMES[: c.A_SPECIAL]),
    "cards_left": NUMBER,
    "blanks_left": NUMBER,
}
"""How each field is written, in this order; the fields of ``BOARD`` follow, province by province."""

BOARD = ("owner", "armies", "building", "revolts", "gained")
DERIVED = ("n_owned", "supply", "kinds_left", "position_of", "hand", "cards_left", "blanks_left")
"""Derived fields, which ``fill`` sets."""

_PLACE = re.compile(r"(?P<owner>-|P\d)(?:\*(?P<armies>\d+))?(?P<building>C?T?N?)(?P<revolts>!*)(?P<gained>\+?)")


def place_text(g: np.void, prov: int) -> str:
    """Return a province as text, such as ``P0*5CT!!+``: owner, armies, buildings, markers, taken in this round."""
    owner = "-" if g["owner"][prov] == c.NONE else f"P{g['owner'][prov]}"
    armies = f"*{g['armies'][prov]}" if g["armies"][prov] else ""
    buildings = "".join(letter for kind, letter in enumerate("CTN") if g["building"][kind, prov])
    return f"{owner}{armies}{buildings}{'!' * int(g['revolts'][prov])}{'+' * int(g['gained'][prov])}"


def set_place(g: np.void, prov: int, text: str) -> None:
    """Set a province from its text; ValueError if the text is not that of a province."""
    parts = _PLACE.fullmatch(text)
    if parts is None:
        raise ValueError(f"{text!r} must be like P0*5CTN!!+ or -")
    g["owner"][prov] = c.NONE if parts["owner"] == "-" else int(parts["owner"][1:])
    g["armies"][prov] = int(parts["armies"] or 0)
    for kind, letter in enumerate("CTN"):
        g["building"][kind, prov] = letter in parts["building"]
    g["revolts"][prov] = len(parts["revolts"])
    g["gained"][prov] = len(parts["gained"])


def fill(g: np.void) -> None:
    """Set the derived fields: counts, supplies, positions by player, and in planning the hands."""
    n = int(g["n_players"])
    for player in range(n):
        g["n_owned"][player] = np.count_nonzero(g["owner"] == player)
        on_board = int(g["armies"][g["owner"] == player].sum(dtype=np.int64))
        g["supply"][player] = max(0, int(board.ARMIES[g["side"]]) - on_board - _in_tower(g, player))
    g["supply"][c.FARMERS] = max(0, int(board.FARMERS[g["side"]]) - _in_tower(g, c.FARMERS))
    g["kinds_left"] = np.maximum(0, board.SUPPLY_OF_KIND - g["building"].sum(1, dtype=np.int64))
    for position, holder in enumerate(g["holder"].tolist()):
        if 0 <= holder < c.MAX_PLAYERS:
            g["position_of"][holder] = position
    if g["phase"] == c.PLAN:
        for player in range(n):
            _fill_hand(g, player)


def _in_tower(g: np.void, colour: int) -> int:
    """Return the number of cubes of a colour inside the tower and in its tray."""
    return int(g["tray"][colour]) + int(g["tower"][:, colour].sum(dtype=np.int64))


def _fill_hand(g: np.void, player: int) -> None:
    """Give a player the cards that are on no space, and count the spaces that must still stay empty (3.3)."""
    chests = np.arange(c.N_CHEST_CARDS) < board.CHEST_CARDS[g["side"]]
    cards = np.append(g["owner"] == player, chests)
    filled = g["plan"][player, : g["space"] + (player < g["player"])]  # players before the decider are one space ahead
    empty = (filled == c.EMPTY) & (board.SPACE_IN_PLAY[g["side"], : len(filled)] == 1)
    blanks = max(0, int(board.SPACES[g["side"]]) - int(cards.sum())) - np.count_nonzero(empty)
    cards[filled[filled != c.EMPTY]] = False
    g["hand"][player, c.A_CARD : c.A_CARD + c.N_CARDS] = cards
    g["cards_left"][player] = cards.sum()
    g["blanks_left"][player] = max(0, blanks)


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
