"""A game is a function of options, seed and actions: alone or in a batch, on threads, logged, taped, copied, saved."""

import hashlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shogun_env.batch.batch import Batch
from shogun_env.kernel.log import entries
from tests.games import (
    FEW,
    KINDS,
    UNKNOWABLE,
    advance,
    batch_class,
    content,
    each_game,
    each_of_all_games,
    play_on,
    tape_of,
)
from tests.property.strategies import SOME_OPTIONS, draw_batch, draw_state, seeds
from tests.tree import run_python


def played(name: str, count: int, **options: Any) -> Batch:
    batch: Batch = batch_class(name)(count, **options)
    batch.play(["random"] * batch.num_players)
    return batch


def pair(name: str, data: Any, count: int, switch: str, values: tuple[Any, Any], **more: Any) -> list[Batch]:
    """Two batches of the same games that differ in one switch."""
    options = data.draw(SOME_OPTIONS[name]) | {"seed": data.draw(seeds)} | more
    return [batch_class(name)(count, **options, **{switch: value}) for value in values]


@each_game
@given(data=st.data(), seed=st.integers(0, 2**40), row=st.integers(0, 7))
def test_batch__element__equals_that_game_alone(name: str, data: Any, seed: int, row: int):
    options = data.draw(SOME_OPTIONS[name])
    together, alone = played(name, 8, seed=seed, **options), played(name, 1, seed=seed + row, **options)
    assert content(together.take([row])) == content(alone)


@each_game
@given(data=st.data(), seed=seeds)
def test_threads__one_or_two__give_the_same_bytes(name: str, data: Any, seed: int):
    one, two = pair(name, data, 7, "num_threads", (1, 2))
    for batch in (one, two):
        advance(batch, seed, 60)
    assert content(one) == content(two)
    assert (one.observe() == two.observe()).all()
    for batch in (one, two):
        batch.play(["random"] * batch.num_players)
    assert content(one) == content(two)


@each_game
@given(data=st.data(), seed=seeds)
def test_log__on_or_off__plays_the_same_game(name: str, data: Any, seed: int):
    on, off = pair(name, data, 2, "record", (True, False))
    for step, actions in enumerate(play_on(on, seed)):
        off.step(actions)
        assert on.games.tobytes() == off.games.tobytes(), step
        assert (on.rngs == off.rngs).all()
    assert off.logs.shape == (2, 1)


@each_game
@given(data=st.data(), seed=seeds)
def test_tape__of_a_game__replays_it_and_writes_the_same_log(name: str, data: Any, seed: int):
    first, again = pair(name, data, 1, "record", (True, True))
    actions = [int(chosen[0]) for chosen in play_on(first, seed)]
    again.reset(seeds=[1], tapes={0: tape_of(first)})
    for action in actions:
        assert not again.over[0]
        again.step(np.array([action]))
    assert again.over[0]
    assert (entries(again.logs[0]) == entries(first.logs[0])).all()
    unequal = [field for field in first.games.dtype.names or () if (first.games[field] != again.games[field]).any()]
    assert set(unequal) <= UNKNOWABLE[name]
    assert all((first.games[field].sum(1) == again.games[field].sum(1)).all() for field in unequal)


@each_game
@given(data=st.data())
def test_tape__that_does_not_fit__is_an_error_that_says_so(name: str, data: Any):
    batch = draw_batch(data, name, record=True)
    batch.play(["random"] * batch.num_players)
    tape = tape_of(batch)
    batch.reset(seeds=[1], tapes={0: tape})
    for wrong in (tape[:1], [(kind, 127) for kind, _ in tape], [(kind + 1, value) for kind, value in tape]):
        with pytest.raises(ValueError, match="the chance outcomes given do not fit the game"):
            batch.reset(seeds=[1], tapes={0: wrong})
    before = content(batch)
    for tapes, says in (
        ({0: [(1, 2**15)]}, "a tape must hold pairs"),
        ({1: tape}, "tapes for rows that are not reset"),
    ):
        with pytest.raises(ValueError, match=says):
            batch.reset(seeds=[1], tapes=tapes)
        assert content(batch) == before


@each_of_all_games
@settings(max_examples=15)  # a saved log is large
@given(data=st.data(), record=st.booleans())
def test_save__load_or_take__go_on_alike(name: str, data: Any, record: bool):
    batch = draw_state(data, name, 2, record=record)
    loaded, taken = type(batch).load(batch.save()), batch.take()
    for _ in range(2):
        assert content(loaded) == content(batch)
        pairs = zip(taken.buffers(), batch.buffers(), strict=True)
        assert all((one == other).all() for one, other in pairs if one is not taken.logs)
        for one in (batch, loaded, taken):
            advance(one, 7, 50)


@each_game
@given(data=st.data(), record=st.booleans(), seed=seeds)
def test_copy_games__over_others__go_on_alike(name: str, data: Any, record: bool, seed: int):
    batch = draw_state(data, name, 4, record=record)
    batch.copy_games([0, 3], [2, 1])
    rng = np.random.default_rng(seed)
    for _ in range(50):
        assert all((one[[0, 3]] == one[[2, 1]]).all() for one in batch.buffers())
        if not batch.over.all():
            batch.step((batch.legal * rng.random((2, batch.spec.n_actions))[[0, 1, 0, 1]]).argmax(1))


def digest_of_play(name: str, most: int) -> str:
    """Return a hash of what games of all kinds go through, of what is seen and redealt in them."""
    digest = hashlib.sha256()
    for number, options in enumerate(KINDS[name][:FEW]):
        batch = batch_class(name)(1, seed=number, record=True, **options)
        for turn, _ in enumerate(play_on(batch, number, most)):
            if turn % 10 == 0:
                digest.update(batch.observe().tobytes() + batch.legal.tobytes() + bytes(batch.check()))
            if turn % 40 == 20:
                copies = batch.take()
                copies.redeal([0], 1, 5)
                digest.update(copies.games.tobytes())
        if number == 0:
            batch.play(["random"] * batch.num_players)
        for part in content(batch):
            digest.update(part)
    return digest.hexdigest()


@each_game
@pytest.mark.full
@pytest.mark.parametrize("switch", ["NUMBA_DISABLE_JIT", pytest.param("NUMBA_BOUNDSCHECK", marks=pytest.mark.slow)])
def test_jit__off_or_with_bounds_checks__gives_the_same_bytes(name: str, switch: str):
    code = "import numpy; from {} import digest_of_play as d; numpy.seterr(over='ignore'); print(d('{}', 180))"
    process = run_python("-c", code.format(__name__, name), **{switch: "1"})
    assert process.returncode == 0, process.stderr
    assert process.stdout.strip() == digest_of_play(name, 180)
