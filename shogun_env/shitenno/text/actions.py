"""Names of actions and phases, by number (rules 8)."""

import numpy as np

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.rules.division import next_in_rank
from shogun_env.shitenno.text.names import PROVINCES, PROVINCES_IN_ORDER, TITLES, kind_name

PHASE_NAMES = ("form_lot", "answer", "divide", "choose", "turn", "pay", "sensei", "over")
"""Names of the phases in which a player decides, by number, and of the end."""

ACTION_NAMES = (
    "nothing",
    *(f"add_{kind}" for kind in board.KIND_NAMES),
    *(f"seals_{seals}" for seals in range(1, c.N_TITLES + 1)),
    *("accept", "refuse", "pick_a", "pick_b"),
    *(f"{province}_by_troops" for province in board.PROVINCE_NAMES),
    *(f"{province}_by_koku" for province in board.PROVINCE_NAMES),
    *("draw", "end_turn", "pay_joker", "pay_exchange", "pay_plus_one"),
    *(f"pay_{kind}" for kind in board.KIND_NAMES),
    *(f"flip_{province}" for province in board.PROVINCE_NAMES),
    "flip_none",
)
"""Names of all actions, by number."""


def action_label(action: int) -> str:
    """Return what an action is called on a button.

    Example:
        >>> [action_label(a) for a in (1, 18, 22, 24, 33, 34, 43, 63)]
        ['Bushi', 'Hatamoto', 'accept', 'lot A', 'Kantō by troops', 'Chūgoku by Koku', 'end turn', '3 Koku']
    """
    name = ACTION_NAMES[action]
    if c.A_LOT_ADD <= action <= c.A_LOT_TILE or c.A_PAY + c.FIRST_CARD <= action < c.A_FLIP:
        return kind_name(name.split("_", 1)[1])
    if c.A_LOT_TILE < action < c.A_ACCEPT:
        return TITLES[action - c.A_LOT_TILE]
    if c.A_TROOPS <= action < c.A_DRAW:
        province, _, way = name.partition("_by_")
        return f"{PROVINCES[province]} by {'Koku' if way == 'koku' else way}"
    if c.A_FLIP <= action < c.A_NO_FLIP:
        return PROVINCES[name.removeprefix("flip_")]
    return _FIXED_LABELS.get(action, name.replace("_", " "))


_FIXED_LABELS = {
    c.A_PICK_A: "lot A",
    c.A_PICK_B: "lot B",
    c.A_DRAW: "Draw tile",
    c.A_PAY: "joker",
    c.A_PAY + 1: "Exchange tile",
    c.A_PAY + 2: "+1 tile",
    c.A_NO_FLIP: "no Kamon",
}
_FIXED_WORDS = {
    c.A_ACCEPT: "accept the lot",
    c.A_PICK_A: "choose lot A, the lot shown",
    c.A_PICK_B: "choose lot B, the rest of the pool",
    c.A_DRAW: "use a Draw tile: draw a troop card",
    c.A_END_TURN: "end the turn",
    c.A_PAY: "pay with the joker of the Hatamoto",
    c.A_PAY + 1: "use an Exchange tile in the payment",
    c.A_PAY + 2: "use a +1 tile in the payment",
    c.A_NO_FLIP: "turn no Kamon",
}


def action_words(g: np.void, action: int) -> str:
    """Return what an action does in a state, in words: a verb and its object.

    Example:
        >>> from shogun_env.shitenno import Batch
        >>> action_words(Batch(1).games[0], 27)
        'place a Kamon in Chūbu and pay in troops'
    """
    if action in _FIXED_WORDS:
        return _FIXED_WORDS[action]
    if action == c.A_REFUSE:
        return f"refuse the lot: {'the Tairō takes it' if _is_last(g) else 'the next player is asked'}"
    if c.A_LOT_ADD <= action <= c.A_LOT_TILE:
        return f"add a card to the lot: {action_label(action)}"
    if action < c.A_ACCEPT:
        return f"complete the lot with the tile of the {action_label(action)}"
    if c.A_PAY <= action < c.A_FLIP:
        return f"pay with a card: {action_label(action)}"
    first = c.A_TROOPS if action < c.A_KOKU else c.A_KOKU if action < c.A_DRAW else c.A_FLIP
    prov = action - first
    name = PROVINCES_IN_ORDER[prov]
    if first == c.A_FLIP:
        return f"turn a Kamon in {name} to its golden side"
    if first == c.A_TROOPS:
        return f"place a Kamon in {name} and pay in troops"
    return f"place a Kamon in {name} and pay {board.NUMBER[prov, g['filled'][prov]]} Koku"


def _is_last(g: np.void) -> bool:
    """Return whether the player asked is the last one (4.3)."""
    return int(next_in_rank(g, np.int64(g["seals"][g["player"]]))) == c.NONE


def question(g: np.void) -> str:
    """Return what the player who decides is asked, in words to that player.

    Example:
        >>> from shogun_env.shitenno import Batch
        >>> question(Batch(1, num_players=2).games[0])
        'Divide what is left in two lots, and choose a title for each.'
    """
    if g["phase"] == c.PAY:
        way = "troops" if g["way"] == c.BY_TROOPS else "Koku"
        return f"Pay for {PROVINCES_IN_ORDER[g['target']]} by {way}: which item?"
    if g["phase"] == c.ANSWER and _is_last(g):
        return "Do you accept the lot? You are the last one asked: if you refuse, the Tairō takes it."
    return {
        c.FORM_LOT: "Form a lot of cards and one title.",
        c.ANSWER: "Do you accept the lot? If you refuse, the next player is asked; if all refuse, the Tairō takes it.",
        c.DIVIDE: "Divide what is left in two lots, and choose a title for each.",
        c.CHOOSE: "Choose a lot; the Tairō takes the other one.",
        c.SENSEI_TURN: "Do you turn a Kamon to its golden side?",
    }.get(int(g["phase"]), "Your turn: place a Kamon, draw, or end the turn.")
