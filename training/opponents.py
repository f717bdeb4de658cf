"""Who the learner plays against: bots, itself, and snapshots of it, drawn for every game."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape
from shogun_env.policies import Bot
from shogun_env.training.config import Config

Policy = TypeVar("Policy")
LEARNER = 0
"""Index of the learner among the policies."""
SCORE_DECAY = 0.98
"""How much of a snapshot's score is kept when another game against it is over: the mean is over about fifty games."""
FULL_SCORE = 2.0
"""A share of the win of this many times parity is the full score: a snapshot that takes so much is played most."""
LEAST_WEIGHT = 1e-3
"""Weight of a snapshot without any score, so that it plays again and can have one."""
SAME_OPPONENT = 0.5
"""Part of the games in which all opponents are copies of one, as in evaluations; in the others each is drawn."""
STEPS = 20_000
"""Steps of the dynamics; a policy that wins one game in a hundred more grows eightfold in a tenth of these."""
RATE = 0.1
"""Growth of a policy in a step, for each unit by which its share of the win is above the mean."""
LEAST = 0.01
"""Part that all policies keep together, so that none dies out and a later response may bring it back."""


class Opponents:
    """The policies of training games, and who plays which seat.

    By ``snapshot_draw="score"`` a snapshot plays the more often, the better it does against the learner: past play that
    the learner has forgotten how to beat comes back, which keeps self-play from going round in circles (Vinyals et al.
    2019). By ``uniform`` all play alike, by ``payoff`` as often as in the game of choosing one of them.

    Attributes:
        bots: the bots of the settings.
        snapshots: the learner at earlier times, the latest last.
        weights: the weights of each snapshot.
        scores: for each snapshot the share of the win that it takes from the learner, as a mean over the latest games.
        payoffs: float64[n, n], the share of the win of one snapshot against copies of another, as far as measured.
        mixture: float64[n], how often each of these plays.
    """

    def __init__(self, shape: Shape, config: Config, bots: Sequence[Bot]) -> None:
        self.shape = shape
        self.config = config
        self.bots = bots
        self.snapshots: list[Network] = []
        self.weights: list[Mapping[str, np.ndarray]] = []
        self.scores: list[float] = []
        self.payoffs = self.mixture = np.zeros((0, 0))

    def add_snapshot(self, weights: Mapping[str, np.ndarray], score: float = 1.0) -> None:
        """Add weights as a snapshot; beyond the number of the settings the oldest goes."""
        self.snapshots.append(Network(self.shape, weights, greedy=False))
        self.weights.append(weights)
        self.scores.append(score)
        surplus = max(0, len(self.snapshots) - self.config.snapshots)
        for kept in (self.snapshots, self.weights, self.scores):
            del kept[:surplus]
        self.payoffs = self.payoffs[surplus:, surplus:]

    def know_payoffs(self, payoffs: np.ndarray) -> None:
        """Take over the payoffs of all snapshots, float64[n, n]."""
        self.payoffs = payoffs
        self.mixture = meta_strategy(payoffs) if len(payoffs) else payoffs

    def everybody(self, learner: Network) -> list[Bot]:
        """Return who plays by index: the learner, the bots, the snapshots."""
        return [learner, *self.bots, *self.snapshots]

    def line_up(self, games: int, players: int, rng: np.random.Generator) -> np.ndarray:
        """Return the policy that plays each player: int8[games, players]; the learner has a seat in each game."""
        seats = np.full((games, players), LEARNER, np.int8)
        is_alone = rng.random(games) < self.config.self_fraction
        copies = rng.random(games) < SAME_OPPONENT
        for game in np.flatnonzero(~is_alone):
            others = self._draw(players, rng)
            seats[game] = others[0] if copies[game] else others
            seats[game, rng.integers(players)] = LEARNER
        return seats

    def _draw(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Return ``count`` opponents."""
        bots = 1 + rng.integers(max(1, len(self.bots)), size=count)
        if not self.snapshots:
            return bots if self.bots else np.zeros(count, np.int64)
        weights: np.ndarray = np.ones(len(self.snapshots))
        if self.config.snapshot_draw == "score":
            weights = np.array(self.scores) + LEAST_WEIGHT
        elif self.config.snapshot_draw == "payoff":
            weights = self.mixture
        past = 1 + len(self.bots) + rng.choice(len(self.snapshots), count, p=weights / weights.sum())
        is_past = rng.random(count) < (self.config.snapshot_fraction if self.bots else 1.0)
        return np.where(is_past, past, bots)

    def count(self, seats: np.ndarray, shares: np.ndarray) -> None:
        """Take over the results of games.

        Args:
            seats: int[n, P], as ``line_up`` returned them.
            shares: float[n, P], each player's share of the win.
        """
        first = 1 + len(self.bots)
        for game, player in np.argwhere(seats >= first):
            index = int(seats[game, player]) - first
            target = min(1.0, float(shares[game, player]) * seats.shape[1] / FULL_SCORE)
            self.scores[index] += (1 - SCORE_DECAY) * (target - self.scores[index])


# --- the game of choosing a snapshot ---------------------------------------------------------------------------------
#
# This is what policy-space response oracles (Lanctot et al. 2017, arXiv 1711.00832) need beyond a learner of responses,
# which is the learner of every run: between two snapshots it plays against those so far, as ``exploit`` plays against
# one bot. It goes on from the last response, where the paper begins anew, and responses are far from best.


def meta_strategy(payoffs: np.ndarray) -> np.ndarray:
    """Return how often each policy is played in the meta-game, by projected replicator dynamics: float64[n].

    The mean over time is returned. For two players it is near a Nash equilibrium of the meta-game. With more there is
    no solver that everybody agrees on; these are the dynamics of the paper, and they need only this matrix, where a
    full table of payoffs would have n to the power of the players entries.

    Args: payoffs: float64[n, n], share of the win of one row policy when copies of the column policy play the others.

    Example:
        >>> meta_strategy(np.array([[0.5, 0.9], [0.1, 0.5]])).round(2).tolist()
        [0.99, 0.01]
    """
    count = len(payoffs)
    parts, total = np.full(count, 1.0 / count), np.zeros(count)
    for _ in range(STEPS):
        gains = payoffs @ parts
        parts = np.maximum(parts * (1.0 + RATE * (gains - parts @ gains)), LEAST / count)
        parts /= parts.sum()
        total += parts
    return total / STEPS


def square(rows: Sequence[Sequence[float]]) -> np.ndarray:
    """Return the payoffs that a checkpoint holds: float64[n, n]."""
    return np.array(rows, np.float64).reshape(len(rows), len(rows))


def extended(payoffs: np.ndarray, policies: Sequence[Policy], share: Callable[[Policy, Policy], float]) -> np.ndarray:
    """Return the payoffs of policies, of which those among the first ones are known: float64[n, n].

    Args:
        payoffs: float64[k, k], of the first k policies.
        policies: n of them.
        share: ``share(one, other)`` returns the share of the win of one against copies of the other.
    """
    known, count = len(payoffs), len(policies)
    out = np.empty((count, count))
    out[:known, :known] = payoffs
    for row in range(count):
        for column in range(known if row < known else 0, count):
            out[row, column] = share(policies[row], policies[column])
    return out
