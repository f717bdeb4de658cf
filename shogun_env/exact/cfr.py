"""Equilibria by CFR+ (Tammelin, Burch, Johanson and Bowling 2015), on a whole tree.

For two players with returns that add up to zero the average profile approaches an equilibrium. For three nothing of
the kind is proven: the same algorithm runs, and the exact gains of the players say how far it came.
"""

from collections.abc import Iterator

import numpy as np

from shogun_env.exact.tree import Tree
from shogun_env.exact.values import Walk, exploitability, in_proportion, uniform_profile

ROUNDING = 1e-14
"""A regret up to this is rounding. Actions that are exactly as good stay equally likely, on every machine."""


class CFRPlus:
    """CFR+ with alternating updates and linear averaging; ``run`` resumes where it stopped.

    Example:
        >>> from shogun_env.exact.values import exploitability
        >>> from shogun_env.shikoku import Batch
        >>> tree = Tree.of(Batch, num_players=2)
        >>> solver = CFRPlus(tree)
        >>> solver.run(20)
        >>> exploitability(tree, solver.average()).nash_conv < 0.2
        True
    """

    def __init__(self, tree: Tree) -> None:
        """Start from the uniform profile."""
        self.tree = tree
        self.iterations = 0
        self.regrets = np.zeros(len(tree.actions))
        self.sums = np.zeros(len(tree.actions))
        self.profile = uniform_profile(tree)
        """float64[J], the profile of the last iteration."""
        self._walk = Walk(tree)

    def run(self, iterations: int) -> None:
        """Make iterations: in each, every player in turn."""
        begins, of = self.tree.begins, self.tree.set_of_action
        for _ in range(iterations):
            self.iterations += 1
            for player in range(self.tree.players):
                gains, _ = self._walk.of(self.profile, player).gains()
                self.sums += self.iterations * self._walk.reach()[of] * self.profile
                usual = np.add.reduceat(self.profile * gains, begins)
                regrets = self.regrets + gains - usual[of]
                self.regrets = np.where(regrets > ROUNDING, regrets, 0.0)
                self.profile = in_proportion(self.tree, self.regrets)

    def average(self) -> np.ndarray:
        """Return the average profile, which is the result: float64[J]."""
        return in_proportion(self.tree, self.sums)


def solve(tree: Tree, target: float, most: int = 100_000) -> Iterator[tuple[CFRPlus, float]]:
    """Run CFR+ until NashConv is at most ``target``; yield the solver and its NashConv after every few iterations.

    The number of iterations between two looks doubles each time, because a look costs as much as some iterations.
    """
    solver = CFRPlus(tree)
    while solver.iterations < most:
        solver.run(min(solver.iterations or 10, most - solver.iterations))
        gap = exploitability(tree, solver.average()).nash_conv
        yield solver, gap
        if gap <= target:
            return
