"""Every kernel is compiled once: one signature each, whoever calls it, and not too many kernels."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest
from numba import types
from numba.np.numpy_support import from_dtype

from shogun_env.kernel import chance, log, players, rewards, rng
from shogun_env.kernel.jit import JIT, Loop
from tests.games import FEW, KINDS, batch_class, each_game, play_on

MOST_KERNELS = {"shogun": 180, "shitenno": 120}
"""Of a game's own, its loops included; the modules of ``SHARED`` have some more for both games."""
SHARED = (chance, log, players, rewards, rng)
TAKE_ROWS = {"log_cubes", "choose_free", "count_equal", "is_within", "sum_of", "pick", "draw_counted"}
"""Kernels for rows of several kinds: a whole field, a row of one, bytes or small numbers."""
pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled with NUMBA_DISABLE_JIT")


def kernels(name: str) -> dict[str, Any]:
    """Dispatchers of a game's modules, of what they share with the other's, and of its loops, by name."""
    package = importlib.import_module(f"shogun_env.{name}")
    found = [module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    modules = [*map(importlib.import_module, found), *SHARED]
    loops = [loop.kernel for loop in vars(batch_class(name).loops).values() if isinstance(loop, Loop)]
    scopes = [*map(vars, modules), *(loop.py_func.__globals__ for loop in loops)]
    values = {id(value): value for scope in scopes for value in scope.values() if hasattr(value, "signatures")}
    return {f"{value.__module__}.{value.__qualname__}": value for value in [*values.values(), *loops]}


def signatures(kernel: Any, name: str) -> set[tuple[Any, ...]]:
    """Types a kernel was compiled for by a game; what both share is compiled for each one's record.

    The process that compiles also counts a call with a constant for itself.
    """
    own = from_dtype(batch_class(name).spec.state_dtype)
    found = {tuple(types.unliteral(part) for part in signature) for signature in kernel.signatures}
    return {each for each in found if all(part == own for part in each if isinstance(part, types.Record))}


def play_all(name: str) -> None:
    """Call every loop of a game, in all kinds of games."""
    for number, options in enumerate(KINDS[name][:FEW]):
        for record in (False, True):
            batch = batch_class(name)(2, record=record, seed=number, **options)
            for _ in play_on(batch, number, 100):
                batch.observe_for(0)
                batch.legal_for(1)
            batch.take([0]).redeal([0], 1, 2)
            batch.play(["random"] * batch.num_players)
            batch.check()


@pytest.mark.full
@each_game
def test_kernels__after_all_kinds_of_play__have_one_signature_each(name: str):
    play_all(name)
    several = {kernel for kernel, compiled in kernels(name).items() if len(signatures(compiled, name)) > 1}
    assert {kernel for kernel in several if kernel.split(".")[-1] not in TAKE_ROWS} == set()


@each_game
def test_kernels__of_one_game__are_not_too_many_to_compile(name: str):
    found = kernels(name)
    assert f"shogun_env.{name}.engine.flow.decide" in found
    own = [kernel for kernel in found if kernel.startswith((f"shogun_env.{name}.", f"shogun_env.batch.loops.{name}_"))]
    assert len(own) <= MOST_KERNELS[name]
    assert batch_class(name).loops.step.kernel in found.values()
    assert batch_class(name).loops.advance in found.values()
