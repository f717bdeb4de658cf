"""The set-up: piles, stacks of tiles, first hands and titles (rules 1, 2)."""

import numpy as np

from shogun_env.kernel.chance import draw_counted
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Log, Prov, Rng, State
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.board import COPIES, START_CARDS, START_KAMON, TILE_COPIES
from shogun_env.shitenno.rules.piles import draw_troop_card


@kernel
def fill_piles(g: State) -> None:
    """Put all cards into their piles, and count all tiles as covered (1, 2)."""
    for card in range(c.N_TROOP_KINDS):
        g["pile"][card] = COPIES[card]
    for koku in range(c.N_KOKU_KINDS):
        g["koku_pile"][koku] = COPIES[c.N_TROOP_KINDS + koku]
    for troop in range(c.N_TROOPS):
        for bonus in range(c.N_BONUSES):
            g["unturned"][troop, bonus] = TILE_COPIES[troop, bonus]
            g["covered"][troop] += TILE_COPIES[troop, bonus]


@kernel
def show_top(g: State, rng: Rng, log: Log, prov: Prov) -> None:
    """Show the troop side of the tile that has come to the top of a province's stack (2, 5.1, S9).

    Reads:  covered
    Writes: error, top, covered
    Draws:  one: the troop side, each covered tile equally likely
    """
    g["top"][prov] = draw_counted(g, rng, log, c.LOG_TOP, g["covered"][:], prov, c.NONE)


@kernel
def log_titles(g: State, log: Log) -> None:
    """Log who holds which title (2, 4).

    Reads:  seals
    """
    a, b, d = np.int64(g["seals"][0]), np.int64(g["seals"][1]), np.int64(g["seals"][2])
    log_entry(log, c.LOG_TITLES, a, b, d, np.int64(g["seals"][3]), 0, 0, 0)


@kernel
def set_up(g: State, rng: Rng, log: Log) -> None:
    """Set the game up: tops of the stacks, then hands and Kamon, then titles, any of the four (2, S1).

    Args:   g, blank but for its options
    Reads:  n_players, seals, tile_free, pile, discard, covered
    Writes: hand, error, seals, kamon, tile_free, n_troops, pile, discard, koku_pile, top, covered, unturned
    Draws:  one per province, one per card dealt, one per title dealt
    """
    fill_piles(g)
    for prov in range(c.N_PROVINCES):
        show_top(g, rng, log, prov)
    n = np.int64(g["n_players"])
    for player in range(n):
        g["kamon"][player] = START_KAMON[n]
        g["n_troops"][player] = START_CARDS
        for _ in range(START_CARDS):
            g["hand"][player, draw_troop_card(g, rng, log, c.LOG_DEAL, player)] += 1
    g["tile_free"][:] = 1
    for player in range(n):
        g["seals"][player] = 1 + draw_counted(g, rng, log, c.LOG_TITLE, g["tile_free"][:], player, c.NONE)
    g["tile_free"][:] = 0
    log_titles(g, log)
