"""Observations: what a player may know, as bytes (rules 7); ``layout`` says which byte means what.

A slice is one feature of a block for all of the block's rows, so a block is laid out column by column. Players are in
the order self, the next player, and so on. A lot or a payment in the making is seen only by the player who makes it; to
the others that player is still at its beginning.
"""

import numpy as np

from shogun_env.kernel.chance import sum_of
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.players import player_at
from shogun_env.kernel.types import Bool, Int, Observation, Player, Prov, State
from shogun_env.shitenno import constants as c
from shogun_env.shitenno import layout as at
from shogun_env.shitenno.board import COPIES, ICONS, KOKU_VALUE, NATIVE, NUMBER
from shogun_env.shitenno.rules.payment import BYTE, need_of


def _owner_columns() -> np.ndarray:
    """Return how far after the observer's flags an owner's begin: int64[players, observer, owner + 1]."""
    table = np.zeros((c.MAX_PLAYERS + 1, c.MAX_PLAYERS, c.MAX_PLAYERS + 1), np.int64)
    for players in range(c.MIN_PLAYERS, c.MAX_PLAYERS + 1):
        for observer in range(players):
            for owner in range(players):
                table[players, observer, owner + 1] = c.N_PROVINCES * ((owner - observer) % players)
    return table


_OWNER_COLUMN = _owner_columns()
HIGH_POINTS = 255
"""Points above this are shown as this, the highest byte."""


@kernel
def sees_lot(g: State, player: Player) -> Bool:
    """Say whether the player may see the lot: it is shown, or it is their own in the making (7, S5)."""
    phase = np.int64(g["phase"])
    return phase == c.ANSWER or phase == c.CHOOSE or g["player"] == player


@kernel
def observe_kamon(g: State, player: Player, out: Observation) -> None:
    """Write who owns the Kamon on each position, and which of them are golden.

    How many positions are filled is hard to predict, so there is no branch: a free position writes a zero.
    """
    column = _OWNER_COLUMN[np.int64(g["n_players"]), player]
    for position in range(c.N_POSITIONS):
        first = at.OWNER + c.N_PROVINCES * c.MAX_PLAYERS * position
        for prov in range(c.N_PROVINCES):
            owner = np.int64(g["owner"][prov, position])
            out[first + column[owner + 1] + prov] = 1 if owner != c.NONE else 0
            out[at.GOLDEN + c.N_PROVINCES * position + prov] = g["golden"][prov, position]


@kernel
def observe_province(g: State, prov: Prov, out: Observation) -> None:
    """Write what the next position of a province is worth and costs, and its stack of tiles."""
    n = c.N_PROVINCES
    filled = np.int64(g["filled"][prov])
    top = np.int64(g["top"][prov])
    out[at.FILLED + prov] = filled
    out[at.ICONS + n * NATIVE[prov] + prov] = ICONS[prov]
    if filled < c.N_POSITIONS:
        need = need_of(g, prov, c.BY_TROOPS)
        out[at.NUMBER + prov] = NUMBER[prov, filled]
        out[at.STACK + prov] = c.N_POSITIONS - 1 - filled
        for troop in range(c.N_TROOPS):
            out[at.NEED + n * troop + prov] = (need >> (8 * troop)) & BYTE
    if top != c.NONE:
        out[at.TOP + n * top + prov] = 1


@kernel
def observe_player(g: State, player: Player, offset: Int, out: Observation) -> None:
    """Write the row of the player who comes ``offset`` after the observer, and what is known of their cards."""
    other = player_at(g, player, offset)
    if other == c.NONE:
        return
    seals = np.int64(g["seals"][other])
    out[at.PRESENT + offset] = 1
    out[at.POINTS + offset] = min(np.int64(g["points"][other]), HIGH_POINTS)
    if seals > 0:
        out[at.TITLE + c.MAX_PLAYERS * (seals - 1) + offset] = 1
    out[at.GAINED + offset] = g["gained"][other]
    out[at.TAIRO + offset] = 1 if g["tairo"] == other else 0
    out[at.TO_ACT + offset] = 1 if g["player"] == other else 0
    out[at.KAMON + offset] = g["kamon"][other]
    for bonus in range(c.N_BONUSES):
        out[at.TILES + c.MAX_PLAYERS * bonus + offset] = g["tiles"][other, bonus]
    troops = np.int64(g["n_troops"][other])
    out[at.TROOPS + offset] = troops
    out[at.UNKNOWN + offset] = troops - sum_of(g["known"][other])
    koku = np.int64(0)
    known = at.KNOWN + c.N_KINDS * offset
    for kind in range(c.N_TROOP_KINDS):
        out[known + kind] = g["known"][other, kind]
    for kind in range(c.N_TROOP_KINDS, c.N_KINDS):
        cards = np.int64(g["hand"][other, kind])
        out[known + kind] = cards
        koku += cards * KOKU_VALUE[kind]
    out[at.KOKU + offset] = koku


