"""The arena: seats rotate evenly, the same seeds, illegal actions counted."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.seating import line_ups

THREE_PLAYERS = {"num_players": 3}


class Stubborn:
    """Always plays the lowest illegal action."""

    def act(self, view, rng):
        return view.masks.argmin(1)


@pytest.mark.parametrize(
    ("agents", "players", "expected"),
    [
        (["a", "b", "b"], 3, [("a", "b", "b")]),
        (["a", "b"], 3, [("a", "a", "b"), ("a", "b", "b")]),
        (["a", "b", "c", "d"], 3, [("a", "b", "c"), ("a", "b", "d"), ("a", "c", "d"), ("b", "c", "d")]),
    ],
)
def test_line_ups__fewer_as_many_more_agents(agents, players, expected):
    assert line_ups(agents, players) == expected


@pytest.mark.parametrize("agents", [["a"], ["a", "a"], ["a", "a", "b", "c"]])
def test_line_ups__alone_or_twice__refused(agents):
    with pytest.raises(ValueError):
        line_ups(agents, 3)


def test_play__every_rotation_on_the_same_seeds__seats_even(results):
    seats = Counter((name, player) for result in results for player, name in enumerate(result.agents))
    assert {seats["scripted", player] for player in range(3)} == {8}
    assert Counter(result.seed for result in results) == dict.fromkeys(range(8), 3)
    assert {result.rotation for result in results} == {0, 1, 2}


def test_play__results__places_and_wins_agree_with_points(results):
    for result in results:
        assert sum(result.place) == pytest.approx(6)
        assert sum(result.win) == pytest.approx(1, abs=1e-3)
        best = result.points[int(np.argmax(result.win))]
        assert best == max(result.points)
        assert result.faults == [{}, {}, {}]
        assert result.decisions > 60


def test_play__batches_and_order__do_not_matter(engine, results):
    alone = list(Arena(engine, THREE_PLAYERS).play(["scripted", "random", "random"], games=3, seed=5))
    assert alone == [result for result in results if result.seed == 5]


def test_play__illegal_actions__counted_and_replaced(engine):
    arena = Arena(engine, THREE_PLAYERS, agents={"stubborn": Stubborn()})
    results = list(arena.play(["stubborn", "random", "random"], games=3, seed=1))
    assert all(result.faults[result.agents.index("stubborn")]["illegal"] > 10 for result in results)
    assert all(sum(map(len, result.faults)) == 1 for result in results)
