"""The network as a compiled policy: it keeps what it has worked out for a player and updates what has changed.

Between two decisions of a player few bytes of what they see change. A place whose own bytes are the same keeps its
encoding; sums, trunk and heads are computed again. What is kept is recomputed place by place, never added up, so the
result does not depend on the decisions before.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from shogun_env.agents.network.arrays import (
    ENTRY,
    GREEDY,
    MAX_ROWS,
    VALID,
    MemoryArrays,
    Size,
    TableArrays,
    WeightArrays,
    memory_of,
    size_of,
    tables_of,
    weights_of,
)  # fmt: skip
from shogun_env.agents.network.shape import NEAR_SCALE, SUM_SCALE
from shogun_env.batch.float_view import board_features, no_board_features
from shogun_env.kernel.jit import LOG_PROB, OWN_VALUE, MemoryPolicy, bind_kernel, bind_memory_policy, kernel, unbound
from shogun_env.kernel.rng import next_uint64
from shogun_env.kernel.scratch import stack_ints
from shogun_env.kernel.types import Bool, Float, Int, Kernel, Mask, Observation, Params, Rng, Row
from shogun_env.spec.game_spec import GameSpec

MARKS = 2 * MAX_ROWS
CHUNK = 64
"""Bytes that are compared at once; most chunks are as before."""
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
    observation: Observation, entries: Row, units: Row, count: Int, row: Int, weights: Row, width: Int, out: Row
) -> None:
    """Add the weights of the columns that entries show to ``out`` float32[width].

    Args:   entries int32[count * 6], see ``arrays.ENTRY``; units float32[count]; row, how far behind its byte to read
    """
    for index in range(count):
        entry = entries[index * ENTRY : (index + 1) * ENTRY]
        value = np.int64(observation[np.int64(entry[0]) + row])
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
def mark_changes(observation: Observation, last: Row, tables: TableArrays, columns: Int, marks: Row) -> Int:
    """Mark the rows whose bytes differ from ``last`` uint8[D], which is brought up to date.

    Args:   columns of the board in a view; marks int64[128]
    Returns: whether a byte has changed of which board features are worked out
    """
    elsewhere = tables.elsewhere
    features = 0
    for begin in range(0, last.shape[0], CHUNK):
        end, differs = min(begin + CHUNK, last.shape[0]), 0
        for byte in range(begin, end):
            differs |= observation[byte] ^ last[byte]
        for byte in range(begin, end if differs != 0 else begin):
            if observation[byte] != last[byte]:
                if tables.row_of[byte] >= 0:
                    marks[tables.row_of[byte]] = 1
                features |= tables.is_read[byte]
    for index in range(elsewhere.shape[0] // ENTRY):
        entry = elsewhere[index * ENTRY : (index + 1) * ENTRY]
        byte = np.int64(entry[0])
        if observation[byte] != last[byte]:
            for value in (np.int64(observation[byte]), np.int64(last[byte])):
                if value >= entry[1] and value <= entry[2]:
                    marks[(entry[3] + (value - entry[1]) * entry[4]) // columns] = 1
    for byte in range(last.shape[0]):
        last[byte] = observation[byte]
    return features


@kernel
def is_any(marks: Row) -> Bool:
    """Say whether anything is marked."""
    found = 0
    for index in range(marks.shape[0]):
        found |= marks[index]
    return found != 0


@kernel
def add_from_elsewhere(
    observation: Observation, elsewhere: Row, place: Int, columns: Int, weights: Row, width: Int, out: Row
) -> None:
    """Add the weights of the flags that other blocks show in a place to ``out`` float32[width]."""
    for index in range(elsewhere.shape[0] // ENTRY):
        entry = elsewhere[index * ENTRY : (index + 1) * ENTRY]
        value = np.int64(observation[np.int64(entry[0])])
        if value >= entry[1] and value <= entry[2]:
            column = entry[3] + (value - entry[1]) * entry[4] - place * columns
            if column >= 0 and column < columns:
                add_scaled(out, weights[column * width : (column + 1) * width], 1.0)


@kernel
def draw(logits: Row, legal: Mask, rng: Rng, greedy: Int, memory: Row) -> Int:
    """Return an action by its probability, or the likeliest; keep the logarithm of its probability in the memory.

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
    memory[LOG_PROB] = np.float32(logits[chosen] - logits[best] - math.log(total))
    return chosen


