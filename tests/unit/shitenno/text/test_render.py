"""The text view of Shitennō."""

import re

import pytest

from shogun_env.records.text import render_text
from tests.games import game_after, game_at_phase


def test_view_of_a_player__while_another_pays__is_that_of_a_turn():
    batch = game_at_phase("shitenno", "pay")
    payer = int(batch.player[0])
    assert "paid so far" in render_text(batch, 0, payer)
    other = render_text(batch, 0, (payer + 1) % 4)
    assert f"player {payer} is on turn" in other
    assert "paid so far" not in other


@pytest.mark.parametrize("steps", [40, 80])
def test_view_of_a_player__of_other_hands__counts_the_unknown_cards(steps: int):
    batch = game_after("shitenno", steps, seed=2)
    g = batch.games[0]
    for viewer in range(4):
        block = render_text(batch, 0, viewer).split("hands\n")[1].split("\n\n")[0]
        hands = re.split(r"^  P\d  ", block, flags=re.M)[1:]
        for owner in range(4):
            unknown = int(g["n_troops"][owner]) - int(g["known"][owner].sum())
            match = re.search(r"and\s+(\d+)\s+unknown\s+troop\s+card", hands[owner])
            assert (int(match[1]) if match else 0) == (0 if owner == viewer else unknown)
