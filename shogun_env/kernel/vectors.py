"""Many numbers at once: sixteen float32, for inner loops that add many rows of weights to one row of sums; and bytes.

LLVM turns a loop over a row into vector instructions, but loads and stores the sums again for every row that is added.
With these functions a kernel holds sums in registers, in as many vectors as it has variables. Each number is added in
the order of the plain loop and rounded as there, so the result is the same bit for bit, on any processor.

Bytes are written in one piece, as many as a constant says. LLVM cannot know that two rows do not overlap, and makes
loops over them byte by byte, or tests where they lie.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.core import config as _config
from numba.core import types as _types
from numba.extending import intrinsic, models, register_model

from shogun_env.kernel.jit import JIT, kernel
from shogun_env.kernel.types import Int, Row

LANES = 16
"""Numbers of a vector: as many as a register of AVX-512 holds. LLVM takes several registers where they are smaller."""
VECTORS = JIT and not _config.BOUNDSCHECK
"""Whether kernels use vectors. With bounds checks they run the plain loop, in which every index is checked."""
MOST_VECTORS = 8
"""Vectors of sums that are held in registers at once: enough to hide how long an addition takes."""
BYTES = 32
"""The most bytes that are written at once."""
BLOCK = 64
"""Bytes that are compared at once, and numbers."""
_LLVM_VECTOR = ir.VectorType(ir.FloatType(), LANES)


class _Vector(_types.Type):
    """numba's type of a vector."""

    def __init__(self) -> None:
        super().__init__(name="Vector")


