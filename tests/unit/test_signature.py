"""The signature: the hash of many seeded games of every combination of a game's options."""

from __future__ import annotations

import pytest

from shogun_env.benchmarks.signature import main
from shogun_env.signature import combinations_of, signature
from tests.games import batch_class, each_game

COMBINATIONS = {"shogun": 72, "shitenno": 3}


@each_game
def test_signature__same_twice__and_by_number_of_games(name: str):
    make = batch_class(name)
    assert signature(make, 60) == signature(make, 60) != signature(make, 61)
    assert len(combinations_of(make)) == COMBINATIONS[name]


@each_game
def test_signature__command__prints_the_hex(name: str, capsys: pytest.CaptureFixture[str]):
    assert main(["--game", name, "--games", "8"]) == 0
    assert capsys.readouterr().out.strip() == signature(batch_class(name), 8)


def test_signature__unknown_game__is_refused_in_one_line(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as left:
        main(["--game", "chess"])
    assert left.value.code == 2
    assert "chess" in capsys.readouterr().err
