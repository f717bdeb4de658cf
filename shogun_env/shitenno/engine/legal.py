"""Which actions are legal: the mask of a decision, and the number of actions in it (rules 8)."""

import numpy as np

from shogun_env.kernel.chance import count_ones
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Int, Mask, Player, State
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.rules.control import can_control, can_draw, can_place, leftmost_simple
from shogun_env.shitenno.rules.payment import legal_items, worth_of_all


@kernel
def clear(mask: Mask) -> None:
    """Write zeros into a mask."""
    for action in range(c.N_ACTIONS):
        mask[action] = 0


@kernel
def legal_lot(g: State, mask: Mask) -> Int:
    """Mark the cards that may be added, none of a kind below the last one, and the tiles for the lot (8, 4.3, 4.4).

    Returns int: the number of legal actions.
    """
    count = np.int64(0)
    for title in range(c.N_TITLES):
        if g["tile_free"][title] == 1 and g["lot_seals"][0] != title + 1:
            mask[c.A_LOT_TILE + title + 1] = 1
            count += 1
    if g["lot_seals"][0] == 0:
        for kind in range(np.int64(g["last"]), c.N_KINDS):
            if g["pool"][kind] > g["lot"][kind]:
                mask[c.A_LOT_ADD + kind] = 1
                count += 1
    return count


@kernel
def legal_turn(g: State, player: Player, mask: Mask) -> Int:
    """Mark what the player can pay for, a Draw tile, and the end of the turn, which is always legal (8, 5.1).

    Reads:  n_placed, kamon, tiles, pile, discard, filled, top, what ``worth_of_all`` reads
    Returns int: the number of legal actions.
    """
    mask[c.A_END_TURN] = 1
    count = np.int64(1)
    if can_draw(g, player):
        mask[c.A_DRAW] = 1
        count += 1
    if can_place(g, player):
        worth = worth_of_all(g, player)
        for prov in range(c.N_PROVINCES):
            if can_control(g, prov, c.BY_TROOPS, worth):
                mask[c.A_TROOPS + prov] = 1
                count += 1
            if can_control(g, prov, c.BY_KOKU, worth):
                mask[c.A_KOKU + prov] = 1
                count += 1
    return count


@kernel
def legal_payment(g: State, player: Player, mask: Mask) -> Int:
    """Mark the items with which the payment can continue (8, S11). Returns int: the number of legal actions."""
    items = legal_items(g, player)
    for item in range(c.N_ITEMS):
        mask[c.A_PAY + item] = (items >> item) & 1
    return count_ones(items)


@kernel
def legal_flip(g: State, player: Player, mask: Mask) -> Int:
    """Mark the provinces with a simple Kamon of the Sensei, and turning none (8, S19). Returns int: their number."""
    mask[c.A_NO_FLIP] = 1
    count = np.int64(1)
    for prov in range(c.N_PROVINCES):
        if leftmost_simple(g, player, prov) != c.NONE:
            mask[c.A_FLIP + prov] = 1
            count += 1
    return count


@kernel
def legal(g: State, mask: Mask) -> Int:
    """Write the mask of the decision: 1 where an action is legal; action 0 alone when the game is over (8).

    Args:   mask int8[73], overwritten
    Reads:  everything
    Writes: what ``legal_items`` writes; each is then as it was before
    Returns int: the number of legal actions, 0 in a phase in which nobody decides.
    """
    clear(mask)
    phase, player = np.int64(g["phase"]), np.int64(g["player"])
    count = np.int64(0)
    if phase == c.PAY:
        count = legal_payment(g, player, mask)
    elif phase == c.TURN:
        count = legal_turn(g, player, mask)
    elif phase == c.FORM_LOT or phase == c.DIVIDE:
        count = legal_lot(g, mask)
    elif phase == c.ANSWER:
        mask[c.A_ACCEPT] = 1
        mask[c.A_REFUSE] = 1
        count = np.int64(2)
    elif phase == c.CHOOSE:
        mask[c.A_PICK_A] = 1
        mask[c.A_PICK_B] = 1
        count = np.int64(2)
    elif phase == c.SENSEI_TURN:
        count = legal_flip(g, player, mask)
    elif phase == c.OVER:
        mask[c.A_NOTHING] = 1
        count = np.int64(1)
    return count


@kernel
def legal_for(g: State, player: Player, mask: Mask) -> None:
    """Write the mask of any player: action 0 alone for all but the player who decides (8).

    Args:   mask int8[73], overwritten
    Reads:  everything
    Writes: what ``legal`` writes
    """
    if g["player"] == player:
        legal(g, mask)
        return
    clear(mask)
    mask[c.A_NOTHING] = 1
