"""Names of actions and phases, by number (rules 8)."""

from __future__ import annotations

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c

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
if len(ACTION_NAMES) != c.N_ACTIONS:
    raise AssertionError(f"{len(ACTION_NAMES)} names of actions: must be {c.N_ACTIONS}")


def action_name(action: int) -> str:
    """Return the name of an action.

    Example:
        >>> [action_name(a) for a in (0, 1, 18, 22, 33, 34, 43, 63)]
        ['nothing', 'add_bushi', 'seals_1', 'accept', 'kanto_by_troops', 'chugoku_by_koku', 'end_turn', 'pay_koku_3']

    Raises: ValueError if ``action`` is not in 0..72.
    """
    number = int(action)
    if not 0 <= number < c.N_ACTIONS:
        raise ValueError(f"action {action!r}: must be one of 0 to {c.N_ACTIONS - 1}")
    return ACTION_NAMES[number]
