"""Which actions are legal: the mask of a decision, and the one legal action where there is no choice (rules 8)."""

from __future__ import annotations

import numpy as np

from shogun_env._jit import rule
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.rules.control import can_control, can_draw, can_place, leftmost_simple
from shogun_env.shitenno.rules.payment import legal_items, worth_of_all


@rule
def forced_tile(g):
    """Return the last hierarchy tile there is for lot B as an action, or NONE."""
    tiles = np.int64(0)
    only = np.int64(c.NONE)
    for title in range(c.N_TITLES):
        if g["tile_free"][title] == 1 and g["lot_seals"][0] != title + 1:
            tiles += 1
            only = np.int64(c.A_LOT_TILE + title + 1)
    return only if tiles == 1 else np.int64(c.NONE)


@rule
def forced_turn(g, player):
    """Return END_TURN if nothing else can be done, else NONE."""
    if can_draw(g, player):
        return np.int64(c.NONE)
    if can_place(g, player):
        worth = worth_of_all(g, player)
        for prov in range(c.N_PROVINCES):
            if can_control(g, prov, c.BY_TROOPS, worth) or can_control(g, prov, c.BY_KOKU, worth):
                return np.int64(c.NONE)
    return np.int64(c.A_END_TURN)


@rule
def forced_item(g, player):
    """Return the only item with which the payment can go on as an action, or NONE."""
    items = legal_items(g, player, np.int64(2))
    for item in range(c.N_ITEMS):
        if items == np.int64(1) << item:
            return np.int64(c.A_PAY + item)
    return np.int64(c.NONE)


@rule
def forced_action(g):
    """Return the one legal action of the decision in ``phase``, or NONE when there are at least two."""
    phase = np.int64(g["phase"])
    if phase == c.PAY:
        return forced_item(g, np.int64(g["player"]))
    if phase == c.TURN:
        return forced_turn(g, np.int64(g["player"]))
    if phase == c.DIVIDE and g["lot_seals"][0] != 0:
        return forced_tile(g)
    return np.int64(c.NONE)


@rule
def legal_lot(g, out):
    """Write the cards that may be added, not below the last kind, and the tiles that end the lot (4.3, 4.4)."""
    for title in range(c.N_TITLES):
        free = g["tile_free"][title] == 1 and g["lot_seals"][0] != title + 1
        out[c.A_LOT_TILE + title + 1] = 1 if free else 0
    if g["lot_seals"][0] == 0:
        for kind in range(np.int64(g["last"]), c.N_KINDS):
            out[c.A_LOT_ADD + kind] = 1 if g["pool"][kind] > g["lot"][kind] else 0


@rule
def legal_turn(g, player, out):
    """Write what can be paid, a Draw tile, and the end of the turn, which is always legal (5.1)."""
    out[c.A_END_TURN] = 1
    out[c.A_DRAW] = 1 if can_draw(g, player) else 0
    if can_place(g, player):
        worth = worth_of_all(g, player)
        for prov in range(c.N_PROVINCES):
            out[c.A_TROOPS + prov] = 1 if can_control(g, prov, c.BY_TROOPS, worth) else 0
            out[c.A_KOKU + prov] = 1 if can_control(g, prov, c.BY_KOKU, worth) else 0


@rule
def legal(g, out):
    """Write the mask of the decision into ``out`` int8[73]: 1 where legal; action 0 alone when the game is over."""
    for action in range(c.N_ACTIONS):
        out[action] = 0
    phase = np.int64(g["phase"])
    player = np.int64(g["player"])
    if phase == c.PAY:
        items = legal_items(g, player, np.int64(c.N_ITEMS))
        for item in range(c.N_ITEMS):
            out[c.A_PAY + item] = (items >> item) & 1
    elif phase == c.TURN:
        legal_turn(g, player, out)
    elif phase == c.FORM_LOT or phase == c.DIVIDE:
        legal_lot(g, out)
    elif phase == c.ANSWER:
        out[c.A_ACCEPT] = 1
        out[c.A_REFUSE] = 1
    elif phase == c.CHOOSE:
        out[c.A_PICK_A] = 1
        out[c.A_PICK_B] = 1
    elif phase == c.SENSEI_TURN:
        out[c.A_NO_FLIP] = 1
        for prov in range(c.N_PROVINCES):
            out[c.A_FLIP + prov] = 1 if leftmost_simple(g, player, prov) != c.NONE else 0
    else:
        out[c.A_NOTHING] = 1


@rule
def legal_for(g, player, out):
    """Write the mask of any player: only who decides has one, the others action 0 alone."""
    if g["player"] == player:
        legal(g, out)
        return
    for action in range(c.N_ACTIONS):
        out[action] = 0
    out[c.A_NOTHING] = 1
