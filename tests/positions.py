"""Decisions of whole games, of both games of the package and of Coins."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from shogun_env.batch.batch import Batch
from shogun_env.batch.collecting import Decisions, collect
from shogun_env.policies import make_agent
from tests import coins
from tests.games import FEW, KINDS, NAMES, Options, batch_class

BATCHES: dict[str, type[Batch]] = {**{name: batch_class(name) for name in NAMES}, "coins": coins.Batch}
OPTIONS: dict[str, list[Options]] = {**KINDS, "coins": [{"num_players": 2}, {"num_players": 3}]}
BOTS = {**dict.fromkeys(NAMES, ("random", "scripted")), "coins": ("random",)}
"""Bots of which some of each kind play."""


def each_of_three(function: Any) -> Any:
    return pytest.mark.parametrize("name", BATCHES)(function)


def policies_of(name: str, bots: Sequence[str]) -> list[Any]:
    """Return the compiled policies of bots."""
    return [make_agent(bot, BATCHES[name].spec).compiled for bot in bots]  # type: ignore[attr-defined]


def decisions_of(name: str, options: Options, games: int = 2, seed: int = 0, bots: Sequence[str] = ()) -> Decisions:
    """Return the decisions of games in which bots sit at random; by default one of each kind that there is."""
    batch = BATCHES[name](games, seed=seed, **options)
    policies = policies_of(name, bots or BOTS[name])
    seats = np.random.default_rng(seed).integers(len(policies), size=(games, batch.num_players))
    return collect(batch, policies, seats)


def some_decisions(name: str, games: int = 2, seed: int = 0) -> list[Decisions]:
    """Return decisions of games of several kinds, which lead through every phase."""
    return [decisions_of(name, options, games, seed + number) for number, options in enumerate(OPTIONS[name][:FEW])]
