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
    TableArrays,
    memory_of,
    size_of,
    tables_of,
    weights_of,
)  # fmt: skip
from shogun_env.agents.network.shape import NEAR_SCALE, SUM_SCALE
from shogun_env.agents.network.sums import AT_ONCE, add_rows, list_active, multiply
from shogun_env.batch.float_view import board_features, no_board_features
from shogun_env.kernel.jit import LOG_PROB, OWN_VALUE, MemoryPolicy, bind_kernel, bind_memory_policy, kernel, unbound
from shogun_env.kernel.rng import next_uint64
from shogun_env.kernel.scratch import stack_float32s, stack_ints
from shogun_env.kernel.types import Bool, Float, Int, Kernel, Mask, Observation, Params, Rng, Row
from shogun_env.kernel.vectors import LANES
from shogun_env.spec.game_spec import GameSpec

MARKS = 2 * MAX_ROWS
CHUNK = 64
"""Bytes that are compared at once; most chunks are as before."""
UNIT = 2.0**-64
find_changes: Kernel = unbound("find_changes")
"""The game's own copy of ``_find_changes``."""


@kernel
def add_entries(
    observation: Observation, entries: Row, units: Row, count: Int, row: Int, weights: Row, out: Row
) -> None:
    """Add the weights of the columns that entries show to ``out`` float32[m].

    Args:   entries int32[count * 6], see ``arrays.ENTRY``; units float32[count]; row, how far behind its byte to read
    """
    rows, factors = stack_ints(AT_ONCE), stack_float32s(AT_ONCE)
    for begin in range(0, count, AT_ONCE):
        found = 0
        for index in range(begin, min(begin + AT_ONCE, count)):
            entry = entries[index * ENTRY : (index + 1) * ENTRY]
            value, lowest, column = np.int64(observation[entry[0] + row]), np.int64(entry[1]), np.int64(entry[3])
            is_number = lowest < 0
            column += 0 if is_number else (value - lowest) * entry[4]
            rows[found] = column
            factors[found] = np.float32(value / units[index] if is_number else 1.0)
            found += 1 if (value != 0) & (is_number | ((value >= lowest) & (value <= entry[2]))) else 0
        add_rows(out, weights, out.shape[0], rows, factors, found)


