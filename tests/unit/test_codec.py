"""Positions as text: every field of a record survives; what cannot be read, or is not valid, is refused."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.shitenno import codec as shitenno_codec
from shogun_env.shitenno.board import PROVINCE_NAMES as SHITENNO_PROVINCES
from shogun_env.shogun import codec as shogun_codec
from shogun_env.shogun.board import PROVINCE_NAMES
from shogun_env.spec.position import state_from_text, text_from_state
from tests.games import advance, batch_class, each_game
from tests.property.games import STEPS, draw_state

CODECS: dict[str, ModuleType] = {"shogun": shogun_codec, "shitenno": shitenno_codec}
PLACELESS = {"shogun": {"pad"}, "shitenno": {"pad", "rest", "spare", "path"}}
"""Fields without a place in the text: zero between decisions."""
BREAKABLE = {"shogun": ["falling", "chests", "error"], "shitenno": ["points", "hand", "error"]}
"""Fields beside the derived ones that show when something is wrong with them."""


def after(name: str, steps: int, seed: int = 0, **options: Any) -> Any:
    """A game some random decisions on."""
    batch = batch_class(name)(1, seed=seed, **options)
    advance(batch, seed, steps)
    return batch


def assert_same(one: np.void, other: np.void) -> None:
    for field in one.dtype.names or ():
        assert np.array_equal(one[field], other[field]), field


@each_game
def test_fields__of_the_record__all_have_a_place(name: str):
    codec, dtype = CODECS[name], batch_class(name).spec.state_dtype
    assert {*codec.FIELDS, *codec.BOARD, *PLACELESS[name]} == set(dtype.names or ())
    assert {*codec.DERIVED} <= {*codec.FIELDS}


@each_game
@given(data=st.data())
def test_text__of_any_game__comes_back_as_the_same_record(name: str, data: Any):
    batch = draw_state(data, name)
    spec, g = batch.spec, batch.games[0]
    text = text_from_state(spec, g)
    assert_same(state_from_text(spec, text), g)
    assert "\n" not in text
    assert text_from_state(spec, state_from_text(spec, text)) == text


@each_game
@given(data=st.data())
def test_text__of_a_broken_record__shows_what_is_broken(name: str, data: Any):
    batch = after(name, 60)
    g = batch.games[0].copy()
    broken = data.draw(st.sampled_from([*CODECS[name].DERIVED, *BREAKABLE[name]]))
    field = np.atleast_1d(g[broken]).reshape(-1)
    field[data.draw(st.integers(0, min(4, field.size - 1)))] ^= 1
    g[broken] = field.reshape(g[broken].shape)
    assert f" {broken}=" in text_from_state(batch.spec, g)
    assert_same(state_from_text(batch.spec, text_from_state(batch.spec, g)), g)


PLAIN = {
    "shogun": (
        "shogun/1 phase=plan player=0 year=1 chests=15,15,15,15 ",
        "board=Aki:P3*2,Awa-Boso:P2*4,",
    ),
    "shitenno": (
        "shitenno/1 phase=form_lot player=2 round=1 tairo=2 seals=2,1,4,3 hand=samurai:1,shinobi:1/",
        "board=chugoku:samurai,chubu:samurai,",
    ),
}
"""How a fresh game begins, and its board."""


@each_game
def test_text__of_a_plain_game__is_readable(name: str):
    batch = after(name, 0)
    text = text_from_state(batch.spec, batch.games[0])
    start, board = PLAIN[name]
    assert text.startswith(start)
    assert board in text
    assert not any(f" {field}=" in text for field in CODECS[name].DERIVED)


def test_text__of_shogun_written_by_hand__fills_in_the_counts():
    text = "shogun/1 phase=plan year=1 player=0 tray=1 board=Ise:P0*4CT!,Aki:P3*5+"
    g = state_from_text(batch_class("shogun").spec, text)
    assert g["supply"].tolist() == [57, 62, 62, 57, 0, 20]
    assert g["kinds_left"].tolist() == [27, 25, 26]
    assert g["n_owned"].tolist() == [1, 0, 0, 1, 0]
    assert g["cards_left"].tolist() == [6, 5, 5, 6, 0]
    assert g["blanks_left"].tolist() == [5, 6, 6, 5, 0]
    assert g["revolts"][PROVINCE_NAMES.index("Ise")] == 1


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


BAD = {
    "": "must begin with shogun/1",
    "shogun/2": "must begin with shogun/1",
    "chess/1 phase=plan": "must begin with shogun/1",
    "shogun/1 plan": "each field once",
    "shogun/1 castles=3": "each field once",
    "shogun/1 year=1 year=2": "each field once",
    "shogun/1 phase=lunch": "phase=lunch",
    "shogun/1 board=Kyoto:P0*1": "board=Kyoto",
    "shogun/1 board=Ise:P0*4X": "must be like P0",
    "shogun/1 chests=1,2,3,4,5,6": "chests=1,2,3,4,5,6",
    "shogun/1 chests=99999": "chests=99999",
    "shogun/1 tray=300": "tray=300",
    "shogun/1 plan=a/b": "plan=a/b",
    "shogun/1 stick=much": "stick=much",
    "shitenno/2": "must begin with shitenno/1",
    "shitenno/1 rest=1": "each field once",
    "shitenno/1 phase=lunch": "phase=lunch",
    "shitenno/1 target=kyoto": "target=kyoto",
    "shitenno/1 board=kyoto:bushi": "board=kyoto",
    "shitenno/1 board=kanto:ninja": "must be like sohei",
    "shitenno/1 board=kanto:-/P0/P1/P2/P3/P0": "board=kanto",
    "shitenno/1 hand=dragon:1": "hand=dragon",
    "shitenno/1 hand=bushi:300": "hand=bushi:300",
    "shitenno/1 points=1,2,3,4,5": "points=1,2,3,4,5",
}


@pytest.mark.parametrize("text", BAD)
def test_reading__bad_text__names_what_is_wrong(text):
    name = "shitenno" if text.startswith("shitenno") else "shogun"
    with pytest.raises(ValueError, match=re.escape(BAD[text])):
        state_from_text(batch_class(name).spec, text)


@each_game
@pytest.mark.parametrize("part", [0, 0.1, 0.2, 1])
def test_setting__another_batch_with_the_same_chance__plays_on_alike(name: str, part: float):
    source, target = after(name, int(part * STEPS[name]), seed=3), batch_class(name)(2, seed=8)
    spec = source.spec
    other = text_from_state(spec, target.games[0])
    target.set_position(1, text_from_state(spec, source.games[0]))
    assert target.player[1] == source.player[0]
    assert (target.legal[1] == source.legal[0]).all()
    assert target.over[1] == source.over[0]
    assert text_from_state(spec, target.games[0]) == other
    target.rngs[1], target.policy_rngs[1] = source.rngs[0], source.policy_rngs[0]
    source.play(["random"] * 4)
    target.play(["random"] * 4)
    assert (target.points[1] == source.points[0]).all()


MISFITS = {
    "shogun/1 n_players=3 phase=plan player=0 year=1": "n_players is 3 in the position, 4 in the batch",
    "shogun/1 stick=0.2 phase=plan player=0 year=1": "stick",
    "shogun/1 phase=plan player=0 year=1": "not a valid position: an action card lies on two positions",
    "shogun/1 phase=plan player=0 year=1 supply=62": "do not add up",
    "shogun/1 board=Ise:P0": "no armies",
    "shitenno/1 n_players=3 phase=turn player=0 round=1": "n_players is 3 in the position, 4 in the batch",
    "shitenno/1 phase=turn player=0 round=1": "not a valid position: tiles in a province and Kamon there do not fit",
    "shitenno/1 phase=turn player=0 pile=bushi:2": "not a valid position: the cards of a kind do not add up",
    "shitenno/1 phase=turn player=0 board=kanto:bushi/P0": "the tiles of a bonus or of a troop side do not add up",
}


@pytest.mark.parametrize("text", MISFITS)
def test_setting__position_that_does_not_fit__changes_nothing(text: str):
    batch = batch_class(text.split("/")[0])(1, seed=1)
    before = batch.save()
    with pytest.raises(ValueError, match=MISFITS[text]):
        batch.set_position(0, text)
    assert batch.save() == before
