"""Expected values and best responses on a whole tree, exact up to rounding.

A policy profile is a row of probabilities float64[J], one for each action of every information set, in the order of
``Tree.actions``; every player reads the sets that are theirs.
"""

from dataclasses import dataclass

import numpy as np

from shogun_env.batch.tree_loops import TreeArrays
from shogun_env.exact.tree import Tree
from shogun_env.kernel.jit import kernel, loop
from shogun_env.kernel.types import Int, Row, Rows


def uniform_profile(tree: Tree) -> np.ndarray:
    """Return the profile in which everybody chooses each action with equal probability: float64[J]."""
    return np.repeat(1.0 / tree.counts, tree.counts)


def expected_values(tree: Tree, profile: np.ndarray) -> np.ndarray:
    """Return the expected return of each player: float64[P].

    Raises: ValueError if the profile is not one of this tree.
    """
    check_profile(tree, profile)
    reach = np.ones(len(tree))
    _reach(tree.arrays, profile, -1, reach)
    ends = tree.deciders < -1
    values: np.ndarray = reach[ends] @ tree.returns[tree.sets[ends]]
    return values


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

    The sets of the player form a forest, because nobody forgets. They are decided from the last to the first: those
    with the most own decisions before them first.

    Raises: ValueError if the profile is not one of this tree, or there is no such player.
    """
    check_profile(tree, profile)
    if player not in range(tree.players):
        raise ValueError(f"player={player!r}: must be 0 to {tree.players - 1}")
    weights = np.ones(len(tree))
    _reach(tree.arrays, profile, player, weights)
    order, starts = tree.levels(player)
    values = np.zeros(len(tree))
    ends = np.flatnonzero(tree.deciders < -1)
    values[ends] = tree.returns[tree.sets[ends], player]
    gains, best = np.zeros(len(tree.actions)), np.zeros(len(tree.counts), np.int32)
    _respond(tree.arrays, profile, player, weights, order, starts, values, gains, best)
    answer = profile.copy()
    own = tree.owners == player
    answer[own[tree.set_of_action]] = 0.0
    answer[tree.begins[own] + best[own]] = 1.0
    return BestResponse(float(values[0]), answer)


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


@kernel
def walk(tree: TreeArrays, returns: Row, player: Int, profile: Row, own: Row, others: Row, values: Row) -> None:
    """Write how a player stands at every node when all play a profile.

    Args: returns float64[E], the player's; own and others float64[N], the probability of the player's own choices above
        each node, and of all else above it; values float64[N], what the player can expect there.
    """
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
def _reach(tree: TreeArrays, profile: Row, without: Int, reach: Row) -> None:
    """Write the probability with which each node is reached, without what the player ``without`` adds to it."""
    reach[0] = 1.0
    for node in range(1, tree.parents.shape[0]):
        above = tree.parents[node]
        share = tree.chances[node]
        if tree.deciders[above] >= 0:
            share = 1.0 if tree.deciders[above] == without else profile[action_of(tree, node)]
        reach[node] = reach[above] * share


@loop
def _respond(
    tree: TreeArrays, profile: Row, player: Int, weights: Row, order: Row, starts: Row, values: Row, gains: Row,
    best: Row,
) -> None:  # fmt: skip
    """Write the values of all nodes and the best actions of a player, level by level from the last.

    Args: order int32[N - 1], nodes by the level of their parent, within a level from the last to the first; starts
        int64[L + 1], where each level begins in it.
    """
    for level in range(starts.shape[0] - 2, -1, -1):
        nodes = order[starts[level] : starts[level + 1]]
        for node in nodes:
            above = tree.parents[node]
            if tree.deciders[above] == player:
                gains[action_of(tree, node)] += weights[above] * values[node]
        for node in nodes:
            above = tree.parents[node]
            if tree.deciders[above] == player and tree.slots[node] == 0:
                best[tree.sets[above]] = best_slot(gains, tree.begins[tree.sets[above]], tree.counts[tree.sets[above]])
        for node in nodes:
            above = tree.parents[node]
            if tree.deciders[above] == player:
                values[above] = values[node] if tree.slots[node] == best[tree.sets[above]] else values[above]
        for node in nodes:
            above = tree.parents[node]
            if tree.deciders[above] != player:
                share = tree.chances[node] if tree.deciders[above] < 0 else profile[action_of(tree, node)]
                values[above] += share * values[node]


@kernel
def best_slot(gains: Row, begin: Int, count: Int) -> Int:
    """Return the first of the actions of an information set with the largest gain."""
    top = np.int64(0)
    for slot in range(1, count):
        if gains[begin + slot] > gains[begin + top]:
            top = np.int64(slot)
    return top


def mixture(tree: Tree, profiles: Rows, weights: Row) -> np.ndarray:
    """Return the profile that plays each of some profiles with a weight, chosen once before the game: float64[J]."""
    total, sums = np.zeros(len(tree.actions)), np.zeros(len(tree.counts))
    for profile, weight in zip(profiles, weights, strict=True):
        own = own_reach(tree, profile)
        total += weight * own[tree.set_of_action] * profile
        sums += weight * own
    safe = np.where(sums > 0, sums, 1.0)[tree.set_of_action]
    return np.where(sums[tree.set_of_action] > 0, total / safe, uniform_profile(tree))


def own_reach(tree: Tree, profile: np.ndarray) -> np.ndarray:
    """Return for each information set the probability that its owner's own choices lead there: float64[I]."""
    reach = np.zeros(len(tree.counts))
    for player in range(tree.players):
        own = np.ones(len(tree))
        _own_reach(tree.arrays, profile, player, own)
        mine = tree.owners == player
        reach[mine] = own[tree.firsts[mine]]
    return reach


@loop
def _own_reach(tree: TreeArrays, profile: Row, player: Int, reach: Row) -> None:
    """Write the probability of a player's own choices above each node."""
    for node in range(1, tree.parents.shape[0]):
        above = tree.parents[node]
        own = profile[action_of(tree, node)] if tree.deciders[above] == player else 1.0
        reach[node] = reach[above] * own