@kernel
def mark_changes(observation: Observation, last: Row, tables: TableArrays, columns: Int, marks: Row) -> Int:
    """Mark the rows whose bytes differ from ``last`` uint8[D], which is brought up to date.

    Args:   columns of the board in a view; marks int64[128]
    Returns: whether a byte has changed of which board features are worked out
    """
    features = 0
    for index in range(tables.elsewhere.shape[0] // ENTRY):
        entry = tables.elsewhere[index * ENTRY : (index + 1) * ENTRY]
        byte = np.int64(entry[0])
        if observation[byte] != last[byte]:
            for value in (np.int64(observation[byte]), np.int64(last[byte])):
                if value >= entry[1] and value <= entry[2]:
                    marks[(entry[3] + (value - entry[1]) * entry[4]) // columns] = 1
    for begin in range(0, last.shape[0], CHUNK):
        now, before = observation[begin : begin + CHUNK], last[begin : begin + CHUNK]
        differs = np.uint8(0)
        for index in range(before.shape[0]):
            differs |= now[index] ^ before[index]
        if differs == 0:
            continue
        for index in range(before.shape[0]):
            if now[index] != before[index]:
                before[index] = now[index]
                row = tables.row_of[begin + index]
                if row >= 0:
                    marks[row] = 1
                features |= tables.is_read[begin + index]
    return features


@kernel
def is_any(marks: Row) -> Bool:
    """Say whether anything is marked."""
    found = 0
    for index in range(marks.shape[0]):
        found |= marks[index]
    return found != 0


@kernel
def list_elsewhere(observation: Observation, elsewhere: Row, shown: Row) -> Int:
    """Write into ``shown`` int32[n] the columns of all places that other blocks show; return how many these are."""
    found = 0
    for index in range(elsewhere.shape[0] // ENTRY):
        entry = elsewhere[index * ENTRY : (index + 1) * ENTRY]
        value = np.int64(observation[np.int64(entry[0])])
        if value >= entry[1] and value <= entry[2]:
            shown[found] = entry[3] + (value - entry[1]) * entry[4]
            found += 1
    return found


@kernel
def add_from_elsewhere(shown: Row, place: Int, columns: Int, weights: Row, out: Row) -> None:
    """Add the weights of the flags that other blocks show in a place to ``out`` float32[m]; shown int32[n]."""
    rows, factors = stack_ints(AT_ONCE), stack_float32s(AT_ONCE)
    for begin in range(0, shown.shape[0], AT_ONCE):
        found = 0
        for index in range(begin, min(begin + AT_ONCE, shown.shape[0])):
            column = shown[index] - place * columns
            rows[found], factors[found] = column, np.float32(1.0)
            found += 1 if (column >= 0) & (column < columns) else 0
        add_rows(out, weights, out.shape[0], rows, factors, found)


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


def _find_changes(observation: Observation, params: Params, memory: Row, marks: Row) -> None:
    """Mark the places and the rows outside the board that the network must encode again.

    Args:   marks int64[128]: places, then other rows
    Writes: marks; the bytes and the board features that are kept
    """
    size, tables, kept = size_of(params), tables_of(params), memory_of(memory, params)
    is_new = memory[VALID] == np.float32(0.0)
    memory[VALID] = np.float32(1.0)
    for index in range(MARKS):
        marks[index] = 1 if is_new else 0
    last = kept.last.view(np.uint8)[: size.n_bytes]
    is_read = mark_changes(observation, last, tables, size.n_columns, marks)
    if size.n_features == 0 or not (is_new or is_read):
        return
    for index in range(size.n_places * size.n_features):
        kept.new_features[index] = np.float32(0.0)
    board_features(observation, kept.new_features, 0, size.n_features)
    for place in range(size.n_places):
        for index in range(place * size.n_features, (place + 1) * size.n_features):
            if kept.features[index] != kept.new_features[index]:
                marks[place] = 1
                kept.features[index] = kept.new_features[index]


@kernel
def encode_place(observation: Observation, params: Params, memory: Row, shown: Row, place: Int) -> None:
    """Encode a place from its own columns: what it makes of itself, and what it gives to its neighbours.

    Args:   shown int32[n], see ``list_elsewhere``
    """
    size, tables, weights, kept = size_of(params), tables_of(params), weights_of(params), memory_of(memory, params)
    width = size.place_width
    encoded, begin, end = kept.encoded, place * width, (place + 1) * width
    own, near = kept.own_parts[begin:end], kept.near_parts[begin:end]
    for unit in range(width):
        encoded[unit] = weights.row_bias[unit]
        own[unit] = weights.mix_bias[unit]
        near[unit] = np.float32(0.0)
    count = tables.entries.shape[0] // ENTRY
    add_entries(observation, tables.entries, tables.units, count, place, weights.row_weight, encoded)
    add_from_elsewhere(shown, place, size.n_columns, weights.row_weight, encoded)
    rows, factors = stack_ints(AT_ONCE), stack_float32s(AT_ONCE)
    for index in range(size.n_features):  # they are of either sign
        rows[index] = size.n_columns - size.n_features + index
        factors[index] = kept.features[place * size.n_features + index]
    add_rows(encoded, weights.row_weight, width, rows, factors, size.n_features)
    count = list_active(encoded, rows, factors)
    add_rows(own, weights.mix_own, width, rows, factors, count)
    add_rows(near, weights.mix_near, width, rows, factors, count)


@kernel
def encode_places(observation: Observation, params: Params, memory: Row, marks: Row) -> None:
    """Bring the encodings of the places up to date, where they or their neighbours are marked."""
    size, tables, kept = size_of(params), tables_of(params), memory_of(memory, params)
    width, shown = size.place_width, kept.shown.view(np.int32)
    count = list_elsewhere(observation, tables.elsewhere, shown)
    for place in range(size.n_places):
        if marks[place] == 1:
            encode_place(observation, params, memory, shown[:count], place)
    rows, factors = stack_ints(AT_ONCE), stack_float32s(AT_ONCE)
    for place in range(size.n_places):
        is_changed, found = marks[place], 0
        for index in range(tables.border_start[place], tables.border_start[place + 1]):
            neighbour = np.int64(tables.neighbours[index])
            is_changed |= marks[neighbour]
            rows[found], factors[found] = neighbour, np.float32(NEAR_SCALE)
            found += 1
        if is_changed == 0:
            continue
        target = kept.places[place * width : (place + 1) * width]
        for unit in range(width):
            target[unit] = kept.own_parts[place * width + unit]
        add_rows(target, kept.near_parts, width, rows, factors, found)


@kernel
def add_places(observation: Observation, params: Params, memory: Row) -> None:
    """Add up the places: all, each group, and each by itself on a small board."""
    size, tables, kept = size_of(params), tables_of(params), memory_of(memory, params)
    width = size.place_width
    for index in range(size.n_pooled):
        kept.sums[index] = np.float32(0.0)
    for index in range(size.n_places * width):
        kept.scaled[index] = max(np.float32(0.0), kept.places[index]) * np.float32(SUM_SCALE)
    rows, factors = stack_ints(AT_ONCE), stack_float32s(AT_ONCE)
    for pool in range(size.n_pools):  # the first holds every place, the others those that have a value in a byte
        found, test = 0, 2 * (pool - 1)
        for place in range(size.n_places):
            rows[found], factors[found] = place, np.float32(1.0)
            if pool == 0 or observation[np.int64(tables.pool_bytes[test]) + place] == tables.pool_bytes[test + 1]:
                found += 1
        add_rows(kept.sums[pool * width : (pool + 1) * width], kept.scaled, width, rows, factors, found)
    if size.has_each_place == 1:
        each = kept.sums[size.n_pools * width :]
        for index in range(each.shape[0]):
            each[index] = kept.scaled[index]


@kernel
def fill_base(observation: Observation, params: Params, memory: Row, marks: Row) -> None:
    """Work out the trunk up to its second layer; rows outside the board that are not marked give what they gave before.

    What late bytes gave to the second layer is forgotten, because the places have changed.
    """
    size, tables, weights, kept = size_of(params), tables_of(params), weights_of(params), memory_of(memory, params)
    width = size.trunk_width
    rows, factors = stack_ints(AT_ONCE), stack_float32s(AT_ONCE)
    units = tables.units[tables.entries.shape[0] // ENTRY :]
    for group in range(size.n_groups):
        rows[group], factors[group] = group, np.float32(1.0)
        if marks[MAX_ROWS + group] == 1:
            given = kept.parts[group * width : (group + 1) * width]
            for unit in range(width):
                given[unit] = np.float32(0.0)
            begin, end = np.int64(tables.group_start[group]), np.int64(tables.group_start[group + 1])
            entries = tables.outside[begin * ENTRY :]
            add_entries(observation, entries, units[begin:], end - begin, 0, weights.trunk_outside, given)
    for unit in range(width):
        kept.trunk[unit] = weights.trunk_bias[unit]
        kept.base[unit] = weights.second_bias[unit]
    add_rows(kept.trunk, kept.parts, width, rows, factors, size.n_groups)
    multiply(kept.sums, weights.trunk_pooled, kept.trunk)
    multiply(kept.trunk, weights.second_weight, kept.base)
    for slot in range(kept.late_values.shape[0]):
        kept.late_values[slot] = np.float32(0.0)


@kernel
def add_late_places(observation: Observation, params: Params, memory: Row) -> None:
    """Add to the top of the trunk what the places give to it that a late byte marks, such as those of cards laid."""
    size, tables, weights, kept = size_of(params), tables_of(params), weights_of(params), memory_of(memory, params)
    width, trunk = size.place_width, size.trunk_width
    rows, factors = stack_ints(AT_ONCE), stack_float32s(AT_ONCE)
    for index in range(size.n_late_bytes):
        entry, found = tables.late_places[index * ENTRY : (index + 1) * ENTRY], 0
        for place in range(size.n_places):
            value = np.int64(observation[np.int64(entry[0]) + place])
            if value < entry[1] or value > entry[2]:
                continue
            slot = index * size.n_places + place
            rows[found], factors[found] = slot, np.float32(1.0)
            found += 1
            if kept.late_values[slot] != np.float32(value):
                kept.late_values[slot] = np.float32(value)
                given = kept.late_parts[slot * trunk : (slot + 1) * trunk]
                for unit in range(trunk):
                    given[unit] = np.float32(0.0)
                kind = (entry[3] + (value - entry[1]) * entry[4]) * width * trunk
                multiply(kept.places[place * width : (place + 1) * width], weights.late_place[kind:], given)
        add_rows(kept.top, kept.late_parts, trunk, rows, factors, found)


@kernel
def fill_top(observation: Observation, params: Params, memory: Row) -> None:
    """Work out the top of the trunk: its second layer, with what the late bytes give."""
    size, tables, weights, kept = size_of(params), tables_of(params), weights_of(params), memory_of(memory, params)
    for unit in range(size.trunk_width):
        kept.top[unit] = kept.base[unit]
    count = tables.late_others.shape[0] // ENTRY
    units = tables.units[tables.units.shape[0] - count :]
    add_entries(observation, tables.late_others, units, count, 0, weights.late_other, kept.top)
    add_late_places(observation, params, memory)
    for unit in range(size.trunk_width):
        kept.top[unit] = max(np.float32(0.0), kept.top[unit])


@kernel
def score_numbers(legal: Mask, params: Params, memory: Row, rows: Row, factors: Row, active: Int) -> None:
    """Add to the logits of numbers what they are worth counted down from the highest legal one.

    Args:   rows, factors, active: the units of the top of the trunk that are above 0, see ``list_active``
    """
    size, weights, kept = size_of(params), weights_of(params), memory_of(memory, params)
    highest = -1
    for action in range(size.first_number, size.first_number + size.n_numbers):
        if legal[action] == 1:
            highest = action
    if highest < 0:
        return
    count = highest - size.first_number + 1
    for index in range(count):
        kept.counted[index] = kept.logits[highest - index]
    add_rows(kept.counted[:count], weights.number_weight, size.n_numbers, rows, factors, active)
    for index in range(count):
        kept.logits[highest - index] = kept.counted[index]


@kernel
def score_places(legal: Mask, params: Params, memory: Row, index: Int, rows: Row, factors: Row, active: Int) -> None:
    """Add to the logits of a range of actions, by its index, what the places that they name are worth.

    Args:   rows, factors, active: the units of the top of the trunk that are above 0, see ``list_active``
    """
    size, tables, weights, kept = size_of(params), tables_of(params), weights_of(params), memory_of(memory, params)
    first, width = np.int64(tables.first_actions[index]), size.place_width
    is_asked = False
    for place in range(size.n_places):
        is_asked = is_asked or legal[first + place] == 1
    if not is_asked:
        return
    begin, end = index * size.trunk_width * width, (index + 1) * size.trunk_width * width
    for unit in range(width):
        kept.factors[unit] = weights.place_bias[index * width + unit]
        kept.shifts[unit] = np.float32(0.0)
    add_rows(kept.factors, weights.place_scale[begin:end], width, rows, factors, active)
    add_rows(kept.shifts, weights.place_shift[begin:end], width, rows, factors, active)
    for place in range(size.n_places):
        if legal[first + place] == 1:
            own, total = kept.places[place * width : (place + 1) * width], np.float32(0.0)
            for unit in range(width):
                total += kept.factors[unit] * max(np.float32(0.0), own[unit] + kept.shifts[unit])
            kept.logits[first + place] += total


@kernel
def score_actions(legal: Mask, params: Params, memory: Row, rows: Row, factors: Row, active: Int) -> None:
    """Write the logits of all actions; those of illegal ones mean nothing.

    Args:   rows, factors, active: the units of the top of the trunk that are above 0, see ``list_active``
    """
    size, weights, kept = size_of(params), weights_of(params), memory_of(memory, params)
    lowest, highest = size.n_actions, 0
    for action in range(size.n_actions):
        kept.logits[action] = weights.action_bias[action]
        if legal[action] == 1:
            lowest, highest = min(lowest, action), action
    scored = min(size.n_actions, -(-(highest + 1 - lowest) // LANES) * LANES)  # whole vectors
    lowest = min(lowest, size.n_actions - scored)
    logits = kept.logits[lowest : lowest + scored]
    add_rows(logits, weights.action_weight[lowest:], size.n_actions, rows, factors, active)
    score_numbers(legal, params, memory, rows, factors, active)
    for index in range(size.n_ranges):
        score_places(legal, params, memory, index, rows, factors, active)


@kernel
def own_value(params: Params, memory: Row, rows: Row, factors: Row, active: Int) -> Float:
    """Return the share of the win that the network expects for the player who decides.

    Args:   rows, factors, active: the units of the top of the trunk that are above 0, see ``list_active``
    """
    size, weights, kept = size_of(params), weights_of(params), memory_of(memory, params)
    for unit in range(size.value_width):
        kept.hidden[unit] = weights.value_bias[unit]
    add_rows(kept.hidden, weights.value_weight, size.value_width, rows, factors, active)
    for player in range(size.n_players):
        kept.shares[player] = weights.share_bias[player]
    multiply(kept.hidden, weights.share_weight, kept.shares)
    total = 0.0
    for player in range(size.n_players):
        total += math.exp(kept.shares[player] - kept.shares[0])
    return 1.0 / total


def network(observation: Observation, legal: Mask, rng: Rng, params: Params, memory: Row) -> Int:
    """Choose an action by the network whose shape and weights are in ``params``; see ``shape.packed``."""
    marks = stack_ints(MARKS)
    find_changes(observation, params, memory, marks)
    if is_any(marks):
        encode_places(observation, params, memory, marks)
        add_places(observation, params, memory)
        fill_base(observation, params, memory, marks)
    fill_top(observation, params, memory)
    kept, rows, factors = memory_of(memory, params), stack_ints(AT_ONCE), stack_float32s(AT_ONCE)
    active = list_active(kept.top, rows, factors)
    score_actions(legal, params, memory, rows, factors, active)
    memory[OWN_VALUE] = np.float32(own_value(params, memory, rows, factors, active))
    return draw(kept.logits, legal, rng, np.int64(params[GREEDY]), memory)


@functools.cache
def policy_of(spec: GameSpec) -> MemoryPolicy:
    """Return the compiled network of a game."""
    game, engine = spec.name, spec.engine
    functions = {"board_features": engine.board_features or no_board_features}
    functions["find_changes"] = bind_kernel(_find_changes, game, engine.source, functions)
    bound = bind_memory_policy(network, game, engine.source, functions)
    bound.made_by = (policy_of, (spec,))
    return bound
