"""What the value of a state is made of: numbers per player that a fitted value weighs (``agents/search/value.py``)."""

import numpy as np

from shogun_env.kernel.chance import sum_of
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Int, Player, Prov, Row, Rows, State
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.board import MAJORITY, NUMBER, WEIGHT
from shogun_env.shitenno.rules.payment import count_troops, need_of, suffices, worth_of_all
from shogun_env.shitenno.rules.scoring import holder_of, koku_points

VALUE_NAMES = (
    "points", "kamon", "troops", "troops_to_come", "koku", "exchanges", "plus_ones", "draws", "secured", "leading",
    "weight", "payable", "best", "sensei", "shomyo", "daimyo",
)  # fmt: skip
"""Points; Kamon left; troop units in hand; the same times the rounds to come; points for Koku in hand; bonus tiles by
kind; points of majorities in full provinces, and in those with free positions; weight of the Kamon in the latter;
provinces in which the next Kamon can be paid; the highest number of these; 1 for the holder of a title."""
(
    POINTS, KAMON, TROOPS, TROOPS_TO_COME, KOKU, EXCHANGES, PLUS_ONES, DRAWS, SECURED, LEADING, WEIGHTS, PAYABLE, BEST,
    SENSEI, SHOMYO, DAIMYO,
) = range(len(VALUE_NAMES))  # fmt: skip
PER_ROUND = 2.0
"""Kamon that a player places in a round at most."""


@kernel
def rounds_to_come(g: State) -> Int:
    """Return how many rounds may follow, as far as Koku and Kamon go (6).

    Reads:  n_players, kamon, koku_pile
    """
    n, fewest = np.int64(g["n_players"]), np.int64(99)
    for player in range(n):
        fewest = min(fewest, np.int64(g["kamon"][player]))
    return min(sum_of(g["koku_pile"][:]) // n, np.int64((fewest + 1) // PER_ROUND))


@kernel
def weigh_province(g: State, prov: Prov, out: Rows) -> None:
    """Add to the features of all players how they stand in a province."""
    is_full = g["filled"][prov] == c.N_POSITIONS
    holder = holder_of(g, prov)
    if holder != c.NONE:
        out[holder, SECURED if is_full else LEADING] += MAJORITY[prov]
    if not is_full:
        for position in range(np.int64(g["filled"][prov])):
            out[np.int64(g["owner"][prov, position]), WEIGHTS] += WEIGHT[np.int64(g["golden"][prov, position])]


@kernel
def weigh_hand(g: State, player: Player, row: Row) -> None:
    """Write into a player's features what they hold, and which positions it pays for."""
    worth = worth_of_all(g, player)
    row[TROOPS] = count_troops(worth)
    row[TROOPS_TO_COME] = row[TROOPS] * rounds_to_come(g)
    row[KOKU] = koku_points(g, player)
    for prov in range(c.N_PROVINCES):
        if g["filled"][prov] == c.N_POSITIONS:
            continue
        if suffices(worth, need_of(g, prov, c.BY_TROOPS)) or suffices(worth, need_of(g, prov, c.BY_KOKU)):
            row[PAYABLE] += 1.0
            row[BEST] = max(row[BEST], np.float64(NUMBER[prov, np.int64(g["filled"][prov])]))


@kernel
def value_features(g: State, out: Rows) -> None:
    """Write for each player the numbers named ``VALUE_NAMES``.

    Args:   out float64[P, F], written
    Reads:  hand, points, n_players, joker_used, seals, kamon, tiles, koku_pile, owner, golden, filled, top
    """
    out[:] = 0.0
    for prov in range(c.N_PROVINCES):
        weigh_province(g, prov, out)
    for player in range(np.int64(g["n_players"])):
        row, seals = out[player], np.int64(g["seals"][player])
        row[POINTS], row[KAMON] = np.int64(g["points"][player]), np.int64(g["kamon"][player])
        for bonus in range(c.N_BONUSES):
            row[EXCHANGES + bonus] = np.int64(g["tiles"][player, bonus])
        if seals >= c.SENSEI:
            row[SENSEI + seals - c.SENSEI] = 1.0
        weigh_hand(g, player, row)
