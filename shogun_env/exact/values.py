"""Expected values and best responses on a whole tree, exact up to rounding.

A policy profile is a row of probabilities float64[J], one for each action of every information set, in the order of
``Tree.actions``; every player reads the sets that are theirs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shogun_env.batch.tree_loops import TreeArrays
from shogun_env.exact.tree import Tree
from shogun_env.kernel.jit import kernel, loop
from shogun_env.kernel.types import Int, Row, Rows


def uniform_profile(tree: Tree) -> np.ndarray:
    """Return the profile in which everybody chooses each action with equal probability: float64[J]."""
    return np.repeat(1.0 / tree.counts, tree.counts)


def in_proportion(tree: Tree, weights: np.ndarray) -> np.ndarray:
    """Return the profile in proportion to weights float64[J], which are 0 or more; where all are 0, the uniform one."""
    totals = np.add.reduceat(weights, tree.begins)[tree.set_of_action]
    return np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), uniform_profile(tree))


def expected_values(tree: Tree, profile: np.ndarray) -> np.ndarray:
    """Return the expected return of each player: float64[P].

    Raises: ValueError if the profile is not one of this tree.
    """
    check_profile(tree, profile)
    walk = Walk(tree)
    return np.array([walk.of(profile, player).values[0] for player in range(tree.players)])


def check_profile(tree: Tree, profile: np.ndarray) -> None:
    """Raise ValueError unless a profile holds a probability for every action, adding up to 1 in each set."""
    if np.shape(profile) != np.shape(tree.actions):
        raise ValueError(f"profile of shape {np.shape(profile)}: must be {np.shape(tree.actions)}, one for each action")
    sums = np.add.reduceat(profile, tree.begins)
    wrong = np.flatnonzero(~(np.abs(sums - 1.0) < 1e-9))
    if len(wrong) or np.min(profile) < 0.0:
        at = int(wrong[0]) if len(wrong) else int(tree.set_of_action[np.argmin(profile)])
        raise ValueError(f"profile: the probabilities of information set {at} must be 0 or more and add up to 1")


@dataclass(frozen=True)
class BestResponse:
    """What a player can reach at most against the others."""

    value: float
    """Expected return."""
    profile: np.ndarray
    """float64[J]: the given profile, with the player's sets changed to one best action each."""


def best_response(tree: Tree, profile: np.ndarray, player: int) -> BestResponse:
    """Return a best response of a player to the others' part of a profile.

    The player takes what is best everywhere, given what is taken later, until nothing changes. As nobody forgets, the
    last decisions are right after the first time, those before them after the second, and so on.

    Raises: ValueError if the profile is not one of this tree, or there is no such player.
    """
    check_profile(tree, profile)
    if player not in range(tree.players):
        raise ValueError(f"player={player!r}: must be 0 to {tree.players - 1}")
    answer, is_own, walk = profile.copy(), (tree.owners == player)[tree.set_of_action], Walk(tree)
    while True:
        gains, _ = walk.of(answer, player).gains()
        (best,) = np.nonzero(gains == np.maximum.reduceat(gains, tree.begins)[tree.set_of_action])
        is_best = np.zeros(len(gains))
        is_best[best[np.unique(tree.set_of_action[best], return_index=True)[1]]] = 1.0  # the first of equals
        if (answer[is_own] == is_best[is_own]).all():
            return BestResponse(float(walk.values[0]), answer)
        answer[is_own] = is_best[is_own]


@dataclass(frozen=True)
class Exploitability:
    """How far a profile is from an equilibrium."""

    values: np.ndarray
    """float64[P], expected returns."""
    gains: np.ndarray
    """float64[P], what each player gains by a best response to the others."""

    @property
    def nash_conv(self) -> float:
        """The sum of the gains (NashConv), 0 in an equilibrium."""
        return float(self.gains.sum())


