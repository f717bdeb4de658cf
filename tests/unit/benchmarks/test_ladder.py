"""Where people stand on the ladder of bots."""

from __future__ import annotations

import random

import numpy as np
import pytest

from shogun_env import FULL_GAMES, GAMES
from shogun_env.benchmarks.arena.arena import Result
from shogun_env.benchmarks.ladder import PLAYS, POINTS, Ladder, rating_of, ratings
from shogun_env.policies import make_agent
from tests.games import batch_class
from tests.unit.play.people import move


def result_of(agents, order, seed=1):
    place = [float(order.index(player) + 1) for player in range(len(agents))]
    return Result(tuple(agents), seed, place, [0] * len(agents), [{} for _ in agents])


@pytest.mark.parametrize("game", GAMES)
def test_opponents__of_each_game__can_be_made_and_are_rated_where_results_are(game):
    found = Ladder().opponents(game)
    for each in found:
        make_agent(each.name, batch_class(game).spec)
        assert each.plays
    rated = [each.rating.value for each in found if each.rating]
    assert len(rated) >= (6 if game in FULL_GAMES else 0)
    assert [*PLAYS] == [*GAMES]


@pytest.mark.parametrize("strength", [300, 650, 900])
def test_rating__of_many_games__holds_the_true_one_and_tells_how_sure_it_is(strength):
    known, rng = ratings("shogun"), np.random.default_rng(5)
    bots = ["scripted:style=balanced", "pool:20min", "pool:2min"]
    values = {"person:ann": strength, **{bot: known[bot].value for bot in bots}}
    results = []
    for seed in range(400):
        agents = ["person:ann", *rng.permutation(bots)[: 2 + seed % 2].tolist()]
        luck = {agent: values[agent] / POINTS + rng.gumbel() for agent in agents}
        results.append(result_of(agents, sorted(range(len(agents)), key=lambda p: -luck[agents[p]]), seed))
    few, n_few = rating_of(results[:7], "person:ann", known)
    many, n_many = rating_of(results, "person:ann", known)
    assert (n_few, n_many) == (7, 400)
    assert many.low < strength < many.high
    assert many.high - many.low < (few.high - few.low) / 4


def test_rating__without_a_game_against_rated_bots__is_unknown():
    known = ratings("shogun")
    assert rating_of([], "person:ann", known) == (None, 0)
    assert rating_of([result_of(["person:ann", "my.py:make"], [0, 1])], "person:ann", known) == (None, 0)
    assert rating_of([result_of(["random", "scripted:style=balanced"], [0, 1])], "person:ann", known) == (None, 0)


@pytest.mark.full
def test_series__a_rated_game__is_counted_once_and_says_the_rating_before_and_after(tmp_path):
    series = Ladder().series(tmp_path, "ann", "shitenno", ["scripted", "random"], {"num_players": 3})
    table, chance = series.next_table(), random.Random(4)
    assert series.standing() == "A rated game. Your rating: none yet."
    while not table.game.is_over:
        move(table, chance)
    said = series.standing()
    assert said == series.standing()
    assert said.startswith("Your rating: ") and said.endswith(", 1 game; before this game: none yet.")
    series.next_table()
    assert ", 1 game." in series.standing()
    series.close()
    rows = Ladder().standings(tmp_path, "ann", "shitenno")
    (mine,) = [row for row in rows if row[2]]
    assert mine[0] == "ann" and mine[2] == 1
    assert [row[1].value for row in rows] == sorted((row[1].value for row in rows), reverse=True)
