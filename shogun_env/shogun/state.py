"""The state of a game as one struct of arrays: its dtype, the table of its fields, and the blank state.

The random row and the log row are next to the state, never in it, so a copy cannot show the future. For the same reason
a state holds no shuffled deck: a card is drawn when it is opened. Rows of absent players stay blank. Fields are ordered
from wide to narrow, so ``align=True`` adds no hidden padding (asserted below).
"""

import numpy as np

from shogun_env.shogun import constants as c

# name, dtype, shape, who may see it, what it is
FIELDS: tuple[tuple[str, str, tuple[int, ...], str, str], ...] = (
    ("hand", "u1", (5, 56), "owner", "planning: 1 for a card not yet placed, by action number; copied 8 bytes at once"),
    ("stick", "u4", (), "all", "tower: probability that a cube stays on a floor, round(p * 2^32)"),
    ("dislodge", "u4", (), "all", "tower: probability that a passing cube loosens a resting one, likewise"),
    ("shake", "u4", (), "all", "tower: probability that a resting cube falls before a throw, likewise"),
    ("chests", "i2", (5,), "all", "chests by player"),
    ("rice", "i2", (5,), "all", "rice track by player"),
    ("points", "i2", (5,), "all", "points by player"),
    ("n_players", "i1", (), "all", "3..5"),
    ("side", "i1", (), "all", "0 sun, 1 moon"),
    ("start", "i1", (), "all", "0 preset, 1 draft, 2 random"),
    ("optional_moves", "i1", (), "all", "1: a battle/move may be declined"),
    ("shuffle_seats", "i1", (), "all", "1: rows of the start table go to random players"),
    ("floors", "i1", (), "all", "tower: number of floors, 1..4"),
    ("phase", "i1", (), "all", "what is decided, or OVER; see the phases in ``constants``"),
    ("player", "i1", (), "all", "who decides, NONE when over; in planning only the order of asking"),
    ("year", "i1", (), "all", "1 or 2; 0 in the set-up"),
    ("season", "i1", (), "all", "0 spring, 1 summer, 2 autumn, 3 winter"),
    ("space", "i1", (), "all", "planning: space being filled, 0 the bid, 1..10 the actions; N_SPACES afterwards"),
    ("running", "i1", (), "all", "number of actions carried out by all, 0..10: the position of the running one"),
    ("rank", "i1", (), "all", "action, winter: position of the player on turn, 0..4; auction: number of picks"),
    ("source", "i1", (), "all", "province that armies leave while the move is decided; draft: the card taken; or NONE"),
    ("target", "i1", (), "all", "province that they enter, while the number is decided; or NONE"),
    ("event", "i1", (), "all", "effect in force in this round, or NONE"),
    ("error", "i1", (), "-", "0, or an error code of ``kernel.log``"),
    ("owner", "i1", (45,), "all", "player who owns it; NONE if neutral or out of play"),
    ("armies", "u1", (45,), "all", "armies in the province"),
    ("revolts", "u1", (45,), "all", "revolt markers"),
    ("gained", "u1", (45,), "all", "1 if taken since the round began (draft: placed), also if it was lost again"),
    ("building", "u1", (3, 45), "all", "1 where a castle, temple, Noh theatre stands, by kind"),
    ("n_owned", "u1", (5,), "all", "provinces owned by player"),
    ("supply", "u1", (6,), "all", "cubes in supply by colour"),
    ("tray", "u1", (6,), "all", "cubes lying in the tray by colour"),
    ("tower", "u1", (4, 6), "sum over floors", "cubes resting on each floor, by colour; nobody knows the floors"),
    ("falling", "u1", (4, 6), "-", "scratch of a throw: cubes that wait to pass each floor; zero between decisions"),
    ("plan", "i1", (5, 11), "owner", "card on each space: 0..44 province, 45..49 chest card, EMPTY"),
    ("shown", "i1", (5, 11), "all", "card on each space once shown, EMPTY, or NOT_SHOWN"),
    ("emptied", "u1", (5, 11), "all", "1 for a space whose card was taken away with a lost province (R19)"),
    ("cards_left", "u1", (5,), "owner", "planning: number of cards not yet placed"),
    ("blanks_left", "u1", (5,), "owner", "planning: number of spaces that must still stay empty"),
    ("action_at", "i1", (10,), "all", "action on each position of the order, NONE while face down"),
    ("special_at", "i1", (5,), "all", "special on each position"),
    ("holder", "i1", (5,), "all", "player who took each position, or NONE: the turn order"),
    ("position_of", "i1", (5,), "all", "position that each player took, or NONE"),
    ("bid_order", "i1", (5,), "all", "players, best bid first; NONE before the bids are shown"),
    ("event_card", "u1", (12,), "all", "where each event card is: the EVENT_ constants"),
    ("short", "i1", (5,), "all", "winter: how much rice each player is short of"),
    ("drawn", "i1", (3,), "all", "winter: provinces of the player on turn drawn to revolt, filled up with NONE"),
    ("ordered", "i1", (3,), "all", "winter: those of them already put in order, filled up with NONE"),
    ("groups", "u1", (5, 6), "all", "draft: groups left by player and size"),
    ("card", "u1", (45,), "all", "draft: where each province card is: the CARD_ constants; the deck has no order"),
    ("under", "u1", (45,), "all", "draft: place among the cards known to lie under the deck, from 1; 0 for none"),
    ("open_card", "i1", (2,), "all", "draft: left and right open card, or NONE"),
    ("last_open", "i1", (5, 2), "all", "draft: the open cards at each player's last pick, or NONE"),
    ("buried", "i1", (), "all", "draft: 1 if the player on turn has put cards under the deck in this turn (R3)"),
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
    """Return a state of shape () as it is before the set-up."""
    g = np.zeros((), STATE)
    for name in _NONE_AT_START:
        g[name] = c.NONE
    g["shown"] = c.NOT_SHOWN
    return g
