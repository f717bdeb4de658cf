"""Equilibria by CFR+ (Tammelin, Burch, Johanson and Bowling 2015), on a whole tree.

For two players with returns that add up to zero the average profile approaches an equilibrium. For three nothing of
the kind is proven: the same algorithm runs, and the exact gains of the players say how far it came.
"""

from collections.abc import Iterator

import numpy as np

from shogun_env.batch.tree_loops import TreeArrays
from shogun_env.exact.tree import Tree
from shogun_env.exact.values import action_of, uniform_profile, walk
from shogun_env.kernel.jit import loop
from shogun_env.kernel.types import Int, Row


class CFRPlus:
    """CFR+ with alternating updates and linear averaging; it goes on from where it stands.

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
        self._values, self._own, self._others = (np.zeros(len(tree)) for _ in range(3))

    def run(self, iterations: int) -> None:
        """Make iterations: in each, every player in turn."""
        tree = self.tree
        for _ in range(iterations):
            self.iterations += 1
            for player in range(tree.players):
                _update(
                    tree.arrays, tree.returns[:, player].copy(), player, self.iterations, self._own, self._others,
                    self._values, self.regrets, self.sums, self.profile,
                )  # fmt: skip

    def average(self) -> np.ndarray:
        """Return the average profile, which is the result: float64[J]."""
        tree = self.tree
        totals = np.add.reduceat(self.sums, tree.begins)[tree.set_of_action]
        safe = np.where(totals > 0, totals, 1.0)
        return np.where(totals > 0, self.sums / safe, uniform_profile(tree))


def solve(tree: Tree, target: float, step: int = 10, most: int = 100_000) -> Iterator[tuple[CFRPlus, float]]:
    """Run CFR+ until NashConv is at most ``target``; yield the solver and its NashConv after every few iterations.

    The number of iterations between two looks doubles each time, because a look costs as much as some iterations.
    """
    from shogun_env.exact.values import exploitability

    solver = CFRPlus(tree)
    while solver.iterations < most:
        solver.run(min(step, most - solver.iterations))
        gap = exploitability(tree, solver.average()).nash_conv
        yield solver, gap
        if gap <= target:
            return
        step = solver.iterations


@loop
def _update(
    tree: TreeArrays, returns: Row, player: Int, iteration: Int, own: Row, others: Row, values: Row, regrets: Row,
    sums: Row, profile: Row,
) -> None:  # fmt: skip
    """Make one update of a player: their regrets, their profile by regret matching, and the sums for the average."""
    walk(tree, returns, player, profile, own, others, values)
    for node in range(1, tree.parents.shape[0]):
        above = tree.parents[node]
        if tree.deciders[above] == player:
            regrets[action_of(tree, node)] += others[above] * (values[node] - values[above])
    for number in range(tree.owners.shape[0]):
        if tree.owners[number] != player:
            continue
        begin, count = tree.begins[number], tree.counts[number]
        reach = own[tree.firsts[number]]
        total = 0.0
        for slot in range(begin, begin + count):
            sums[slot] += iteration * reach * profile[slot]
            regrets[slot] = max(regrets[slot], 0.0)
            total += regrets[slot]
        for slot in range(begin, begin + count):
            profile[slot] = regrets[slot] / total if total > 0.0 else 1.0 / count
