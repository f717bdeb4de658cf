"""Bids and special cards: the turn order of a round and the privileges in it (rules 3.5)."""

import numpy as np

from shogun_env.kernel.chance import certain, count_ones, draw_one, number_at
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Int, Log, Player, Rng, State
from shogun_env.shogun import constants as c


@kernel
def bid_strength(card: Int) -> Int:
    """Return a bid's strength: 0 without a card, 1 for chest 0, 2 for a province, 3 to 6 for chests 1 to 4 (3.5, R18).

    Args:   card shown on the bid space: a province 0..44, a chest card 45..49, or EMPTY
    """
    if card == c.EMPTY:
        return np.int64(0)
    if card < c.CHEST_0:
        return np.int64(2)
    value = np.int64(card) - c.CHEST_0
    return np.int64(1) if value == 0 else value + 2


@kernel
def bid_price(card: Int) -> Int:
    """Return the price of a bid: the value of a chest card, 0 for a province card or none."""
    return max(np.int64(0), np.int64(card) - c.CHEST_0)


@kernel
def show_bids(g: State, rng: Rng, log: Log) -> None:
    """Show all bids, collect what they cost and put the players in order; ties are broken at random (3.5, R18).

    Reads:  n_players, plan, bid_order
    Writes: chests, player, rank, error, shown, bid_order
    Draws:  one per place in the order for which several players tie
    """
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
    """Return the player with the best bid among those not in the set ``ordered``; ties are broken at random (R18)."""
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
    """Log the price that each player paid; absent players paid nothing."""
    first, second, third = price_paid(g, 0), price_paid(g, 1), price_paid(g, 2)
    log_entry(log, c.LOG_PAID, first, second, third, price_paid(g, 3), price_paid(g, 4), 0, 0)


@kernel
def price_paid(g: State, player: Player) -> Int:
    """Return the price of the bid that lies on the player's bid space."""
    return bid_price(np.int64(g["plan"][player, c.BID_SPACE]))


@kernel
def take_special(g: State, log: Log, player: Player, position: Int) -> None:
    """Give a player the special on a position: its privilege and the place in the turn order (3.5).

    Args:   position 0..4, which nobody has taken
    Reads:  n_players, rank, special_at, bid_order
    Writes: player, rank, holder, position_of
    """
    g["holder"][position] = player
    g["position_of"][player] = position
    log_entry(log, c.LOG_SPECIAL, player, np.int64(g["special_at"][position]), position, 0, 0, 0, 0)
    g["rank"] += 1
    if g["rank"] < g["n_players"]:
        g["player"] = g["bid_order"][g["rank"]]
