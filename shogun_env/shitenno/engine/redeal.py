"""Replacing what a player cannot know by a random completion consistent with what they know (rules 7).

A state hides only the troop cards in other hands, and another player's lot or payment in the making. Everything else
that is unseen (piles, covered tiles, bonus sides) is drawn when it comes into view, so a new random row redeals it.
"""

import numpy as np

from shogun_env.kernel.chance import pick
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Mask, Player, Rng, State
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.engine.legal import legal_turn
from shogun_env.shitenno.rules.control import clear_payment
from shogun_env.shitenno.rules.division import clear_lot

MAX_TRIES = 1000
"""Hands dealt to a player on turn until one leaves them a choice; after that many they keep their own."""


@kernel
def restart_decision(g: State) -> None:
    """Take the decider's lot or payment back to its beginning, as nobody else knows how far they are (7)."""
    if g["phase"] == c.PAY:
        clear_payment(g)
    elif g["phase"] == c.FORM_LOT or g["phase"] == c.DIVIDE:
        clear_lot(g)
        g["last"] = 0


@kernel
def take_unknown(g: State, player: Player) -> None:
    """Put the troop cards of a hand that the others do not know back into the pile."""
    for kind in range(c.N_TROOP_KINDS):
        g["pile"][kind] += g["hand"][player, kind] - g["known"][player, kind]
        g["hand"][player, kind] = g["known"][player, kind]


@kernel
def deal_unknown(g: State, rng: Rng, player: Player) -> None:
    """Deal a player as many troop cards from the pile as their hand lacks."""
    cards = np.int64(g["n_troops"][player])
    for kind in range(c.N_TROOP_KINDS):
        cards -= np.int64(g["hand"][player, kind])
    for _ in range(cards):
        g["hand"][player, pick(rng, g["pile"][:])] += 1


@kernel
def deal_decider(g: State, rng: Rng, player: Player, mask: Mask) -> None:
    """Deal the player on turn a hand that leaves them a choice, or their own after MAX_TRIES others.

    They would not have been asked otherwise. The caller has put their own troop cards into ``spare``.
    """
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
    """Replace everything that ``player`` cannot know by a random completion consistent with what they know (7).

    The unknown cards of the other hands are uniform over all ways to deal the cards that the player has not seen to
    those hands and the pile, given what is known to be in each. Another player on turn gets a hand that leaves them a
    choice, for otherwise they would not have been asked. Another player's lot or payment in the making is taken back to
    its beginning. A game that is over is left unchanged.

    Args:   rng, a new random row, which also holds the chance to come; mask int8[73], scratch
    Reads:  hand, n_players, phase, player, known, n_troops, pile, spare, what ``legal_turn`` reads
    Writes: hand, last, lot_seals, lot, pile, spare, what ``clear_payment`` writes
    Draws:  one per card dealt, up to MAX_TRIES times for the hand of another player on turn
    """
    if g["phase"] == c.OVER:
        return
    decider = np.int64(g["player"])
    if decider != player:
        restart_decision(g)
        for kind in range(c.N_TROOP_KINDS):
            g["spare"][kind] = g["hand"][decider, kind]
    for other in range(np.int64(g["n_players"])):
        if other != player:
            take_unknown(g, other)
    if decider != player and g["phase"] == c.TURN:
        deal_decider(g, rng, decider, mask)
    g["spare"][:] = 0
    for other in range(np.int64(g["n_players"])):
        if other != player:
            deal_unknown(g, rng, other)
