"""Positions as text: every field of a record survives; what cannot be read, or is not valid, is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.frame.codec import from_text, set_position, to_text
from shogun_env.shogun import SHOGUN, Batch
from shogun_env.shogun.board import PROVINCE_NAMES
from shogun_env.shogun.codec import BOARD, DERIVED, FIELDS

OPTIONS: list[dict[str, Any]] = [
    {},
    {"num_players": 3, "start": "draft"},
    {"num_players": 5, "start": "draft", "side": "moon", "optional_moves": True},
    {"num_players": 5, "start": "random", "tower": "one_shot"},
    {"shuffle_seats": True, "tower": (4, 0.1, 0.7, 1.0)},
]


def after(steps: int, seed: int = 0, **options: Any) -> Batch:
    """A game some random decisions on."""
    batch = Batch(1, seed=seed, **options)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if not batch.over[0]:
            batch.step([rng.choice(np.flatnonzero(batch.legal[0]))])
    return batch


def assert_same(one: np.void, other: np.void) -> None:
    for name in SHOGUN.dtype.names or ():
        assert np.array_equal(one[name], other[name]), name


def test_fields__of_the_record__all_have_a_place():
    assert {*FIELDS, *BOARD, "pad"} == set(SHOGUN.dtype.names or ())
    assert {*DERIVED} <= {*FIELDS}


@given(st.sampled_from(OPTIONS), st.integers(0, 400), st.integers(0, 10**6))
def test_text__of_any_game__comes_back_as_the_same_record(options, steps, seed):
    g = after(steps, seed, **options).games[0]
    text = to_text(SHOGUN, g)
    assert_same(from_text(SHOGUN, text), g)
    assert "\n" not in text
    assert to_text(SHOGUN, from_text(SHOGUN, text)) == text


@given(st.data())
def test_text__of_a_broken_record__shows_what_is_broken(data):
    g = after(60).games[0].copy()
    name = data.draw(st.sampled_from([*DERIVED, "falling", "chests", "error"]))
    field = np.atleast_1d(g[name]).reshape(-1)
    field[data.draw(st.integers(0, min(4, field.size - 1)))] ^= 1
    g[name] = field.reshape(g[name].shape)
    assert f" {name}=" in to_text(SHOGUN, g)
    assert_same(from_text(SHOGUN, to_text(SHOGUN, g)), g)


def test_text__of_a_plain_game__is_readable():
    text = to_text(SHOGUN, after(0).games[0])
    assert text.startswith("shogun/1 phase=plan player=0 year=1 chests=15,15,15,15 ")
    assert "board=Aki:P3*2,Awa-Boso:P2*4," in text
    assert not any(f" {name}=" in text for name in DERIVED)


def test_text__written_by_hand__fills_in_the_counts():
    text = "shogun/1 phase=plan year=1 player=0 tray=1 board=Ise:P0*4CT!,Aki:P3*5+"
    g = from_text(SHOGUN, text)
    assert g["supply"].tolist() == [57, 62, 62, 57, 0, 20]
    assert g["kinds_left"].tolist() == [27, 25, 26]
    assert g["n_owned"].tolist() == [1, 0, 0, 1, 0]
    assert g["cards_left"].tolist() == [6, 5, 5, 6, 0]
    assert g["blanks_left"].tolist() == [5, 6, 6, 5, 0]
    assert g["revolts"][PROVINCE_NAMES.index("Ise")] == 1


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
}


@pytest.mark.parametrize("text", BAD)
def test_reading__bad_text__names_what_is_wrong(text):
    with pytest.raises(ValueError, match=BAD[text].replace("*", r"\*")):
        from_text(SHOGUN, text)


@pytest.mark.parametrize("steps", [0, 50, 90, 400])
def test_setting__another_batch_with_the_same_chance__plays_on_alike(steps):
    source = after(steps, seed=3)
    target = Batch(2, seed=8)
    other = to_text(SHOGUN, target.games[0])
    set_position(target, 1, to_text(SHOGUN, source.games[0]))
    assert target.player[1] == source.player[0]
    assert (target.legal[1] == source.legal[0]).all()
    assert target.over[1] == source.over[0]
    assert to_text(SHOGUN, target.games[0]) == other
    target.rngs[1], target.policy_rngs[1] = source.rngs[0], source.policy_rngs[0]
    source.play(["random"] * 4)
    target.play(["random"] * 4)
    assert (target.points[1] == source.points[0]).all()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("shogun/1 n_players=3 phase=plan player=0 year=1", "n_players is 3 in the position, 4 in the batch"),
        ("shogun/1 stick=0.2 phase=plan player=0 year=1", "stick"),
        ("shogun/1 phase=plan player=0 year=1", "no valid position: an action card lies on two positions"),
        ("shogun/1 phase=plan player=0 year=1 supply=62", "do not add up"),
        ("shogun/1 board=Ise:P0", "no armies"),
    ],
)
def test_setting__position_that_does_not_fit__changes_nothing(text, why):
    batch = Batch(1, seed=1)
    before = batch.save()
    with pytest.raises(ValueError, match=why):
        set_position(batch, 0, text)
    assert batch.save() == before
