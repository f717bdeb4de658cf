"""Scratch memory of kernels, on the stack."""

import math
from typing import Any

import numpy as np
from numba.core import cgutils
from numba.core import types as _types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from shogun_env.kernel.jit import JIT


def _stack_of(item: Any, dtype: type) -> Any:
    """Return a function of kernels that makes a row of numbers on the stack."""
    row = _types.Array(item, 1, "C")

    @intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
    def stack(context: Any, size: Any) -> Any:
        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            count, itemsize = size.literal_value, target.get_constant(_types.intp, item.bitwidth // 8)
            array = make_array(row)(target, builder)
            populate_array(
                array,
                data=cgutils.alloca_once(builder, target.get_value_type(item), size=count),
                shape=[target.get_constant(_types.intp, count)],
                strides=[itemsize],
                itemsize=itemsize,
                meminfo=None,
            )
            return array._getvalue()

        return row(size), generate

    return stack if JIT else lambda size: np.empty(size, dtype)


stack_floats = _stack_of(_types.float64, np.float64)
"""``stack_floats(n)`` in a kernel, n a constant: float64[n] with any content, valid until the kernel returns. It is on
the stack, so nothing is allocated and every thread has its own.
"""
stack_ints = _stack_of(_types.int64, np.int64)
"""The same, int64[n]."""
stack_float32s = _stack_of(_types.float32, np.float32)
"""The same, float32[n]."""

CACHE_LINE = 64
"""Bytes that the processor loads at once."""


def aligned_zeros(shape: tuple[int, ...], dtype: type) -> np.ndarray:
    """Return an array of zeros that begins at a cache line, and so does each row if its length allows it.

    numpy puts large arrays 16 bytes behind one, so that every vector of 64 bytes would lie on two.

    Example:
        >>> aligned_zeros((2, 16), np.float32).ctypes.data % CACHE_LINE
        0
    """
    size = math.prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(size + CACHE_LINE, np.uint8)
    begin = -room.ctypes.data % CACHE_LINE
    return room[begin : begin + size].view(dtype).reshape(shape)
