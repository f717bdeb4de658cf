"""Kernels: compiled once, for one signature whoever calls them; not too many."""

import importlib
import pickle
import pkgutil
import runpy
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import types
from numba.np.numpy_support import from_dtype

from shogun_env.batch import loops, rollout_loops
from shogun_env.batch.float_view import FloatView
from shogun_env.batch.rollouts import replan, roll_out
from shogun_env.batch.shared import Shared
from shogun_env.exact.chance import outcomes
from shogun_env.kernel import chance, jit, log, players, private, rewards, rng
from shogun_env.kernel.jit import JIT, Loop
from shogun_env.kernel.types import Int
from shogun_env.policies import make_agent
from tests.games import FEW, KINDS, batch_class, each_game, play_on

MOST_KERNELS = {"shogun": 213, "shitenno": 121}
"""Of a game's own, its loops included; the modules of ``SHARED`` have some more for both games."""
SHARED = (chance, log, players, rewards, rng)
TAKE_ROWS = {
    "log_cubes", "choose_free", "count_equal", "is_within", "sum_of", "pick", "draw_counted", "margin_reward",
    "copy_row",
}  # fmt: skip
"""Kernels for rows of several kinds: a whole field, a row of one, bytes or small numbers."""
pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled with NUMBA_DISABLE_JIT")


def test_first_loop__of_a_process__imports_no_linear_algebra_and_hides_none():
    pytest.importorskip("scipy")
    code = (
        "import sys; from shogun_env.shikoku import Batch; Batch(1); "
        "assert 'scipy.linalg' not in sys.modules, 'imported'; "
        "import scipy.linalg.cython_blas as blas; assert blas.__file__, 'hidden'; "
        "import numba, numpy as np; assert numba.njit(lambda a, b: a @ b)(np.eye(2), np.ones(2)).tolist() == [1, 1]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def kernels(name: str) -> dict[str, Any]:
    """Dispatchers of a game's modules, of what they share with the other's, and of its loops, by name."""
    packages = [
        importlib.import_module(place) for place in (f"shogun_env.{name}", f"shogun_env.agents.scripted.{name}")
    ]
    names = [
        module.name
        for package in packages
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    modules = [*map(importlib.import_module, names), *SHARED]
    shared = [each for module in (loops, rollout_loops) for each in vars(module).values() if isinstance(each, Shared)]
    copies = [each.of(batch_class(name).spec.engine) for each in shared]
    loops_of_game = [copy.kernel for copy in copies if isinstance(copy, Loop)]
    scopes = [*map(vars, modules), *(loop.py_func.__globals__ for loop in loops_of_game)]
    values = {id(value): value for scope in scopes for value in scope.values() if hasattr(value, "signatures")}
    return {f"{value.__module__}.{value.__qualname__}": value for value in [*values.values(), *loops_of_game]}


def kept(kernel: Any) -> list[Any]:
    """Return the signatures of all versions of a kernel that are in its cache."""
    index = next(Path(kernel._cache.cache_path).glob(f"*.{kernel.py_func.__qualname__}-*.nbi"), None)
    if index is None:
        return []
    with open(index, "rb") as stream:
        pickle.load(stream)  # the version of numba
        return [key[0] for key in pickle.load(stream)[1]]


@cache
def overloads(kernel: Any, name: str) -> list[Any]:
    """Return a kernel's compiled versions after play of a game, those in its cache included: types of all arguments.

    Tests call kernels from Python too: where there are versions for other kernels, those count.
    """
    for each in (kernel.inner(), kernel):
        for signature in kept(each):
            each.compile(signature)
        if each.signatures:
            return list(each.nopython_signatures)
    return []


def signatures(kernel: Any, name: str) -> set[tuple[Any, ...]]:
    """Types a kernel was compiled for by a game; what both share is compiled for each one's state."""
    own = from_dtype(batch_class(name).spec.state_dtype)
    argument_types = {overload.args for overload in overloads(kernel, name)}
    return {each for each in argument_types if all(part == own for part in each if isinstance(part, types.Record))}


def play_all(name: str) -> None:
    """Call every loop of a game, in all kinds of games."""
    first = batch_class(name)(1, seed=0)
    outcomes(first, 0, int(first.legal[0].argmax()))
    view = FloatView(batch_class(name).spec, features=True)
    bots = [make_agent(bot, view.spec).compiled for bot in ("scripted", "random")]
    for number, options in enumerate(KINDS[name][:FEW]):
        batch = batch_class(name)(2, record=number % 2 == 0, seed=number, **options)
        for _ in play_on(batch, number, 100):
            batch.observe_for(0)
            view.show(batch.observe())
            batch.legal_for(1)
        batch.take([0]).redeal([0], 1, 2)
        batch.spec.plan_sheet(batch.games[0])
        roots = batch_class(name)(2, seed=number, **options)
        roll_out(roots, np.zeros(4, np.int64), np.arange(4), bots[:1], 0)
        roots.play(bots[:1], 0, until="round")
        for _ in range(3):
            roots.step(roots.legal.argmax(1))
            replan(roots, roots.player, number, bots[:1], 0)
        batch.play(bots, np.arange(2 * batch.num_players).reshape(2, -1) % 2)
        batch.refresh()


@each_game
def test_kernels__of_one_game__are_not_too_many_to_compile(name: str):
    by_name = kernels(name)
    assert f"shogun_env.{name}.engine.flow.decide" in by_name
    own = [
        kernel for kernel in by_name if kernel.startswith((f"shogun_env.{name}.", f"shogun_env.batch.loops.{name}_"))
    ]
    assert len(own) <= MOST_KERNELS[name]


@pytest.mark.full
@each_game
def test_kernels__after_all_kinds_of_play__have_one_signature_each(name: str):
    play_all(name)
    own = (f"shogun_env.{name}.", f"shogun_env.agents.scripted.{name}.")
    counts = {kernel: len(signatures(compiled, name)) for kernel, compiled in kernels(name).items()}
    # What both games share, this one may have no use for, and only the other one may have compiled it.
    wrong = {kernel: count for kernel, count in counts.items() if count > 1 or (count == 0 and kernel.startswith(own))}
    assert {kernel: wrong[kernel] for kernel in wrong if kernel.split(".")[-1] not in TAKE_ROWS} == {}


@jit.kernel
def plus(a: Int, b: Int) -> Int:
    return a + b


@jit.kernel
def plus_constants(a: Int) -> Int:
    return plus(a, 1) + plus(a, 2) + plus(a, b=3)


def test_kernel__called_with_several_constants__has_one_signature():
    assert plus_constants(10) == 36
    assert len(kept(plus.inner())) == 1  # also if another process has compiled it


def test_private__name_that_numba_lacks__is_named_with_what_helps(monkeypatch):
    monkeypatch.delattr("numba.core.caching.FunctionCache")
    with pytest.raises(ImportError, match=r"^numba [\d.]+: .*'FunctionCache'.*; pip install shogun-env again"):
        runpy.run_path(private.__file__)
