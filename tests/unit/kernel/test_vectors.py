"""Bytes written in one piece are those of a plain loop, whatever their number, and nothing else is written."""

import numpy as np
import pytest

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Int, Row
from shogun_env.kernel.vectors import BLOCK, copy_bytes, copy_codes, differing, flag_equal, lowest_bit

FEW, SOME, MANY = 3, 45, 225
BEGIN, AT, ROOM = 2, 5, 300


@kernel
def write_few(out: Row, row: Row, flags: Row) -> None:
    copy_bytes(out[0], AT, FEW, row, BEGIN)
    flag_equal(out[1], AT, FEW, row, BEGIN, -1, flags, BEGIN)
    copy_codes(out[2], AT, FEW, row, BEGIN, -1, 51)


@kernel
def write_some(out: Row, row: Row, flags: Row) -> None:
    copy_bytes(out[0], AT, SOME, row, BEGIN)
    flag_equal(out[1], AT, SOME, row, BEGIN, -1, flags, BEGIN)
    copy_codes(out[2], AT, SOME, row, BEGIN, -1, 51)


@kernel
def write_many(out: Row, row: Row, flags: Row) -> None:
    copy_bytes(out[0], AT, MANY, row, BEGIN)
    flag_equal(out[1], AT, MANY, row, BEGIN, -1, flags, BEGIN)
    copy_codes(out[2], AT, MANY, row, BEGIN, -1, 51)


@pytest.mark.parametrize(("write", "count"), [(write_few, FEW), (write_some, SOME), (write_many, MANY)])
def test_bytes__written_in_one_piece__are_those_of_a_loop(write: object, count: int):
    rng = np.random.default_rng(count)
    row, flags = rng.integers(-2, 4, ROOM).astype(np.int8), rng.integers(0, 2, ROOM).astype(np.uint8)
    out = np.full((3, ROOM), 99, np.uint8)
    write(out, row, flags)
    numbers, allowed = row[BEGIN : BEGIN + count].astype(int), flags[BEGIN : BEGIN + count]
    expected = np.full((3, ROOM), 99, np.uint8)
    expected[0, AT : AT + count] = numbers.astype(np.uint8)
    expected[1, AT : AT + count] = (numbers == -1) & allowed
    expected[2, AT : AT + count] = np.where(numbers == -1, 51, np.maximum(numbers + 1, 0))
    assert (out == expected).all()


@kernel
def lowest(bits: Int) -> Int:
    return lowest_bit(bits)


@pytest.mark.parametrize("size", [5, BLOCK, 2 * BLOCK + 5])
def test_differing__bytes_of_a_block__are_the_bits(size: int):
    row = np.arange(size, dtype=np.uint8)
    for index in range(size):
        other, begin = row.copy(), index // BLOCK * BLOCK
        other[index] += 1
        bits = differing(row, other, begin)
        assert int(bits) == 1 << (index - begin)
        assert lowest(np.uint64(bits)) == index - begin
        assert all(int(differing(row, other, at)) == 0 for at in range(0, size, BLOCK) if at != begin)
