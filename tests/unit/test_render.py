"""The text view: all that a person needs, and of hidden things exactly what the player may know."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.batch.batch import Batch
from shogun_env.records.text import render_text
from shogun_env.shitenno.board import DATA
from shogun_env.shogun.board import PROVINCE_NAMES
from tests.games import batch_class, each_game, play_on
from tests.property.games import draw_state
from tests.unit.test_codec import after


def at_phase(name: str, phase: str, **options: object) -> Batch:
    """A game at its first decision of a phase."""
    game = batch_class(name).spec
    for seed in range(50):
        batch: Batch = batch_class(name)(1, seed=seed, **options)
        steps = play_on(batch, seed)
        while game.phase_names[batch.games["phase"][0]] != phase and not batch.over[0]:
            next(steps)
        if game.phase_names[batch.games["phase"][0]] == phase:
            return batch
    raise AssertionError(f"no game in phase {phase}")


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
    first, second, *_ = render_text(at_phase(name, phase, **START[name])).splitlines()
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
def test_view_of_a_player__what_he_cannot_know_dealt_anew__is_the_same_text(name: str, data: Any):
    batch = draw_state(data, name)
    for player in range(batch.num_players):
        copy = batch.take()
        copy.redeal([0], player, seed=data.draw(st.integers(0, 999)))
        assert render_text(copy, 0, player) == render_text(batch, 0, player)


def test_view_of_a_player__in_planning__hides_cards_and_who_is_first():
    batch = after("shogun", 30, seed=2)
    assert "everybody puts a card on" in render_text(batch, 0, 1)
    row = next(line for line in render_text(batch, 0, 1).splitlines() if line.startswith("   bid"))
    assert [cell == "?" for cell in row.split()[1:]] == [True, False, True, True]
    assert "?" not in next(line for line in render_text(batch).splitlines() if line.startswith("   bid"))


def test_view_of_a_player__in_planning__lists_the_rest_of_his_hand():
    batch = after("shogun", 30, seed=2)
    g = batch.games[0]
    hand = render_text(batch, 0, 3).split("hand of P3  ")[1]
    assert len(hand.split(";")) == g["cards_left"][3] + (g["player"] > 3)


def test_view_of_a_player__while_another_pays__is_that_of_his_turn():
    batch = at_phase("shitenno", "pay")
    payer = int(batch.player[0])
    assert "paid so far" in render_text(batch, 0, payer)
    other = render_text(batch, 0, (payer + 1) % 4)
    assert f"player {payer} is on turn" in other
    assert "paid so far" not in other


@pytest.mark.parametrize("steps", [40, 80])
def test_view_of_a_player__of_other_hands__counts_the_unknown_cards(steps: int):
    batch = after("shitenno", steps, seed=2)
    g = batch.games[0]
    for viewer in range(4):
        block = render_text(batch, 0, viewer).split("hands\n")[1].split("\n\n")[0]
        hands = re.split(r"^  P\d  ", block, flags=re.M)[1:]
        for owner in range(4):
            unknown = int(g["n_troops"][owner]) - int(g["known"][owner].sum())
            told = re.search(r"and\s+(\d+)\s+unknown\s+troop\s+card", hands[owner])
            assert (int(told[1]) if told else 0) == (0 if owner == viewer else unknown)


TRACKS = {"shogun": ("points", "chests", "rice", "n_owned"), "shitenno": ("points", "kamon", "tiles", "n_troops")}
"""Numbers in the row of a player, in their order."""


@each_game
def test_text__numbers__are_those_of_the_record(name: str):
    batch = after(name, 80, seed=4)
    g = batch.games[0]
    text = render_text(batch)
    for player in range(4):
        table = text[text.index(" points ") :]  # behind the legend of the board
        row = next(line for line in table.splitlines() if line.startswith(f"P{player} "))
        numbers = [int(word) for word in row.split() if word.isdigit()]
        wanted = [int(number) for field in TRACKS[name] for number in g[field][player].reshape(-1)]
        assert numbers[: len(wanted)] == wanted


def test_text__of_shogun__counts_the_cubes_inside_the_tower():
    batch = after("shogun", 200, seed=4)
    g = batch.games[0]
    for player in range(4):
        row = next(line for line in render_text(batch).splitlines() if line.startswith(f"P{player} ")).split()
        assert row[-3:] == [str(g["supply"][player]), str(g["tower"][:, player].sum()), str(g["tray"][player])]


def test_text__draft__shows_cards_and_groups():
    text = render_text(batch_class("shogun")(1, start="draft", num_players=5))
    assert "open cards" in text
    assert "43 unseen" in text
    assert "P4  5 4 4 3 3 2 2" in text


@each_game
@pytest.mark.parametrize(("row", "player"), [(1, None), (-1, None), (0, 4), (0, -1)])
def test_text__no_such_row_or_player__is_refused(name: str, row: int, player: int | None):
    with pytest.raises(ValueError, match="are 0 to"):
        render_text(batch_class(name)(1), row, player)
