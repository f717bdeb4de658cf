"""The arena: seats rotate evenly, every game on a seed of its own, faults counted."""

from collections import Counter

import numpy as np
import pytest

from shogun_env import policies
from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.games import games_of
from shogun_env.policies import make_agent
from tests.zoo.bots import illegal

THREE_PLAYERS = {"num_players": 3}


def test_play__every_rotation_on_seeds_of_its_own__seats_even(results):
    seats = Counter((name, player) for result in results for player, name in enumerate(result.agents))
    assert {seats["scripted", player] for player in range(3)} == {8}
    assert [result.seed for result in results] == list(range(24))


def test_play__results__places_and_wins_agree_with_points(results):
    games, _ = games_of(results)
    for result, win in zip(results, games.wins, strict=True):
        assert sum(result.place) == pytest.approx(6)
        assert win.sum() == pytest.approx(1)
        assert result.points[int(np.argmax(win))] == max(result.points)
        assert result.faults == [{}, {}, {}]


def test_play__batches_and_order__do_not_matter(engine, results):
    alone = Arena(engine, THREE_PLAYERS).play(["scripted", "random", "random"], games=3, seed=6)
    assert alone == results[6:9]


@pytest.mark.parametrize("agents", ["random", [illegal, "random", "random"]])
def test_play__agents_that_are_no_names__are_refused(engine, agents):
    with pytest.raises(ValueError, match=r"^agents=.*: must be a list of names; Arena\(agents=...\) names objects$"):
        Arena(engine, THREE_PLAYERS).play(agents, games=3)


@pytest.mark.parametrize("games", [0, -4, 2.5, True, "3"])
def test_play__number_of_games_that_is_none__is_refused(engine, games):
    with pytest.raises(ValueError, match="must be a whole number, at least 1"):
        Arena(engine, THREE_PLAYERS).play(["random"] * 3, games=games)


CLOSES = """
class Closes:
    def __init__(self, spec):
        pass

    def act(self, view, rng):
        return view.masks.argmax(1)

    def close(self):
        with open(__file__ + ".log", "a") as log:
            log.write("closed ")
        raise OSError("closed already")
"""


@pytest.mark.parametrize("is_of_a_package", [False, True])
def test_play__bot_that_may_remember__is_closed_when_another_one_is_made(
    engine, is_of_a_package, tmp_path, monkeypatch
):
    """One of an installed package stayed, and remembered the games before."""
    (tmp_path / "bots.py").write_text(CLOSES)
    spec = f"{tmp_path}/bots.py:Closes"
    monkeypatch.setitem(policies._factories, "closes", {None: lambda game_spec: make_agent(spec, game_spec)})
    arena = Arena(engine, THREE_PLAYERS)
    for _ in range(3):
        arena.play(["closes" if is_of_a_package else spec, "random", "random"], games=3)
    assert (tmp_path / "bots.py.log").read_text() == "closed closed "
