"""One game as one record of arrays: the dtype, the table of its fields, and what a fresh record holds.

Beside the record, never in it: the random row (so a copy cannot show the future) and the log row. For the same reason
no shuffled pile and no covered tile lies in the record: piles are counts of cards by kind, and of a tile that side is
drawn which comes to sight. The one hidden thing the record holds is the troop cards in the hands. Rows of absent
players stay as they are at the start. Fields run from wide to narrow, so ``align=True`` adds no hidden padding
(asserted below).
"""

from __future__ import annotations

import numpy as np

from shogun_env.shitenno import constants as c

# name, dtype, shape, who may see it, what it is
FIELDS: tuple[tuple[str, str, tuple[int, ...], str, str], ...] = (
    (
        "rest",
        "i8",
        (21,),
        "-",
        "scratch of the search for payments, zero outside it: worth of an item and all after",
    ),
    ("points", "i2", (4,), "all", "points by player; there is no top (S24)"),
    ("n_players", "i1", (), "all", "2..4"),
    ("phase", "i1", (), "all", "what is decided, or OVER (constants: phases); others see PAY as TURN"),
    ("player", "i1", (), "all", "who decides, NONE when over"),
    ("round", "i1", (), "all", "1.. ; 0 before"),
    ("rank", "i1", (), "all", "odd year: seals of the player on turn; above the highest before the first turn"),
    ("tairo", "i1", (), "all", "division: who forms lots; NONE in the odd year"),
    ("n_left", "i1", (), "all", "division: players who have no lot yet"),
    ("last", "i1", (), "decider", "last kind added to a lot or last item committed to a payment, 0 at the start"),
    ("target", "i1", (), "decider", "province of the placement being paid, NONE"),
    ("way", "i1", (), "decider", "how it is paid: 0 by troops, 1 by Koku"),
    ("n_placed", "i1", (), "all", "Kamon placed in this turn, 0..2"),
    ("joker_used", "i1", (), "all", "1 if the Hatamoto's joker is used up in this turn"),
    ("error", "i1", (), "-", "0, or what went wrong (constants: errors)"),
    ("seals", "i1", (4,), "all", "title by player, 0 none; the old one until the division is over (S7)"),
    ("gained", "i1", (4,), "all", "division: hierarchy tile taken, 0 none yet"),
    ("kamon", "i1", (4,), "all", "control Kamon left by player"),
    ("tile_free", "u1", (4,), "all", "division: 1 where the hierarchy tile of index + 1 seals is to be had"),
    ("lot_seals", "i1", (2,), "all", "tile of the lot (A), and of B, 0 none; in the making the Tairō's secret"),
    ("pool", "u1", (17,), "all", "division: cards nobody has taken yet, those of the lots included"),
    ("lot", "u1", (17,), "all", "cards of the lot, or of A (B is the rest); in the making the Tairō's secret"),
    ("hand", "u1", (4, 17), "owner", "cards in hand by kind; the Koku are public"),
    ("known", "u1", (4, 14), "all", "troop cards the others know to be in a hand, at least"),
    ("n_troops", "u1", (4,), "all", "troop cards in hand"),
    ("tiles", "u1", (4, 3), "all", "bonus tiles in front of a player"),
    ("pile", "u1", (14,), "sum", "cards in the troop pile by kind"),
    ("discard", "u1", (14,), "all", "troop discard"),
    ("koku_pile", "u1", (3,), "all", "cards in the Koku pile by value less 1"),
    ("spent", "u1", (3,), "all", "Koku cards out of the game"),
    ("owner", "i1", (8, 4), "all", "player whose Kamon lies on a position, NONE"),
    ("golden", "u1", (8, 4), "all", "1 where it shows the golden side"),
    ("filled", "i1", (8,), "all", "Kamon in a province"),
    ("top", "i1", (8,), "all", "troop side of the top tile, NONE where no tile lies"),
    ("covered", "u1", (4,), "all", "tiles under the top ones, by troop side"),
    ("unturned", "u1", (4, 3), "all", "tiles of which nobody has seen the bonus side, by troop and bonus"),
    ("used", "u1", (3,), "all", "tiles out of the game by bonus"),
    ("committed", "u1", (20,), "decider", "items of the payment: joker, Exchanges, +1s, then cards by kind"),
    ("spare", "u1", (20,), "-", "the same: items not committed; of a redeal: cards by kind"),
    ("path", "i1", (40,), "-", "the same: items added to those committed"),
    ("pad", "u1", (6,), "-", "unused"),
)

STATE = np.dtype([(name, kind, shape) for name, kind, shape, _, _ in FIELDS], align=True)
"""The state of one game."""

if STATE.itemsize != sum(np.dtype((kind, shape)).itemsize for _, kind, shape, _, _ in FIELDS):
    raise AssertionError(
        f"STATE has hidden padding; change the order of the fields, or add a field 'pad' ({STATE.itemsize} bytes)"
    )


def blank() -> np.ndarray:
    """Return a record of shape () as it is before the set-up."""
    g = np.zeros((), STATE)
    for name in ("player", "tairo", "target", "owner", "top"):
        g[name] = c.NONE
    return g