def _find_changes(
    observation: Observation, size: Size, tables: TableArrays, memory: MemoryArrays, is_new: Bool, marks: Row
) -> None:
    """Mark the places and the rows outside the board that the network must encode again.

    Args:   is_new, whether nothing is kept; marks int64[128]: places, then other rows
    Writes: marks; the bytes and the board features that are kept
    """
    for index in range(MARKS):
        marks[index] = 1 if is_new else 0
    last = memory.last.view(np.uint8)[: size.n_bytes]
    is_read = mark_changes(observation, last, tables, size.n_columns, marks)
    if size.n_features == 0 or not (is_new or is_read):
        return
    for index in range(size.n_places * size.n_features):
        memory.new_features[index] = np.float32(0.0)
    board_features(observation, memory.new_features, 0, size.n_features)
    for place in range(size.n_places):
        for index in range(place * size.n_features, (place + 1) * size.n_features):
            if memory.features[index] != memory.new_features[index]:
                marks[place] = 1
                memory.features[index] = memory.new_features[index]


@kernel
def encode_place(
    observation: Observation, size: Size, tables: TableArrays, weights: WeightArrays, memory: MemoryArrays, place: Int
) -> None:
    """Encode a place from its own columns: what it makes of itself, and what it gives to its neighbours."""
    width, encoded = size.place_width, memory.encoded
    own, near = memory.own_parts[place * width : (place + 1) * width], memory.near_parts[place * width :]
    for unit in range(width):
        encoded[unit] = weights.row_bias[unit]
        own[unit] = weights.mix_bias[unit]
        near[unit] = np.float32(0.0)
    count = tables.entries.shape[0] // ENTRY
    add_entries(observation, tables.entries, tables.units, count, place, weights.row_weight, width, encoded)
    add_from_elsewhere(observation, tables.elsewhere, place, size.n_columns, weights.row_weight, width, encoded)
    first = size.n_columns - size.n_features
    for index in range(size.n_features):
        feature = memory.features[place * size.n_features + index]
        if feature != np.float32(0.0):
            add_scaled(encoded, weights.row_weight[(first + index) * width :], feature)
    multiply(encoded, weights.mix_own, own)
    multiply(encoded, weights.mix_near, near[:width])


@kernel
def encode_places(
    observation: Observation, size: Size, tables: TableArrays, weights: WeightArrays, memory: MemoryArrays, marks: Row
) -> None:
    """Bring the encodings of the places up to date, where they or their neighbours are marked."""
    width = size.place_width
    for place in range(size.n_places):
        if marks[place] == 1:
            encode_place(observation, size, tables, weights, memory, place)
    for place in range(size.n_places):
        is_changed = marks[place]
        for index in range(tables.border_start[place], tables.border_start[place + 1]):
            is_changed |= marks[tables.neighbours[index]]
        if is_changed == 0:
            continue
        target = memory.places[place * width : (place + 1) * width]
        for unit in range(width):
            target[unit] = memory.own_parts[place * width + unit]
        for index in range(tables.border_start[place], tables.border_start[place + 1]):
            add_scaled(target, memory.near_parts[np.int64(tables.neighbours[index]) * width :], NEAR_SCALE)


@kernel
def add_places(observation: Observation, size: Size, tables: TableArrays, memory: MemoryArrays) -> None:
    """Add up the places: all, each group, and each by itself on a small board."""
    width = size.place_width
    for index in range(size.n_pooled):
        memory.sums[index] = np.float32(0.0)
    for place in range(size.n_places):
        for unit in range(width):
            memory.encoded[unit] = max(np.float32(0.0), memory.places[place * width + unit]) * np.float32(SUM_SCALE)
        for pool in range(size.n_pools):  # the first holds every place, the others those that have a value in a byte
            test = 2 * (pool - 1)
            if pool == 0 or observation[np.int64(tables.pool_bytes[test]) + place] == tables.pool_bytes[test + 1]:
                add_scaled(memory.sums[pool * width : (pool + 1) * width], memory.encoded, 1.0)
        if size.has_each_place == 1:
            start = (size.n_pools + place) * width
            add_scaled(memory.sums[start : start + width], memory.encoded, 1.0)


