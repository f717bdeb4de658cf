"""The end of the game, Koku in hand, majorities, the winner, and rewards (rules 6)."""

import numpy as np

from shogun_env.kernel.chance import sum_of
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.rewards import margin_reward, rank_reward, win_reward
from shogun_env.kernel.types import Bool, Float, Int, Log, Player, Prov, State
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.board import JOKER_AT, KOKU_POINTS, MAJORITY, WEIGHT
from shogun_env.shitenno.rules.payment import BYTE, koku_of, worth_of_all


@kernel
def is_last_round(g: State) -> Bool:
    """Say whether the odd year just played was the last: a player has no Kamon left, or the Koku pile is empty (6).

    Reads:  n_players, kamon, koku_pile
    """
    for player in range(np.int64(g["n_players"])):
        if g["kamon"][player] == 0:
            return True
    return sum_of(g["koku_pile"][:]) == 0


@kernel
def koku_points(g: State, player: Player) -> Int:
    """Return a player's points for Koku in hand, with the best use of their tiles and without the joker (6, S22).

    Reads:  what ``worth_of_all`` reads
    """
    without_joker = worth_of_all(g, player) & ~(np.int64(BYTE) << JOKER_AT)
    return koku_of(without_joker) * KOKU_POINTS


@kernel
def holder_of(g: State, prov: Prov) -> Int:
    """Return who has the majority in a province, if tied the one with the leftmost Kamon (S21); NONE for nobody.

    Reads:  owner, golden, filled
    """
    best = np.int64(0)
    holder = np.int64(c.NONE)
    for position in range(np.int64(g["filled"][prov])):
        player = np.int64(g["owner"][prov, position])
        weight = np.int64(0)
        for other in range(np.int64(g["filled"][prov])):
            if g["owner"][prov, other] == player:
                weight += WEIGHT[np.int64(g["golden"][prov, other])]
        if weight > best:  # of equals the first stays, and positions are visited from the left
            best = weight
            holder = player
    return holder


@kernel
def majority_points(g: State, player: Player) -> Int:
    """Return a player's points for majorities (6)."""
    total = np.int64(0)
    for prov in range(c.N_PROVINCES):
        if holder_of(g, prov) == player:
            total += MAJORITY[prov]
    return total


@kernel
def score_game(g: State, log: Log) -> None:
    """Add the points of the final scoring of every player (6, S24).

    Reads:  n_players, owner, golden, filled, what ``worth_of_all`` reads
    Writes: points
    """
    for player in range(np.int64(g["n_players"])):
        koku, majorities = koku_points(g, player), majority_points(g, player)
        g["points"][player] += koku + majorities
        log_entry(log, c.LOG_SCORE, player, koku, majorities, 0, 0, 0, 0)
    for prov in range(0, c.N_PROVINCES, 4):
        a, b = holder_of(g, prov), holder_of(g, prov + 1)
        log_entry(log, c.LOG_HOLDERS, a, b, holder_of(g, prov + 2), holder_of(g, prov + 3), prov, 0, 0)


@kernel
def players_ahead(g: State, player: Player) -> Int:
    """Return how many players rank above this one: more points, or as many and a higher title (S23)."""
    own, title = np.int64(g["points"][player]), np.int64(g["seals"][player])
    ahead = np.int64(0)
    for other in range(np.int64(g["n_players"])):
        others = np.int64(g["points"][other])
        ahead += 1 if others > own or (others == own and g["seals"][other] > title) else 0
    return ahead


@kernel
def winner_of(g: State) -> Int:
    """Return the winner of a game that is over (6, S23).

    Reads:  points, n_players, seals
    """
    for player in range(np.int64(g["n_players"])):
        if players_ahead(g, player) == 0:
            return np.int64(player)
    return np.int64(c.NONE)


@kernel
def reward_so_far(g: State, player: Player, reward: Int) -> Float:
    """Return the sum of a player's rewards up to now, float64: 0 before the end, as all are paid there (6).

    Args:   reward WIN, RANK or MARGIN; a rank is never shared (S23)
    Reads:  points, n_players, phase, seals
    """
    if g["phase"] != c.OVER:
        return 0.0
    n = np.int64(g["n_players"])
    if reward == c.MARGIN:
        return margin_reward(n, g["points"], player)
    ahead = players_ahead(g, player)
    return rank_reward(n, ahead, 1) if reward == c.RANK else win_reward(n, ahead, 1)
