"""The network as a compiled policy: it keeps what it has worked out for a player and updates what has changed.

Between two decisions of a player few bytes of what they see change. A place whose own bytes are the same keeps its
encoding; sums, trunk and heads are computed again. What is kept is recomputed place by place, never added up, so the
result does not depend on the decisions before.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from shogun_env.agents.network import shape as s
from shogun_env.agents.network.arrays import (
    VALID,
    Memory,
    Size,
    Tables,
    Weights,
    memory_of,
    size_of,
    tables_of,
    weights_of,
)
from shogun_env.batch.float_view import board_features, no_board_features
from shogun_env.kernel.jit import LOG_SHARE, OWN_VALUE, MemoryPolicy, bind_kernel, bind_memory_policy, kernel, unbound
from shogun_env.kernel.rng import next_uint64
from shogun_env.kernel.scratch import stack_ints
from shogun_env.kernel.types import Bool, Float, Int, Kernel, Mask, Observation, Params, Rng, Row
from shogun_env.spec.game_spec import GameSpec

MARKS = 2 * s.MAX_ROWS
UNIT = 2.0**-64
find_changes: Kernel = unbound("find_changes")
"""The game's own copy of ``_find_changes``."""


@kernel
def add_scaled(out: Row, weights: Row, factor: Float) -> None:
    """Add ``factor`` times a row of weights to ``out``; both float32, of one length."""
    scale = np.float32(factor)
    for index in range(out.shape[0]):
        out[index] += scale * weights[index]


@kernel
def multiply(inputs: Row, weights: Row, out: Row) -> None:
    """Add the inputs, as far as they are above 0, times a matrix to ``out``.

    Args:   inputs float32[n]; weights float32[n * m], row by row; out float32[m]
    """
    width = out.shape[0]
    for index in range(inputs.shape[0]):
        if inputs[index] > np.float32(0.0):
            add_scaled(out, weights[index * width : (index + 1) * width], inputs[index])


@kernel
def add_entries(
    o: Observation, entries: Row, units: Row, count: Int, row: Int, weights: Row, width: Int, out: Row
) -> None:
    """Add the weights of the columns that entries show to ``out`` float32[width].

    Args:   entries int32[count * 6], see ``shape.ENTRY``; units float32[count]; row, how far behind its byte to read
    """
    for index in range(count):
        entry = entries[index * s.ENTRY : (index + 1) * s.ENTRY]
        value = np.int64(o[np.int64(entry[0]) + row])
        if value == 0:
            continue
        column, factor = np.int64(entry[3]), 1.0
        if entry[1] < 0:
            factor = value / units[index]
        elif value < entry[1] or value > entry[2]:
            continue
        else:
            column += (value - entry[1]) * entry[4]
        add_scaled(out, weights[column * width : (column + 1) * width], factor)