@kernel
def fill_base(
    observation: Observation, size: Size, tables: TableArrays, weights: WeightArrays, memory: MemoryArrays, marks: Row
) -> None:
    """Work out the trunk up to its second layer; rows outside the board that are not marked give what they gave before.

    What late bytes gave to the second layer is forgotten, because the places have changed.
    """
    width = size.trunk_width
    for unit in range(width):
        memory.trunk[unit] = weights.trunk_bias[unit]
        memory.base[unit] = weights.second_bias[unit]
    units = tables.units[tables.entries.shape[0] // ENTRY :]
    for group in range(size.n_groups):
        given = memory.parts[group * width : (group + 1) * width]
        if marks[MAX_ROWS + group] == 1:
            for unit in range(width):
                given[unit] = np.float32(0.0)
            begin, end = np.int64(tables.group_start[group]), np.int64(tables.group_start[group + 1])
            entries = tables.outside[begin * ENTRY :]
            add_entries(observation, entries, units[begin:], end - begin, 0, weights.trunk_outside, width, given)
        add_scaled(memory.trunk, given, 1.0)
    multiply(memory.sums, weights.trunk_pooled, memory.trunk)
    multiply(memory.trunk, weights.second_weight, memory.base)
    for slot in range(memory.late_values.shape[0]):
        memory.late_values[slot] = np.float32(0.0)


@kernel
def add_late_places(
    observation: Observation, size: Size, tables: TableArrays, weights: WeightArrays, memory: MemoryArrays
) -> None:
    """Add to the top of the trunk what the places give to it that a late byte marks, such as those of cards laid."""
    width, trunk = size.place_width, size.trunk_width
    for index in range(size.n_late_bytes):
        entry = tables.late_places[index * ENTRY : (index + 1) * ENTRY]
        for place in range(size.n_places):
            value = np.int64(observation[np.int64(entry[0]) + place])
            if value < entry[1] or value > entry[2]:
                continue
            slot = index * size.n_places + place
            given = memory.late_parts[slot * trunk : (slot + 1) * trunk]
            if memory.late_values[slot] != np.float32(value):
                memory.late_values[slot] = np.float32(value)
                for unit in range(trunk):
                    given[unit] = np.float32(0.0)
                kind = (entry[3] + (value - entry[1]) * entry[4]) * width * trunk
                multiply(memory.places[place * width : (place + 1) * width], weights.late_place[kind:], given)
            add_scaled(memory.top, given, 1.0)


@kernel
def fill_top(
    observation: Observation, size: Size, tables: TableArrays, weights: WeightArrays, memory: MemoryArrays
) -> None:
    """Work out the top of the trunk: its second layer, with what the late bytes give."""
    for unit in range(size.trunk_width):
        memory.top[unit] = memory.base[unit]
    count = tables.late_others.shape[0] // ENTRY
    units = tables.units[tables.units.shape[0] - count :]
    add_entries(observation, tables.late_others, units, count, 0, weights.late_other, size.trunk_width, memory.top)
    add_late_places(observation, size, tables, weights, memory)
    for unit in range(size.trunk_width):
        memory.top[unit] = max(np.float32(0.0), memory.top[unit])


@kernel
def score_numbers(legal: Mask, size: Size, weights: WeightArrays, memory: MemoryArrays) -> None:
    """Add to the logits of numbers what they are worth counted down from the highest legal one."""
    highest = -1
    for action in range(size.first_number, size.first_number + size.n_numbers):
        if legal[action] == 1:
            highest = action
    if highest < 0:
        return
    count = highest - size.first_number + 1
    for unit in range(size.trunk_width):
        if memory.top[unit] > np.float32(0.0):
            row = weights.number_weight[unit * size.n_numbers : unit * size.n_numbers + count]
            for index in range(count):
                memory.logits[highest - index] += memory.top[unit] * row[index]


@kernel
def score_places(
    legal: Mask, size: Size, tables: TableArrays, weights: WeightArrays, memory: MemoryArrays, index: Int
) -> None:
    """Add to the logits of a range of actions, by its index, what the places that they name are worth."""
    first, width = np.int64(tables.first_actions[index]), size.place_width
    is_asked = False
    for place in range(size.n_places):
        is_asked = is_asked or legal[first + place] == 1
    if not is_asked:
        return
    begin, end = index * size.trunk_width * width, (index + 1) * size.trunk_width * width
    for unit in range(width):
        memory.factors[unit] = weights.place_bias[index * width + unit]
        memory.shifts[unit] = np.float32(0.0)
    multiply(memory.top, weights.place_scale[begin:end], memory.factors)
    multiply(memory.top, weights.place_shift[begin:end], memory.shifts)
    for place in range(size.n_places):
        if legal[first + place] == 1:
            own, total = memory.places[place * width : (place + 1) * width], np.float32(0.0)
            for unit in range(width):
                total += memory.factors[unit] * max(np.float32(0.0), own[unit] + memory.shifts[unit])
            memory.logits[first + place] += total


@kernel
def score_actions(legal: Mask, size: Size, tables: TableArrays, weights: WeightArrays, memory: MemoryArrays) -> None:
    """Write the logits of all actions; those of illegal ones mean nothing."""
    lowest, highest = size.n_actions, 0
    for action in range(size.n_actions):
        memory.logits[action] = weights.action_bias[action]
        if legal[action] == 1:
            lowest, highest = min(lowest, action), action
    for unit in range(size.trunk_width):
        if memory.top[unit] > np.float32(0.0):
            row = weights.action_weight[unit * size.n_actions + lowest :]
            add_scaled(memory.logits[lowest : highest + 1], row, memory.top[unit])
    score_numbers(legal, size, weights, memory)
    for index in range(size.n_ranges):
        score_places(legal, size, tables, weights, memory, index)


@kernel
def own_value(size: Size, weights: WeightArrays, memory: MemoryArrays) -> Float:
    """Return the share of the win that the network expects for the player who decides."""
    for unit in range(size.value_width):
        memory.hidden[unit] = weights.value_bias[unit]
    multiply(memory.top, weights.value_weight, memory.hidden)
    for player in range(size.n_players):
        memory.shares[player] = weights.share_bias[player]
    multiply(memory.hidden, weights.share_weight, memory.shares)
    total = 0.0
    for player in range(size.n_players):
        total += math.exp(memory.shares[player] - memory.shares[0])
    return 1.0 / total


def network(observation: Observation, legal: Mask, rng: Rng, params: Params, memory: Row) -> Int:
    """Choose an action by the network whose shape and weights are in ``params``; see ``shape.packed``."""
    size, tables, weights, parts = size_of(params), tables_of(params), weights_of(params), memory_of(memory, params)
    marks = stack_ints(MARKS)
    find_changes(observation, size, tables, parts, memory[VALID] == np.float32(0.0), marks)
    memory[VALID] = np.float32(1.0)
    if is_any(marks):
        encode_places(observation, size, tables, weights, parts, marks)
        add_places(observation, size, tables, parts)
        fill_base(observation, size, tables, weights, parts, marks)
    fill_top(observation, size, tables, weights, parts)
    score_actions(legal, size, tables, weights, parts)
    memory[OWN_VALUE] = np.float32(own_value(size, weights, parts))
    return draw(parts.logits, legal, rng, np.int64(params[GREEDY]), memory)


@functools.cache
def policy_of(spec: GameSpec) -> MemoryPolicy:
    """Return the compiled network of a game."""
    game, engine = spec.name, spec.engine
    functions = {"board_features": engine.board_features or no_board_features}
    functions["find_changes"] = bind_kernel(_find_changes, game, engine.source, functions)
    return bind_memory_policy(network, game, engine.source, functions)
