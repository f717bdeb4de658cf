"""Positions of Shitennō as text."""

from shogun_env.shitenno.board import PROVINCE_NAMES as SHITENNO_PROVINCES
from shogun_env.spec.position import state_from_text
from tests.games import batch_class


def test_text__of_shitenno_written_by_hand__fills_in_the_counts():
    text = "shitenno/1 phase=turn player=1 round=2 hand=bushi:2/koku_2:1 spent=koku_2:2 board=kanto:sohei/P1/P0*"
    g = state_from_text(batch_class("shitenno").spec, text)
    kanto = SHITENNO_PROVINCES.index("kanto")
    assert (g["filled"][kanto], g["golden"][kanto].tolist()) == (2, [0, 1, 0, 0])
    assert g["kamon"].tolist() == [7, 7, 8, 8]
    assert g["n_troops"].tolist() == [2, 0, 0, 0]
    assert g["pile"].tolist()[:4] == [4, 6, 6, 6]
    assert g["koku_pile"].tolist() == [12, 5, 4]
    assert g["used"].tolist() == [8, 8, 8]
