"""The even year: the pool, lots and offers, the division in two, new titles (rules 4)."""

import numpy as np

from shogun_env.kernel.chance import draw_counted, sum_of
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Bool, Int, Log, Player, Rng, State
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.board import POOL_KOKU, POOL_TROOPS
from shogun_env.shitenno.rules.piles import draw_troop_card, has_troop_cards, log_row
from shogun_env.shitenno.rules.setup import log_titles

ABOVE_ALL = c.N_TITLES + 1
"""One seal more than the highest title has."""


@kernel
def next_in_rank(g: State, seals: Int) -> Int:
    """Return the player with the highest title below ``seals`` who has no lot yet; NONE if there is none (3, 4.2).

    In the odd year nobody has a lot, so it is simply the next player in the order of titles.

    Args:   seals, 1..ABOVE_ALL
    Reads:  n_players, gained, seals
    """
    best = np.int64(0)
    following = np.int64(c.NONE)
    for player in range(np.int64(g["n_players"])):
        own = np.int64(g["seals"][player])
        if own < seals and own > best and g["gained"][player] == 0:
            best = own
            following = np.int64(player)
    return following


@kernel
def open_pool(g: State, rng: Rng, log: Log) -> None:
    """Begin a round: open the pool, and lay out all four hierarchy tiles (4.1, S2, S4).

    Reads:  n_players, round, pile, discard, koku_pile
    Writes: round, n_left, tile_free, pool, koku_pile, what ``draw_troop_card`` writes
    Draws:  one per card of the pool
    """
    n = np.int64(g["n_players"])
    g["round"] += 1
    log_entry(log, c.LOG_ROUND, np.int64(g["round"]), 0, 0, 0, 0, 0, 0)
    for _ in range(POOL_TROOPS[n]):
        if has_troop_cards(g):
            g["pool"][draw_troop_card(g, rng, log, c.LOG_POOL_TROOP, c.NONE)] += 1
    # In a game the pile lasts for whole rounds; a position set up by hand may have fewer cards left.
    for _ in range(min(POOL_KOKU[n], sum_of(g["koku_pile"][:]))):
        g["pool"][c.N_TROOP_KINDS + draw_counted(g, rng, log, c.LOG_POOL_KOKU, g["koku_pile"][:], c.NONE, c.NONE)] += 1
    g["tile_free"][:] = 1
    g["n_left"] = n


@kernel
def begin_lot(g: State) -> None:
    """Let the first player left form a lot or, when two are left, divide all that remains in two (4.2, 4.3, 4.4).

    Reads:  tairo, n_left, what ``next_in_rank`` reads
    Writes: phase, player, tairo, last
    """
    g["tairo"] = next_in_rank(g, np.int64(ABOVE_ALL))
    g["player"] = g["tairo"]
    g["phase"] = c.FORM_LOT if g["n_left"] > c.TWO_LOTS else c.DIVIDE
    g["last"] = 0


@kernel
def clear_lot(g: State) -> None:
    """Empty the lot and take its tiles away (4).

    Writes: lot_seals, lot
    """
    g["lot"][:] = 0
    g["lot_seals"][:] = 0


@kernel
def add_to_lot(g: State, kind: Int) -> None:
    """Add a card of the pool to the lot (4.3, S3).

    Args:   kind of the card, 0..16
    Writes: last, lot
    """
    g["lot"][kind] += 1
    g["last"] = kind


@kernel
def offer_lot(g: State, log: Log, tairo: Player, seals: Int) -> None:
    """Show the lot with its tile, and ask the next player left (4.3).

    Args:   tairo who offers it; seals of its tile, 1..4
    Reads:  n_players, gained, seals, lot
    Writes: phase, player, lot_seals
    """
    g["lot_seals"][0] = seals
    log_entry(log, c.LOG_LOT, tairo, seals, 0, 0, 0, 0, 0)
    log_row(log, g["lot"][:])
    g["phase"] = c.ANSWER
    g["player"] = next_in_rank(g, np.int64(g["seals"][tairo]))


@kernel
def take_lot(g: State, log: Log, player: Player) -> None:
    """Let a player take the lot: its cards go to the hand at once (S6), its tile in front; one player fewer is left."""
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
    """Accept the lot, or pass the question on; when all have refused, the Tairō must take it (4.3).

    Args:   player asked; accepts, whether they take the lot
    Reads:  n_players, gained, tairo, seals, lot_seals, lot
    Writes: hand, phase, player, gained, n_left, tile_free, lot_seals, pool, lot, known, n_troops
    """
    log_entry(log, c.LOG_ANSWER, player, 1 if accepts else 0, 0, 0, 0, 0, 0)
    asked = next_in_rank(g, np.int64(g["seals"][player]))
    if not accepts and asked != c.NONE:
        g["player"] = asked
        return
    take_lot(g, log, player if accepts else np.int64(g["tairo"]))
    g["phase"] = c.DIVISION


@kernel
def swap_lots(g: State) -> None:
    """Swap lots A and B: the lot becomes the rest of the pool, with the other tile."""
    for kind in range(c.N_KINDS):
        g["lot"][kind] = g["pool"][kind] - g["lot"][kind]
    seals = np.int64(g["lot_seals"][0])
    g["lot_seals"][0] = g["lot_seals"][1]
    g["lot_seals"][1] = seals


@kernel
def tile_for_half(g: State, log: Log, tairo: Player, seals: Int) -> None:
    """Give lot A its tile, or else lot B; then both lots are shown to the other player (4.4, S5).

    Args:   tairo who divides; seals of the tile, 1..4
    Reads:  n_players, gained, seals, lot_seals, pool, lot
    Writes: phase, player, lot_seals, lot
    """
    if g["lot_seals"][0] == 0:
        g["lot_seals"][0] = seals
        return
    g["lot_seals"][1] = seals
    log_entry(log, c.LOG_DIVIDE, tairo, np.int64(g["lot_seals"][0]), seals, 0, 0, 0, 0)
    log_row(log, g["lot"][:])
    swap_lots(g)  # to log B too
    log_row(log, g["lot"][:])
    swap_lots(g)
    g["phase"] = c.CHOOSE
    g["player"] = next_in_rank(g, np.int64(g["seals"][tairo]))


@kernel
def choose_half(g: State, log: Log, player: Player, picks_b: Bool) -> None:
    """Take lot A or B, and let the Tairō take the other; then titles are exchanged (4.4, 4.5, S7).

    Args:   player who chooses; picks_b, whether they take B
    Reads:  gained, tairo, seals, lot_seals, pool, lot
    Writes: hand, gained, tairo, n_left, last, seals, tile_free, lot_seals, pool, lot, known, n_troops
    """
    log_entry(log, c.LOG_PICK, player, 1 if picks_b else 0, 0, 0, 0, 0, 0)
    if picks_b:
        swap_lots(g)
    seals = np.int64(g["lot_seals"][1])  # taking a lot clears both tiles
    take_lot(g, log, player)
    swap_lots(g)
    g["lot_seals"][0] = seals
    take_lot(g, log, np.int64(g["tairo"]))
    for other in range(c.MAX_PLAYERS):
        g["seals"][other] = g["gained"][other]
        g["gained"][other] = 0
    g["tile_free"][:] = 0
    g["tairo"] = c.NONE
    g["last"] = 0
    log_titles(g, log)
