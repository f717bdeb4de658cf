"""The whole tree of a game that is small enough, as arrays: ``Tree.of(Batch, **options)``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.batch.tree_loops import (
    CHANCE,
    DEPTH,
    FAULT,
    N_ACTIONS,
    N_ENDS,
    N_NODES,
    N_SETS,
    NO_LIST,
    OVER,
    TreeArrays,
    TreeStack,
    grow_tree,
)
from shogun_env.kernel.log import new_log
from shogun_env.spec.options import one_of

__all__ = ["CHANCE", "OVER", "Tree", "TreeError"]

T = TypeVar("T", TreeArrays, TreeStack)

CHUNK = 200_000
"""Nodes between two looks at the memory and the progress."""
MOST_NODES = 60_000_000
"""Nodes that a tree may have unless the caller allows more; they take about two gigabytes."""
_FAULTS = {
    NO_LIST: "the outcomes of a throw of this tower cannot be listed: it must have one floor and loosen nothing",
    2: "the tree is too deep",
    3: "the engine reports an error in a state",
}


class TreeError(ValueError):
    """A game whose tree cannot be written down."""


class Tree:
    """The tree of a game: histories as nodes, parents before children, and the information sets of the players.

    An information set is a player's own actions so far, and the observations that the player was shown when somebody
    decided, so nobody forgets. It lacks what is seen but left out of observations, such as which province was attacked
    in vain. Decisions with one legal action are not in the tree: the engine plays them. Returns are those of ``win``.

    Attributes:
        players: number of players, P.
        parents, slots, chances, deciders, sets: int32[N], int16[N], float64[N], int8[N], int32[N], see ``TreeArrays``.
        owners, firsts, counts, begins: of the information sets, int8[I], int32[I], int16[I], int32[I].
        actions: int16[J], the legal actions of set i are ``actions[begins[i] : begins[i] + counts[i]]``; a policy is
            a row of probabilities float64[J] next to it.
        states: STATE[I], the state of the first node of each set.
        returns: float64[E, P], the returns at the ends.

    Example:
        >>> from shogun_env.shikoku import Batch
        >>> tree = Tree.of(Batch, num_players=2)
        >>> len(tree) < 100_000, tree.players
        (True, 2)
    """

    def __init__(self, batch_class: type[Batch], options: dict[str, Any], arrays: TreeArrays) -> None:
        """Keep the arrays; ``Tree.of`` makes them."""
        self.batch_class, self.options, self.arrays = batch_class, options, arrays
        self.parents, self.slots, self.chances = arrays.parents, arrays.slots, arrays.chances
        self.deciders, self.sets = arrays.deciders, arrays.sets
        self.owners, self.firsts, self.counts, self.begins = arrays.owners, arrays.firsts, arrays.counts, arrays.begins
        self.states, self.actions, self.returns = arrays.states, arrays.actions, arrays.returns
        self.players: int = arrays.returns.shape[1]
        self.set_of_action = np.repeat(np.arange(len(self.counts)), self.counts)
        """int64[J], the information set of each action."""

    def __len__(self) -> int:
        """Return the number of histories."""
        return len(self.parents)

    def batch(self) -> Batch:
        """Return a batch whose game i is in the state of set i."""
        batch = self.batch_class(len(self.counts), **self.options)
        batch.games[:] = self.states
        batch.refresh(check=False)
        return batch

    @classmethod
    def of(
        cls,
        batch_class: type[Batch],
        *,
        reward: str = "win",
        most: int = MOST_NODES,
        progress: Callable[[int], None] | None = None,
        **options: Any,
    ) -> Tree:
        """Return the tree of a game with the given options of play.

        Args:
            batch_class: the ``Batch`` of the game.
            reward: name of the reward that ``returns`` sum up.
            most: the largest number of histories.
            progress: called now and then with the number of histories so far.

        Raises: TreeError if the tree is larger, or chance cannot be listed; OptionError for a bad option.
        """
        spec = batch_class.spec
        checked = spec.check_options(options)
        players, size = checked["num_players"], CHUNK
        of_reward = list(spec.rewards).index(one_of("reward", reward, spec.rewards))
        template, log = spec.blank_state(checked), new_log()
        room = {"N": size, "I": size, "J": 8 * size, "E": size, "H": 4 * size + 1}
        tree = _zeros(TreeArrays, spec.state_dtype, P=players, **room)
        stack = _zeros(TreeStack, spec.state_dtype, A=spec.n_actions, P=players)
        counters = np.zeros(6, np.int64)
        counters[DEPTH] = -1
        grow = grow_tree.of(spec.engine)
        shown = np.zeros(-(-spec.obs_size // 4) * 4, np.uint8)  # ``hash_of`` reads four bytes at a time
        scratch = (log, np.zeros(2, np.uint64), np.zeros(spec.n_actions, np.int8), shown)
        while True:
            left = grow(template, tree, stack, counters, *scratch, of_reward, CHUNK)
            if counters[FAULT]:
                raise TreeError(_FAULTS[int(counters[FAULT])])
            if counters[N_NODES] > most:
                raise TreeError(f"the tree has more than {most:,} histories")
            if left == 0:
                kept = {name: getattr(tree, name)[:count].copy() for name, count in _used(counters).items()}
                return cls(batch_class, checked, tree._replace(**kept))
            if progress is not None:
                progress(int(counters[N_NODES]))
            tree = _with_room(tree, counters)


def _axes(arrays: type[tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    """Return the type and the axes that a class names for each of its arrays."""
    return {name: hint.__metadata__ for name, hint in get_type_hints(arrays, include_extras=True).items()}


def _zeros(arrays: type[T], state: np.dtype[Any], **sizes: int) -> T:
    """Return the arrays of a class, with ``sizes`` of the axes that have letters."""
    return arrays(
        *(
            np.zeros([sizes.get(axis, axis) for axis in axes], state if kind == "STATE" else kind)
            for kind, *axes in _axes(arrays).values()
        )
    )


def _used(counters: np.ndarray) -> dict[str, int]:
    """Return how many numbers of each array are in use, but for the keys."""
    used = {"N": N_NODES, "I": N_SETS, "J": N_ACTIONS, "E": N_ENDS}
    return {name: int(counters[used[axis]]) for name, (_, axis, *_) in _axes(TreeArrays).items() if axis in used}


def _with_room(tree: TreeArrays, counters: np.ndarray) -> TreeArrays:
    """Return arrays with room for another chunk: each that may get full is doubled."""
    grown = {}
    for name, used in _used(counters).items():
        array = getattr(tree, name)
        need = used + CHUNK * (32 if name == "actions" else 1)
        if need > len(array):
            larger = np.zeros((max(need, 2 * len(array)), *array.shape[1:]), array.dtype)
            larger[:used] = array[:used]
            grown[name] = larger
    if 2 * (int(counters[N_SETS]) + CHUNK) > len(tree.keys):
        grown["keys"], grown["found"] = _rehashed(tree.keys, tree.found)
    return tree._replace(**grown)


def _rehashed(keys: np.ndarray, found: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a table of twice the size with the same keys."""
    size = 2 * len(keys) + 1
    new_keys, new_found = np.zeros(size, np.uint64), np.zeros(size, np.int32)
    used = np.flatnonzero(keys)
    for key, number in zip(keys[used].tolist(), found[used].tolist(), strict=True):
        at = key % size
        while new_keys[at]:
            at = (at + 1) % size
        new_keys[at], new_found[at] = key, number
    return new_keys, new_found
