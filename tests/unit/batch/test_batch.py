"""Positions and bad arguments given to a batch: the game goes on from them, or nothing changes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shogun_env.batch.batch import Batch
from shogun_env.spec.position import text_from_state
from tests.games import batch_class, each_game, game_after
from tests.property.strategies import STEPS


@each_game
@pytest.mark.parametrize("part", [0, 0.1, 0.2, 1])
def test_setting__another_batch_with_the_same_chance__plays_on_alike(name: str, part: float):
    source, target = game_after(name, int(part * STEPS[name]), seed=3), batch_class(name)(2, seed=8)
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


@each_game
def test_playing__some_rows_from_actions__is_as_to_step_and_play_them_and_leaves_the_others(name: str):
    batch, stepped, untouched = (batch_class(name)(5, seed=3) for _ in range(3))
    rows, seats = np.array([1, 3, 4]), np.array([-1, *[0] * (batch.num_players - 1)], np.int8)
    for each in (batch, stepped, untouched):
        each.playing(["random"], seats)()
    play = batch.playing(["random"], seats)
    for _ in range(20):
        actions = batch.legal[rows].argmax(1)
        play(rows, actions)
        stepped.step(actions, rows)
        stepped.play(["random"], seats)
    assert batch.save() == stepped.save()
    assert batch.take([0, 2]).save() == untouched.take([0, 2]).save()
    assert (batch.decisions[rows] > untouched.decisions[rows]).all()


MISFITS = {
    "shogun/1 n_players=3 phase=plan player=0 year=1": "n_players is 3 in the position, 4 in the batch",
    "shogun/1 stick=0.2 phase=plan player=0 year=1": "stick",
    "shogun/1 phase=plan player=0 year=1": "not a valid position: an action card lies on two positions",
    "shogun/1 phase=plan player=0 year=1 supply=62": "do not add up",
    "shogun/1 board=Ise:P0": "no armies",
    "shitenno/1 n_players=3 phase=turn player=0 round=1": "n_players is 3 in the position, 4 in the batch",
    "shitenno/1 phase=turn player=0 round=1": "not a valid position: tiles in a province and Kamon there do not fit",
    "shitenno/1 phase=turn player=0 round=1 pile=bushi:2": "not a valid position: the cards of a kind do not add up",
    "shitenno/1 phase=turn player=0 round=1 board=kanto:bushi/P0": "the tiles of a bonus or of a troop side",
}


@pytest.mark.parametrize("text", MISFITS)
def test_setting__position_that_does_not_fit__changes_nothing(text: str):
    batch = batch_class(text.split("/")[0])(1, seed=1)
    before = batch.save()
    with pytest.raises(ValueError, match=MISFITS[text]):
        batch.set_position(0, text)
    assert batch.save() == before


@pytest.mark.parametrize("agents", [["random"], "abcd", [1, 2, 3, 4], 4])
def test_records__agents_that_are_not_one_name_for_each_player__are_refused(agents):
    batch = batch_class("shitenno")(1, record=True)
    with pytest.raises(ValueError, match=r"agents=.*: must be None or 4 names, one for each player"):
        batch.records(agents=agents)


@each_game
def test_setting__batch_that_keeps_records__is_refused_and_changes_nothing(name: str):
    batch = batch_class(name)(1, seed=1, record=True)
    before = batch.save()
    with pytest.raises(ValueError, match="keeps records, which would tell of another game; make it with record=False"):
        batch.set_position(0, batch.position())
    assert batch.save() == before


@pytest.mark.parametrize("row", [-1, 2, True, None, 1.0, "0"])
def test_setting__position_in_a_row_that_does_not_exist__changes_nothing(row: Any):
    batch = batch_class("shitenno")(2, seed=1)
    before, text = batch.save(), batch_class("shitenno")(1, seed=9).position()
    with pytest.raises(ValueError, match=r"^row=.*: must be a whole number, at least 0 and below 2$"):
        batch.set_position(row, text)
    with pytest.raises(ValueError, match=r"^row="):
        batch.position(row)
    assert batch.save() == before


@each_game
def test_batch__of_no_games__is_saved_stepped_and_played_like_any_other(name: str):
    batch = batch_class(name)(2, seed=1).take([])
    batch.play(["random"] * batch.num_players)
    batch.step(np.zeros(0, np.int64))
    for each in (batch, batch.load(batch.save())):
        assert each.num_games == 0
        assert each.observe().shape == (0, batch.spec.obs_size)


def writable(array: np.ndarray, answer: bool) -> np.ndarray:
    array.flags.writeable = answer
    return array


BAD_CALLS: dict[str, Callable[[Any], object]] = {
    "^record='no': must be True or False": lambda batch: type(batch)(1, record="no"),
    "^a position must be a text, .*, not 5": lambda batch: batch.set_position(0, 5),
    "^seed of shape .* and type float64: must be whole numbers": lambda batch: batch.redeal(None, 0, 1.5),
    "^seed of shape .* and type object": lambda batch: batch.redeal(None, 0, None),
    "^seed of shape .* and type <U1": lambda batch: batch.redeal(None, 0, "x"),
    r"^seed of shape \(3,\) and type int64: .* one for each of 2": lambda batch: batch.redeal(None, 0, [1, 2, 3]),
    "^seats of shape .* and type float64: must be whole numbers": lambda batch: batch.play(["random"], [0.9, 0, 0, 0]),
    "^seats from 0 to 256: must be from -1 to 0, the last": lambda batch: batch.play(["random"], [256, 0, 0, 0]),
    r"^seats of shape \(3,\) .* that fit the shape \(2, 4\)": lambda batch: batch.play(["random"], [0, 0, 0]),
    r"^actions of .*: must be .* not \(array\(\[1, 1\]\), None\)$": lambda batch: batch.step((np.array([1, 1]), None)),
    r"^seeds must be below 2\^53, found 9223372036854775808$": lambda batch: batch.reset([0], [2**63]),
    r"^seed must be below 2\^63, found -1180591620717411303424$": lambda batch: batch.redeal(None, 0, -(2**70)),
    "^reward='zzz': must be one of win": lambda batch: batch.returns_by("zzz"),
    "^out of list: must be a C-contiguous uint8 array": lambda batch: batch.observe([1]),
    "^out of shape .* and type uint8: .*, not read-only": lambda batch: batch.observe(writable(batch.observe(), False)),
    "^num_threads='2': must be a whole number, at least 1": lambda batch: batch.take(None, num_threads="2"),
}


@pytest.mark.parametrize("words", BAD_CALLS)
def test_call__with_a_bad_argument__names_it_and_changes_nothing(words: str):
    batch = batch_class("shitenno")(2, seed=1)
    before = batch.save()
    with pytest.raises(ValueError, match=words):
        BAD_CALLS[words](batch)
    assert batch.save() == before


@pytest.mark.parametrize("num_threads", [1, 3])
@pytest.mark.parametrize(
    "call",
    [
        lambda batch, rows: batch.step(batch.legal[rows].argmax(1), rows),
        lambda batch, rows: batch.reset(rows, np.arange(len(rows))),
        lambda batch, rows: batch.redeal(rows, 0, 5),
        lambda batch, rows: batch.copy_games(np.arange(len(rows)), rows),
    ],
)
def test_call__with_a_row_named_twice__is_refused_and_changes_nothing(call: Callable[..., Any], num_threads: int):
    """Two threads wrote into one game at the same time, or the last one counted."""
    batch = batch_class("shitenno")(300, seed=1, num_threads=num_threads)
    before = batch.save()
    with pytest.raises(ValueError, match=r"^rows: row 7 is named twice; give each once$"):
        call(batch, np.array([*range(299), 7]))
    assert batch.save() == before
    call(batch, np.arange(299)[::-1])
    assert batch.save() != before


@each_game
def test_refresh__rows__are_looked_at_alone_and_one_of_a_larger_game_is_refused(name: str):
    few, many = min(batch_class(name).spec.players), max(batch_class(name).spec.players)
    batch, larger = batch_class(name)(2, num_players=few, seed=0), batch_class(name)(1, num_players=many, seed=0)
    while larger.player[0] < few:
        larger.step(larger.legal.argmax(1))
    batch.games[0] = larger.games[0]
    batch.refresh([1])
    with pytest.raises(ValueError, match="row 0: a player decides whom the batch does not have"):
        batch.refresh()


def test_dir__of_the_class__has_the_arrays_of_its_objects():
    assert {*Batch.__annotations__, "games"} <= {*dir(batch_class("shogun"))} <= {*dir(batch_class("shogun")(1))}
