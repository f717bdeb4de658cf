"""Set-up: piles, stacks, first hands and titles (rules 2)."""

from __future__ import annotations

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
    """Put all cards into their piles and all tiles face down."""
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
    """Show the troop side of the tile that has come to the top of a province's stack (S9)."""
    g["top"][prov] = draw_counted(g, rng, log, c.LOG_TOP, g["covered"][:], prov, c.NONE)


@kernel
def log_titles(g: State, log: Log) -> None:
    """Note who has which title."""
    a, b, d = np.int64(g["seals"][0]), np.int64(g["seals"][1]), np.int64(g["seals"][2])
    log_entry(log, c.LOG_TITLES, a, b, d, np.int64(g["seals"][3]), 0, 0, 0)


@kernel
def set_up(g: State, rng: Rng, log: Log) -> None:
    """Set the game up: stacks, then hands, then titles, any of the four (2, S1)."""
    fill_piles(g)
    for prov in range(c.N_PROVINCES):
        show_top(g, rng, log, prov)
    n = np.int64(g["n_players"])
    for player in range(n):
        g["kamon"][player] = START_KAMON[n]
        g["n_troops"][player] = START_CARDS
        for _ in range(START_CARDS):
            g["hand"][player, draw_troop_card(g, rng, log, c.LOG_DEAL, player)] += 1
    for title in range(c.N_TITLES):
        g["tile_free"][title] = 1
    for player in range(n):
        g["seals"][player] = 1 + draw_counted(g, rng, log, c.LOG_TITLE, g["tile_free"][:], player, c.NONE)
    for title in range(c.N_TITLES):
        g["tile_free"][title] = 0
    log_titles(g, log)