@kernel
def mark_changes(o: Observation, last: Row, row_of: Row, read: Row, elsewhere: Row, columns: Int, marks: Row) -> Int:
    """Mark the rows whose bytes differ from ``last`` uint8[D], which is brought up to date.

    Args:   row_of, read int32[D]; elsewhere int32[n * 6]; columns of the board in a view; marks int64[128]
    Returns: whether a byte has changed of which board features are worked out
    """
    features = 0
    for byte in range(last.shape[0]):
        if o[byte] != last[byte]:
            if row_of[byte] >= 0:
                marks[row_of[byte]] = 1
            features |= read[byte]
    for index in range(elsewhere.shape[0] // s.ENTRY):
        entry = elsewhere[index * s.ENTRY : (index + 1) * s.ENTRY]
        byte = np.int64(entry[0])
        if o[byte] != last[byte]:
            for value in (np.int64(o[byte]), np.int64(last[byte])):
                if value >= entry[1] and value <= entry[2]:
                    marks[(entry[3] + (value - entry[1]) * entry[4]) // columns] = 1
    for byte in range(last.shape[0]):
        last[byte] = o[byte]
    return features


@kernel
def add_from_elsewhere(
    o: Observation, elsewhere: Row, place: Int, columns: Int, weights: Row, width: Int, out: Row
) -> None:
    """Add the weights of the flags that other blocks show in a place to ``out`` float32[width]."""
    for index in range(elsewhere.shape[0] // s.ENTRY):
        entry = elsewhere[index * s.ENTRY : (index + 1) * s.ENTRY]
        value = np.int64(o[np.int64(entry[0])])
        if value >= entry[1] and value <= entry[2]:
            column = entry[3] + (value - entry[1]) * entry[4]
            if column // columns == place:
                at = (column % columns) * width
                add_scaled(out, weights[at : at + width], 1.0)


@kernel
def draw(logits: Row, legal: Mask, rng: Rng, greedy: Int, memory: Row) -> Int:
    """Return an action by its probability, or the likeliest; note the logarithm of its probability in the memory.

    Draws:  one unless greedy
    """
    best, total = -1, 0.0
    for action in range(legal.shape[0]):
        if legal[action] == 1 and (best < 0 or logits[action] > logits[best]):
            best = action
    for action in range(legal.shape[0]):
        if legal[action] == 1:
            total += math.exp(logits[action] - logits[best])
    chosen = best
    if greedy == 0:
        left = next_uint64(rng) * UNIT * total
        for action in range(legal.shape[0]):
            if legal[action] == 1:
                left -= math.exp(logits[action] - logits[best])
                if left < 0.0:
                    chosen = action
                    break
    memory[LOG_SHARE] = np.float32(logits[chosen] - logits[best] - math.log(total))
    return chosen


def _find_changes(o: Observation, n: Size, t: Tables, m: Memory, is_new: Bool, marks: Row) -> None:
    """Mark the places and the rows outside the board that the network must encode again.

    Args:   o uint8[D]; n; t; m; is_new, whether nothing is kept; marks int64[128]: places, then other rows
    Writes: marks; the bytes and the board features that are kept
    """
    for index in range(MARKS):
        marks[index] = 1 if is_new else 0
    is_read = mark_changes(o, m.last, t.row_of, t.read, t.elsewhere, n.columns, marks)
    if n.features == 0 or not (is_new or is_read):
        return
    for index in range(n.rows * n.features):
        m.new_features[index] = np.float32(0.0)
    board_features(o, m.new_features, 0, n.features)
    for place in range(n.rows):
        for index in range(place * n.features, (place + 1) * n.features):
            if m.features[index] != m.new_features[index]:
                marks[place] = 1
                m.features[index] = m.new_features[index]


@kernel
def encode_place(o: Observation, n: Size, t: Tables, w: Weights, m: Memory, place: Int) -> None:
    """Encode a place from its own columns: what it makes of itself, and what it gives to its neighbours."""
    own, near = m.own_parts[place * n.width :], m.near_parts[place * n.width :]
    for unit in range(n.width):
        m.encoded[unit] = w.row_bias[unit]
        own[unit] = w.mix_bias[unit]
        near[unit] = np.float32(0.0)
    add_entries(o, t.entries, t.units, t.entries.shape[0] // s.ENTRY, place, w.row_weight, n.width, m.encoded)
    add_from_elsewhere(o, t.elsewhere, place, n.columns, w.row_weight, n.width, m.encoded)
    for index in range(n.features):
        feature = m.features[place * n.features + index]
        if feature != np.float32(0.0):
            add_scaled(m.encoded, w.row_weight[(n.board + index) * n.width :], feature)
    multiply(m.encoded, w.mix_own, own[: n.width])
    multiply(m.encoded, w.mix_near, near[: n.width])


@kernel
def encode_places(o: Observation, n: Size, t: Tables, w: Weights, m: Memory, marks: Row) -> None:
    """Bring the encodings of the places up to date, where they or their neighbours are marked."""
    for place in range(n.rows):
        if marks[place] == 1:
            encode_place(o, n, t, w, m, place)
    for place in range(n.rows):
        is_changed = marks[place]
        for index in range(t.borders[place], t.borders[place + 1]):
            is_changed |= marks[t.near[index]]
        if is_changed == 0:
            continue
        target = m.places[place * n.width : (place + 1) * n.width]
        for unit in range(n.width):
            target[unit] = m.own_parts[place * n.width + unit]
        for index in range(t.borders[place], t.borders[place + 1]):
            add_scaled(target, m.near_parts[np.int64(t.near[index]) * n.width :], s.NEAR_SCALE)


@kernel
def add_places(o: Observation, n: Size, t: Tables, m: Memory) -> None:
    """Add up the places: all, each group, and each by itself on a small board."""
    for index in range(n.pooled):
        m.sums[index] = np.float32(0.0)
    for place in range(n.rows):
        for unit in range(n.width):
            m.encoded[unit] = max(np.float32(0.0), m.places[place * n.width + unit]) * np.float32(s.SUM_SCALE)
        for pool in range(n.pools):
            if pool == 0 or o[np.int64(t.pool_bytes[2 * pool - 2]) + place] == t.pool_bytes[2 * pool - 1]:
                add_scaled(m.sums[pool * n.width : (pool + 1) * n.width], m.encoded, 1.0)
        if n.each_row == 1:
            start = (n.pools + place) * n.width
            add_scaled(m.sums[start : start + n.width], m.encoded, 1.0)


@kernel
def fill_trunk(o: Observation, n: Size, t: Tables, w: Weights, m: Memory, marks: Row) -> None:
    """Work out both layers of the trunk; rows outside the board that are not marked give what they gave before."""
    for unit in range(n.trunk):
        m.trunk[unit] = w.trunk_bias[unit]
        m.top[unit] = w.second_bias[unit]
    units = t.units[t.entries.shape[0] // s.ENTRY :]
    for group in range(n.groups):
        part = m.parts[group * n.trunk : (group + 1) * n.trunk]
        if marks[s.MAX_ROWS + group] == 1:
            for unit in range(n.trunk):
                part[unit] = np.float32(0.0)
            begin, end = np.int64(t.group_start[group]), np.int64(t.group_start[group + 1])
            add_entries(o, t.outside[begin * s.ENTRY :], units[begin:], end - begin, 0, w.outside, n.trunk, part)
        add_scaled(m.trunk, part, 1.0)
    multiply(m.sums, w.pooled, m.trunk)
    multiply(m.trunk, w.second, m.top)
    for unit in range(n.trunk):
        m.top[unit] = max(np.float32(0.0), m.top[unit])


@kernel
def score_numbers(legal: Mask, n: Size, weights: Row, m: Memory) -> None:
    """Add to the logits of numbers what they are worth counted down from the highest legal one.

    Args: weights float32[T * N]
    """
    highest = -1
    for action in range(n.first_number, n.first_number + n.numbers):
        if legal[action] == 1:
            highest = action
    if highest < 0:
        return
    count = highest - n.first_number + 1
    for unit in range(n.trunk):
        if m.top[unit] > np.float32(0.0):
            row = weights[unit * n.numbers : unit * n.numbers + count]
            for index in range(count):
                m.logits[highest - index] += m.top[unit] * row[index]


@kernel
def score_places(legal: Mask, n: Size, first: Int, scale: Row, shift: Row, bias: Row, m: Memory) -> None:
    """Add to the logits of a range of actions what the places that they name are worth.

    Args: first, the action of the first place; scale, shift float32[T * H]; bias float32[H]
    """
    is_asked = False
    for place in range(n.rows):
        is_asked = is_asked or legal[first + place] == 1
    if not is_asked:
        return
    factors, shifts = m.work[: n.width], m.work[n.width : 2 * n.width]
    for unit in range(n.width):
        factors[unit] = bias[unit]
        shifts[unit] = np.float32(0.0)
    multiply(m.top, scale, factors)
    multiply(m.top, shift, shifts)
    for place in range(n.rows):
        if legal[first + place] == 1:
            own, total = m.places[place * n.width : (place + 1) * n.width], np.float32(0.0)
            for unit in range(n.width):
                total += factors[unit] * max(np.float32(0.0), own[unit] + shifts[unit])
            m.logits[first + place] += total


@kernel
def score_actions(legal: Mask, n: Size, t: Tables, w: Weights, m: Memory) -> Int:
    """Write the logits of all actions; those of illegal ones mean nothing.

    Returns: where the weights of the value begin among those of the heads
    """
    bias = n.trunk * n.actions
    numbers = bias + n.actions
    scale = numbers + n.trunk * n.numbers
    size = n.trunk * n.width
    shift = scale + n.ranges * size
    place_bias = shift + n.ranges * size
    for action in range(n.actions):
        m.logits[action] = w.heads[bias + action]
    multiply(m.top, w.heads, m.logits)
    score_numbers(legal, n, w.heads[numbers:], m)
    for index in range(n.ranges):
        at_scale, at_shift, at_bias = scale + index * size, shift + index * size, place_bias + index * n.width
        first = np.int64(t.first_actions[index])
        score_places(legal, n, first, w.heads[at_scale:], w.heads[at_shift:], w.heads[at_bias:], m)
    return place_bias + n.ranges * n.width


@kernel
def own_value(n: Size, weights: Row, m: Memory) -> Float:
    """Return the share of the win that the network expects for the player who decides.

    Args: weights float32[...], from ``value.weight`` on
    """
    bias = n.trunk * n.value
    head = bias + n.value
    hidden, shares = m.work[: n.value], m.work[n.value : n.value + n.seats]
    for unit in range(n.value):
        hidden[unit] = weights[bias + unit]
    multiply(m.top, weights, hidden)
    for seat in range(n.seats):
        shares[seat] = weights[head + n.value * n.seats + seat]
    multiply(hidden, weights[head:], shares)
    total = 0.0
    for seat in range(n.seats):
        total += math.exp(shares[seat] - shares[0])
    return 1.0 / total


def network(observation: Observation, legal: Mask, rng: Rng, params: Params, memory: Row) -> Int:
    """Choose an action by the network whose shape and weights are in ``params``; see ``shape.packed``."""
    n = size_of(params)
    t, w, m = tables_of(params, n), weights_of(params, n), memory_of(memory, n)
    marks = stack_ints(MARKS)
    find_changes(observation, n, t, m, memory[VALID] == np.float32(0.0), marks)
    memory[VALID] = np.float32(1.0)
    encode_places(observation, n, t, w, m, marks)
    add_places(observation, n, t, m)
    fill_trunk(observation, n, t, w, m, marks)
    value_at = score_actions(legal, n, t, w, m)
    memory[OWN_VALUE] = np.float32(own_value(n, w.heads[value_at:], m))
    return draw(m.logits, legal, rng, np.int64(params[s.GREEDY]), memory)


@functools.cache
def policy_of(spec: GameSpec) -> MemoryPolicy:
    """Return the compiled network of a game."""
    game, engine = spec.name, spec.engine
    functions = {"board_features": engine.board_features or no_board_features}
    functions["find_changes"] = bind_kernel(_find_changes, game, engine.source, functions)
    return bind_memory_policy(network, game, engine.source, functions)
