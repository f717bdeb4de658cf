"""Action numbers and phases in words (``RULES.md``: Actions)."""

from __future__ import annotations

from shogun_env.shogun import board
from shogun_env.shogun import constants as c

PHASE_NAMES = ("draft_card", "draft_group", "plan", "special", "target", "number", "revolt_order", "over")
"""What is decided, by phase number."""


def action_name(action: int) -> str:
    """Return the name of an action.

    Example:
        >>> [action_name(a) for a in (0, 1, 47, 51, 60, 117, 119)]
        ['nothing', 'Aki', 'chest_1', 'position_1', 'armies_5', 'deck', 'none']

    Raises: ValueError if ``action`` is not one of 0..119.
    """
    number = int(action)
    if number == c.A_NOTHING:
        return "nothing"
    if c.A_CARD <= number < c.A_CHEST:
        return str(board.PROVINCE_NAMES[number - c.A_CARD])
    if c.A_CHEST <= number < c.A_SPECIAL:
        return f"chest_{number - c.A_CHEST}"
    if c.A_SPECIAL <= number <= c.A_NUMBER:
        return f"position_{number - c.A_SPECIAL + 1}"
    if c.A_NUMBER < number < c.A_DECK:
        return f"armies_{number - c.A_NUMBER}"
    named = {c.A_DECK: "deck", c.A_BURY: "bury", c.A_NO_CARD: "none"}
    if number not in named:
        raise ValueError(f"action={action!r}: must be a number from 0 to {c.N_ACTIONS - 1}")
    return named[number]
