"""One game as one record of arrays: the dtype, the table of its fields, and what a fresh record holds.

Beside the record, never in it: the random row (so a copy cannot show the future) and the log row. For the same reason
no shuffled deck lies in the record: a card is drawn when it is opened. Rows of absent players stay as they are at the
start. Fields run from wide to narrow, so ``align=True`` adds no hidden padding (asserted below).
"""

from __future__ import annotations

import numpy as np

from shogun_env.shogun import constants as c

# name, dtype, shape, who may see it, what it is
FIELDS: tuple[tuple[str, str, tuple[int, ...], str, str], ...] = (
    ("hand", "u1", (5, 56), "owner", "planning: 1 for each card not yet placed, by action number; read by words"),
    ("stick", "u4", (), "all", "tower: probability that a cube stays on a floor, round(p * 2^32)"),
    ("dislodge", "u4", (), "all", "tower: that a passing cube loosens a resting one"),
    ("shake", "u4", (), "all", "tower: that a resting cube falls before a throw"),
    ("chests", "i2", (5,), "all", "chests by player"),
    ("rice", "i2", (5,), "all", "rice track by player"),
    ("points", "i2", (5,), "all", "points by player"),
    ("n_players", "i1", (), "all", "3..5"),
    ("side", "i1", (), "all", "0 sun, 1 moon"),
    ("start", "i1", (), "all", "0 preset, 1 draft, 2 random"),
    ("optional_moves", "i1", (), "all", "1: a battle/move may be declined"),
    ("shuffle_seats", "i1", (), "all", "1: rows of the start table go to random players"),
    ("floors", "i1", (), "all", "tower: number of floors, 1..4"),
    ("phase", "i1", (), "all", "what is decided, or OVER (constants: phases)"),
    ("player", "i1", (), "all", "who decides, NONE when over; in planning only an order of asking"),
    ("year", "i1", (), "all", "1, 2; 0 before"),
    ("season", "i1", (), "all", "0 spring, 1 summer, 2 autumn, 3 winter"),
    ("space", "i1", (), "all", "planning: space being filled, 0 bid, 1..10 actions; N_SPACES afterwards"),
    ("running", "i1", (), "all", "actions carried out by all so far, 0..10: the position that runs"),
    ("rank", "i1", (), "all", "position of the player on turn in the action, 0..4; in the auction picks made"),
    ("source", "i1", (), "all", "province whose move is pending; in the draft the card taken; NONE"),
    ("target", "i1", (), "all", "province moved to, its number pending; NONE"),
    ("event", "i1", (), "all", "effect in force this round, NONE"),
    ("error", "i1", (), "-", "0, or what went wrong (constants: errors)"),
    ("owner", "i1", (45,), "all", "owning player, NONE neutral or out of play"),
    ("armies", "u1", (45,), "all", "armies in the province"),
    ("revolts", "u1", (45,), "all", "revolt markers"),
    ("gained", "u1", (45,), "all", "1 for a province taken in this round: its card is in no plan"),
    ("building", "u1", (3, 45), "all", "1 where a castle, temple, Noh theatre stands"),
    ("n_owned", "u1", (5,), "all", "provinces owned by player"),
    ("supply", "u1", (6,), "all", "armies in supply by colour"),
    ("tray", "u1", (6,), "all", "cubes lying in the tray by colour"),
    ("tower", "u1", (4, 6), "sum over floors", "cubes resting on each floor; which floor is nobody's knowledge"),
    ("falling", "u1", (4, 6), "-", "scratch of a throw: cubes about to pass each floor; zero between decisions"),
    ("plan", "i1", (5, 11), "owner", "card on each space: 0..44 province, 45..49 chest card, EMPTY"),
    ("shown", "i1", (5, 11), "all", "card once shown, EMPTY, or NOT_SHOWN"),
    ("emptied", "u1", (5, 11), "all", "1 where the card of a lost province was taken away (R19)"),
    ("cards_left", "u1", (5,), "owner", "planning: number of cards not yet placed"),
    ("blanks_left", "u1", (5,), "owner", "planning: number of spaces that have still to stay empty"),
    ("action_at", "i1", (10,), "all", "action on each position, NONE while face down"),
    ("special_at", "i1", (5,), "all", "special on each position"),
    ("holder", "i1", (5,), "all", "player who took each position, NONE: the turn order"),
    ("position_of", "i1", (5,), "all", "position each player took, NONE"),
    ("bid_order", "i1", (5,), "all", "players, best bid first; NONE before the bids are shown"),
    ("event_card", "u1", (12,), "all", "where each event card is (constants)"),
    ("short", "i1", (5,), "all", "winter: rice short by player"),
    ("drawn", "i1", (3,), "all", "winter: provinces of the player on turn drawn to revolt, NONE padded"),
    ("ordered", "i1", (3,), "all", "winter: those already put in order, NONE padded"),
    ("groups", "u1", (5, 6), "all", "draft: groups left by player and size"),
    ("card", "u1", (45,), "see constants", "draft: where each province card is; in the deck only as a set"),
    ("under", "u1", (45,), "all", "draft: place among the cards known to lie under the deck, 1 comes first, 0 none"),
    ("open_card", "i1", (2,), "all", "draft: open cards left, right; NONE"),
    ("last_open", "i1", (5, 2), "all", "draft: the open cards each player chose from on his last turn"),
    ("buried", "i1", (), "all", "draft: 1 if the player on turn has buried this turn (R3)"),
    ("kinds_left", "u1", (3,), "all", "castles, temples, Noh theatres left in the box"),
    ("pad", "u1", (5,), "-", "unused"),
)

STATE = np.dtype([(name, kind, shape) for name, kind, shape, _, _ in FIELDS], align=True)
"""The state of one game."""

if STATE.itemsize % 8 or STATE.itemsize != sum(np.dtype((kind, shape)).itemsize for _, kind, shape, _, _ in FIELDS):
    raise AssertionError(
        f"STATE has hidden padding or its size is not a multiple of 8; fix 'pad' ({STATE.itemsize} bytes)"
    )


_NONE_AT_START = (
    "player", "source", "target", "event", "owner", "plan", "action_at", "special_at", "holder", "position_of",
    "bid_order", "drawn", "ordered", "open_card", "last_open",
)  # fmt: skip


def blank() -> np.ndarray:
    """Return a record of shape () as it is before the set-up."""
    g = np.zeros((), STATE)
    for name in _NONE_AT_START:
        g[name] = c.NONE
    g["shown"] = c.NOT_SHOWN
    return g
