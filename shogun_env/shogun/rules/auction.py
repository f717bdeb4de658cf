"""Bids and special cards: who comes when, and with which privilege (rules 3.5)."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.chance import certain, count_ones, draw_one, number_at
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Int, Log, Player, Rng, State
from shogun_env.shogun import constants as c


@kernel
def bid_strength(card: Int) -> Int:
    """Rank a bid: no card 0, chest 0 1, province 2, chest cards 1 to 4 from 3 upwards (3.5, R18)."""
    if card == c.EMPTY:
        return np.int64(0)
    if card < c.CHEST_0:
        return np.int64(2)
    value = np.int64(card) - c.CHEST_0
    return np.int64(1) if value == 0 else value + 2


@kernel
def bid_price(card: Int) -> Int:
    """Return what a bid costs: a chest card its value, a province card nothing."""
    return max(np.int64(0), np.int64(card) - c.CHEST_0)


@kernel
def show_bids(g: State, rng: Rng, log: Log) -> None:
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
    log_paid(g, log)
    g["rank"] = 0
    g["player"] = g["bid_order"][0]


@kernel
def next_bidder(g: State, rng: Rng, log: Log, ordered: Int) -> Int:
    """Return the player with the best bid among those not in the set ``ordered``; a random one of the tied (R18)."""
    tied = best_bidders(g, ordered)
    place = count_ones(ordered)
    if count_ones(tied) > 1:
        return draw_one(g, rng, log, c.LOG_BIDS, tied, place, 0)
    player = number_at(tied, np.int64(0))
    certain(g, log, c.LOG_BIDS, player, place, 0)
    return player


@kernel
def best_bidders(g: State, ordered: Int) -> Int:
    """Return the set of players with the best bid among those not in the set ``ordered`` (3.5, R18)."""
    best = np.int64(c.NONE)
    tied = np.int64(0)
    for player in range(np.int64(g["n_players"])):
        if (ordered >> player) & 1 == 0:
            strength = bid_strength(np.int64(g["plan"][player, c.BID_SPACE]))
            if strength > best:
                best = strength
                tied = np.int64(0)
            if strength == best:
                tied |= np.int64(1) << player
    return tied


@kernel
def log_paid(g: State, log: Log) -> None:
    """Note what each player's bid cost."""
    a, b, d = price_paid(g, 0), price_paid(g, 1), price_paid(g, 2)
    log_entry(log, c.LOG_PAID, a, b, d, price_paid(g, 3), price_paid(g, 4), 0, 0)


@kernel
def price_paid(g: State, player: Player) -> Int:
    """Return what the player's bid costs."""
    return bid_price(np.int64(g["plan"][player, c.BID_SPACE]))


@kernel
def take_special(g: State, log: Log, player: Player, position: Int) -> None:
    """Take the special on a position: its privilege, and the place in the turn order (3.5)."""
    g["holder"][position] = player
    g["position_of"][player] = position
    log_entry(log, c.LOG_SPECIAL, player, np.int64(g["special_at"][position]), position, 0, 0, 0, 0)
    g["rank"] += 1
    if g["rank"] < g["n_players"]:
        g["player"] = g["bid_order"][g["rank"]]
