"""What ``benchmarks.speed`` measures of networks: the compiled one in play, and torch on many positions at once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.batch.batch import Batch
from shogun_env.batch.float_view import FloatView

POSITIONS = 512
"""Positions of one pass of torch."""
PLAN = "plan"
"""The stage that ends when everybody has planned."""

Work = Callable[[], tuple[float, ...]]


def network_works(batch_type: type[Batch], games: int, seed: int, options: Mapping[str, Any]) -> dict[str, Work]:
    """Return work by the name of its figure, on one core, with a network of the usual size and random weights.

    What the network works out costs about the same whatever its weights are. A game without planning has no figure for
    it, and without torch there is none for torch.
    """
    shape = Shape(batch_type.spec, Sizes())
    weights = shape.random_weights(seed)
    policy = Network(shape, weights, greedy=False).compiled
    batch = batch_type(min(games, 64), seed=seed, **options)
    works = {
        "views_per_s": _shown(batch_type, batch, features=False),
        "views_with_features_per_s": _shown(batch_type, batch, features=True),
        "network_decisions_per_s": _played(batch, policy, None),
    }
    if PLAN in batch_type.spec.engine.stages:
        works["network_planning_decisions_per_s"] = _played(batch, policy, PLAN)
    with contextlib.suppress(ImportError):
        works["torch_decisions_per_s"] = _in_torch(shape, weights, batch)
    return works


def _shown(batch_type: type[Batch], batch: Batch, features: bool) -> Work:
    """Return work in which observations are turned into what a network is given: observations."""
    view = FloatView(batch_type.spec, features=features)
    batch.reset()
    batch.play(["random"], 0, until="round" if "round" in batch_type.spec.engine.stages else None)
    observations = batch.observe()[np.arange(POSITIONS) % batch.num_games]
    out = np.empty((POSITIONS, view.size), np.float32)

    def work() -> tuple[float, ...]:
        view.show(observations, out)
        return (float(POSITIONS),)

    return work


def _played(batch: Batch, policy: Any, until: str | None) -> Work:
    """Return work in which the network plays for everybody, to the end of a stage: decisions."""

    def work() -> tuple[float, ...]:
        batch.reset()
        batch.play([policy], 0, until=until)
        return (float(batch.decisions.sum()),)

    return work


def _in_torch(shape: Shape, weights: Mapping[str, np.ndarray], batch: Batch) -> Work:
    """Return work in which torch works out the actions' probabilities in many positions, in one thread: positions."""
    import torch

    from shogun_env.training.board_policy import BoardNetwork

    network = BoardNetwork(shape)
    network.load_weights(dict(weights))
    batch.reset()
    rows = np.arange(POSITIONS) % batch.num_games
    views = torch.as_tensor(shape.view.show(batch.observe()[rows]))
    masks = torch.as_tensor(batch.legal[rows] == 1)

    def work() -> tuple[float, ...]:
        before = torch.get_num_threads()
        torch.set_num_threads(1)
        with torch.no_grad():
            trunk, places = network.trunk(views)
            network.logits(trunk, places, masks).softmax(1)
        torch.set_num_threads(before)
        return (float(POSITIONS),)

    return work