@kernel
def observe_cards(g: State, player: Player, out: Observation) -> None:
    """Write the own hand, pool and lot, the own payment, and the cards that are discarded or spent."""
    hand, pool, lot = g["hand"][player], g["pool"], g["lot"]
    for kind in range(c.N_KINDS):
        out[at.HAND + kind] = hand[kind]
        out[at.POOL + kind] = pool[kind]
    if sees_lot(g, player):
        for kind in range(c.N_KINDS):
            out[at.LOT + kind] = lot[kind]
            out[at.POOL + kind] = np.int64(pool[kind]) - np.int64(lot[kind])
    if g["phase"] == c.PAY and g["player"] == player:
        for kind in range(c.N_KINDS):
            out[at.COMMITTED + kind] = g["committed"][c.FIRST_CARD + kind]
    for kind in range(c.N_TROOP_KINDS):
        out[at.GONE + kind] = g["discard"][kind]
    for kind in range(c.N_KOKU_KINDS):
        out[at.GONE + c.N_TROOP_KINDS + kind] = g["spent"][kind]


@kernel
def observe_unseen(g: State, player: Player, out: Observation) -> None:
    """Write which troop cards are in the pile or unknown in other hands, and which Koku cards are in the pile."""
    hand, pool, discard = g["hand"][player], g["pool"], g["discard"]
    for kind in range(c.N_TROOP_KINDS):
        visible = np.int64(hand[kind]) + np.int64(pool[kind]) + np.int64(discard[kind])
        out[at.UNSEEN + kind] = COPIES[kind] - visible
    for other in range(np.int64(g["n_players"])):
        if other != player:
            known = g["known"][other]
            for kind in range(c.N_TROOP_KINDS):
                out[at.UNSEEN + kind] -= known[kind]
    for kind in range(c.N_KOKU_KINDS):
        out[at.UNSEEN + c.N_TROOP_KINDS + kind] = g["koku_pile"][kind]


@kernel
def observe_own(g: State, out: Observation) -> None:
    """Write what only the player who decides may see of their lot or payment."""
    out[at.LAST] = g["last"]
    if g["phase"] == c.PAY:
        out[at.TARGET + np.int64(g["target"])] = np.int64(g["way"]) + 1
        for item in range(c.FIRST_CARD):
            out[at.PAID + item] = g["committed"][item]


@kernel
def observe_table(g: State, player: Player, out: Observation) -> None:
    """Write the block ``table``: phase and round, piles, hierarchy tiles, the turn, bonus tiles."""
    phase = np.int64(g["phase"])
    if phase == c.PAY and g["player"] != player:
        phase = np.int64(c.TURN)
    out[at.PHASE + phase] = 1
    out[at.ROUND] = g["round"]
    out[at.IN_GAME + np.int64(g["n_players"]) - c.MIN_PLAYERS] = 1
    out[at.PILE] = sum_of(g["pile"][:])
    out[at.KOKU_PILE] = sum_of(g["koku_pile"][:])
    for title in range(c.N_TITLES):
        out[at.FREE + title] = g["tile_free"][title]
    if sees_lot(g, player):
        out[at.LOT_SEALS] = g["lot_seals"][0]
        out[at.LOT_SEALS + 1] = g["lot_seals"][1]
    out[at.PLACED] = g["n_placed"]
    out[at.JOKER_USED] = g["joker_used"]
    for troop in range(c.N_TROOPS):
        for bonus in range(c.N_BONUSES):
            out[at.UNTURNED + c.N_BONUSES * troop + bonus] = g["unturned"][troop, bonus]
    for bonus in range(c.N_BONUSES):
        out[at.USED + bonus] = g["used"][bonus]


@kernel
def observe(g: State, player: Player, out: Observation) -> None:
    """Write what ``player`` may know, all of it and no more (7).

    Args:   out uint8[OBS_SIZE], overwritten
    Reads:  everything
    """
    for index in range(at.OBS_SIZE):
        out[index] = 0
    observe_kamon(g, player, out)
    for prov in range(c.N_PROVINCES):
        observe_province(g, prov, out)
    for offset in range(c.MAX_PLAYERS):
        observe_player(g, player, offset, out)
    observe_cards(g, player, out)
    observe_unseen(g, player, out)
    observe_table(g, player, out)
    if g["player"] == player:
        observe_own(g, out)
