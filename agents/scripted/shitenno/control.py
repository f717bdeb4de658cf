"""What the scripted bot of Shitennō decides in the odd year: placements, payments, golden Kamon."""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shitenno import numbers as n
from shogun_env.agents.scripted.shitenno.evaluate import best_use, spent
from shogun_env.agents.scripted.shitenno.features import Features, cards_at, missing, seals_of
from shogun_env.agents.scripted.shitenno.payment import coins_for
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Action, Float, Int, Mask, Prov
from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno import layout as at


@kernel
def second_gain(f: Features, hand: Int, copies: Int, exchanges: Int, more: Float, prov: Prov) -> Float:
    """Return the gain of the best second placement with what is left of the hand, 0 if the first is already made.

    Args: copies, +1 tiles left; exchanges, Exchange tiles left; more, points of the title; prov, of the first placement
    """
    if f.obs[at.PLACED] > 0:
        return 0.0
    return best_use(f, hand, copies, exchanges, more, prov)[1]


@kernel
def choose_turn(f: Features, legal: Mask) -> Action:
    """Choose to draw if that is legal, else the placement worth most with the best after it, else to end the turn."""
    if legal[c.A_DRAW] == 1:
        return np.int64(c.A_DRAW)
    seals = seals_of(f.obs, 0)
    more, hand = float(board.TITLE_POINTS[seals]), cards_at(f.obs, at.HAND)
    copies, exchanges = np.int64(f.obs[at.PLUS_ONE]), np.int64(f.obs[at.EXCHANGE])
    copies += 1 if seals == c.HATAMOTO and f.obs[at.JOKER_USED] == 0 else 0
    best, best_gain = np.int64(c.A_END_TURN), 0.0
    for prov in range(c.N_PROVINCES):
        gain = f.by_troops[prov] + more
        if legal[c.A_TROOPS + prov] == 1 and gain > 0.0:
            lack = missing(hand, f.needs[prov])
            left = hand - spent(hand, f.needs[prov])
            copied = min(copies, lack)
            gain += f.params[n.SECOND] * second_gain(
                f, left, copies - copied, max(np.int64(0), exchanges - lack + copied), more, prov
            )
            if gain > best_gain:
                best, best_gain = np.int64(c.A_TROOPS + prov), gain
        coins, paid = coins_for(f.obs, f.prices[prov])
        gain = f.by_koku[prov] + more - f.koku * (paid - f.prices[prov])
        if legal[c.A_KOKU + prov] == 1 and coins > 0 and gain > 0.0:
            gain += f.params[n.SECOND] * second_gain(f, hand - (paid << board.KOKU_AT), copies, exchanges, more, prov)
            if gain > best_gain:
                best, best_gain = np.int64(c.A_KOKU + prov), gain
    return best
