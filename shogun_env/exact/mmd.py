"""Magnetic mirror descent (Sokota and others 2023) on a whole tree: what policy gradients with entropy aim at.

The magnet is the uniform profile. With a fixed temperature the profile itself, not an average, approaches a quantal
response equilibrium; with one that falls, a Nash equilibrium of a game of two players whose returns add up to zero.
"""

import numpy as np

from shogun_env.exact.tree import Tree
from shogun_env.exact.values import Walk, in_proportion, uniform_profile


class MMD:
    """Magnetic mirror descent, all players at once; ``run`` resumes where it stopped.

    Example:
        >>> from shogun_env.exact.values import exploitability
        >>> from shogun_env.shikoku import Batch
        >>> tree = Tree.of(Batch, num_players=2)
        >>> learner = MMD(tree)
        >>> learner.run(100)
        >>> exploitability(tree, learner.profile).nash_conv < 0.2
        True
    """

    def __init__(self, tree: Tree, temperature: float = 0.0, rate: float = 20.0) -> None:
        """Start from the uniform profile.

        Args:
            temperature: weight of the magnet; 0 for one that falls, ``0.1 / sqrt(iteration)``.
            rate: size of a step; it falls by ``1 / sqrt(iteration)``.

        Raises: ValueError for a temperature below 0, or a rate that is not above 0.
        """
        if not (temperature >= 0 and rate > 0):
            raise ValueError(f"temperature={temperature!r}, rate={rate!r}: must be at least 0, and above 0")
        self.tree, self.temperature, self.rate = tree, temperature, rate
        self.iterations = 0
        self.profile = uniform_profile(tree)
        """float64[J], the profile of the last iteration, which is the result."""
        self._walk = Walk(tree)

    def run(self, iterations: int) -> None:
        """Make iterations."""
        for _ in range(iterations):
            self.iterations += 1
            falling = self.iterations**-0.5
            temperature, rate = self.temperature or 0.1 * falling, self.rate * falling
            logits = (np.log(self.profile) + rate * self._gains()) / (1.0 + rate * temperature)
            top = np.maximum.reduceat(logits, self.tree.begins)[self.tree.set_of_action]
            self.profile = in_proportion(self.tree, np.maximum(np.exp(logits - top), 1e-300))

    def _gains(self) -> np.ndarray:
        """Return what each action brings to its player, given that its set is reached: float64[J]."""
        gains, weights = np.zeros(len(self.profile)), np.zeros(len(self.tree.counts))
        for player in range(self.tree.players):
            own, own_weights = self._walk.of(self.profile, player).gains()
            gains, weights = gains + own, weights + own_weights
        return gains / np.maximum(weights, 1e-300)[self.tree.set_of_action]
