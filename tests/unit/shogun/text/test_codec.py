"""Positions of Shogun as text."""

from __future__ import annotations

from shogun_env.shogun.board import PROVINCE_NAMES
from shogun_env.spec.position import state_from_text
from tests.games import batch_class


def test_text__of_shogun_written_by_hand__fills_in_the_counts():
    text = "shogun/1 phase=plan year=1 player=0 tray=1 board=Ise:P0*4CT!,Aki:P3*5+"
    g = state_from_text(batch_class("shogun").spec, text)
    assert g["supply"].tolist() == [57, 62, 62, 57, 0, 20]
    assert g["kinds_left"].tolist() == [27, 25, 26]
    assert g["n_owned"].tolist() == [1, 0, 0, 1, 0]
    assert g["cards_left"].tolist() == [6, 5, 5, 6, 0]
    assert g["blanks_left"].tolist() == [5, 6, 6, 5, 0]
    assert g["revolts"][PROVINCE_NAMES.index("Ise")] == 1
