"""Positions as text: every field of a state survives; what cannot be read is refused."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.spec.position import state_from_text, text_from_state
from tests.games import batch_class, each_game, game_after
from tests.property.strategies import draw_state

PLACELESS = {"shogun": {"pad"}, "shitenno": {"pad", "rest", "spare", "path"}}
"""Fields without a place in the text: zero between decisions."""


BREAKABLE = {"shogun": ["falling", "chests", "error"], "shitenno": ["points", "hand", "error"]}
"""Fields besides the derived ones that show when something is wrong with them."""


def assert_same(one: np.void, other: np.void) -> None:
    for field in one.dtype.names or ():
        assert np.array_equal(one[field], other[field]), field


@each_game
def test_fields__of_the_state__all_have_a_place(name: str):
    spec = batch_class(name).spec
    form = spec.position_format
    assert {*form.fields, *form.board, *PLACELESS[name]} == set(spec.state_dtype.names or ())
    assert {*form.derived} <= {*form.fields}


@each_game
@given(data=st.data())
def test_text__of_any_game__comes_back_as_the_same_state(name: str, data: Any):
    batch = draw_state(data, name)
    spec, g = batch.spec, batch.games[0]
    text = text_from_state(spec, g)
    assert_same(state_from_text(spec, text), g)
    assert "\n" not in text
    assert text_from_state(spec, state_from_text(spec, text)) == text


@each_game
@given(data=st.data())
def test_text__of_a_broken_state__shows_what_is_broken(name: str, data: Any):
    batch = game_after(name, 60)
    g = batch.games[0].copy()
    broken = data.draw(st.sampled_from([*batch.spec.position_format.derived, *BREAKABLE[name]]))
    field = np.atleast_1d(g[broken]).reshape(-1)
    field[data.draw(st.integers(0, min(4, field.size - 1)))] ^= 1
    g[broken] = field.reshape(g[broken].shape)
    assert f" {broken}=" in text_from_state(batch.spec, g)
    assert_same(state_from_text(batch.spec, text_from_state(batch.spec, g)), g)


PLAIN = {
    "shogun": ("shogun/1 phase=plan player=0 year=1 chests=15,15,15,15 ", "board=Aki:P3*2,Awa-Boso:P2*4,"),
    "shitenno": (
        "shitenno/1 phase=form_lot player=2 round=1 tairo=2 seals=2,1,4,3 hand=samurai:1,shinobi:1/",
        "board=chugoku:samurai,chubu:samurai,",
    ),
}
"""How a fresh game begins, and its board."""


@each_game
def test_text__of_a_plain_game__is_readable(name: str):
    batch = game_after(name, 0)
    text = text_from_state(batch.spec, batch.games[0])
    start, board = PLAIN[name]
    assert text.startswith(start)
    assert board in text
    assert not any(f" {field}=" in text for field in batch.spec.position_format.derived)


BAD = {
    "": "must begin with shogun/1",
    "shogun/2": "must begin with shogun/1",
    "chess/1 phase=plan": "must begin with shogun/1",
    "shogun/1 plan": "each field once",
    "shogun/1 castles=3": "unknown field; known are n_players",
    "shogun/1 year=1 year=2": "each field once",
    "shogun/1 phase=lunch": "phase=lunch",
    "shogun/1 board=Kyoto:P0*1": "board=Kyoto",
    "shogun/1 board=Ise:P0*4X": "must be like P0",
    "shogun/1 board=Aki:P0*3,Aki:P1*2": "Aki comes twice",
    "shogun/1 chests=1,2,3,4,5,6": "chests=1,2,3,4,5,6",
    "shogun/1 chests=99999": "chests=99999",
    "shogun/1 tray=300": "tray=300",
    "shogun/1 plan=a/b": "plan=a/b",
    "shogun/1 stick=much": "stick=much",
    "shitenno/2": "must begin with shitenno/1",
    "shitenno/1 rest=1": "unknown field; ",
    "shitenno/1 phase=lunch": "phase=lunch",
    "shitenno/1 target=kyoto": "target=kyoto",
    "shitenno/1 board=kyoto:bushi": "board=kyoto",
    "shitenno/1 board=kanto:ninja": "must be like sohei",
    "shitenno/1 board=kanto:-/P0/P1/P2/P3/P0": "board=kanto",
    "shitenno/1 hand=dragon:1": "hand=dragon",
    "shitenno/1 hand=bushi:1,bushi:2": "bushi comes twice",
    "shitenno/1 board=kanto:sohei/P0,kanto:sohei/P1": "kanto comes twice",
    "shitenno/1 hand=bushi:300": "hand=bushi:300",
    "shitenno/1 points=1,2,3,4,5": "points=1,2,3,4,5",
}


@pytest.mark.parametrize("text", BAD)
def test_reading__bad_text__names_what_is_wrong(text):
    name = "shitenno" if text.startswith("shitenno") else "shogun"
    with pytest.raises(ValueError, match=re.escape(BAD[text])):
        state_from_text(batch_class(name).spec, text)
