"""Replace what a player cannot know by a random completion consistent with what he can (rules 7).

Hidden in the record are only troop cards in other hands and what another player is building. Everything else that is
unseen (piles, covered tiles, bonus sides) is drawn when it comes to sight, so a fresh random row deals it anew.
"""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.chance import pick
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Mask, Player, Rng, State
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.engine.legal import legal_turn
from shogun_env.shitenno.rules.control import clear_payment
from shogun_env.shitenno.rules.division import clear_lot

MAX_TRIES = 1000
"""Hands tried for a player on turn until one leaves him a choice; then he keeps his own."""


@kernel
def begin_anew(g: State) -> None:
    """Let the player who decides begin his lot or payment anew: nobody else knows how far he is."""
    if g["phase"] == c.PAY:
        clear_payment(g)
    elif g["phase"] == c.FORM_LOT or g["phase"] == c.DIVIDE:
        clear_lot(g)
        g["last"] = 0


@kernel
def take_unknown(g: State, player: Player) -> None:
    """Put the troop cards that others do not know of a hand back to the pile."""
    for kind in range(c.N_TROOP_KINDS):
        g["pile"][kind] += g["hand"][player, kind] - g["known"][player, kind]
        g["hand"][player, kind] = g["known"][player, kind]


@kernel
def deal_unknown(g: State, rng: Rng, player: Player) -> None:
    """Deal a player as many unknown troop cards from the pile as he lacks."""
    cards = np.int64(g["n_troops"][player])
    for kind in range(c.N_TROOP_KINDS):
        cards -= np.int64(g["hand"][player, kind])
    for _ in range(cards):
        g["hand"][player, pick(rng, g["pile"][:])] += 1


@kernel
def deal_decider(g: State, rng: Rng, player: Player, mask: Mask) -> None:
    """Deal the player on turn a hand that leaves him a choice, as he is asked; his own after MAX_TRIES others."""
    for _ in range(MAX_TRIES):
        deal_unknown(g, rng, player)
        if legal_turn(g, player, mask) > 1:
            return
        take_unknown(g, player)
    for kind in range(c.N_TROOP_KINDS):
        g["pile"][kind] -= g["spare"][kind] - g["hand"][player, kind]
        g["hand"][player, kind] = g["spare"][kind]


@kernel
def redeal(g: State, rng: Rng, player: Player, mask: Mask) -> None:
    """Deal everything anew that ``player`` cannot know; ``rng`` holds the chance to come, too.

    The unknown cards of the other hands are uniform over all ways to deal the cards he has not seen to those hands and
    the pile, given what he knows to be in each. A player on turn has a hand that leaves him a choice, for otherwise he
    would not have been asked. Another's lot or payment in the making begins anew.

    Args: g; rng, the state's new random row; player 0 .. n_players - 1; mask int8[73], scratch
    """
    if g["phase"] == c.OVER:
        return
    decider = np.int64(g["player"])
    if decider != player:
        begin_anew(g)
        for kind in range(c.N_TROOP_KINDS):
            g["spare"][kind] = g["hand"][decider, kind]
    for other in range(np.int64(g["n_players"])):
        if other != player:
            take_unknown(g, other)
    if decider != player and g["phase"] == c.TURN:
        deal_decider(g, rng, decider, mask)
    for kind in range(c.N_TROOP_KINDS):
        g["spare"][kind] = 0
    for other in range(np.int64(g["n_players"])):
        if other != player:
            deal_unknown(g, rng, other)
