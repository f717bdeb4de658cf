"""A whole plan of Shogun asked for in one prompt, and checked card by card on a redealt copy of the game."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from shogun_env.agents.chat.answers import UnusableError
from shogun_env.agents.search.plans import laid_cards, space_of
from shogun_env.batch.batch import Batch
from shogun_env.records.text import render_text
from shogun_env.shogun import SHOGUN
from shogun_env.shogun import constants as c

SPACES = SHOGUN.plan_spaces
CHESTS = [f"chest_{value}" for value in range(c.N_CHEST_CARDS)]


def plan_prompt(batch: Batch, player: int) -> str:
    """Return a position in words, and the question for a whole plan: a card for each space that is not filled.

    Args: batch, one game; player, who decides there.
    """
    mask = batch.legal_for(player)[0]
    space = space_of(batch.observe_for(player)[0])
    cards = [batch.spec.action_name(action) for action in np.flatnonzero(mask).tolist()]
    own = [card for card in cards if card not in CHESTS and card != "none"]
    bids = f" Possible as bid: {', '.join(cards)}." if space == c.BID_SPACE else ""
    chests = CHESTS if space == c.BID_SPACE else [card for card in cards if card in CHESTS]
    return (
        f"You are player {player} in a game of {batch.spec.title}. This is the position as you see it:\n\n"
        f"{render_text(batch, 0, player)}\n"
        "It is your decision: make your whole plan now. Answer with one JSON object that has a card for each of these "
        f"spaces: {', '.join(SPACES[space:])}. Your cards: {', '.join([*own, *chests])}. Use each card at most once. A "
        "province card on an action carries it out in that province; a chest card on an action means that it is not "
        f"carried out. If you have fewer cards than there are spaces, give none to the spaces left over.{bids} "
        'Example of the form: {"bid": "chest_1", "build_castle": "' + (own[0] if own else "none") + '"}\n'
    )


def plan_of(batch: Batch, player: int, cards: Mapping[str, Any]) -> np.ndarray:
    """Return a plan as actions, int64[11]; spaces that the player does not fill, or has filled, hold "no card".

    Args: batch, one game, which is played on; player, who decides there; cards, card by space, as the model gave them.
    Raises: UnusableError naming the first space that has a wrong card, and what would be possible there.
    """
    names = {name.lower(): action for name, action in batch.spec.actions.items()}
    plan = np.full(c.N_SPACES, c.A_NO_CARD, np.int64)
    space = space_of(batch.observe_for(player)[0])
    if unknown := set(cards) - set(SPACES):
        raise UnusableError(f"{min(unknown)!r} is not a space")
    while space >= 0:
        mask = batch.legal_for(player)[0]
        card = cards.get(SPACES[space])
        action = -1 if card is None else names.get(str(card).strip().lower(), -1)
        if action < 0 or not mask[action]:
            legal = ", ".join(batch.spec.action_name(other) for other in np.flatnonzero(mask).tolist())
            what = "has no card" if card is None else f"cannot have {card!r}"
            raise UnusableError(f"the space {SPACES[space]} {what}; with the cards before it, possible are {legal}")
        plan[space] = action
        before, space = space, _next_space(batch, player, action)
        space = space if space > before else -1
        if space >= 0:  # forced cards lie there by now
            plan[:space] = laid_cards(batch.observe_for(player)[0], space)
    return plan


def _next_space(batch: Batch, player: int, action: int) -> int:
    """Play a card, and anything for the others; return the next space that the player fills, -1 if none is left."""
    batch.step([action])
    while not batch.over[0] and batch.player[0] != player and space_of(batch.observe_for(int(batch.player[0]))[0]) >= 0:
        batch.step([int(batch.legal[0].argmax())])
    return -1 if batch.over[0] or batch.player[0] != player else space_of(batch.observe_for(player)[0])
