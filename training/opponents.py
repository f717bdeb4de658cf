"""Who the learner plays against: bots, itself, and snapshots of it, drawn for every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape
from shogun_env.policies import compiled_policy
from shogun_env.training.config import Config
from shogun_env.training.psro import meta_strategy

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


class Opponents:
    """The policies of training games, and who plays which seat.

    By ``snapshot_draw="score"`` a snapshot plays the more often, the better it does against the learner: past play that
    the learner has forgotten how to beat comes back, which keeps self-play from going round in circles (Vinyals et al.
    2019). By ``uniform`` all play alike, by ``payoff`` as often as in the game of choosing one of them (``psro.py``).

    Attributes:
        bots: the bots of the settings, compiled.
        snapshots: the learner at earlier times, the latest last.
        weights: the weights of each snapshot.
        scores: for each snapshot the share of the win that it takes from the learner, as a mean over the latest games.
        payoffs: float64[n, n], the share of the win of one snapshot against copies of another, as far as measured.
        mixture: float64[n], how often each of these plays.
    """

    def __init__(self, shape: Shape, config: Config) -> None:
        self.shape = shape
        self.config = config
        self.bots = [compiled_policy(name, shape.spec, "opponents") for name in config.opponents]
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

    def policies(self, learner: Network) -> list[Any]:
        """Return the policies by index: the learner, the bots, the snapshots."""
        return [learner.compiled, *self.bots, *(snapshot.compiled for snapshot in self.snapshots)]

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
