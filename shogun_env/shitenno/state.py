"""The state of one game as a numpy struct: its dtype, the table of its fields, and what a blank state holds.

The random row and the log row are kept next to the state, never in it, so a copy of a state cannot show the future. For
the same reason a state holds no shuffled pile and no covered tile: piles are counts of cards by kind, and a side of a
tile is drawn when it comes into view. What a state does hide from some players are the troop cards in the hands, and a
lot or a payment in the making. Rows of absent players stay blank. The fields run from wide to narrow, so that
``align=True`` adds no hidden padding (checked below).
"""

import numpy as np

from shogun_env.shitenno import constants as c

# name, dtype, shape, who may see it, what it is
FIELDS: tuple[tuple[str, str, tuple[int, ...], str, str], ...] = (
    ("rest", "i8", (21,), "-", "scratch of the search: worth of the items not committed, from each on"),
    ("points", "i2", (4,), "all", "points by player, without an upper limit (S24)"),
    ("n_players", "i1", (), "all", "number of players, 2..4"),
    ("phase", "i1", (), "all", "what is decided, or OVER (constants: phases); the others see PAY as TURN"),
    ("player", "i1", (), "all", "who decides; NONE when the game is over"),
    ("round", "i1", (), "all", "round, from 1; 0 before the first"),
    ("rank", "i1", (), "all", "odd year: seals of the player on turn, ABOVE_ALL before the first turn; else 0"),
    ("tairo", "i1", (), "all", "division: who forms lots; NONE in the odd year"),
    ("n_left", "i1", (), "all", "division: number of players who have no lot yet"),
    ("last", "i1", (), "decider", "last kind added to the lot or last item committed to the payment; 0 at its start"),
    ("target", "i1", (), "decider", "province of the placement being paid, else NONE"),
    ("way", "i1", (), "decider", "how it is paid: BY_TROOPS or BY_KOKU"),
    ("n_placed", "i1", (), "all", "Kamon placed in this turn, 0..2"),
    ("joker_used", "i1", (), "all", "1 if the Hatamoto's joker was used in this turn"),
    ("error", "i1", (), "-", "0, or an error code (``kernel.log``)"),
    ("seals", "i1", (4,), "all", "seals of the title by player, 0 for none; the old ones rule the division (S7)"),
    ("gained", "i1", (4,), "all", "division: seals of the hierarchy tile taken, 0 for none yet"),
    ("kamon", "i1", (4,), "all", "control Kamon left by player"),
    ("tile_free", "u1", (4,), "all", "division: 1 if the hierarchy tile with index + 1 seals is available"),
    ("lot_seals", "i1", (2,), "all", "seals of the tile of the lot or A, and of B, 0 for none; secret until shown"),
    ("pool", "u1", (17,), "all", "division: cards that nobody has taken yet, including those of the lots"),
    ("lot", "u1", (17,), "all", "cards of the lot or of A (B is the rest of the pool); secret until shown"),
    ("hand", "u1", (4, 17), "owner", "cards in hand by kind; the Koku are public"),
    ("known", "u1", (4, 14), "all", "troop cards that the others know to be in a hand, at least"),
    ("n_troops", "u1", (4,), "all", "troop cards in hand"),
    ("tiles", "u1", (4, 3), "all", "bonus tiles in front of a player"),
    ("pile", "u1", (14,), "sum", "cards in the troop pile by kind"),
    ("discard", "u1", (14,), "all", "troop discard by kind"),
    ("koku_pile", "u1", (3,), "all", "cards in the Koku pile by value less 1"),
    ("spent", "u1", (3,), "all", "Koku cards out of the game by value less 1"),
    ("owner", "i1", (8, 4), "all", "player whose Kamon is on a position, else NONE"),
    ("golden", "u1", (8, 4), "all", "1 if that Kamon shows its golden side"),
    ("filled", "i1", (8,), "all", "number of Kamon in a province"),
    ("top", "i1", (8,), "all", "troop side of the top tile, NONE if no tile is left"),
    ("covered", "u1", (4,), "all", "tiles below the top ones, by troop side"),
    ("unturned", "u1", (4, 3), "all", "tiles whose bonus side nobody has seen, by troop and bonus"),
    ("used", "u1", (3,), "all", "tiles out of the game by bonus"),
    ("committed", "u1", (20,), "decider", "items committed to the payment: joker, Exchanges, +1s, then cards by kind"),
    ("spare", "u1", (20,), "-", "scratch: in the search, items not committed; in a redeal, the decider's troop cards"),
    ("path", "i1", (40,), "-", "scratch of the search: items added to those committed, in order; never more"),
    ("pad", "u1", (6,), "-", "unused"),
)

STATE = np.dtype([(name, kind, shape) for name, kind, shape, _, _ in FIELDS], align=True)
"""The dtype of the state of one game."""

if STATE.itemsize != sum(np.dtype((kind, shape)).itemsize for _, kind, shape, _, _ in FIELDS):
    raise AssertionError(
        f"STATE takes {STATE.itemsize} bytes, more than its fields: order the fields from wide to narrow, or fix 'pad'"
    )


def blank() -> np.ndarray:
    """Return a state of shape () as it is before the set-up."""
    g = np.zeros((), STATE)
    for name in ("player", "tairo", "target", "owner", "top"):
        g[name] = c.NONE
    return g
