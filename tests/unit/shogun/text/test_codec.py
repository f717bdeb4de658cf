"""Positions of Shogun as text."""

import numpy as np

from shogun_env.shogun import OBS_LAYOUT, Batch
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import PROVINCE_NAMES
from shogun_env.spec.position import state_from_text
from tests.games import batch_class, play_on


def test_text__of_shogun_written_by_hand__fills_in_the_counts():
    text = "shogun/1 phase=plan year=1 player=0 tray=1 board=Ise:P0*4CT!,Aki:P3*5+"
    g = state_from_text(batch_class("shogun").spec, text)
    assert g["supply"].tolist() == [57, 62, 62, 57, 0, 20]
    assert g["kinds_left"].tolist() == [27, 25, 26]
    assert g["n_owned"].tolist() == [1, 0, 0, 1, 0]
    assert g["cards_left"].tolist() == [6, 5, 5, 6, 0]
    assert g["blanks_left"].tolist() == [5, 6, 6, 5, 0]
    assert g["revolts"][PROVINCE_NAMES.index("Ise")] == 1


def test_board__province_won_and_laid_waste_in_a_round__keeps_its_mark_to_the_next_planning():
    for seed in range(40):
        batch = Batch(1, seed=seed)
        for _ in play_on(batch, seed):
            g = batch.games[0]
            wasted = np.flatnonzero((g["gained"] == 1) & (g["owner"] == c.NONE))
            if wasted.size:
                assert f"{PROVINCE_NAMES[wasted[0]]}:-+" in batch.position()
                return
    raise AssertionError("no province was won and laid waste in a round")


def test_observation__provinces_out_of_play__are_zero_with_their_printed_numbers():
    batch = Batch(1, num_players=3)
    observation = batch.observe()[0]
    columns = {each.name: observation[each.start : each.stop] for each in OBS_LAYOUT if each.block == "provinces"}
    out = columns["in_play"] == 0
    assert out.sum() == 8
    assert [name for name, column in columns.items() if column[out].any()] == []
    assert columns["tax"][~out].all()