def exploitability(tree: Tree, profile: np.ndarray) -> Exploitability:
    """Return what each player could gain against a profile. Errors as in ``best_response``."""
    values = expected_values(tree, profile)
    best = [best_response(tree, profile, player).value for player in range(tree.players)]
    return Exploitability(values, np.array(best) - values)


@kernel
def action_of(tree: TreeArrays, node: Int) -> Int:
    """Return the index in a profile of the action that leads to a node, whose parent is a decision."""
    return np.int64(tree.begins[tree.sets[tree.parents[node]]]) + tree.slots[node]


class Walk:
    """How a player stands at every node when all play a profile, as ``of`` has last been asked.

    Attributes:
        own: float64[N], the probability of the player's own choices above each node.
        others: float64[N], the probability of all else above it.
        values: float64[N], what the player can expect there.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree, self.player = tree, 0
        self.own, self.others, self.values = (np.zeros(len(tree)) for _ in range(3))

    def of(self, profile: np.ndarray, player: int) -> Walk:
        """Look at a player when all play a profile."""
        self.player, returns = player, self.tree.returns[:, player].copy()
        _walk(self.tree.arrays, returns, player, profile, self.own, self.others, self.values)
        return self

    def gains(self) -> tuple[np.ndarray, np.ndarray]:
        """Return what the player's actions bring, weighted by how likely others and chance lead there, and the weights.

        Returns: float64[J], 0 for the actions of others; float64[I], of the information sets.
        """
        gains, weights = np.zeros(len(self.tree.actions)), np.zeros(len(self.tree.counts))
        _add_gains(self.tree.arrays, self.player, self.others, self.values, gains, weights)
        return gains, weights

    def reach(self) -> np.ndarray:
        """Return the probability that the player's own choices lead to each of their information sets: float64[I]."""
        return np.where(self.tree.owners == self.player, self.own[self.tree.firsts], 0.0)


@loop
def _walk(tree: TreeArrays, returns: Row, player: Int, profile: Row, own: Row, others: Row, values: Row) -> None:
    """Write the arrays of ``Walk`` for a player, whose ``returns`` are float64[E], when all play a profile."""
    n = tree.parents.shape[0]
    own[0], others[0], values[0] = 1.0, 1.0, 0.0
    for node in range(1, n):
        above, values[node] = tree.parents[node], 0.0
        decider = tree.deciders[above]
        if decider == player:
            own[node] = own[above] * profile[action_of(tree, node)]
            others[node] = others[above]
        else:
            share = tree.chances[node] if decider < 0 else profile[action_of(tree, node)]
            own[node], others[node] = own[above], others[above] * share
    for node in range(n - 1, 0, -1):
        if tree.deciders[node] < -1:
            values[node] = returns[tree.sets[node]]
        above = tree.parents[node]
        share = tree.chances[node] if tree.deciders[above] < 0 else profile[action_of(tree, node)]
        values[above] += share * values[node]


@loop
def _add_gains(tree: TreeArrays, player: Int, others: Row, values: Row, gains: Row, weights: Row) -> None:
    """Add what ``Walk.gains`` returns."""
    for node in range(1, tree.parents.shape[0]):
        above = tree.parents[node]
        if tree.deciders[above] == player:
            gains[action_of(tree, node)] += others[above] * values[node]
            weights[tree.sets[above]] += others[above] if tree.slots[node] == 0 else 0.0


def mixture(tree: Tree, profiles: Rows, weights: Row) -> np.ndarray:
    """Return the profile that plays each of some profiles with a weight, chosen once before the game: float64[J]."""
    total = np.zeros(len(tree.actions))
    for profile, weight in zip(profiles, weights, strict=True):
        total += weight * own_reach(tree, profile)[tree.set_of_action] * profile
    return in_proportion(tree, total)


def own_reach(tree: Tree, profile: np.ndarray) -> np.ndarray:
    """Return for each information set the probability that its owner's own choices lead there: float64[I]."""
    walk = Walk(tree)
    return np.sum([walk.of(profile, player).reach() for player in range(tree.players)], axis=0)
