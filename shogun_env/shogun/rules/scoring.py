"""Points, majorities, the winner, and the rewards made of them (rules 3 winter 3 and 3 winter 4)."""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.rewards import margin_reward, rank_reward, win_reward
from shogun_env.kernel.types import Bool, Float, Int, Log, Player, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import POINTS_BUILDING, POINTS_MOST, POINTS_PROVINCE, PROVINCES_OF, TIE_REDUCTION


@kernel
def count_in_region(g: State, kind: Int, region: Int) -> Int:
    """Return the number of buildings of a kind in a region by owner: one byte per player in an int64."""
    side = np.int64(g["side"])
    counts = np.int64(0)
    for index in range(c.PROVINCES_IN_REGION):
        prov = PROVINCES_OF[side, region, index]
        if g["building"][kind, prov] == 1:
            counts += np.int64(1) << (8 * np.int64(g["owner"][prov]))
    return counts


@kernel
def of_player(counts: Int, player: Player) -> Int:
    """Return the number in a player's byte of ``counts``, an int64."""
    return (counts >> (8 * np.int64(player))) & 255


@kernel
def majority_points(counts: Int, kind: Int, player: Player) -> Int:
    """Return a player's points for a kind in a region: full for the most, one less if tied, 0 without any (R22)."""
    own = of_player(counts, player)
    if own == 0:
        return np.int64(0)
    points = np.int64(POINTS_MOST[kind])
    for other in range(c.MAX_PLAYERS):
        if other != player:
            count = of_player(counts, other)
            if count > own:
                return np.int64(0)
            if count == own:
                points = POINTS_MOST[kind] - TIE_REDUCTION
    return points


@kernel
def score_kind(g: State, kind: Int) -> tuple[Int, Int]:
    """Return majority points and number of buildings of a kind in all regions: one byte per player in each int64.

    Args:   kind CASTLE, TEMPLE or NO_THEATRE
    Reads:  n_players, side, owner, building
    """
    points = np.int64(0)
    buildings = np.int64(0)
    for region in range(c.N_REGIONS):
        counts = count_in_region(g, kind, region)
        buildings += counts
        if counts != 0:
            for player in range(np.int64(g["n_players"])):
                points += majority_points(counts, kind, player) << (8 * player)
    return points, buildings


@kernel
def score_year(g: State, log: Log) -> None:
    """Give every player the points of the year (3 winter 3).

    A building always has an owner: a province that becomes neutral loses its buildings (5.2, 5.3).

    Reads:  n_players, year, side, owner, building, n_owned
    Writes: points
    """
    castles, n_castles = score_kind(g, c.CASTLE)
    temples, n_temples = score_kind(g, c.TEMPLE)
    theatres, n_theatres = score_kind(g, c.NO_THEATRE)
    for player in range(np.int64(g["n_players"])):
        provinces = np.int64(g["n_owned"][player]) * POINTS_PROVINCE
        buildings = of_player(n_castles + n_temples + n_theatres, player) * POINTS_BUILDING
        castle, temple, theatre = of_player(castles, player), of_player(temples, player), of_player(theatres, player)
        g["points"][player] += provinces + buildings + castle + temple + theatre
        year = np.int64(g["year"])
        log_entry(log, c.LOG_SCORE, player, provinces, buildings, castle, temple, theatre, year)


@kernel
def is_ahead(g: State, player: Player, other: Player) -> Bool:
    """Say whether ``player`` ranks before ``other``: more points, or as many and more chests (R5)."""
    own, others = np.int64(g["points"][player]), np.int64(g["points"][other])
    return own > others or (own == others and g["chests"][player] > g["chests"][other])


@kernel
def standing(g: State, player: Player) -> tuple[Int, Int]:
    """Return how many players rank before this one, and how many rank equal, this one included."""
    before = np.int64(0)
    level = np.int64(0)
    for other in range(np.int64(g["n_players"])):
        if is_ahead(g, other, player):
            before += 1
        elif not is_ahead(g, player, other):
            level += 1
    return before, level


@kernel
def winners_of(g: State) -> Int:
    """Return the set of winners: most points, then most chests; players equal in both share the win (R5).

    Reads:  chests, points, n_players
    """
    winners = np.int64(0)
    for player in range(np.int64(g["n_players"])):
        before, _ = standing(g, player)
        if before == 0:
            winners |= np.int64(1) << player
    return winners


@kernel
def reward_so_far(g: State, player: Player, reward: Int) -> Float:
    """Return the sum of a player's rewards from the start of the game to now, as float64.

    Args:   reward: WIN, RANK or MARGIN, which come at the end of the game, or POINTS, the margin after every scoring
    Reads:  chests, points, n_players, phase
    """
    n = np.int64(g["n_players"])
    if reward == c.POINTS or (reward == c.MARGIN and g["phase"] == c.OVER):
        return margin_reward(n, g["points"], player)
    if g["phase"] != c.OVER:
        return 0.0
    before, level = standing(g, player)
    return rank_reward(n, before, level) if reward == c.RANK else win_reward(n, before, level)
