"""Sums of rows of weights, listed first and then added: where nearly all the time of a network goes.

Half of all numbers in a network are 0, and nearly all bytes of an observation. What counts is therefore listed first:
indices of rows and their factors. ``add_rows`` then adds the rows without a question in between, whatever they are.
"""

import numpy as np

from shogun_env.agents.network.shape import WIDEST
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.scratch import stack_float32s, stack_ints
from shogun_env.kernel.types import Int, Row
from shogun_env.kernel.vectors import BLOCK, LANES, MOST_VECTORS, VECTORS, add_products, lowest_bit, positive

AT_ONCE = WIDEST
"""Most rows that are listed before they are added; no layer is wider."""


@kernel
def add_rows(out: Row, start: Row, weights: Row, stride: Int, rows: Row, factors: Row, count: Int) -> None:
    """Write into ``out`` the sum of ``start`` and the rows of a matrix that are listed, each times its factor.

    This is where nearly all time goes. Up to eight vectors of sums stay in registers while all rows are added. Each
    column is added up in the order of the list, so the result is that of the plain loop at the end.

    Args:   out float32[m]; start float32[m], which may be ``out``, or float32[0] for zeros; weights float32[any], a
            row every ``stride`` numbers; rows int64[n]; factors float32[n]; count of rows that are listed
    """
    width, done = out.shape[0], 0
    while VECTORS and done < width:
        vectors = min(MOST_VECTORS, (width - done) // LANES)
        add_products(out, done, vectors, start, weights, stride, rows, factors, count)
        done += max(1, vectors) * LANES
    for column in range(done, width):
        total = start[column] if start.shape[0] > 0 else np.float32(0.0)
        for index in range(count):
            total += factors[index] * weights[rows[index] * stride + column]
        out[column] = total


@kernel
def list_active(inputs: Row, rows: Row, factors: Row) -> Int:
    """List the inputs float32[n] that are above 0, at most ``AT_ONCE``, with their indices; return how many these are.

    They are found as bits. A branch for each input would be guessed wrong at every other one.
    """
    count = np.uint64(0)
    for begin in range(0, inputs.shape[0], BLOCK):
        bits = positive(inputs, begin)
        while bits != 0:
            index = np.uint64(begin + lowest_bit(bits))
            bits &= bits - np.uint64(1)
            rows[count], factors[count] = index, inputs[index]
            count += np.uint64(1)
    return np.int64(count)


@kernel
def multiply(inputs: Row, weights: Row, start: Row, out: Row) -> None:
    """Write into ``out`` the sum of ``start`` and the inputs, as far as they are above 0, times a matrix.

    Args:   inputs float32[n]; weights float32[n * m], row by row; start, see ``add_rows``; out float32[m]
    """
    rows, factors, stride = stack_ints(AT_ONCE), stack_float32s(AT_ONCE), out.shape[0]
    for begin in range(0, inputs.shape[0], AT_ONCE):
        count = list_active(inputs[begin : begin + AT_ONCE], rows, factors)
        add_rows(out, start if begin == 0 else out, weights[begin * stride :], stride, rows, factors, count)