@register_model(_Vector)
class _VectorModel(models.PrimitiveModel):  # type: ignore[misc]
    """A vector is one value of LLVM."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _LLVM_VECTOR)


_vector = _Vector()


def _pointer(context: Any, builder: Any, kind: Any, row: Any, first: Any, vector: Any = _LLVM_VECTOR) -> Any:
    """Return a pointer to the vector that begins at an index of a row."""
    data = context.make_array(kind)(context, builder, row).data
    return builder.bitcast(builder.gep(data, [first]), ir.PointerType(vector))


def _all(builder: Any, number: Any, count: int = LANES) -> Any:
    """Return a vector of one number."""
    kind, places = ir.VectorType(number.type, count), ir.VectorType(ir.IntType(32), count)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, one, ir.Constant(places, [0] * count))


@intrinsic  # type: ignore[untyped-decorator]
def add_products(
    context: Any, out: Any, done: Any, vectors: Any, start: Any, weights: Any, stride: Any, rows: Any, factors: Any,
    count: Any,
) -> Any:  # fmt: skip
    """``add_products(out, done, vectors, start, weights, stride, rows, factors, count)``: a part of a sum of rows.

    Written is ``out`` from ``done`` on, as many vectors as said, at most ``MOST_VECTORS``; or with 0 its last numbers,
    which are fewer than a vector. The sums stay in registers. ``sums.add_rows`` says what is added to what.
    """

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds, (done, vectors, stride, count) = signature.args, (arguments[at] for at in (1, 2, 5, 8))
        out, start, rows, factors = (
            target.make_array(kinds[at])(target, builder, arguments[at]) for at in (0, 3, 6, 7)
        )
        width, n_start = (builder.extract_value(array.shape, 0) for array in (out, start))
        is_empty = builder.icmp_signed("==", n_start, ir.Constant(n_start.type, 0))
        zeros = cgutils.global_constant(builder, "zeros", ir.Constant(_LLVM_VECTOR, None))
        left = _all(builder, builder.trunc(builder.sub(width, done), ir.IntType(32)))
        is_left = builder.icmp_signed("<", ir.Constant(left.type, list(range(LANES))), left)

        def place(index: int, column: Any) -> Any:
            return _pointer(target, builder, kinds[index], arguments[index], column)

        for n in range(MOST_VECTORS + 1):
            mask = ir.Constant(is_left.type, [1] * LANES) if n else is_left
            columns = [builder.add(done, ir.Constant(done.type, LANES * at)) for at in range(max(1, n))]
            with builder.if_then(builder.icmp_signed("==", vectors, ir.Constant(vectors.type, n))):
                totals = [cgutils.alloca_once(builder, _LLVM_VECTOR) for _ in columns]  # LLVM makes registers of them
                for total, column in zip(totals, columns, strict=True):
                    first = builder.select(is_empty, zeros, place(3, column))
                    builder.store(_masked(builder, "load", mask, first), total)
                with cgutils.for_range(builder, count) as each:
                    row, factor = (builder.load(builder.gep(array.data, [each.index])) for array in (rows, factors))
                    every, begin = _all(builder, factor), builder.mul(row, stride)
                    for total, column in zip(totals, columns, strict=True):
                        numbers = _masked(builder, "load", mask, place(4, builder.add(begin, column)))
                        builder.store(builder.fadd(builder.load(total), builder.fmul(every, numbers)), total)
                for total, column in zip(totals, columns, strict=True):
                    _masked(builder, "store", mask, place(0, column), builder.load(total))
        return target.get_dummy_value()

    number = _types.int64
    return _types.none(out, number, number, start, weights, number, rows, factors, number), generate


def _masked(builder: Any, what: str, mask: Any, pointer: Any, *vector: Any) -> Any:
    """Load a vector, or store one, where the mask says so; elsewhere memory is not touched, and 0 is loaded."""
    align, result = ir.Constant(ir.IntType(32), 4), ir.VoidType() if vector else _LLVM_VECTOR
    arguments = [*vector, pointer, align, mask, *([] if vector else [ir.Constant(_LLVM_VECTOR, None)])]
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.masked.{what}.v{LANES}f32.p0")
    return builder.call(function, arguments)


@intrinsic  # type: ignore[untyped-decorator]
def _vector_positive(context: Any, row: Any, first: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers = builder.load(_pointer(target, builder, signature.args[0], *arguments), align=4)
        bits = builder.fcmp_ordered(">", numbers, ir.Constant(_LLVM_VECTOR, None))
        return builder.zext(builder.bitcast(bits, ir.IntType(LANES)), ir.IntType(64))

    return _types.uint64(row, _types.int64), generate


@kernel
def positive(row: Row, begin: Int) -> Int:
    """Return which of the numbers ``begin .. begin + BLOCK - 1`` of a row float32[n] are above 0: bits of a uint64."""
    bits, end, index = np.uint64(0), min(begin + BLOCK, row.shape[0]), begin
    while VECTORS and index + LANES <= end:
        bits |= _vector_positive(row, index) << np.uint64(index - begin)
        index += LANES
    for rest in range(index, end):
        bits |= np.uint64(row[rest] > np.float32(0.0)) << np.uint64(rest - begin)
    return bits


# --- bytes -----------------------------------------------------------------------------------------------------------


def _bytewise(change: Callable[..., Any], count: Any, types: tuple[Any, ...]) -> Any:
    """Return what an intrinsic returns that writes ``count`` bytes into a row.

    Args:
        change: ``f(builder, *values)``, which returns the bytes to write as a vector of LLVM.
        count: type of the count, a constant.
        types: types of the arguments: the row that is written, where to begin, the count; and then numbers, and rows
            each followed by where to begin, which ``change`` takes as vectors.
    """
    size = count.literal_value
    width = min(1 << (size.bit_length() - 1), BYTES)
    kind = ir.VectorType(ir.IntType(8), width)
    taken = tuple(_types.int64 if isinstance(each, _types.Integer) and each is not count else each for each in types)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def place(index: int, first: int) -> Any:
            begin = builder.add(arguments[index + 1], ir.Constant(ir.IntType(64), first))
            return _pointer(target, builder, taken[index], arguments[index], begin, kind)

        is_row = [isinstance(each, _types.Array) for each in taken]
        values = [index for index in range(3, len(taken)) if is_row[index] or not is_row[index - 1]]
        for first in (*range(0, size - width, width), size - width):  # the last one may lie over the one before
            vectors = [
                builder.load(place(index, first), align=1)
                if is_row[index]
                else _all(builder, builder.trunc(arguments[index], ir.IntType(8)), width)
                for index in values
            ]
            builder.store(change(builder, *vectors), place(0, first), align=1)
        return target.get_dummy_value()

    return _types.none(*taken), generate


def _equal(builder: Any, numbers: Any, value: Any, allowed: Any) -> Any:
    return builder.and_(builder.zext(builder.icmp_signed("==", numbers, value), numbers.type), allowed)


def _codes(builder: Any, numbers: Any, special: Any, code: Any) -> Any:
    one, zero = (ir.Constant(numbers.type, [value] * numbers.type.count) for value in (1, 0))
    from_one = builder.add(numbers, one)
    from_one = builder.select(builder.icmp_signed(">", from_one, zero), from_one, zero)
    return builder.select(builder.icmp_signed("==", numbers, special), code, from_one)


@intrinsic  # type: ignore[untyped-decorator]
def _block_differing(context: Any, row: Any, other: Any, begin: Any) -> Any:
    kind = ir.VectorType(ir.IntType(8), BLOCK)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        places = (
            _pointer(target, builder, array, value, arguments[2], kind)
            for array, value in zip(signature.args[:2], arguments[:2], strict=True)
        )
        blocks = [builder.load(place, align=1) for place in places]
        return builder.bitcast(builder.icmp_unsigned("!=", *blocks), ir.IntType(BLOCK))

    return _types.uint64(row, other, _types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _lowest_bit(context: Any, bits: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return _types.int64(_types.uint64), generate


lowest_bit = _lowest_bit if JIT else lambda bits: (int(bits) & -int(bits)).bit_length() - 1
"""``lowest_bit(bits)``: the index of the lowest bit of a uint64 that is 1."""


@kernel
def differing(row: Row, other: Row, begin: Int) -> Int:
    """Return which of the bytes ``begin .. begin + BLOCK - 1`` of two rows uint8[D] differ, as the bits of a uint64."""
    if VECTORS and row.shape[0] >= BLOCK:
        last = min(begin, row.shape[0] - BLOCK)  # of the last bytes some were compared before
        return _block_differing(row, other, last) >> np.uint64(begin - last)
    bits = np.uint64(0)
    for index in range(begin, min(begin + BLOCK, row.shape[0])):
        bits |= np.uint64(row[index] != other[index]) << np.uint64(index - begin)
    return bits


if VECTORS:

    @intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
    def copy_bytes(context: Any, out: Any, at: Any, count: Any, row: Any, begin: Any) -> Any:
        """``copy_bytes(out, at, count, row, begin)``: write ``row[begin : begin + count]`` to ``out`` from ``at`` on.

        Numbers of all rows have one byte; ``count`` is a constant.
        """
        return _bytewise(lambda builder, numbers: numbers, count, (out, at, count, row, begin))

    @intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
    def flag_equal(
        context: Any, out: Any, at: Any, count: Any, row: Any, begin: Any, value: Any, flags: Any, first: Any
    ) -> Any:
        """``flag_equal(out, at, count, row, begin, value, flags, first)``: write 1 where ``row`` has a value, else 0.

        It is 0, too, where ``flags`` from ``first`` on have 0.
        """
        return _bytewise(_equal, count, (out, at, count, row, begin, value, flags, first))

    @intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
    def copy_codes(context: Any, out: Any, at: Any, count: Any, row: Any, begin: Any, special: Any, code: Any) -> Any:
        """``copy_codes(out, at, count, row, begin, special, code)``: write int8 numbers counted from 1.

        A negative number becomes 0, but the number ``special`` becomes ``code``.
        """
        return _bytewise(_codes, count, (out, at, count, row, begin, special, code))

else:

    @kernel
    def copy_bytes(out: Row, at: Int, count: Int, row: Row, begin: Int) -> None:
        """Copy bytes one by one."""
        for index in range(count):
            out[at + index] = row[begin + index]

    @kernel
    def flag_equal(
        out: Row, at: Int, count: Int, row: Row, begin: Int, value: Int, flags: Row, first: Int
    ) -> None:  # fmt: skip
        """Write flags one by one."""
        for index in range(count):
            out[at + index] = (np.int64(row[begin + index]) == value) & flags[first + index]

    @kernel
    def copy_codes(out: Row, at: Int, count: Int, row: Row, begin: Int, special: Int, code: Int) -> None:
        """Write codes one by one."""
        for index in range(count):
            number = np.int64(row[begin + index])
            out[at + index] = code if number == special else max(number + 1, 0)
