"""What the scripted bot reads off an observation: names for bytes, hands as numbers, a summary of the table.

A hand is one whole number: a byte for the troop units of each type, then a byte for Koku (``board.WORTH`` of its
cards, summed); what a position costs is written in the same four bytes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.scripted.shitenno.weights import HURT, KOKU, MAJORITY, TILE, TROOP
from shogun_env._jit import rule
from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.layout import OBS_AT

OWNER, GOLDEN, FILLED = OBS_AT["position_1_self"], OBS_AT["golden_1"], OBS_AT["filled"]
NUMBER, NEED, STACK, TARGET = OBS_AT["number"], OBS_AT["need_bushi"], OBS_AT["stack"], OBS_AT["target"]
TITLES, GAINED, TAIRO, KAMON = OBS_AT["hatamoto"], OBS_AT["gained"], OBS_AT["tairo"], OBS_AT["kamon"]
EXCHANGE, PLUS_ONE, DRAW = OBS_AT["exchange"], OBS_AT["plus_one"], OBS_AT["draw"]
HAND, KNOWN, POOL, LOT = OBS_AT["hand"], OBS_AT["known_self"], OBS_AT["pool"], OBS_AT["lot"]
COMMITTED, COMMITTED_PLUS_ONE = OBS_AT["committed"], OBS_AT["committed_plus_one"]
PHASE, PLAYERS_IN_GAME, KOKU_PILE = OBS_AT["phase"], OBS_AT["players_in_game"], OBS_AT["koku_pile"]
TILE_FREE, LOT_SEALS, LAST = OBS_AT["tile_free"], OBS_AT["lot_seals"], OBS_AT["last"]
PLACED, JOKER_USED = OBS_AT["placed"], OBS_AT["joker_used"]

BYTE = 255
TROOP_BYTES, ONES, HIGH_BITS, LOW_BITS = 0xFFFFFFFF, 0x01010101, 0x80808080, 0x7F
KOKU_AT = board.KOKU_AT
CARD = board.WORTH[c.FIRST_CARD :]
"""What a card adds to a hand: int64[17]."""
N_SEATS = c.MAX_PLAYERS

_LATER = 0.5
"""A troop kept is worth r / (r + 0.5) of its full worth with r rounds to come."""
_ROUNDS_A_KAMON = 0.6
_UNSURE = 2.0
"""How much every free position blurs a lead in a province."""
_TIE = 0.5


class Sight(NamedTuple):
    """The state of the table in a few numbers; worth is in points."""

    players: int
    rounds: float
    """Rounds to come after this one."""
    troop: float
    """Worth of a troop unit kept."""
    koku: float
    """Worth of a Koku kept."""
    needs: tuple[int, int, int, int, int, int, int, int]
    """By province, the troops that the next position costs; 0 none free."""
    prices: tuple[int, int, int, int, int, int, int, int]
    """By province, what it costs in Koku."""
    worths: tuple[float, float, float, float, float, float, float, float]
    """By province, what a Kamon there is worth, titles and costs apart."""
    hurt: float
    """Worth of a point that one other player loses."""


@rule
def seats_of(o):
    """Return the number of players."""
    players = np.int64(c.MIN_PLAYERS)
    while o[PLAYERS_IN_GAME + players - c.MIN_PLAYERS] == 0:
        players += 1
    return players


@rule
def rounds_left(o, players):
    """Estimate the rounds to come after this one: until the Koku run out, or somebody's Kamon (rules 6)."""
    fewest = np.int64(o[KAMON])
    for seat in range(1, players):
        fewest = min(fewest, np.int64(o[KAMON + seat]))
    return min(float(np.int64(o[KOKU_PILE]) // players), _ROUNDS_A_KAMON * fewest)


@rule
def count_troops(hand):
    """Return the troop units of all types."""
    return (((hand & TROOP_BYTES) * ONES) >> 24) & BYTE


@rule
def missing(hand, need):
    """Return how many of the troops needed a hand does not show."""
    left = (need | HIGH_BITS) - (hand & TROOP_BYTES)
    return count_troops(left & (((left >> 7) & ONES) * LOW_BITS))


@rule
def need_in(o, prov):
    """Return the troops that the next position of a province costs."""
    need = np.int64(0)
    for troop in range(c.N_TROOPS):
        need |= np.int64(o[NEED + c.N_PROVINCES * troop + prov]) << (8 * troop)
    return need


@rule
def cards_at(o, at):
    """Sum up the cards of the 17 kinds that begin at ``at``, as a hand."""
    hand = np.int64(0)
    for kind in range(c.N_KINDS):
        hand += np.int64(o[at + kind]) * CARD[kind]
    return hand


@rule
def weight_in(o, prov, seat):
    """Return a player's weight in a province and the position of his first Kamon there, N_POSITIONS if none."""
    weight = np.int64(0)
    first = np.int64(c.N_POSITIONS)
    for step in range(1, c.N_POSITIONS + 1):
        position = c.N_POSITIONS - step
        if o[OWNER + c.N_PROVINCES * (N_SEATS * position + seat) + prov] == 1:
            weight += board.WEIGHT[np.int64(o[GOLDEN + c.N_PROVINCES * position + prov])]
            first = np.int64(position)
    return weight, first


@rule
def strongest_other(o, prov, players):
    """Return weight and first position of the other player who leads in a province."""
    best = np.int64(0)
    best_first = np.int64(c.N_POSITIONS)
    for seat in range(1, players):
        weight, first = weight_in(o, prov, seat)
        if weight > best or (weight == best and first < best_first):
            best = weight
            best_first = first
    return best, best_first


@rule
def chance_to_lead(own, other, is_first, free):
    """Estimate the probability of the majority at the end, by weights now and the positions still free (rules 6)."""
    if own == 0:
        return 0.0
    lead = own - other + (_TIE if is_first else -_TIE)
    return min(1.0, max(0.0, 0.5 + lead / (1.0 + _UNSURE * free)))


@rule
def majority_gain(o, prov, players, kamon, weight, hurt):
    """Return what more Kamon (or weight alone, with 0 Kamon) in a province change in the majority, in points."""
    filled = np.int64(o[FILLED + prov])
    free = c.N_POSITIONS - filled
    own, own_first = weight_in(o, prov, 0)
    other, other_first = strongest_other(o, prov, players)
    is_first = min(own_first, filled) < other_first
    after = own + weight
    gain = chance_to_lead(after, other, is_first, free - kamon) - chance_to_lead(own, other, is_first, free)
    loss = chance_to_lead(other, own, not is_first, free) - chance_to_lead(other, after, not is_first, free - kamon)
    return board.MAJORITY[prov] * (gain + hurt * max(0.0, loss))


@rule
def place_worth(o, prov, players, hurt, params):
    """Return what a Kamon on the next position of a province is worth, titles and costs apart."""
    number = np.int64(o[NUMBER + prov])
    if number == 0:
        return 0.0
    tile = params[TILE] if o[STACK + prov] > 0 else 0.0
    return number + tile + params[MAJORITY] * majority_gain(o, prov, players, 1, 1, hurt)


@rule
def look(o, params):
    """Sum up an observation."""
    players = seats_of(o)
    rounds = rounds_left(o, players)
    hurt = params[HURT] / (players - 1)
    later = rounds / (rounds + _LATER)
    needs = (
        need_in(o, 0), need_in(o, 1), need_in(o, 2), need_in(o, 3),
        need_in(o, 4), need_in(o, 5), need_in(o, 6), need_in(o, 7),
    )  # fmt: skip
    prices = (
        np.int64(o[NUMBER]), np.int64(o[NUMBER + 1]), np.int64(o[NUMBER + 2]), np.int64(o[NUMBER + 3]),
        np.int64(o[NUMBER + 4]), np.int64(o[NUMBER + 5]), np.int64(o[NUMBER + 6]), np.int64(o[NUMBER + 7]),
    )  # fmt: skip
    worths = (
        place_worth(o, 0, players, hurt, params), place_worth(o, 1, players, hurt, params),
        place_worth(o, 2, players, hurt, params), place_worth(o, 3, players, hurt, params),
        place_worth(o, 4, players, hurt, params), place_worth(o, 5, players, hurt, params),
        place_worth(o, 6, players, hurt, params), place_worth(o, 7, players, hurt, params),
    )  # fmt: skip
    koku = 1.0 + (params[KOKU] - 1.0) * later
    return Sight(players, rounds, params[TROOP] * later, koku, needs, prices, worths, hurt)


@rule
def own_seals(o, seat):
    """Return the seals of a player's title, 0 if he has none."""
    for title in range(c.N_TITLES):
        if o[TITLES + N_SEATS * title + seat] == 1:
            return np.int64(title + 1)
    return np.int64(0)
