"""The decorators of kernels."""

from __future__ import annotations

import pytest

from shogun_env.kernel.jit import JIT, kernel
from shogun_env.kernel.types import Int


@kernel
def plus(a: Int, b: Int) -> Int:
    return a + b


@kernel
def plus_constants(a: Int) -> Int:
    return plus(a, 1) + plus(a, 2) + plus(a, b=3)


@pytest.mark.skipif(not JIT, reason="nothing is compiled with NUMBA_DISABLE_JIT")
def test_kernel__called_with_several_constants__has_one_signature():
    assert plus_constants(10) == 36
    assert len(plus._cache._cache_file._load_index()) == 1  # also if another process has compiled it
