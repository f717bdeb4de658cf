"""Winter: rice loss, feeding, famine revolts, the clearing up between the years (rules 3 winter)."""

from __future__ import annotations

import numpy as np

from shogun_env._jit import rule
from shogun_env.log import ERR_TAPE, is_taped, note, take
from shogun_env.rng import below
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import RICE_LOSS_OF_CARD, WINTER
from shogun_env.shogun.rules.battle import revolt
from shogun_env.shogun.rules.planning import note_five


@rule
def lose_rice(g, log):
    """Take the rice loss of the year's last event from everybody and see who is short; feeding uses up none (R20)."""
    loss = np.int64(0)
    for card in range(c.N_EVENT_CARDS):
        if g["event_card"][card] == c.EVENT_OPEN:
            loss = RICE_LOSS_OF_CARD[card]
            g["event_card"][card] = c.EVENT_USED
    for player in range(np.int64(g["n_players"])):
        g["rice"][player] = max(np.int64(0), np.int64(g["rice"][player]) - loss)
        g["short"][player] = max(np.int64(0), np.int64(g["n_owned"][player]) - np.int64(g["rice"][player]))
    note(log, c.LOG_WINTER, np.int64(g["year"]), loss, 0, 0, 0, 0, 0)
    note_five(log, c.LOG_SHORT, g["short"])
    g["rank"] = c.NONE


@rule
def is_drawn(g, prov):
    """Say whether a province is among those drawn to revolt."""
    return g["drawn"][0] == prov or g["drawn"][1] == prov or g["drawn"][2] == prov


@rule
def draw_provinces(g, rng, log, player):
    """Draw the provinces that revolt, at random and without repetition; at most all he has (3 winter 2)."""
    owned = np.int64(g["n_owned"][player])
    revolts = min(owned, WINTER[np.int64(g["short"][player]), 0])
    for index in range(revolts):
        taped = take(log, c.LOG_DRAWN) if is_taped(log) else np.int64(c.NONE)
        left = np.int64(0) if is_taped(log) else below(rng, owned - index)
        found = np.int64(c.NONE)
        for prov in range(c.N_PROVINCES):
            if g["owner"][prov] == player and not is_drawn(g, prov):
                if found == c.NONE and (prov == taped or (left == 0 and not is_taped(log))):
                    found = np.int64(prov)
                left -= 1
        if found == c.NONE:
            g["error"] = ERR_TAPE
            return
        g["drawn"][index] = found
    note_three(log, c.LOG_DRAWN, player, g["drawn"])


@rule
def note_three(log, kind, player, row):
    """Note a row of up to three provinces."""
    note(log, kind, player, np.int64(row[0]), np.int64(row[1]), np.int64(row[2]), 0, 0, 0)


@rule
def unordered(g, index):
    """Return the drawn province number ``index`` if it has no place in the order yet, else NONE."""
    prov = np.int64(g["drawn"][index])
    for place in range(c.MAX_FAMINE):
        if g["ordered"][place] == prov:
            return np.int64(c.NONE)
    return prov


@rule
def put_in_order(g, prov):
    """Make a province the next in the order of revolts (R21)."""
    for place in range(c.MAX_FAMINE):
        if g["ordered"][place] == c.NONE:
            g["ordered"][place] = prov
            return


@rule
def resolve_famine(g, rng, log, player):
    """Throw the winter revolts in the order fixed: m markers + the table's extra farmers; no marker is added (R14)."""
    note_three(log, c.LOG_ORDER, player, g["ordered"])
    extra = WINTER[np.int64(g["short"][player]), 1]
    for place in range(c.MAX_FAMINE):
        prov = np.int64(g["ordered"][place])
        if prov != c.NONE:
            revolt(g, rng, log, prov, np.int64(g["revolts"][prov]) + extra, c.WHY_WINTER_REVOLT)
    for place in range(c.MAX_FAMINE):
        g["drawn"][place] = c.NONE
        g["ordered"][place] = c.NONE


@rule
def clear_year(g):
    """After the first winter: rice to 0, all revolt markers off the board (3 winter 4)."""
    for player in range(c.MAX_PLAYERS):
        g["rice"][player] = 0
    for prov in range(c.N_PROVINCES):
        g["revolts"][prov] = 0
