"""Sixteen numbers float32 at once, for inner loops that add many rows of weights to one row of sums.

LLVM turns a loop over a row into vector instructions, but loads and stores the sums again for every row that is added.
With these functions a kernel holds sums in registers, in as many vectors as it has variables. Each number is added in
the order of the plain loop and rounded as there, so the result is the same bit for bit, on any processor.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import config as _config
from numba.core import types as _types
from numba.extending import intrinsic, models, register_model

from shogun_env.kernel.jit import JIT

LANES = 16
"""Numbers of a vector: as many as a register of AVX-512 holds. LLVM takes several registers where they are smaller."""
VECTORS = JIT and not _config.BOUNDSCHECK
"""Whether kernels use vectors. With bounds checks they run the plain loop, in which every index is checked."""
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


def _pointer(context: Any, builder: Any, kind: Any, row: Any, first: Any) -> Any:
    """Return a pointer to the vector that begins at an index of a row."""
    data = context.make_array(kind)(context, builder, row).data
    return builder.bitcast(builder.gep(data, [first]), ir.PointerType(_LLVM_VECTOR))


def _all(builder: Any, factor: Any) -> Any:
    """Return a vector of one number."""
    one = builder.insert_element(ir.Constant(_LLVM_VECTOR, ir.Undefined), factor, ir.Constant(ir.IntType(32), 0))
    picked = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, one, picked)


@intrinsic  # type: ignore[untyped-decorator]
def load(context: Any, row: Any, first: Any) -> Any:
    """``load(row, first)``: the vector of ``row[first : first + LANES]``."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_pointer(target, builder, signature.args[0], *arguments), align=4)

    return _vector(row, _types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def store(context: Any, row: Any, first: Any, vector: Any) -> Any:
    """``store(row, first, vector)``: write the vector to ``row[first : first + LANES]``."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _pointer(target, builder, signature.args[0], *arguments[:2]), align=4)
        return target.get_dummy_value()

    return _types.none(row, _types.int64, _vector), generate


@intrinsic  # type: ignore[untyped-decorator]
def add_product(context: Any, total: Any, row: Any, first: Any, factor: Any) -> Any:
    """``add_product(total, row, first, factor)``: ``total + factor * row[first : first + LANES]``, both rounded."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        total, row, first, factor = arguments
        numbers = builder.load(_pointer(target, builder, signature.args[1], row, first), align=4)
        return builder.fadd(total, builder.fmul(_all(builder, factor), numbers))

    return _vector(_vector, row, _types.int64, _types.float32), generate
