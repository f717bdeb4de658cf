"""The signature: the hash of many seeded games of every combination of a game's options."""

import pytest

from shogun_env.batch.signature import combinations_of, signature
from tests.games import batch_class, each_game

COMBINATIONS = {"shogun": 72, "shitenno": 3}


@each_game
def test_signature__same_twice__and_by_number_of_games(name: str, monkeypatch: pytest.MonkeyPatch):
    make = batch_class(name)
    first = signature(make, 60)
    monkeypatch.setattr("shogun_env.batch.signature._KNOWN", {})
    assert first == signature(make, 60) != signature(make, 61)
    assert len(combinations_of(make)) == COMBINATIONS[name]
