"""The text view: all that a person needs, and of hidden things exactly what the player may know."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.records.text import render_text
from shogun_env.shitenno.board import DATA
from shogun_env.shogun.board import PROVINCE_NAMES
from tests.games import NAMES, batch_class, each_game, game_after, game_at_phase
from tests.property.strategies import draw_state

START = {"shogun": {"start": "draft"}, "shitenno": {}}


PHASES = [(name, phase) for name in NAMES for phase in batch_class(name).spec.phase_names]


@pytest.mark.parametrize(("name", "phase"), PHASES)
def test_heading__each_phase__says_who_decides_what(name: str, phase: str):
    first, second, *_ = render_text(game_at_phase(name, phase, **START[name])).splitlines()
    ends = r"over; (player \d wins|player \d and player \d.* share the win)"
    deed = ends if phase == "over" else r"player \d \w+ [\w -]+(: [A-Z][-\w]+(, [A-Z][-\w]+)+)?"
    assert re.fullmatch(rf"{batch_class(name).spec.title}, (.+: )?{deed}", first), first
    assert second.startswith("4 players") and second.endswith("; the referee's view")


PLACES = {"shogun": PROVINCE_NAMES, "shitenno": [province["name"] for province in DATA["provinces"]["list"]]}


@each_game
@given(data=st.data())
def test_text__any_game__shows_every_province_and_fits_a_terminal(name: str, data: Any):
    text = render_text(draw_state(data, name))
    assert all(re.search(rf"(^| ){place} ", text, re.M) for place in PLACES[name])
    assert max(map(len, text.splitlines())) <= 120
    assert all(line == line.rstrip() for line in text.splitlines())


TRACKS = {"shogun": ("points", "chests", "rice", "n_owned"), "shitenno": ("points", "kamon", "tiles", "n_troops")}
"""Numbers in the row of a player, in their order."""


@each_game
def test_text__numbers__are_those_of_the_state(name: str):
    batch = game_after(name, 80, seed=4)
    g = batch.games[0]
    text = render_text(batch)
    for player in range(4):
        table = text[text.index(" points ") :]  # behind the legend of the board
        row = next(line for line in table.splitlines() if line.startswith(f"P{player} "))
        numbers = [int(word) for word in row.split() if word.isdigit()]
        expected = [int(number) for field in TRACKS[name] for number in g[field][player].reshape(-1)]
        assert numbers[: len(expected)] == expected
