"""Winter: rice loss, feeding, famine revolts, the clearing up between the years (rules 3 winter)."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.chance import draw_one
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Int, Log, Player, Prov, Rng, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import RICE_LOSS_OF_CARD, WINTER
from shogun_env.shogun.rules.battle import revolt


@kernel
def lose_rice(g: State, log: Log) -> None:
    """Take the rice loss of the year's last event from everybody and see who is short; feeding uses up none (R20)."""
    loss = np.int64(0)
    for card in range(c.N_EVENT_CARDS):
        if g["event_card"][card] == c.EVENT_OPEN:
            loss = RICE_LOSS_OF_CARD[card]
            g["event_card"][card] = c.EVENT_USED
    for player in range(np.int64(g["n_players"])):
        g["rice"][player] = max(np.int64(0), np.int64(g["rice"][player]) - loss)
        g["short"][player] = max(np.int64(0), np.int64(g["n_owned"][player]) - np.int64(g["rice"][player]))
    log_entry(log, c.LOG_WINTER, np.int64(g["year"]), loss, 0, 0, 0, 0, 0)
    a, b, d = np.int64(g["short"][0]), np.int64(g["short"][1]), np.int64(g["short"][2])
    log_entry(log, c.LOG_SHORT, a, b, d, np.int64(g["short"][3]), np.int64(g["short"][4]), 0, 0)
    g["rank"] = c.NONE


@kernel
def provinces_of_player(g: State, player: Player) -> Int:
    """Return the set of a player's provinces (bit i: province i)."""
    found = np.int64(0)
    for prov in range(c.N_PROVINCES):
        if g["owner"][prov] == player:
            found |= np.int64(1) << prov
    return found


@kernel
def draw_provinces(g: State, rng: Rng, log: Log, player: Player) -> None:
    """Draw the provinces that revolt, at random and without repetition; at most all the player has (3 winter 2)."""
    candidates = provinces_of_player(g, player)
    revolts = min(np.int64(g["n_owned"][player]), WINTER[np.int64(g["short"][player]), 0])
    for index in range(revolts):
        prov = draw_one(g, rng, log, c.LOG_DRAWN, candidates, player, index)
        candidates &= ~(np.int64(1) << prov)
        g["drawn"][index] = prov


@kernel
def unordered(g: State, index: Int) -> Int:
    """Return the drawn province number ``index`` if it has no place in the order yet, else NONE."""
    prov = np.int64(g["drawn"][index])
    for place in range(c.MAX_FAMINE):
        if g["ordered"][place] == prov:
            return np.int64(c.NONE)
    return prov


@kernel
def put_in_order(g: State, prov: Prov) -> None:
    """Make a province the next in the order of revolts (R21)."""
    for place in range(c.MAX_FAMINE):
        if g["ordered"][place] == c.NONE:
            g["ordered"][place] = prov
            return


@kernel
def resolve_famine(g: State, rng: Rng, log: Log, player: Player) -> None:
    """Throw the winter revolts in the order fixed: m markers + the table's extra farmers; no marker is added (R14)."""
    first, second = np.int64(g["ordered"][0]), np.int64(g["ordered"][1])
    log_entry(log, c.LOG_ORDER, player, first, second, np.int64(g["ordered"][2]), 0, 0, 0)
    extra = WINTER[np.int64(g["short"][player]), 1]
    for place in range(c.MAX_FAMINE):
        prov = np.int64(g["ordered"][place])
        if prov != c.NONE:
            revolt(g, rng, log, prov, np.int64(g["revolts"][prov]) + extra, c.WHY_WINTER_REVOLT)
    for place in range(c.MAX_FAMINE):
        g["drawn"][place] = c.NONE
        g["ordered"][place] = c.NONE


@kernel
def clear_year(g: State) -> None:
    """After the first winter: rice to 0, all revolt markers off the board (3 winter 4)."""
    for player in range(c.MAX_PLAYERS):
        g["rice"][player] = 0
    for prov in range(c.N_PROVINCES):
        g["revolts"][prov] = 0
