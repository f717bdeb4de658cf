"""What the tests of the benchmarks share: results of a few games of each engine."""

import pytest

from shogun_env.benchmarks import pictures
from shogun_env.benchmarks.arena.arena import Arena
from tests.games import NAMES, batch_class

THREE_PLAYERS = {"num_players": 3}


@pytest.fixture(scope="session", params=NAMES)
def engine(request):
    """The ``Batch`` of each game."""
    return batch_class(request.param)


@pytest.fixture(scope="session")
def results(engine):
    """Results of 24 games of three players: one scripted bot, two random ones."""
    return Arena(engine, THREE_PLAYERS).play(["scripted", "random", "random"], games=24)


@pytest.fixture
def no_pictures(monkeypatch):
    """Leave the pictures out of reports, which took longer than the games; ``test_pictures`` draws them."""
    monkeypatch.setattr(pictures, "is_available", lambda: False)
