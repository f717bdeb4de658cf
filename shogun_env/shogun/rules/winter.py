"""Winter: rice loss, feeding, famine revolts, and the end of the first year (rules 3 winter 1, 2 and 4)."""

import numpy as np

from shogun_env.kernel.chance import draw_one
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Bool, Int, Log, Player, Prov, Rng, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import RICE_LOSS_OF_CARD, WINTER
from shogun_env.shogun.rules.battle import revolt


@kernel
def lose_rice(g: State, log: Log) -> None:
    """Take the rice loss of the year's last event from every player and count who is short (3 winter 1 and 2).

    Feeding uses up no rice (R20).

    Reads:  rice, n_players, year, n_owned, event_card, short
    Writes: rice, rank, event_card, short
    """
    loss = np.int64(0)
    for card in range(c.N_EVENT_CARDS):
        if g["event_card"][card] == c.EVENT_OPEN:
            loss = RICE_LOSS_OF_CARD[card]
            g["event_card"][card] = c.EVENT_USED
    for player in range(np.int64(g["n_players"])):
        g["rice"][player] = max(np.int64(0), np.int64(g["rice"][player]) - loss)
        g["short"][player] = max(np.int64(0), np.int64(g["n_owned"][player]) - np.int64(g["rice"][player]))
    log_entry(log, c.LOG_WINTER, np.int64(g["year"]), loss, 0, 0, 0, 0, 0)
    first, second, third = np.int64(g["short"][0]), np.int64(g["short"][1]), np.int64(g["short"][2])
    log_entry(log, c.LOG_SHORT, first, second, third, np.int64(g["short"][3]), np.int64(g["short"][4]), 0, 0)
    g["rank"] = c.NONE


@kernel
def provinces_of_player(g: State, player: Player) -> Int:
    """Return the set of a player's provinces (bit i: province i)."""
    provinces = np.int64(0)
    for prov in range(c.N_PROVINCES):
        if g["owner"][prov] == player:
            provinces |= np.int64(1) << prov
    return provinces


@kernel
def draw_provinces(g: State, rng: Rng, log: Log, player: Player) -> None:
    """Draw the provinces of a player that revolt, without repetition; at most all of them (3 winter 2).

    Reads:  owner, n_owned, short
    Writes: error, drawn
    Draws:  one per province
    """
    candidates = provinces_of_player(g, player)
    revolts = min(np.int64(g["n_owned"][player]), WINTER[np.int64(g["short"][player]), 0])
    for index in range(revolts):
        prov = draw_one(g, rng, log, c.LOG_DRAWN, candidates, player, index)
        candidates &= ~(np.int64(1) << prov)
        g["drawn"][index] = prov


@kernel
def waiting_province(g: State, index: Int) -> Int:
    """Return the drawn province number ``index`` if it has no place in the order yet, else NONE (3 winter 2, R21).

    Args:   index 0..2 in the order drawn
    Reads:  drawn, ordered
    """
    prov = np.int64(g["drawn"][index])
    for place in range(c.MAX_FAMINE):
        if g["ordered"][place] == prov:
            return np.int64(c.NONE)
    return prov


@kernel
def put_in_order(g: State, prov: Prov) -> None:
    """Make a province the next in the order of revolts (3 winter 2, R21).

    Args:   prov, drawn and not in the order yet
    Reads:  ordered
    Writes: ordered
    """
    for place in range(c.MAX_FAMINE):
        if g["ordered"][place] == c.NONE:
            g["ordered"][place] = prov
            return


@kernel
def log_order(g: State, log: Log, player: Player) -> None:
    """Log the order of a player's revolts (3 winter 2).

    Reads:  ordered
    """
    first, second = np.int64(g["ordered"][0]), np.int64(g["ordered"][1])
    log_entry(log, c.LOG_ORDER, player, first, second, np.int64(g["ordered"][2]), 0, 0, 0)


@kernel
def resolve_revolt(g: State, rng: Rng, log: Log, player: Player) -> Bool:
    """Resolve the next revolt of a player in the order that they fixed (3 winter 2).

    As many farmers revolt as the province has markers, and the table's number more; no marker is added (R14).

    Reads:  revolts, short, ordered, what ``revolt`` reads
    Writes: drawn, ordered, what ``revolt`` writes
    Draws:  those of one throw, see ``throw``
    Returns bool: it was the last.
    """
    prov = np.int64(g["ordered"][0])
    extra = WINTER[np.int64(g["short"][player]), 1]
    revolt(g, rng, log, prov, np.int64(g["revolts"][prov]) + extra, c.WHY_WINTER_REVOLT)
    for place in range(c.MAX_FAMINE - 1):
        g["ordered"][place] = g["ordered"][place + 1]
    g["ordered"][c.MAX_FAMINE - 1] = c.NONE
    if g["ordered"][0] != c.NONE:
        return False
    g["drawn"][:] = c.NONE
    return True


@kernel
def clear_year(g: State) -> None:
    """Set all rice to 0 and take all revolt markers off the board, after the first winter (3 winter 4).

    Writes: rice, revolts
    """
    g["rice"][:] = 0
    g["revolts"][:] = 0
