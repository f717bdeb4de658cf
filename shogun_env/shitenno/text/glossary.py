"""What the words of the game mean, in a sentence or two each, for people who see them on a page."""

from __future__ import annotations

from shogun_env.shitenno import board
from shogun_env.shitenno.text.names import BONUSES, PROVINCES, TITLES, TROOPS, kind_name
from shogun_env.spec.voice import counted

TITLE_TEXTS = {
    "daimyo": "Highest title, 4 seals: plays first, and each Kamon placed brings 2 points more. Breaks ties at "
    "the end.",
    "shomyo": "Second title, 3 seals: each Kamon placed brings 1 point more.",
    "sensei": "Third title, 2 seals: after the turn one Kamon on the board may be turned to its golden side.",
    "hatamoto": "Lowest title, 1 seal: plays last, with a joker, which is any one troop in one payment of the turn.",
}
BONUS_TEXTS = {
    "exchange": (
        "Works once, in a payment: one troop or Koku paid becomes any troop, or a troop becomes 1 Koku. At the "
        "end troops "
        "become Koku."
    ),
    "plus_one": "Works once, in a payment: one more of a troop that is in it, or 1 Koku more if there is Koku in it.",
    "draw": "Works once, in one's turn but not while paying: draw a troop card from the pile.",
}
WORDS = {
    "kamon": "A marker of a player on a position of a province. It brings the number of the position at once.",
    "golden": "A Kamon on its golden side counts 2 instead of 1 for the majority.",
    "tairo": "Who makes the lots: the player with the highest old title who has no lot yet.",
    "pool": "What is divided in the even year: for each player two troop cards and one Koku, and the tiles of "
    "the titles.",
    "lot": "Cards of the pool, none to all, with one title. The others accept or refuse it in order.",
    "seals": "The rank of a title, 4 to 1. In the odd year most seals play first.",
    "koku": "Money. It pays for a position by its number, leaves the game then, and is 1 point each at the end.",
    "joker": "The Hatamoto's: any one troop in one payment.",
    "position": "Each province has four, filled from the left. Its number is its price in Koku and its points.",
    "majority": "Brings 6 points at the end for most weight in a province; a tie goes to the leftmost Kamon there.",
    "pile": "Troop cards to draw. The discard is shuffled when it is empty.",
    "title": "Taken with a lot: it says when one plays, how many seals one has, and what one may do besides.",
    "points": "Most win. They come from Kamon that are placed, and at the end from Koku and majorities.",
    "hand": "Cards to pay with. All see how many there are, and which ones as far as they lay open.",
    "native": "Positions of the province are paid by troops of this type, and one of that on the tile on top.",
    "tile": "On a province lie up to three. The top one asks for one troop of its type, and is taken with a position.",
}


def _kind(kind: str, value: int) -> str:
    """Return what is said about a kind of card."""
    if value:
        return f"Money worth {value} Koku."
    troops = kind.split("_")
    return f"{'One troop' if len(troops) == 1 else 'Two troops'} to pay with: {kind_name(kind)}."


def _province(prov: int) -> str:
    """Return what is said about a province."""
    numbers = ", ".join(map(str, board.NUMBER[prov].tolist()))
    native = TROOPS[board.TROOP_NAMES[board.NATIVE[prov]]]
    troops = counted(int(board.ICONS[prov]), native, native)
    last = int(board.ICONS[prov] + board.ENTRANCE_ICONS[prov])
    return (
        f"Positions for {numbers}. By troops: {troops} and one of the type on the top tile; the last position "
        f"{last} of its "
        f"own. Majority: {counted(int(board.MAJORITY[prov]), 'point')}."
    )


GLOSSARY = {
    **TITLE_TEXTS,
    **BONUS_TEXTS,
    **{kind: _kind(kind, int(value)) for kind, value in zip(board.KIND_NAMES, board.KOKU_VALUE, strict=True)},
    **{name: _province(prov) for prov, name in enumerate(board.PROVINCE_NAMES)},
    **WORDS,
}
"""By name: titles, bonuses, kinds of cards and provinces as ``data.json`` has them, and words in lower case."""
TERMS = {
    **{name: TITLES[4 - rank] for rank, name in enumerate(TITLE_TEXTS)},
    **BONUSES,
    **{kind: kind_name(kind) for kind in board.KIND_NAMES},
    **PROVINCES,
    "tairo": "Tairō",
    "tile": "tile on top",
    "pile": "Troop pile",
}
"""What texts and pictures call these names."""
