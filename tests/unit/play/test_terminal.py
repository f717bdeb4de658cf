"""A game in a terminal."""

from __future__ import annotations

import random

import pytest

from shogun_env.play.terminal import play_in_terminal
from tests.games import each_game
from tests.unit.play.people import table_of


@pytest.mark.full
@each_game
def test_terminal__random_person__plays_to_the_end(name):
    table, chance, written = table_of(name), random.Random(8), []

    def read(prompt: str) -> str:
        if table.is_held:
            return ""
        return str(chance.randint(1, len(table.view(0)["legal"])))

    play_in_terminal(table, read, written.append)
    assert table.game.is_over
    assert "over; " in written[-1]


def test_terminal__words__obey_or_explain():
    table, written = table_of("shitenno"), []
    answers = iter(["?", "h", "fly", "1", "fly", "u", "q"])
    play_in_terminal(table, lambda prompt: next(answers), written.append)
    text = "".join(written)
    for words in ("a number or a name chooses", "random would choose", "'fly' is illegal", "confirm or undo it first"):
        assert words in text


def test_terminal__for_two_people__is_refused():
    with pytest.raises(ValueError, match="a terminal is for one"):
        play_in_terminal(table_of("shogun", people=(0, 1)), input, print)
