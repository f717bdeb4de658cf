"""The bot ``solved``: it plays an equilibrium of a small game, by CFR+ on the whole tree."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.exact.cfr import solve
from shogun_env.exact.tree import Tree
from shogun_env.exact.values import own_reach
from shogun_env.kernel.rng import next_uint64
from shogun_env.policies import Bot, Weighed
from shogun_env.spec.game_spec import GameSpec
from shogun_env.views import View

Table = dict[tuple[int, bytes], np.ndarray]
"""The probabilities of all actions, float64[A], by player and observation."""


def make_solved(game_spec: GameSpec, gap: float = 0.002) -> Solved:
    """Return the bot for a game whose tree can be written down (``Tree.of``).

    Args: gap, NashConv at which solving stops; at the reward ``win`` returns are from -1 to 1.

    Raises: ValueError if the gap is not positive.
    """
    if not gap > 0:
        raise ValueError(f"gap={gap!r}: must be above 0")
    return Solved(float(gap))


class Solved(Bot):
    """Plays by a table, which is made at the first decision of a kind of game: a second, or half a minute if large.

    It knows decisions by what is shown there. With three players some show the same and were reached in other ways: it
    plays their average.
    """

    def __init__(self, gap: float) -> None:
        """Keep the NashConv at which solving stops."""
        self.gap = gap
        self._tables: dict[str, Table] = {}

    def weigh(self, view: View) -> list[Weighed]:
        """Return for every decision the probabilities of the actions; the share of the win is not known (NaN).

        Raises: TreeError if the game is too large to be solved; ValueError for a position that does not come from its
            beginning.
        """
        kind = json.dumps(view.options, sort_keys=True)
        if kind not in self._tables:
            self._tables[kind] = table_of(type(view.batch), self.gap, view.options)
        table = self._tables[kind]
        keys = [*zip(view.players.tolist(), (seen.tobytes() for seen in view.observations), strict=True)]
        if not {*keys} <= table.keys():
            raise ValueError("solved knows only positions that come from the beginning of a game")
        return [Weighed(share=np.nan, chances=table[key]) for key in keys]

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Draw an action for every decision, with its own random row."""
        sums = [one.chances.cumsum() for one in self.weigh(view)]
        drawn = [float(next_uint64(row)) / 2.0**64 for row in rng]
        return np.array([np.searchsorted(row, at * row[-1], "right") for row, at in zip(sums, drawn, strict=True)])


def table_of(batch_class: type[Batch], gap: float, options: dict[str, Any]) -> Table:
    """Return the table of a game with options of play."""
    tree = Tree.of(batch_class, **options)
    *_, (solver, _) = solve(tree, gap)
    profile = solver.average()
    batch = tree.batch()
    seen = batch.observe_for(tree.owners.astype(np.int64))
    weights = np.maximum(own_reach(tree, profile), 1e-12)
    table: Table = {}
    for number, (player, begin, count) in enumerate(zip(tree.owners.tolist(), tree.begins, tree.counts, strict=True)):
        row = table.setdefault((player, seen[number].tobytes()), np.zeros(batch.spec.n_actions))
        row[tree.actions[begin : begin + count]] += weights[number] * profile[begin : begin + count]
    return {key: row / row.sum() for key, row in table.items()}
