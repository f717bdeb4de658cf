"""A game is a function of options, seed and actions: alone or in a batch, on threads, logged, taped, copied, saved."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shogun_env.log import entries
from shogun_env.shogun import Batch
from tests.positions import tape_of
from tests.property.games import Options, advance, content, play_on, seeds, some_options, steps

ROOT = Path(__file__).resolve().parents[2]
RANDOM = "random"


def played(count: int, **options: object) -> Batch:
    batch = Batch(count, **options)  # type: ignore[arg-type]
    batch.play([RANDOM] * batch.num_players)
    return batch


@given(options=some_options(), seed=st.integers(0, 2**40), row=st.integers(0, 7))
def test_batch__element__equals_that_game_alone(options: Options, seed: int, row: int):
    together, alone = played(8, seed=seed, **options), played(1, seed=seed + row, **options)
    assert content(together.take([row])) == content(alone)


@given(options=some_options(), seed=seeds)
def test_threads__one_or_two__give_the_same_bytes(options: Options, seed: int):
    one, two = (Batch(7, seed=seed, num_threads=threads, **options) for threads in (1, 2))
    for batch in (one, two):
        advance(batch, seed, 60)
    assert content(one) == content(two)
    assert (one.observe() == two.observe()).all()
    for batch in (one, two):
        batch.play([RANDOM] * batch.num_players)
    assert content(one) == content(two)


@given(options=some_options(), seed=seeds)
def test_log__on_or_off__plays_the_same_game(options: Options, seed: int):
    on, off = (Batch(2, seed=seed, record=record, **options) for record in (True, False))
    for step, actions in enumerate(play_on(on, seed)):
        off.step(actions)
        assert on.games.tobytes() == off.games.tobytes(), step
        assert (on.rngs == off.rngs).all()
    assert off.logs.shape == (2, 1)


@given(options=some_options(), seed=seeds)
def test_tape__of_a_game__replays_it_and_writes_the_same_log(options: Options, seed: int):
    first = Batch(1, seed=seed, record=True, **options)
    actions = [int(chosen[0]) for chosen in play_on(first, seed)]
    tape = tape_of(first)
    again = Batch(1, record=True, **options)
    again.reset(seeds=[1], tapes={0: tape})
    for action in actions:
        assert not again.over[0]
        again.step(np.array([action]))
    assert again.over[0]
    assert (entries(again.logs[0]) == entries(first.logs[0])).all()
    unequal = [name for name in first.games.dtype.names or () if (first.games[name] != again.games[name]).any()]
    assert set(unequal) <= {"tower"}, "nobody knows the floors, so the tape does not either"
    assert (first.games["tower"].sum(1) == again.games["tower"].sum(1)).all()


@given(options=some_options(), seed=seeds)
def test_tape__that_does_not_fit__is_an_error_that_says_so(options: Options, seed: int):
    batch = Batch(1, seed=seed, record=True, **options)
    tape = tape_of(batch)
    batch.reset(seeds=[1], tapes={0: tape})
    for wrong in (tape[:-1], [(kind, 127) for kind, _ in tape], [(kind + 1, value) for kind, value in tape]):
        with pytest.raises(ValueError, match="the chance outcomes given do not fit the game"):
            batch.reset(seeds=[1], tapes={0: wrong})


@settings(max_examples=15)  # a saved log is large
@given(options=some_options(), seed=seeds, step=steps, record=st.booleans())
def test_save__load_or_take__go_on_alike(options: Options, seed: int, step: int, record: bool):
    batch = Batch(2, seed=seed, record=record, **options)
    advance(batch, seed, step)
    loaded, taken = Batch.load(batch.save()), batch.take()
    for _ in range(2):
        assert content(loaded) == content(batch)
        pairs = zip(taken.buffers(), batch.buffers(), strict=True)
        assert all((one == other).all() for one, other in pairs if one is not taken.logs)
        for one in (batch, loaded, taken):
            advance(one, 7, 50)


@given(options=some_options(), seed=seeds, step=steps, record=st.booleans())
def test_copy_games__over_others__go_on_alike(options: Options, seed: int, step: int, record: bool):
    batch = Batch(4, seed=seed, record=record, **options)
    advance(batch, seed, step)
    batch.copy_games([0, 3], [2, 1])
    rng = np.random.default_rng(seed)
    for _ in range(50):
        assert all((one[[0, 3]] == one[[2, 1]]).all() for one in batch.buffers())
        if not batch.over.all():
            batch.step((batch.legal * rng.random((2, 120))[[0, 1, 0, 1]]).argmax(1))


CODE = """
import hashlib
import numpy as np
from shogun_env.shogun import Batch
from tests.property.games import STARTS, TOWERS, content, play_on

digest = hashlib.sha256()
for number, start in enumerate(STARTS):
    with np.errstate(over="ignore"):
        rest = {"num_players": 3 + number % 3, "tower": TOWERS[number % len(TOWERS)], "optional_moves": number % 2 == 0}
        batch = Batch(1, seed=number, record=True, **start, **rest)
        for turn, _ in enumerate(play_on(batch, number, STEPS)):
            if turn % 10 == 0:
                digest.update(batch.observe().tobytes() + batch.legal.tobytes() + bytes(batch.check()))
        batch.redeal([0], 1, 5)
        batch.play(["random"] * batch.num_players) if number == 0 else None
        for part in content(batch):
            digest.update(part)
print(digest.hexdigest())
"""


@pytest.mark.full
def test_jit__off__gives_the_same_bytes():
    found = []
    for off in ("0", "1"):
        env = {**os.environ, "NUMBA_DISABLE_JIT": off, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", CODE.replace("STEPS", "180")]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found.append(done.stdout)
    assert found[0] == found[1]
