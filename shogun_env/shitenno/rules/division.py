"""The even year: pool, lots, offers, the end in two lots, new titles (rules 4)."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.chance import draw_counted
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Bool, Int, Log, Player, Rng, State
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.board import POOL_KOKU, POOL_TROOPS
from shogun_env.shitenno.rules.piles import draw_troop_card, has_troop_cards, log_row
from shogun_env.shitenno.rules.setup import log_titles

ABOVE_ALL = c.N_TITLES + 1
"""More seals than any title has."""


@kernel
def next_in_rank(g: State, seals: Int) -> Int:
    """Return the player with the highest title below ``seals`` who has no lot yet (in the odd year: any); or NONE."""
    best = np.int64(0)
    found = np.int64(c.NONE)
    for player in range(np.int64(g["n_players"])):
        own = np.int64(g["seals"][player])
        if own < seals and own > best and g["gained"][player] == 0:
            best = own
            found = np.int64(player)
    return found


@kernel
def open_pool(g: State, rng: Rng, log: Log) -> None:
    """Begin a round: draw the pool, lay out all four hierarchy tiles (4.1, S2, S4)."""
    n = np.int64(g["n_players"])
    g["round"] += 1
    log_entry(log, c.LOG_ROUND, np.int64(g["round"]), 0, 0, 0, 0, 0, 0)
    for _ in range(POOL_TROOPS[n]):
        if has_troop_cards(g):
            g["pool"][draw_troop_card(g, rng, log, c.LOG_POOL_TROOP, c.NONE)] += 1
    for _ in range(POOL_KOKU[n]):
        g["pool"][c.N_TROOP_KINDS + draw_counted(g, rng, log, c.LOG_POOL_KOKU, g["koku_pile"][:], c.NONE, c.NONE)] += 1
    for title in range(c.N_TITLES):
        g["tile_free"][title] = 1
    g["n_left"] = n


@kernel
def begin_lot(g: State) -> None:
    """Let the first of those left form a lot, or the last but one divide what remains in two (4.3, 4.4)."""
    g["tairo"] = next_in_rank(g, np.int64(ABOVE_ALL))
    g["player"] = g["tairo"]
    g["phase"] = c.FORM_LOT if g["n_left"] > c.TWO_LOTS else c.DIVIDE
    g["last"] = 0


@kernel
def clear_lot(g: State) -> None:
    """Put lot and tiles back among what is to be divided."""
    for kind in range(c.N_KINDS):
        g["lot"][kind] = 0
    g["lot_seals"][0] = 0
    g["lot_seals"][1] = 0


@kernel
def add_to_lot(g: State, kind: Int) -> None:
    """Add a card of the pool to the lot (S3)."""
    g["lot"][kind] += 1
    g["last"] = kind


@kernel
def offer_lot(g: State, log: Log, tairo: Player, seals: Int) -> None:
    """Show the lot with its tile and ask the next player left (4.3 b)."""
    g["lot_seals"][0] = seals
    log_entry(log, c.LOG_LOT, tairo, seals, 0, 0, 0, 0, 0)
    log_row(log, g["lot"][:])
    g["phase"] = c.ANSWER
    g["player"] = next_in_rank(g, np.int64(g["seals"][tairo]))


@kernel
def take_lot(g: State, log: Log, player: Player) -> None:
    """Take the lot shown: its cards to the hand at once (S6), its tile in front; then there is one player less left."""
    seals = np.int64(g["lot_seals"][0])
    log_entry(log, c.LOG_TAKE, player, seals, 0, 0, 0, 0, 0)
    log_row(log, g["lot"][:])
    for kind in range(c.N_KINDS):
        cards = np.int64(g["lot"][kind])
        g["pool"][kind] -= cards
        g["hand"][player, kind] += cards
        if kind < c.N_TROOP_KINDS:
            g["known"][player, kind] += cards
            g["n_troops"][player] += cards
    g["tile_free"][seals - 1] = 0
    g["gained"][player] = seals
    g["n_left"] -= 1
    clear_lot(g)


@kernel
def answer(g: State, log: Log, player: Player, accepts: Bool) -> None:
    """Accept the lot, or pass the question on; when all have refused, the Tairō must take it (4.3 b, c)."""
    log_entry(log, c.LOG_ANSWER, player, 1 if accepts else 0, 0, 0, 0, 0, 0)
    asked = next_in_rank(g, np.int64(g["seals"][player]))
    if not accepts and asked != c.NONE:
        g["player"] = asked
        return
    take_lot(g, log, player if accepts else np.int64(g["tairo"]))
    g["phase"] = c.DIVISION


@kernel
def rest_to_lot(g: State) -> None:
    """Put everything that is not in the lot into it, and what is in it back: change A for B."""
    for kind in range(c.N_KINDS):
        g["lot"][kind] = g["pool"][kind] - g["lot"][kind]
    seals = np.int64(g["lot_seals"][0])
    g["lot_seals"][0] = g["lot_seals"][1]
    g["lot_seals"][1] = seals


@kernel
def tile_for_half(g: State, log: Log, tairo: Player, seals: Int) -> None:
    """Give lot A its tile, then lot B; with both the lots are shown to the other (4.4, S5)."""
    if g["lot_seals"][0] == 0:
        g["lot_seals"][0] = seals
        return
    g["lot_seals"][1] = seals
    log_entry(log, c.LOG_DIVIDE, tairo, np.int64(g["lot_seals"][0]), seals, 0, 0, 0, 0)
    log_row(log, g["lot"][:])
    rest_to_lot(g)
    log_row(log, g["lot"][:])
    rest_to_lot(g)
    g["phase"] = c.CHOOSE
    g["player"] = next_in_rank(g, np.int64(g["seals"][tairo]))


@kernel
def choose_half(g: State, log: Log, player: Player, picks_b: Bool) -> None:
    """Take A or B; the Tairō takes the other; then titles change hands (4.4, 4.5, S7)."""
    log_entry(log, c.LOG_PICK, player, 1 if picks_b else 0, 0, 0, 0, 0, 0)
    if picks_b:
        rest_to_lot(g)
    seals = np.int64(g["lot_seals"][1])
    take_lot(g, log, player)
    rest_to_lot(g)
    g["lot_seals"][0] = seals
    take_lot(g, log, np.int64(g["tairo"]))
    for other in range(c.MAX_PLAYERS):
        g["seals"][other] = g["gained"][other]
        g["gained"][other] = 0
    for title in range(c.N_TITLES):
        g["tile_free"][title] = 0
    g["tairo"] = c.NONE
    g["last"] = 0
    log_titles(g, log)
