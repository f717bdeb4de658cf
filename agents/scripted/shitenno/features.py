"""What the bots of Shitennō read off an observation: names for bytes, hands as numbers, chances of majorities.

A hand is one whole number: one byte for the troop units of each of four types, then one byte for Koku (the sum of
``board.WORTH`` of its cards). What a position costs in troops is held in the same four bytes.
"""

from typing import NamedTuple

import numpy as np

from shogun_env.agents.scripted.shitenno import numbers as n
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Float, Int, Observation, Params, Prov, Row
from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno import layout as at

_NOTHING = -1000.0
"""Worth of a Kamon where none can be placed."""
_TINY = 1e-9
"""Keeps a number of the bot that is 0 from being divided by."""
BYTE = 255
CARD = board.WORTH[c.FIRST_CARD :]
"""What a card of each kind adds to a hand: int64[17]."""

_TROOPS, _ONES, _HIGH, _LOW = 0xFFFFFFFF, 0x01010101, 0x80808080, 0x7F
"""Masks for the four bytes of troops: all bits, a one in each byte, the top bit of each; a byte without its top bit."""
_LEADS = 4 * c.N_POSITIONS + 1
"""Highest lead in half units of weight: all Kamon golden, and leftmost."""
_CHANCE = np.clip(
    0.5 + np.arange(-_LEADS, _LEADS + 1) / (2.0 * np.arange(1, 2 * c.N_POSITIONS + 2, 2)[:, None]), 0.0, 1.0
)
"""Probability of a majority by free positions and lead: float64[5, 2 * _LEADS + 1]."""
_WEIGHT_AT, _PLACE = 3, 7
"""A standing is a byte: these low bits hold how far left the player's first Kamon is, the higher bits the weight."""


class Features(NamedTuple):
    """What a decision is made from: what is seen, the numbers of the bot, and a summary. Worth is in points."""

    obs: Observation
    """uint8[D], the observation."""
    params: Params
    """float64[numbers], see ``NUMBERS``."""
    players: int
    """Number of players."""
    troop: float
    """Worth of a troop unit that is kept."""
    koku: float
    """Worth of a Koku that is kept."""
    hurt: float
    """Worth of a point that another player loses."""
    needs: Row
    """int64[N_PROVINCES], the troops that the next position costs; 0 if none is free."""
    prices: Row
    """int64[N_PROVINCES], what the next position costs in Koku; 0 if none is free."""
    by_troops: Row
    """float64[N_PROVINCES], the gain of a Kamon less its cost in troops, without the points of a title; < 0 if no
    position is free."""
    by_koku: Row
    """float64[N_PROVINCES], the gain of a Kamon less its cost in Koku, likewise."""


@kernel
def count_players(obs: Observation) -> Int:
    """Return the number of players."""
    players = np.int64(c.MIN_PLAYERS)
    while obs[at.IN_GAME + players - c.MIN_PLAYERS] == 0:
        players += 1
    return players


