"""The text view: all that a person needs, and of hidden things exactly what the player may know."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.frame.render import render_text
from shogun_env.shogun import Batch
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import PROVINCE_NAMES
from tests.unit.test_codec import OPTIONS, after


def at_phase(phase: int, **options: object) -> Batch:
    """A game at its first decision of a phase."""
    for seed in range(50):
        batch = Batch(1, seed=seed, **options)
        rng = np.random.default_rng(seed)
        while not batch.over[0] and batch.games["phase"][0] != phase:
            batch.step([rng.choice(np.flatnonzero(batch.legal[0]))])
        if batch.games["phase"][0] == phase:
            return batch
    raise AssertionError(f"no game in phase {phase}")


HEADINGS = {
    c.DRAFT_CARD: r"Shogun, set-up: player \d takes a province card",
    c.DRAFT_GROUP: r"Shogun, set-up: player \d puts an army group on [A-Z][-a-zA-Z]+",
    c.PLAN: r"Shogun, year 1, spring: player 0 puts a card on the bid",
    c.TAKE_SPECIAL: r"Shogun, year 1, spring: player \d takes a special card",
    c.TARGET: r"Shogun, year \d, \w+: [ \w]+: player \d sends armies from [-A-Za-z]+",
    c.NUMBER: r"Shogun, year \d, \w+: [ \w]+: player \d sends how many armies from [-A-Za-z]+ to [-A-Za-z]+",
    c.REVOLT_ORDER: r"Shogun, year \d, winter: player \d says which province revolts next: [-A-Za-z]+(, [-A-Za-z]+)+",
    c.OVER: r"Shogun, year 2, winter: over; (player \d wins|player \d and player \d.* share the win)",
}


@pytest.mark.parametrize("phase", HEADINGS)
def test_heading__each_phase__says_who_decides_what(phase):
    text = render_text(at_phase(phase, start="draft"))
    first, second, *_ = text.splitlines()
    assert re.fullmatch(HEADINGS[phase], first), first
    assert second == "4 players, sun side, draft start; the referee's view"


@given(st.sampled_from(OPTIONS), st.integers(0, 400))
def test_text__any_game__shows_every_province_and_fits_a_terminal(options, steps):
    text = render_text(after(steps, seed=steps, **options))
    assert all(f" {name} " in text for name in PROVINCE_NAMES)
    assert max(map(len, text.splitlines())) <= 120
    assert all(line == line.rstrip() for line in text.splitlines())


@given(st.sampled_from(OPTIONS), st.integers(0, 400), st.integers(0, 2))
def test_view_of_a_player__what_he_cannot_know_dealt_anew__is_the_same_text(options, steps, player):
    batch = after(steps, seed=steps, **options)
    before = render_text(batch, 0, player)
    batch.redeal([0], player, seed=steps)
    assert render_text(batch, 0, player) == before


def test_view_of_a_player__in_planning__hides_cards_and_who_is_first():
    batch = after(30, seed=2)
    assert "everybody puts a card on" in render_text(batch, 0, 1)
    row = next(line for line in render_text(batch, 0, 1).splitlines() if line.startswith("   bid"))
    assert [cell == "?" for cell in row.split()[1:]] == [True, False, True, True]
    assert "?" not in next(line for line in render_text(batch).splitlines() if line.startswith("   bid"))


def test_view_of_a_player__in_planning__lists_the_rest_of_his_hand():
    batch = after(30, seed=2)
    g = batch.games[0]
    hand = render_text(batch, 0, 3).split("hand of P3  ")[1]
    assert len(hand.split(";")) == g["cards_left"][3] + (g["player"] > 3)


def test_text__numbers__are_those_of_the_record():
    batch = after(200, seed=4)
    g = batch.games[0]
    text = render_text(batch)
    for player in range(4):
        row = next(line for line in text.splitlines() if line.startswith(f"P{player} ")).split()
        assert row[1:5] == [str(g[name][player]) for name in ("points", "chests", "rice", "n_owned")]
        assert row[-3:] == [str(g["supply"][player]), str(g["tower"][:, player].sum()), str(g["tray"][player])]


def test_text__draft__shows_cards_and_groups():
    text = render_text(Batch(1, start="draft", num_players=5))
    assert "open cards" in text
    assert "43 unseen" in text
    assert "P4  5 4 4 3 3 2 2" in text


@pytest.mark.parametrize(("row", "player"), [(1, None), (-1, None), (0, 4), (0, -1)])
def test_text__no_such_row_or_player__is_refused(row, player):
    with pytest.raises(ValueError, match="are 0 to"):
        render_text(Batch(1), row, player)
