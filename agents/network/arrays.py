"""The arrays of a compiled network: how its sizes, tables, weights and memory lie in flat rows of numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shogun_env.agents.network import shape as s
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Params, Row

VALID = 0
"""The first number of a memory: whether it holds anything."""


class Size(NamedTuple):
    """How large everything is."""

    bytes: int
    rows: int
    width: int
    trunk: int
    value: int
    seats: int
    actions: int
    ranges: int
    first_number: int
    numbers: int
    groups: int
    pools: int
    each_row: int
    features: int
    board: int
    """Columns of the board before the board features."""
    columns: int
    """Columns of the board."""
    outside: int
    """Columns of the rest."""
    pooled: int


class Tables(NamedTuple):
    """What ``shape.packed`` has laid out, int32 each; units float32."""

    entries: Any
    elsewhere: Any
    outside: Any
    group_start: Any
    row_of: Any
    read: Any
    borders: Any
    near: Any
    pool_bytes: Any
    first_actions: Any
    units: Any


class Weights(NamedTuple):
    """The weights by the names of ``Shape.weights``, float32 each; ``heads`` are those from ``action.weight`` on."""

    row_weight: Any
    row_bias: Any
    mix_own: Any
    mix_near: Any
    mix_bias: Any
    outside: Any
    pooled: Any
    trunk_bias: Any
    second: Any
    second_bias: Any
    heads: Any


class Memory(NamedTuple):
    """The parts of a memory: what is kept, and from ``sums`` on room to work in."""

    last: Any
    """uint8[D], the bytes of the last decision."""
    features: Any
    """float32[R * B], board features."""
    new_features: Any
    own_parts: Any
    """float32[R * H], what a place makes of itself."""
    near_parts: Any
    """float32[R * H], what it gives to its neighbours."""
    places: Any
    """float32[R * H], the encoding of the places."""
    parts: Any
    """float32[groups * T], what each row outside the board gives to the trunk."""
    sums: Any
    trunk: Any
    top: Any
    encoded: Any
    logits: Any
    work: Any


@kernel
def size_of(params: Params) -> Size:
    """Return the sizes that the header says."""
    width, rows, pools = np.int64(params[s.WIDTH]), np.int64(params[s.ROWS]), np.int64(params[s.N_POOLS])
    each_row, features = np.int64(params[s.EACH_ROW]), np.int64(params[s.N_FEATURES])
    board = np.int64(params[s.FEATURE_COLUMN])
    return Size(
        bytes=np.int64(params[s.N_BYTES]),
        rows=rows,
        width=width,
        trunk=np.int64(params[s.TRUNK]),
        value=np.int64(params[s.VALUE]),
        seats=np.int64(params[s.SEATS]),
        actions=np.int64(params[s.ACTIONS]),
        ranges=np.int64(params[s.RANGES]),
        first_number=np.int64(params[s.FIRST_NUMBER]),
        numbers=np.int64(params[s.N_NUMBERS]),
        groups=np.int64(params[s.N_GROUPS]),
        pools=pools,
        each_row=each_row,
        features=features,
        board=board,
        columns=board + features,
        outside=np.int64(params[s.OUTSIDE_COLUMNS]),
        pooled=(pools + each_row * rows) * width,
    )


@kernel
def tables_of(params: Params, n: Size) -> Tables:
    """Return the tables, in the order of ``shape.packed``."""
    table = params[np.int64(params[s.TABLES]) : np.int64(params[s.FLOATS])].view(np.int32)
    floats = params[np.int64(params[s.FLOATS]) :].view(np.float32)
    a = np.int64(params[s.N_BOARD]) * s.ENTRY
    b = a + np.int64(params[s.N_ELSEWHERE]) * s.ENTRY
    c = b + np.int64(params[s.N_OUTSIDE]) * s.ENTRY
    d = c + n.groups + 1
    e = d + 2 * n.bytes
    f = e + n.rows + 1
    g = f + np.int64(params[s.N_BORDERS])
    h = g + 2 * max(0, n.pools - 1)
    return Tables(
        entries=table[:a],
        elsewhere=table[a:b],
        outside=table[b:c],
        group_start=table[c:d],
        row_of=table[d : d + n.bytes],
        read=table[d + n.bytes : e],
        borders=table[e:f],
        near=table[f:g],
        pool_bytes=table[g:h],
        first_actions=table[h:],
        units=floats[: np.int64(params[s.N_BOARD]) + np.int64(params[s.N_OUTSIDE])],
    )


@kernel
def weights_of(params: Params, n: Size) -> Weights:
    """Return the weights, in the order of ``Shape.weights``."""
    floats = params[np.int64(params[s.FLOATS]) :].view(np.float32)
    a = np.int64(params[s.N_BOARD]) + np.int64(params[s.N_OUTSIDE])
    b = a + n.columns * n.width
    c = b + n.width
    d = c + n.width * n.width
    e = d + n.width * n.width
    f = e + n.width
    g = f + n.outside * n.trunk
    h = g + n.pooled * n.trunk
    i = h + n.trunk
    j = i + n.trunk * n.trunk
    return Weights(
        row_weight=floats[a:b],
        row_bias=floats[b:c],
        mix_own=floats[c:d],
        mix_near=floats[d:e],
        mix_bias=floats[e:f],
        outside=floats[f:g],
        pooled=floats[g:h],
        trunk_bias=floats[h:i],
        second=floats[i:j],
        second_bias=floats[j : j + n.trunk],
        heads=floats[j + n.trunk :],
    )


@kernel
def memory_of(memory: Row, n: Size) -> Memory:
    """Return the parts of a memory; ``shape`` counts them."""
    a = s.NOTES + (n.bytes + 3) // 4
    b = a + n.rows * n.features
    c = b + n.rows * n.features
    d = c + n.rows * n.width
    e = d + n.rows * n.width
    f = e + n.rows * n.width
    g = f + n.groups * n.trunk
    h = g + n.pooled
    i = h + n.trunk
    j = i + n.trunk
    k = j + n.width
    return Memory(
        last=memory[s.NOTES : a].view(np.uint8)[: n.bytes],
        features=memory[a:b],
        new_features=memory[b:c],
        own_parts=memory[c:d],
        near_parts=memory[d:e],
        places=memory[e:f],
        parts=memory[f:g],
        sums=memory[g:h],
        trunk=memory[h:i],
        top=memory[i:j],
        encoded=memory[j:k],
        logits=memory[k : k + n.actions],
        work=memory[k + n.actions :],
    )
