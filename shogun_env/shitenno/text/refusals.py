"""Why actions that a player might want are illegal at a decision, in words (``RULES.md``: 4.3, 5, 8)."""

import numpy as np

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.rules.control import can_control, can_draw, can_place, leftmost_simple
from shogun_env.shitenno.rules.payment import legal_items, worth_of_all
from shogun_env.shitenno.text.render import need
from shogun_env.spec.voice import words


def refusals(g: np.void) -> dict[int, str]:
    """Return the reasons by action, of those actions that a player might want and may not take.

    Nothing is in them that the player who decides does not know.

    Example:
        >>> from shogun_env.shitenno import Batch, action_name
        >>> reasons = refusals(Batch(1).games[0])
        >>> [(action_name(action), why) for action, why in reasons.items()][0]
        ('add_bushi_samurai', 'there is none in the pool')
    """
    by_phase = {c.FORM_LOT: _lot, c.DIVIDE: _lot, c.TURN: _turn, c.PAY: _pay, c.SENSEI_TURN: _flip}
    phase = int(g["phase"])
    return by_phase[phase](g) if phase in by_phase else {}


def _lot(g: np.void) -> dict[int, str]:
    is_complete, last = g["lot_seals"][0] != 0, int(g["last"])
    reasons = {}
    for kind in range(c.N_KINDS):
        action, name = c.A_LOT_ADD + kind, words(board.KIND_NAMES[kind])
        if g["pool"][kind] == 0:
            reasons[action] = "there is none in the pool"
        elif is_complete:
            reasons[action] = "lot A is complete; only the tile of lot B is left to choose"
        elif g["pool"][kind] == g["lot"][kind]:
            reasons[action] = "all of them are in the lot"
        elif kind < last:
            reasons[action] = f"cards are added in a fixed order, and {name} comes before the last one added"
    for title in range(c.N_TITLES):
        if g["tile_free"][title] != 1:
            reasons[c.A_LOT_TILE + title + 1] = "the tile is taken"
        elif g["lot_seals"][0] == title + 1:
            reasons[c.A_LOT_TILE + title + 1] = "it is the tile of lot A"
    return reasons


def _turn(g: np.void) -> dict[int, str]:
    player = int(g["player"])
    reasons, worth = {}, worth_of_all(g, player)
    if not can_draw(g, player):
        has_tile = g["tiles"][player, c.DRAW] > 0
        reasons[c.A_DRAW] = "no troop card is left to draw" if has_tile else "you have no Draw tile"
    for prov in range(c.N_PROVINCES):
        for first, way in ((c.A_TROOPS, c.BY_TROOPS), (c.A_KOKU, c.BY_KOKU)):
            if not can_place(g, player):
                has_kamon = g["kamon"][player] > 0
                reasons[first + prov] = (
                    "you have placed as many Kamon as a turn allows" if has_kamon else "no Kamon left"
                )
            elif g["filled"][prov] == c.N_POSITIONS:
                reasons[first + prov] = "the province has no free position"
            elif not can_control(g, prov, way, worth):
                troops = need(prov, int(g["top"][prov])).replace("\u00a0", " ")
                price = troops if way == c.BY_TROOPS else f"{board.NUMBER[prov, g['filled'][prov]]} Koku"
                reasons[first + prov] = f"you cannot pay {price}"
    return reasons


def _pay(g: np.void) -> dict[int, str]:
    player = int(g["player"])
    items = int(legal_items(g.copy(), player))
    tiles = g["tiles"][player, [c.EXCHANGE, c.PLUS_ONE]].tolist()
    held = [0, *tiles, *g["hand"][player].tolist()]
    return {
        c.A_PAY + item: "no payment goes on with it: items are committed in a fixed order, and none may be superfluous"
        for item in range(c.N_ITEMS)
        if held[item] > int(g["committed"][item]) and not (items >> item) & 1
    }


def _flip(g: np.void) -> dict[int, str]:
    player = int(g["player"])
    return {
        c.A_FLIP + prov: "you have no simple Kamon there"
        for prov in range(c.N_PROVINCES)
        if leftmost_simple(g, player, prov) == c.NONE
    }
