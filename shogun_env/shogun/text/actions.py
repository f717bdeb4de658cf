"""Action numbers and phases in words (``RULES.md``: Actions)."""

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.text.names import ACTIONS, SPECIALS, at_province
from shogun_env.spec.voice import counted

PHASE_NAMES = ("draft_card", "draft_group", "plan", "special", "target", "number", "revolt_order", "over")
"""What is decided, by phase number."""


ACTION_NAMES: tuple[str, ...] = (
    "nothing",
    *board.PROVINCE_NAMES,
    *(f"chest_{value}" for value in range(c.N_CHEST_CARDS)),
    *(f"position_{position}" for position in range(1, c.N_SPECIALS + 1)),
    *(f"armies_{armies}" for armies in range(1, board.ARMIES_PER_PLAYER)),
    *("deck", "bury", "none"),
)
"""Names of all actions, by number."""


def action_label(action: int) -> str:
    """Return what an action is called on a button.

    Example:
        >>> [action_label(a) for a in (1, 47, 51, 60, 117, 119)]
        ['Aki', 'chest card 1', 'place 1', '5 armies', 'the top card', 'no card']
    """
    named = {c.A_DECK: "the top card", c.A_BURY: "both cards under the deck", c.A_NO_CARD: "no card"}
    if action in named:
        return named[action]
    kind, _, number = ACTION_NAMES[action].partition("_")
    words = {"chest": f"chest card {number}", "position": f"place {number}"}
    if kind == "armies":
        return counted(int(number), "army", "armies")
    return words.get(kind, ACTION_NAMES[action])


def action_words(g: np.void, action: int) -> str:
    """Return what an action does in a state, in words: a verb and its object.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> action_words(Batch(1).games[0], 1)
        'bid the card of Aki: free, better than chest card 0'
    """
    name, phase = ACTION_NAMES[action], int(g["phase"])
    words = {c.DRAFT_CARD: _draft_words, c.PLAN: _plan_words, c.TAKE_SPECIAL: _special_words, c.TARGET: _target_words}
    if phase in words:
        return words[phase](g, action, name)
    count = action - c.A_NUMBER
    if phase == c.DRAFT_GROUP:
        return f"put the group of {count} armies there"
    if phase == c.NUMBER:
        return f"send {count} {'army' if count == 1 else 'armies'}"
    return f"let {name} revolt next" if phase == c.REVOLT_ORDER else name


def _draft_words(g: np.void, action: int, name: str) -> str:
    special = {c.A_DECK: "take the top card of the deck", c.A_BURY: "put both open cards under the deck"}
    return special.get(action, f"take the open card of {name}")


def _plan_words(g: np.void, action: int, name: str) -> str:
    """Return what a card on the space that is being filled means."""
    if g["space"] == c.BID_SPACE:
        if c.A_CHEST <= action < c.A_SPECIAL:
            return f"bid the chest card {action - c.A_CHEST}, paid at once"
        return "bid nothing" if action == c.A_NO_CARD else f"bid the card of {name}: free, better than chest card 0"
    act = board.ACTION_NAMES[g["space"] - 1]
    if action == c.A_NO_CARD:
        return f"leave the space {ACTIONS[act]} empty"
    if c.A_CHEST <= action < c.A_SPECIAL:
        return f"put the chest card {action - c.A_CHEST} on {ACTIONS[act]}, which is then not carried out"
    return f"plan to {ACTIONS[act]} {at_province(act, name)}"


def _special_words(g: np.void, action: int, name: str) -> str:
    position = action - c.A_SPECIAL
    special = SPECIALS[board.SPECIAL_NAMES[g["special_at"][position]]]
    return f"take place {position + 1} in the turn order, with {special}"


def _target_words(g: np.void, action: int, name: str) -> str:
    if action == c.A_NO_CARD:
        return "send no armies"
    owner = int(g["owner"][action - c.A_CARD])
    if owner == g["player"]:
        return f"move to {name}, your own province"
    armies = int(g["armies"][action - c.A_CARD])
    return f"attack {name}, " + (
        "which is neutral" if owner == c.NONE else f"{counted(armies, 'army', 'armies')} of P{owner}"
    )


def question(g: np.void) -> str:
    """Return what the player who decides is asked, in words to that player.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> question(Batch(1).games[0])
        'Plan the season: choose a space, then its card.'
    """
    phase = int(g["phase"])
    source, target = (board.PROVINCE_NAMES[g[name]] if g[name] != c.NONE else "" for name in ("source", "target"))
    if phase in (c.TARGET, c.NUMBER):
        act = ACTIONS[board.ACTION_NAMES[g["action_at"][g["running"]]]]
        armies = counted(int(g["armies"][g["source"]]), "army", "armies")
        if phase == c.TARGET:
            return f"{act[0].upper()}{act[1:]}: where do armies from {source} go, where you have {armies}?"
        return f"{act[0].upper()}{act[1:]}: how many of your {armies} go from {source} to {target}?"
    return {
        c.PLAN: "Plan the season: choose a space, then its card.",
        c.DRAFT_CARD: "Take a province card.",
        c.DRAFT_GROUP: f"Which army group do you put on {source}?",
        c.TAKE_SPECIAL: "Take a special card: which place in the turn order do you want?",
        c.REVOLT_ORDER: "Which of your provinces revolts next?",
    }.get(phase, "")