@kernel
def rounds_to_come(obs: Observation, players: Int, pace: Float) -> Float:
    """Estimate how many rounds follow this one: the game ends when the Koku or a player's Kamon run out (rules 6)."""
    fewest = np.int64(obs[at.KAMON])
    for offset in range(1, players):
        fewest = min(fewest, np.int64(obs[at.KAMON + offset]))
    return min(float(np.int64(obs[at.KOKU_PILE]) // players), pace * fewest)


@kernel
def count_troops(hand: Int) -> Int:
    """Return the number of troop units in a hand, of all types."""
    return (((hand & _TROOPS) * _ONES) >> 24) & BYTE


@kernel
def missing(hand: Int, need: Int) -> Int:
    """Return how many of the troops needed a hand lacks; the top bits keep a byte from borrowing from the next one."""
    left = (need | _HIGH) - (hand & _TROOPS)
    return count_troops(left & (((left >> 7) & _ONES) * _LOW))


@kernel
def need_in(obs: Observation, prov: Prov) -> Int:
    """Return the troops that the next position of a province costs, 0 if none is free."""
    need = np.int64(0)
    for troop in range(c.N_TROOPS):
        need |= np.int64(obs[at.NEED + c.N_PROVINCES * troop + prov]) << (8 * troop)
    return need


@kernel
def cards_at(obs: Observation, first: Int) -> Int:
    """Return as a hand the cards of the 17 kinds whose counts begin at ``first``."""
    hand = np.int64(0)
    for kind in range(c.N_KINDS):
        hand += np.int64(obs[first + kind]) * CARD[kind]
    return hand


@kernel
def seals_of(obs: Observation, offset: Int) -> Int:
    """Return the seals of the title of the player at ``offset``, 0 without a title."""
    for title in range(c.N_TITLES):
        if obs[at.TITLE + c.MAX_PLAYERS * title + offset] == 1:
            return np.int64(title + 1)
    return np.int64(0)


@kernel
def owner_of(obs: Observation, prov: Prov, position: Int) -> Int:
    """Return the offset of the player whose Kamon is on a position; there must be one."""
    offset = np.int64(0)
    while obs[at.OWNER + c.N_PROVINCES * (c.MAX_PLAYERS * position + offset) + prov] == 0:
        offset += 1
    return offset


@kernel
def standings_in(obs: Observation, prov: Prov) -> Int:
    """Return the standings of all players for a majority, one byte per offset; the highest leads (rules 6, S21)."""
    standings = np.int64(0)
    for position in range(np.int64(obs[at.FILLED + prov])):
        shift = 8 * owner_of(obs, prov, position)
        if (standings >> shift) & BYTE == 0:
            standings += (np.int64(c.N_POSITIONS) - position) << shift
        standings += board.WEIGHT[np.int64(obs[at.GOLDEN + c.N_PROVINCES * position + prov])] << (shift + _WEIGHT_AT)
    return standings


@kernel
def chance_to_lead(own: Int, other: Int, free: Int) -> Float:
    """Estimate the probability of a majority from two standings and the positions still free."""
    if own == 0:
        return 0.0
    lead = 2 * ((own >> _WEIGHT_AT) - (other >> _WEIGHT_AT)) + (1 if own & _PLACE > other & _PLACE else -1)
    return _CHANCE[free, lead + _LEADS]


@kernel
def majority_gain(obs: Observation, prov: Prov, kamon: Int, hurt: Float) -> Float:
    """Return what one more weight in a province is worth for its majority, in points.

    Args: kamon, 1 if a new Kamon brings the weight, 0 if one is turned golden; hurt, worth of another player's loss
    """
    filled = np.int64(obs[at.FILLED + prov])
    free = c.N_POSITIONS - filled
    standings = standings_in(obs, prov)
    own = standings & BYTE
    other = np.int64(0)
    for offset in range(1, c.MAX_PLAYERS):
        other = max(other, (standings >> (8 * offset)) & BYTE)
    after = own + (1 << _WEIGHT_AT) + (free if own == 0 else 0)
    gain = chance_to_lead(after, other, free - kamon) - chance_to_lead(own, other, free)
    loss = chance_to_lead(other, own, free) - chance_to_lead(other, after, free - kamon)
    return board.MAJORITY[prov] * (gain + hurt * max(0.0, loss))


@kernel
def place_worth(obs: Observation, prov: Prov, hurt: Float, later: Float, params: Params) -> Float:
    """Return what a Kamon on the next position of a province is worth, without its cost and the points of a title.

    Args: later, what is kept counts, as a share
    """
    number, filled = np.int64(obs[at.NUMBER + prov]), np.int64(obs[at.FILLED + prov])
    if number == 0:
        return _NOTHING
    worth = number + params[n.MAJORITY] * majority_gain(obs, prov, 1, hurt)
    if obs[at.STACK + prov] > 0:
        worth += params[n.TILE_LAST] + later * params[n.TILE]
    if filled + 1 < c.N_POSITIONS:
        worth -= params[n.OPENS] * later * (np.int64(board.NUMBER[prov, filled + 1]) - number)
    return worth


@kernel
def extract_features(
    obs: Observation, params: Params, needs: Row, prices: Row, by_troops: Row, by_koku: Row
) -> Features:
    """Return what a decision is made from.

    Args: needs, prices, by_troops, by_koku, int64 and float64[N_PROVINCES]: scratch for the rows of the summary
    """
    players = count_players(obs)
    rounds = rounds_to_come(obs, players, params[n.PACE])
    later = rounds / (rounds + params[n.KEEP] + _TINY)
    many = count_troops(cards_at(obs, at.HAND)) / (params[n.ENOUGH] + _TINY)
    troop, koku = later * params[n.TROOP] / (1.0 + many), 1.0 + later * (params[n.KOKU] - 1.0)
    hurt = params[n.HURT] / (players - 1)
    for prov in range(c.N_PROVINCES):
        worth = place_worth(obs, prov, hurt, later, params)
        needs[prov], prices[prov] = need_in(obs, prov), np.int64(obs[at.NUMBER + prov])
        by_troops[prov], by_koku[prov] = worth - troop * count_troops(needs[prov]), worth - koku * prices[prov]
    return Features(
        obs=obs,
        params=params,
        players=players,
        troop=troop,
        koku=koku,
        hurt=hurt,
        needs=needs,
        prices=prices,
        by_troops=by_troops,
        by_koku=by_koku,
    )
