"""The text view: all that a person needs, and of hidden things exactly what the player may know."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.records.text import render_text
from shogun_env.shitenno.board import DATA
from shogun_env.shogun.board import PROVINCE_NAMES
from tests.games import batch_class, each_game, game_after, game_at_phase
from tests.property.strategies import draw_state, redealt_games

A_NAME = "[A-Z][-a-zA-Z]+"


HEADINGS = {
    "shogun": {
        "draft_card": r"Shogun, set-up: player \d takes a province card",
        "draft_group": rf"Shogun, set-up: player \d puts an army group on {A_NAME}",
        "plan": r"Shogun, year 1, spring: player 0 puts a card on the bid",
        "special": r"Shogun, year 1, spring: player \d takes a special card",
        "target": rf"Shogun, year \d, \w+: [ \w]+: player \d sends armies from {A_NAME}",
        "number": rf"Shogun, year \d, \w+: [ \w]+: player \d sends how many armies from {A_NAME} to {A_NAME}",
        "revolt_order": rf"Shogun, year \d, winter: player \d says which province revolts next: {A_NAME}(, {A_NAME})+",
        "over": r"Shogun, year 2, winter: over; (player \d wins|player \d and player \d.* share the win)",
    },
    "shitenno": {
        "form_lot": r"Shitennō, round 1: player \d forms a lot",
        "answer": r"Shitennō, round 1: player \d accepts the lot or refuses it",
        "divide": r"Shitennō, round 1: player \d divides what is left in two lots",
        "choose": r"Shitennō, round 1: player \d chooses a lot",
        "turn": r"Shitennō, round 1: player \d is on turn",
        "pay": r"Shitennō, round \d: player \d pays for \w+ by (troops|Koku)",
        "sensei": r"Shitennō, round \d: player \d may turn a Kamon to its golden side",
        "over": r"Shitennō, round \d+: over; player \d wins",
    },
}


SECOND = {"shogun": "4 players, sun side, draft start; the referee's view", "shitenno": "4 players; the referee's view"}


START = {"shogun": {"start": "draft"}, "shitenno": {}}


@each_game
def test_headings__here__are_for_every_phase(name: str):
    assert set(HEADINGS[name]) == set(batch_class(name).spec.phase_names)


@pytest.mark.parametrize(("name", "phase"), [(name, phase) for name, phases in HEADINGS.items() for phase in phases])
def test_heading__each_phase__says_who_decides_what(name: str, phase: str):
    first, second, *_ = render_text(game_at_phase(name, phase, **START[name])).splitlines()
    assert re.fullmatch(HEADINGS[name][phase], first), first
    assert second == SECOND[name]


PLACES = {"shogun": PROVINCE_NAMES, "shitenno": [province["name"] for province in DATA["provinces"]["list"]]}


@each_game
@given(data=st.data())
def test_text__any_game__shows_every_province_and_fits_a_terminal(name: str, data: Any):
    text = render_text(draw_state(data, name))
    assert all(re.search(rf"(^| ){place} ", text, re.M) for place in PLACES[name])
    assert max(map(len, text.splitlines())) <= 120
    assert all(line == line.rstrip() for line in text.splitlines())


@each_game
@given(data=st.data())
def test_view_of_a_player__what_they_cannot_know_dealt_again__is_the_same_text(name: str, data: Any):
    batch = draw_state(data, name)
    for player, copy in redealt_games(data, batch):
        assert render_text(copy, 0, player) == render_text(batch, 0, player)


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


@each_game
@pytest.mark.parametrize(("row", "player"), [(1, None), (-1, None), (0, 4), (0, -2)])
def test_text__no_such_row_or_player__is_refused(name: str, row: int, player: int | None):
    with pytest.raises(ValueError, match="are 0 to"):
        render_text(batch_class(name)(1), row, player)
