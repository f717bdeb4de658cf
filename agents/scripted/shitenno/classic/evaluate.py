"""What hands, cards and titles are worth to a player of Shitennō, in points."""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shitenno.classic.numbers import NEAR, TITLE
from shogun_env.agents.scripted.shitenno.evaluate import Wants, hand_of, hand_worth, useful_troops
from shogun_env.agents.scripted.shitenno.reading import BYTE, CARD, EXCHANGE, PLUS_ONE, Features
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Float, Int, Observation, Params
from shogun_env.shitenno import constants as c

_OF_TITLE = np.array([0.0, 1.2, 1.14, 0.66, 1.08])
"""Points that a title brings in a round, by its seals 0..4."""
SHOWN = np.array([[(int(card) >> 8 * unit) & BYTE for unit in range(c.N_TROOPS + 1)] for card in CARD], np.float64)
"""Units that each kind of card shows, of the four troop types and of Koku: float64[17, 5]."""


@kernel
def worth_with(o: Observation, s: Features, offset: Int, hand: Int, params: Params) -> Float:
    """Return what a hand would be worth to the player at ``offset``, with that player's tiles."""
    return hand_worth(s, hand, np.int64(o[PLUS_ONE + offset]), np.int64(o[EXCHANGE + offset]), 0.0, params[NEAR])


@kernel
def want(
    o: Observation, s: Features, offset: Int, hand: Int, before: Float, useful: Int, troop: Int, params: Params
) -> Float:
    """Return what one more troop of a type is worth to a player; a troop that no placement needs is only kept.

    Args: before, worth of the hand without it; useful, from ``useful_troops``
    """
    at = 8 * troop
    if (useful >> at) & BYTE == 0:
        return s.troop
    return worth_with(o, s, offset, hand + (np.int64(1) << at), params) - before


@kernel
def wants_of(o: Observation, s: Features, offset: Int, params: Params) -> Wants:
    """Return what one more unit of each type is worth to the player at ``offset``."""
    hand = hand_of(o, offset)
    before, useful = worth_with(o, s, offset, hand, params), useful_troops(s)
    return Wants(
        bushi=want(o, s, offset, hand, before, useful, 0, params),
        samurai=want(o, s, offset, hand, before, useful, 1, params),
        shinobi=want(o, s, offset, hand, before, useful, 2, params),
        sohei=want(o, s, offset, hand, before, useful, 3, params),
        koku=s.koku,
    )


@kernel
def card_worth(wants: Wants, kind: Int) -> Float:
    """Return what a kind of card is worth, by the units that it shows."""
    shown = SHOWN[kind]
    worth = wants.bushi * shown[0] + wants.samurai * shown[1] + wants.shinobi * shown[2] + wants.sohei * shown[3]
    return worth + wants.koku * shown[4]


@kernel
def title_worth(seals: Int, params: Params) -> Float:
    """Return what the title with so many seals is worth."""
    return params[TITLE] * _OF_TITLE[seals]
