"""Bids and special cards: who comes when, and with which privilege (rules 3.5)."""

from __future__ import annotations

import numpy as np

from shogun_env._jit import rule
from shogun_env.log import ERR_TAPE, is_taped, note, take
from shogun_env.rng import below
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.planning import note_five


@rule
def bid_strength(card):
    """Rank a bid: no card 0, chest 0 1, province 2, chest cards 1 to 4 from 3 upwards (3.5, R18)."""
    if card == c.EMPTY:
        return np.int64(0)
    if card < c.CHEST_0:
        return np.int64(2)
    value = np.int64(card) - c.CHEST_0
    return np.int64(1) if value == 0 else value + 2


@rule
def bid_price(card):
    """Return what a bid costs: a chest card its value, a province card nothing."""
    return max(np.int64(0), np.int64(card) - c.CHEST_0)


@rule
def show_bids(g, rng, log):
    """Show and pay the bids and put the players in order, ties at random (3.5, R18)."""
    n = np.int64(g["n_players"])
    for player in range(n):
        g["shown"][player, c.BID_SPACE] = g["plan"][player, c.BID_SPACE]
        g["chests"][player] -= price_paid(g, player)
    ordered = np.int64(0)
    for place in range(n):
        player = next_bidder(g, rng, log, ordered)
        g["bid_order"][place] = player
        ordered |= np.int64(1) << player
    note_five(log, c.LOG_BIDS, g["bid_order"])
    note_paid(g, log)
    g["rank"] = 0
    g["player"] = g["bid_order"][0]


@rule
def next_bidder(g, rng, log, ordered):
    """Return the player with the best bid among those whose bit in ``ordered`` is not set; a random one of the tied."""
    best, tied = best_bid(g, ordered)
    taped = take(log, c.LOG_BIDS) if is_taped(log) else np.int64(c.NONE)
    left = below(rng, tied) if tied > 1 and not is_taped(log) else np.int64(0)
    for player in range(np.int64(g["n_players"])):
        if (ordered >> player) & 1 == 0 and bid_strength(np.int64(g["plan"][player, c.BID_SPACE])) == best:
            if player == taped or (left == 0 and not is_taped(log)):
                return np.int64(player)
            left -= 1
    g["error"] = ERR_TAPE
    return np.int64(0)


@rule
def best_bid(g, ordered):
    """Return the strength of the best bid among those not ordered yet, and how many share it."""
    best = np.int64(c.NONE)
    tied = np.int64(0)
    for player in range(np.int64(g["n_players"])):
        if (ordered >> player) & 1 == 0:
            strength = bid_strength(np.int64(g["plan"][player, c.BID_SPACE]))
            if strength > best:
                best = strength
                tied = np.int64(0)
            tied += 1 if strength == best else 0
    return best, tied


@rule
def note_paid(g, log):
    """Note what each player's bid cost."""
    a, b, d = price_paid(g, 0), price_paid(g, 1), price_paid(g, 2)
    note(log, c.LOG_PAID, a, b, d, price_paid(g, 3), price_paid(g, 4), 0, 0)


@rule
def price_paid(g, player):
    """Return what the player's bid costs."""
    return bid_price(np.int64(g["plan"][player, c.BID_SPACE]))


@rule
def take_special(g, log, player, position):
    """Take the special on a position: its privilege, and the place in the turn order (3.5)."""
    g["holder"][position] = player
    g["position_of"][player] = position
    note(log, c.LOG_SPECIAL, player, np.int64(g["special_at"][position]), position, 0, 0, 0, 0)
    g["rank"] += 1
    if g["rank"] < g["n_players"]:
        g["player"] = g["bid_order"][g["rank"]]
