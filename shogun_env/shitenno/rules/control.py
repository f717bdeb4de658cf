"""The odd year: a turn, placements, Draw tiles, the Sensei (rules 5)."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.chance import draw_counted
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Bool, Int, Log, Player, Prov, Rng, State
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.board import MAX_PLACED, NUMBER, TITLE_POINTS
from shogun_env.shitenno.rules.payment import need_of, suffices, worth_of_committed
from shogun_env.shitenno.rules.piles import draw_troop_card, has_troop_cards, log_row
from shogun_env.shitenno.rules.setup import show_top


@kernel
def begin_turn(g: State, log: Log, player: Player) -> None:
    """Let a player begin his turn (5.1)."""
    g["player"] = player
    g["rank"] = g["seals"][player]
    g["n_placed"] = 0
    g["joker_used"] = 0
    g["phase"] = c.TURN
    log_entry(log, c.LOG_TURN, player, 0, 0, 0, 0, 0, 0)


@kernel
def can_place(g: State, player: Player) -> Bool:
    """Say whether the player may place another Kamon in this turn, the payment apart."""
    return g["n_placed"] < MAX_PLACED and g["kamon"][player] > 0


@kernel
def can_control(g: State, prov: Prov, way: Int, worth: Int) -> Bool:
    """Say whether a province has a free position that ``worth``, all a player has, can pay in this way (5.2)."""
    return g["filled"][prov] < c.N_POSITIONS and suffices(worth, need_of(g, prov, way))


@kernel
def can_draw(g: State, player: Player) -> Bool:
    """Say whether the player can use a Draw tile (S2, S16)."""
    return g["tiles"][player, c.DRAW] > 0 and has_troop_cards(g)


@kernel
def use_draw_tile(g: State, rng: Rng, log: Log, player: Player) -> None:
    """Discard a Draw tile and draw a troop card, which nobody else sees (5.1, S8)."""
    g["tiles"][player, c.DRAW] -= 1
    g["used"][c.DRAW] += 1
    g["hand"][player, draw_troop_card(g, rng, log, c.LOG_DRAW, player)] += 1
    g["n_troops"][player] += 1


@kernel
def begin_payment(g: State, prov: Prov, way: Int) -> None:
    """Choose province and way of paying (S10)."""
    g["target"] = prov
    g["way"] = way
    g["last"] = 0
    g["phase"] = c.PAY


@kernel
def clear_payment(g: State) -> None:
    """Forget the items committed and what they are for."""
    for item in range(c.N_ITEMS):
        g["committed"][item] = 0
    g["target"] = c.NONE
    g["way"] = c.BY_TROOPS
    g["last"] = 0
    g["phase"] = c.TURN


@kernel
def commit(g: State, rng: Rng, log: Log, player: Player, item: Int) -> None:
    """Commit an item; the payment that suffices now is made and the Kamon placed (5.1, 5.3, S25)."""
    g["committed"][item] += 1
    g["last"] = item
    prov, way = np.int64(g["target"]), np.int64(g["way"])
    if suffices(worth_of_committed(g), need_of(g, prov, way)):
        position = np.int64(g["filled"][prov])
        points, more = NUMBER[prov, position], TITLE_POINTS[np.int64(g["seals"][player])]
        log_entry(log, c.LOG_CONTROL, player, prov, position, way, points, more, 0)
        log_row(log, g["committed"][:])
        pay(g, player)
        clear_payment(g)
        g["points"][player] += points + more
        place(g, rng, log, player, prov, position)


@kernel
def pay(g: State, player: Player) -> None:
    """Discard what is committed: troop cards to their discard, Koku and tiles out of the game (S17)."""
    committed = g["committed"]
    if committed[c.JOKER] > 0:
        g["joker_used"] = 1
    for bonus in range(c.DRAW):
        tiles = np.int64(committed[c.FIRST_TILE + bonus])
        g["tiles"][player, bonus] -= tiles
        g["used"][bonus] += tiles
    for kind in range(c.N_KINDS):
        cards = np.int64(committed[c.FIRST_CARD + kind])
        g["hand"][player, kind] -= cards
        if kind < c.N_TROOP_KINDS:
            g["discard"][kind] += cards
            g["known"][player, kind] = max(np.int64(0), np.int64(g["known"][player, kind]) - cards)
            g["n_troops"][player] -= cards
        else:
            g["spent"][kind - c.N_TROOP_KINDS] += cards


@kernel
def place(g: State, rng: Rng, log: Log, player: Player, prov: Prov, position: Int) -> None:
    """Put a Kamon on the leftmost free position and take the tile that lies there (5.1, S18)."""
    g["owner"][prov, position] = player
    g["filled"][prov] = position + 1
    g["kamon"][player] -= 1
    g["n_placed"] += 1
    top = np.int64(g["top"][prov])
    if top == c.NONE:
        return
    g["tiles"][player, draw_counted(g, rng, log, c.LOG_BONUS, g["unturned"][top], player, prov)] += 1
    g["top"][prov] = c.NONE
    if position + 2 < c.N_POSITIONS:
        show_top(g, rng, log, prov)


@kernel
def leftmost_simple(g: State, player: Player, prov: Prov) -> Int:
    """Return the position of the player's leftmost simple Kamon in a province, or NONE (S19)."""
    for position in range(np.int64(g["filled"][prov])):
        if g["owner"][prov, position] == player and g["golden"][prov, position] == 0:
            return np.int64(position)
    return np.int64(c.NONE)


@kernel
def has_simple(g: State, player: Player) -> Bool:
    """Say whether the player has a simple Kamon on the board."""
    simple = np.int64(0)
    for prov in range(c.N_PROVINCES):
        simple += 1 if leftmost_simple(g, player, prov) != c.NONE else 0
    return simple > 0


@kernel
def end_turn(g: State, log: Log, player: Player) -> None:
    """End the turn (S20); the Sensei may turn a Kamon first."""
    log_entry(log, c.LOG_END_TURN, player, 0, 0, 0, 0, 0, 0)
    g["phase"] = c.SENSEI_TURN if g["seals"][player] == c.SENSEI and has_simple(g, player) else c.CONTROL


@kernel
def flip(g: State, log: Log, player: Player, prov: Prov) -> None:
    """Turn a Kamon to its golden side, or with NONE none (S19)."""
    log_entry(log, c.LOG_SENSEI, player, prov, 0, 0, 0, 0, 0)
    if prov != c.NONE:
        g["golden"][prov, leftmost_simple(g, player, prov)] = 1
    g["phase"] = c.CONTROL
