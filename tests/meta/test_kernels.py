"""Every kernel is compiled once: one signature each, whoever calls it, and not too many kernels."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest
from numba import types

import shogun_env.shogun
from shogun_env._jit import JIT, Loop
from shogun_env.shogun import SHOGUN, Batch, engine
from tests.property.games import STARTS, play_on

MOST_KERNELS = 180
TAKE_ROWS = {"note_cubes", "choose_free", "count_equal"}
"""Kernels for rows of several kinds: a whole field, a row of one, bytes or small numbers."""
pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled with NUMBA_DISABLE_JIT")


def kernels() -> dict[str, Any]:
    """Dispatchers of the game's modules and of what they share, by name."""
    names = [f"shogun_env.shogun.{name}" for name in ("engine", "flow", "legal", "observe", "redeal", "invariants")]
    rules = importlib.import_module("shogun_env.shogun.rules")
    names += [module.name for module in pkgutil.iter_modules(rules.__path__, "shogun_env.shogun.rules.")]
    modules = [importlib.import_module(name) for name in [*names, "shogun_env.rng", "shogun_env.log"]]
    found = {id(value): value for module in modules for value in vars(module).values() if hasattr(value, "signatures")}
    loops = [loop.kernel for loop in SHOGUN.loops if isinstance(loop, Loop)]
    return {f"{value.__module__}.{value.__qualname__}": value for value in [*found.values(), *loops]}


def signatures(kernel: Any) -> set[tuple[Any, ...]]:
    """Types a kernel was compiled for; the process that compiles also counts a call with a constant for itself."""
    return {tuple(types.unliteral(part) for part in signature) for signature in kernel.signatures}


@pytest.mark.full
def test_kernels__after_all_kinds_of_play__have_one_signature_each():
    for number, start in enumerate(STARTS):
        for record in (False, True):
            batch = Batch(2, num_players=3 + number % 3, record=record, seed=number, **start)
            for _ in play_on(batch, number, 100):
                batch.observe_for(0)
                batch.legal_for(1)
            batch.redeal([0], 1, 2)
            batch.play(["random"] * batch.num_players)
            batch.check()
    several = {name: found for name, kernel in kernels().items() if len(found := signatures(kernel)) > 1}
    assert {name for name in several if name.split(".")[-1] not in TAKE_ROWS} == set()


def test_kernels__of_one_game__are_not_too_many_to_compile():
    found = kernels()
    assert "shogun_env.shogun.flow.advance" in found
    assert len(found) <= MOST_KERNELS
    assert shogun_env.shogun.SHOGUN.loops.step.kernel in found.values()
    assert engine.step in found.values()
