"""Actors play what the learner would play; what is old or lost is not learnt from, and nothing twice."""

from __future__ import annotations

import json
import pickle
import zlib
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from shogun_env.agents.network.agent import Network
from shogun_env.shitenno import Batch
from shogun_env.training import actors as actors_module
from shogun_env.training import selfplay
from shogun_env.training.actors import Actors, Order, Played, Player, play_games
from shogun_env.training.config import Config
from shogun_env.training.opponents import Opponents
from tests.unit.training.settings import tiny


class LostError(Exception):
    """What Ray raises when an actor has died."""


class Task:
    """What an actor is to do."""

    def __init__(self, number: int, do: Any) -> None:
        self.number, self.do = number, do


class LocalRay:
    """The part of Ray that is used here, in this process; tasks are done when they are asked for.

    Args: deaths: numbers of the tasks whose actor dies.
    """

    exceptions = SimpleNamespace(RayActorError=LostError)

    def __init__(self, processors: int, deaths: tuple[int, ...] = ()) -> None:
        self.processors, self.deaths = processors, deaths
        self.started = self.sent = 0
        self.orders: list[Order] = []

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": float(self.processors)}

    def remote(self, kind: Any) -> Any:
        def start(*given: Any) -> Any:
            self.started += 1
            player = kind(*given)
            return SimpleNamespace(play=SimpleNamespace(remote=lambda *order: self._send(player, order)))

        return SimpleNamespace(remote=start)

    def _send(self, player: Player, given: tuple[Any, ...]) -> Any:
        self.sent += 1
        self.orders.append(given[0])
        return Task(self.sent, lambda: player.play(*given))

    def put(self, value: Any) -> Any:
        return value

    def get(self, place: Any) -> Any:
        if not isinstance(place, Task):
            return place
        if place.number in self.deaths:
            raise LostError
        return place.do()

    def wait(self, tasks: list[Any], num_returns: int) -> tuple[list[Any], list[Any]]:
        return tasks[:num_returns], tasks[num_returns:]


def config_of(**changes: Any) -> Config:
    return tiny("shitenno", opponents=("random",), **changes)


def actors_of(monkeypatch: pytest.MonkeyPatch, ray: LocalRay, config: Config) -> tuple[Actors, Player]:
    """Return actors with this Ray, and a player with which the same can be played here."""
    monkeypatch.setattr(actors_module, "join_ray", lambda _: ray)
    player = Player(config, "shogun_env.shitenno")
    begun = iter(range(0, 10_000, 100))

    def new_order(games: int) -> Order:
        first = next(begun)
        rng = np.random.default_rng(first)
        return Order(0, first + np.arange(games), player.opponents.line_up(games, 4, rng), 0)

    return Actors(config, "shogun_env.shitenno", "local", 0, new_order), player


def test_player__with_weights_and_snapshots__plays_what_is_played_here():
    config = config_of(gae_lambda=0.9)
    player = Player(config, "shogun_env.shitenno")
    weights, snapshot = (player.shape.random_weights(seed) for seed in (0, 1))
    opponents = Opponents(player.shape, config)
    opponents.add_snapshot(snapshot)
    order = Order(0, np.arange(7, 10), np.array([[0, 1, 2, 0], [2, 2, 0, 2], [1, 0, 1, 1]], np.int8), 0)
    here = play_games(Batch(3), opponents, Network(player.shape, weights, greedy=False), order, 0.9)
    for _ in range(2):
        there: Played = pickle.loads(zlib.decompress(player.play(order, weights, {5: "place"}, lambda _: snapshot)))
        for array, other in zip(here.samples, there.samples, strict=True):
            assert (array == other).all() and array.dtype == other.dtype
        assert (here.shares == there.shares).all()


def test_actors__one_dies__its_games_are_played_by_another_and_come_once(monkeypatch):
    ray = LocalRay(3, deaths=(2, 3))
    actors, player = actors_of(monkeypatch, ray, config_of(games_per_update=4))
    actors.publish(player.shape.random_weights(0), {})
    assert (actors.count, actors.games, ray.started) == (2, 2, 2)
    played = list(actors.take(8))
    seeds = [int(each.order.seeds[0]) for each in played]
    assert actors.replaced == 2 and ray.started == 4
    assert len(set(seeds)) == len(seeds) == 4
    assert sorted(seeds) == [0, 100, 200, 300]  # none is left out either


def test_actors__games_of_an_old_network__are_thrown_away(monkeypatch):
    ray = LocalRay(2)
    actors, player = actors_of(monkeypatch, ray, config_of(games_per_update=2))
    for _ in range(3):  # the first order has the weights of the first update, and it is now the third
        actors.publish(player.shape.random_weights(0), {})
    (played,) = actors.take(2)
    assert int(played.order.seeds[0]) == 100 and actors.thrown_away == 2


def test_actors__snapshots__are_sent_once_and_known_by_their_numbers(monkeypatch):
    ray = LocalRay(2)
    sent: list[Any] = []
    monkeypatch.setattr(ray, "put", lambda value: sent.append(value) or value)
    actors, player = actors_of(monkeypatch, ray, config_of(games_per_update=2))
    first, second, third = (player.shape.random_weights(seed) for seed in range(3))
    actors.publish(first, {0: second})
    actors.publish(first, {0: second, 1: third})
    actors.publish(first, {1: third})
    assert len(sent) == 3 + 2
    assert list(actors._snapshots) == [1]


@pytest.mark.slow
@pytest.mark.ray
def test_selfplay__with_actors_of_ray__learns_to_its_end(tmp_path):
    import ray

    small = ["place_width=4", "trunk_width=8", "value_width=4", "games_per_update=8", "evaluate_games=8", "threads=1"]
    settings = [word for text in [*small, "imitation_fraction=0.0", "snapshot_every=500"] for word in ("--set", text)]
    out = ["--out", str(tmp_path / "run"), "--json", str(tmp_path / "last.json")]
    arguments = ["--game", "shitenno", "--decisions", "3000", *settings, "--ray", "local", "--actors", "2"]
    assert selfplay.main([*arguments, *out]) == 0
    assert json.loads((tmp_path / "last.json").read_text())["decisions"] >= 3000
    assert not ray.is_initialized()
    log = next((tmp_path / "run" / "log").rglob("progress.csv")).read_text().splitlines()
    assert "actors/games_thrown_away" in log[0]


def test_selfplay__without_ray__says_what_to_install(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(SystemExit):
        selfplay.main(["--game", "shitenno", "--config", "quick", "--out", str(tmp_path / "run"), "--ray", "local"])
    assert "--ray needs pip install 'shogun-env[ray]'" in capsys.readouterr().err
