"""Where people stand on the ladder of bots."""

import random

import numpy as np
import pytest

from shogun_env import FULL_GAMES, GAMES
from shogun_env.benchmarks.arena.likelihood import SCALE
from shogun_env.play import ladder
from shogun_env.play.ladder import PLAYS, Finished, Rating, opponents, rating_of, ratings, standings
from shogun_env.play.rated import series_in
from shogun_env.policies import make_agent
from tests.games import batch_class
from tests.unit.play.people import move


def finished(agents, order):
    return Finished(agents=agents, place=[float(order.index(player) + 1) for player in range(len(agents))])


@pytest.mark.parametrize("game", GAMES)
def test_opponents__of_each_game__can_be_made_and_are_rated_where_results_are(game):
    found = opponents(game)
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
        luck = {agent: values[agent] / SCALE + rng.gumbel() for agent in agents}
        results.append(finished(agents, sorted(range(len(agents)), key=lambda p: -luck[agents[p]])))
    few, n_few = rating_of(results[:7], "person:ann", known)
    many, n_many = rating_of(results, "person:ann", known)
    assert (n_few, n_many) == (7, 400)
    assert many.low < strength < many.high
    assert many.high - many.low < (few.high - few.low) / 4


def test_rating__of_somebody_always_first_or_always_last__is_said_as_a_bound():
    known, agents = ratings("shogun"), ["person:ann", "scripted:style=balanced", "random"]
    last, _ = rating_of([finished(agents, [1, 2, 0])] * 3, "person:ann", known)
    first, n_games = rating_of([finished(agents, [0, 1, 2])] * 3, "person:ann", known)
    assert n_games == 3
    assert str(last) == f"at most {last.high:.0f}".replace("-", "−") and last.high < 300
    assert str(first) == f"at least {first.low:.0f}" and first.low > 400
    assert str(Rating(value=-3, low=-40, high=30)) == "−3 (−40–30)"


@pytest.mark.parametrize(("order", "place"), [([1, 2, 0], 3), ([0, 1, 2], 1)], ids=["last", "first"])
def test_standings__after_one_game__are_those_of_its_players(order, place, tmp_path, monkeypatch):
    agents = ["person:ann", "scripted:style=balanced", "random"]
    monkeypatch.setattr(ladder, "finished_games", lambda *_: [finished(agents, order)])
    names = [name for name, _, _ in standings(tmp_path, "ann", "shogun")]
    assert [name for name in names if name in {"ann", *agents}].index("ann") == place - 1


def test_rating__without_a_game_against_rated_bots__is_unknown():
    known = ratings("shogun")
    assert rating_of([], "person:ann", known) == (None, 0)
    assert rating_of([finished(["person:ann", "my.py:make"], [0, 1])], "person:ann", known) == (None, 0)
    assert rating_of([finished(["random", "scripted:style=balanced"], [0, 1])], "person:ann", known) == (None, 0)


@pytest.mark.full
def test_series__a_rated_game__is_counted_once_and_says_the_rating_before_and_after(tmp_path):
    series = series_in(tmp_path, "ann", "shitenno", ["scripted", "random"], {"num_players": 3})
    table, chance = series.next_table(), random.Random(4)
    assert series.standing(table) == "A rated game. Your rating: none yet."
    while not table.game.is_over:
        move(table, chance)
    said = series.standing(table)
    assert said.startswith("Your rating: ") and said.endswith(", 1 game; before this game: none yet.")
    series.count()
    assert series.standing(table) == said, "the game is counted twice"
    other = series.next_table()
    assert series.standing(other) == f"A rated game. {said.partition(';')[0]}."
    series.close()
    rows = standings(tmp_path, "ann", "shitenno")
    (mine,) = [row for row in rows if row[2]]
    assert mine[0] == "ann" and mine[2] == 1 and str(mine[1]) in said
    assert [row[1].value for row in rows] == sorted((row[1].value for row in rows), reverse=True)
