"""The games that an update learns from: played here, or by Ray actors on other machines.

Actors play whole games with the compiled network of the last update or the one before, while the learner learns. What
is older is thrown away, and so is what an actor had not handed over when it died: another one plays those games, and
nothing is learnt from twice. Imitation stays with the learner. What a run learns depends on who is ready first.

On two idle cores of an AMD EPYC, in Shogun (settings ``night``, from the champion's weights, one thread, 70 seconds
each), a learner with one actor learns from 28,000 decisions a second, the actor being the slower, and with two from
44,700. Without Ray one core learns from 37,800 and two from 62,000, for nothing is compressed and sent: actors pay on
other machines. A decision is 106 bytes (1,448 before they are compressed), weights are 1.7 MB an update for each
machine. A hundred actors would send up to 2.8 million decisions or 300 MB a second, to a learner as fast as some
seventy cores, with ``games_per_update`` at least 100, for each plays a part of an update.
"""

from __future__ import annotations

import functools
import importlib
import pickle
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape
from shogun_env.batch.batch import Batch
from shogun_env.batch.collecting import collect
from shogun_env.cli import join_ray
from shogun_env.shares import shares_of_win
from shogun_env.training.config import Config
from shogun_env.training.learner import Samples, prepare_torch, samples_of
from shogun_env.training.opponents import LEARNER, Opponents
from shogun_env.training.runs import sizes_of


class Where(NamedTuple):
    """Where the games of PPO are played."""

    ray: str | None = None
    """Address of a Ray cluster, or ``local``; None: in this process."""
    actors: int = 0
    """How many actors play; 0 for one less than the cluster has processors."""


HERE = Where()
OLDEST = 1
"""Updates since the network that played a game, at most, if it is to be learnt from."""
COMPRESSION = 1
"""Level of zlib for what actors send: a decision of Shogun has 1.7 KB without it."""


class Order(NamedTuple):
    """Games to be played."""

    variant: int
    """Index of the options among the variants of the settings."""
    seeds: np.ndarray
    """int64[B]."""
    seats: np.ndarray
    """int8[B, P], the policy of each player, as ``Opponents.line_up`` returns them."""
    forgotten: int
    """``Opponents.forgotten`` at that time: with another one, seats of snapshots mean others."""


class Played(NamedTuple):
    """Games that were played, B of them."""

    samples: Samples
    order: Order
    shares: np.ndarray
    """float[B, P], each player's share of the win."""


def play_games(batch: Batch, opponents: Opponents, learner: Network, order: Order, gae_lambda: float) -> Played:
    """Play the games of an order in a batch of its variant, and return what there is to learn from them."""
    batch.reset(seeds=order.seeds)
    decisions = collect(batch, opponents.policies(learner), order.seats, collected=[LEARNER])
    samples = samples_of(batch, decisions, opponents.shape, gae_lambda)
    return Played(samples=samples, order=order, shares=shares_of_win(batch))


class Player:
    """What an actor does: it plays the games of orders with the weights it is given.

    Args:
        config: the settings of the run.
        game: module of the game, such as ``shogun_env.shogun``.
    """

    def __init__(self, config: Config, game: str) -> None:
        prepare_torch(1)
        self.config = config
        self.batch_class: type[Batch] = importlib.import_module(game).Batch
        self.shape = Shape(self.batch_class.spec, sizes_of(config, self.batch_class.spec))
        self.opponents = Opponents(self.shape, config)
        self._snapshots: dict[int, Mapping[str, np.ndarray]] = {}

    def play(self, order: Order, weights: Mapping[str, np.ndarray], snapshots: Mapping[int, Any], get: Any) -> bytes:
        """Play an order and return what was played, pickled and compressed.

        Args:
            order: the games.
            weights: of the learner, by name.
            snapshots: for each snapshot, by its number, where its weights are.
            get: returns the weights from there.
        """
        known = {number: self._snapshots.get(number) or get(place) for number, place in snapshots.items()}
        if list(known) != list(self._snapshots):
            self._snapshots, self.opponents = known, Opponents(self.shape, self.config)
            for snapshot in known.values():
                self.opponents.add_snapshot(snapshot)
        options = {**self.config.options, **self.config.variants[order.variant]}
        batch = self.batch_class(len(order.seeds), **options)
        learner = Network(self.shape, weights, greedy=False)
        played = play_games(batch, self.opponents, learner, order, self.config.gae_lambda)
        return zlib.compress(pickle.dumps(played, pickle.HIGHEST_PROTOCOL), COMPRESSION)


class Actors:
    """Ray actors that play the games of a run.

    Args:
        config: the settings of the run.
        game: module of the game.
        address: of a Ray cluster, or ``local`` to start one here.
        count: how many actors, as in ``Where``.
        new_order: returns games to be played next, a number of them.

    Attributes:
        replaced: how many actors died and were replaced.
        thrown_away: games whose network was too old.

    Raises: ValueError if Ray is not installed; ConnectionError if there is no cluster at the address.
    """

    def __init__(self, config: Config, game: str, address: str, count: int, new_order: Callable[[int], Order]) -> None:
        self.ray = join_ray(address)
        self.count = count or max(1, int(self.ray.cluster_resources().get("CPU", 1)) - 1)
        self.games = max(1, config.games_per_update // max(self.count, len(config.variants)))
        self.replaced = self.thrown_away = 0
        self._start = functools.partial(self.ray.remote(Player).remote, config, game)
        self._new_order = new_order
        self._update = 0
        self._running: dict[Any, tuple[Any, Order, int]] = {}
        self._weights: Any = None
        self._snapshots: dict[int, Any] = {}

    def publish(self, weights: Mapping[str, np.ndarray], snapshots: Mapping[int, Mapping[str, np.ndarray]]) -> None:
        """Hand out the weights of an update, and those of the snapshots by their numbers, for orders from now on."""
        self._update += 1
        self._weights = self.ray.put(dict(weights))
        self._snapshots = {
            number: self._snapshots[number] if number in self._snapshots else self.ray.put(dict(snapshot))
            for number, snapshot in snapshots.items()
        }
        while len(self._running) < self.count:
            self._send(self._start(), self._new_order(self.games))

    def take(self, games: int) -> Iterator[Played]:
        """Yield what was played, until it is at least this many games."""
        while games > 0:
            (ready, *_), _ = self.ray.wait(list(self._running), num_returns=1)
            actor, order, update = self._running.pop(ready)
            try:
                data = self.ray.get(ready)
            except self.ray.exceptions.RayActorError:
                self.replaced += 1
                self._send(self._start(), order)
                continue
            self._send(actor, self._new_order(self.games))
            if self._update - update > OLDEST:
                self.thrown_away += len(order.seeds)
                continue
            games -= len(order.seeds)
            yield pickle.loads(zlib.decompress(data))

    def stop(self) -> None:
        """End all actors."""
        self.ray.shutdown()

    def _send(self, actor: Any, order: Order) -> None:
        task = actor.play.remote(order, self._weights, self._snapshots, self.ray.get)
        self._running[task] = (actor, order, self._update)
