"""Sums of rows of weights, listed first and then added: where nearly all the time of a network goes.

Half of all numbers in a network are 0, and nearly all bytes of an observation. What counts is therefore listed first:
indices of rows and their factors. ``add_rows`` then adds the rows without a question in between, whatever they are.
"""

from __future__ import annotations

import numpy as np

from shogun_env.agents.network.shape import WIDEST
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.scratch import stack_float32s, stack_ints
from shogun_env.kernel.types import Int, Row
from shogun_env.kernel.vectors import LANES, VECTORS, add_product, load, store

MOST_VECTORS = 4
"""Vectors of sums that are held in registers at once: enough to hide how long an addition takes."""
AT_ONCE = WIDEST
"""Most rows that are listed before they are added; no layer is wider."""


@kernel
def add_to_four(out: Row, done: Int, weights: Row, stride: Int, rows: Row, factors: Row, count: Int) -> None:
    """Add rows to four vectors of ``out`` from column ``done`` on; see ``add_rows``."""
    first = load(out, done)
    second = load(out, done + LANES)
    third = load(out, done + 2 * LANES)
    fourth = load(out, done + 3 * LANES)
    for index in range(count):
        at, factor = rows[index] * stride + done, factors[index]
        first = add_product(first, weights, at, factor)
        second = add_product(second, weights, at + LANES, factor)
        third = add_product(third, weights, at + 2 * LANES, factor)
        fourth = add_product(fourth, weights, at + 3 * LANES, factor)
    store(out, done, first)
    store(out, done + LANES, second)
    store(out, done + 2 * LANES, third)
    store(out, done + 3 * LANES, fourth)


@kernel
def add_to_three(out: Row, done: Int, weights: Row, stride: Int, rows: Row, factors: Row, count: Int) -> None:
    """Add rows to three vectors of ``out`` from column ``done`` on; see ``add_rows``."""
    first = load(out, done)
    second = load(out, done + LANES)
    third = load(out, done + 2 * LANES)
    for index in range(count):
        at, factor = rows[index] * stride + done, factors[index]
        first = add_product(first, weights, at, factor)
        second = add_product(second, weights, at + LANES, factor)
        third = add_product(third, weights, at + 2 * LANES, factor)
    store(out, done, first)
    store(out, done + LANES, second)
    store(out, done + 2 * LANES, third)


@kernel
def add_to_two(out: Row, done: Int, weights: Row, stride: Int, rows: Row, factors: Row, count: Int) -> None:
    """Add rows to two vectors of ``out`` from column ``done`` on; see ``add_rows``."""
    first = load(out, done)
    second = load(out, done + LANES)
    for index in range(count):
        at, factor = rows[index] * stride + done, factors[index]
        first = add_product(first, weights, at, factor)
        second = add_product(second, weights, at + LANES, factor)
    store(out, done, first)
    store(out, done + LANES, second)


@kernel
def add_to_one(out: Row, done: Int, weights: Row, stride: Int, rows: Row, factors: Row, count: Int) -> None:
    """Add rows to one vector of ``out`` from column ``done`` on; see ``add_rows``."""
    first = load(out, done)
    for index in range(count):
        at, factor = rows[index] * stride + done, factors[index]
        first = add_product(first, weights, at, factor)
    store(out, done, first)


@kernel
def add_rows(out: Row, weights: Row, stride: Int, rows: Row, factors: Row, count: Int) -> None:
    """Add to ``out`` the rows of a matrix that are listed, each times its factor.

    This is where nearly all time goes. Up to four vectors of sums stay in registers while all rows are added. Each
    column is added up in the order of the list, so the result is that of the plain loop at the end.

    Args:   out float32[m]; weights float32[any], a row every ``stride`` numbers; rows int64[n]; factors float32[n];
            count of rows that are listed
    """
    width, done = out.shape[0], 0
    while VECTORS and done + LANES <= width:
        vectors = min(MOST_VECTORS, (width - done) // LANES)
        if vectors == 4:
            add_to_four(out, done, weights, stride, rows, factors, count)
        elif vectors == 3:
            add_to_three(out, done, weights, stride, rows, factors, count)
        elif vectors == 2:
            add_to_two(out, done, weights, stride, rows, factors, count)
        else:
            add_to_one(out, done, weights, stride, rows, factors, count)
        done += vectors * LANES
    for column in range(done, width):
        total = out[column]
        for index in range(count):
            total += factors[index] * weights[rows[index] * stride + column]
        out[column] = total


@kernel
def list_active(inputs: Row, rows: Row, factors: Row) -> Int:
    """List the inputs float32[n] that are above 0, at most ``AT_ONCE``, with their indices; return how many these are.

    An input that is not is written over by the next. A branch would be guessed wrong at every other input.
    """
    count = 0
    for index in range(inputs.shape[0]):
        rows[count], factors[count] = index, inputs[index]
        count += 1 if inputs[index] > np.float32(0.0) else 0
    return count


@kernel
def multiply(inputs: Row, weights: Row, out: Row) -> None:
    """Add the inputs, as far as they are above 0, times a matrix to ``out``.

    Args:   inputs float32[n]; weights float32[n * m], row by row; out float32[m]
    """
    rows, factors, stride = stack_ints(AT_ONCE), stack_float32s(AT_ONCE), out.shape[0]
    for begin in range(0, inputs.shape[0], AT_ONCE):
        count = list_active(inputs[begin : begin + AT_ONCE], rows, factors)
        add_rows(out, weights[begin * stride :], stride, rows, factors, count)
