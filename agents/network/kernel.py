"""The network as a compiled policy: it keeps what it has worked out for a player and updates what has changed.

Between two decisions of a player few bytes of what they see change. A place whose own bytes are the same keeps its
encoding; sums, trunk and heads are computed again. What is kept is recomputed place by place, never added up, so the
result does not depend on the decisions before.
"""

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
from shogun_env.batch.shared import engine, shared
from shogun_env.kernel.jit import LOG_PROB, OWN_VALUE, MemoryPolicy, kernel, memory_policy
from shogun_env.kernel.rng import next_uint64
from shogun_env.kernel.scratch import stack_float32s, stack_ints
from shogun_env.kernel.types import Bool, Float, Int, Mask, Observation, Params, Rng, Row
from shogun_env.kernel.vectors import BLOCK, LANES, differing, lowest_bit
from shogun_env.spec.game_spec import GameSpec

MARKS = 2 * MAX_ROWS
UNIT = 2.0**-64


@kernel
def list_entries(
    observation: Observation, entries: Row, units: Row, count: Int, row: Int, rows: Row, factors: Row
) -> Int:  # fmt: skip
    """List the columns that entries show, and their factors; return how many these are.

    Args:   entries int32[count * 6], see ``arrays.ENTRY``; units float32[count]; row, how far behind its byte to read
    """
    found = np.uint64(0)
    for index in range(count):
        begin = np.uint64(index * ENTRY)
        entry = entries[begin : begin + np.uint64(ENTRY)]
        value = np.int64(observation[np.uint64(entry[0] + row)])
        if value == 0:
            continue
        if entry[1] < 0:
            rows[found], factors[found] = entry[3], np.float32(value) / units[np.uint64(index)]
            found += np.uint64(1)
        else:
            rows[found], factors[found] = entry[3] + (value - entry[1]) * entry[4], np.float32(1.0)
            found += np.uint64((value >= entry[1]) & (value <= entry[2]))
    return np.int64(found)


@kernel
def mark_changes(observation: Observation, last: Row, tables: TableArrays, columns: Int, marks: Row) -> Int:
    """Mark the rows whose bytes differ from ``last`` uint8[D], which is brought up to date.

    Args:   columns of the board in a view; marks int64[128]
    Returns: whether a byte has changed of which board features are worked out
    """
    features = 0
    for begin in range(0, last.shape[0], BLOCK):
        bits = differing(observation, last, begin)
        while bits != 0:
            byte = begin + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            if tables.elsewhere_of[byte] >= 0:
                entry = tables.elsewhere[tables.elsewhere_of[byte] * ENTRY :]
                for value in (np.int64(observation[byte]), np.int64(last[byte])):
                    if value >= entry[1] and value <= entry[2]:
                        marks[(entry[3] + (value - entry[1]) * entry[4]) // columns] = 1
            last[byte] = observation[byte]
            if tables.row_of[byte] >= 0:
                marks[tables.row_of[byte]] = 1
            features |= tables.is_read[byte]
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
def draw(logits: Row, actions: Row, chances: Row, count: Int, rng: Rng, greedy: Int, memory: Row) -> Int:
    """Return an action by its probability, or the likeliest; keep the logarithm of its probability in the memory.

    Args:   actions int64[count], the legal ones; chances float32[count], written
    Draws:  one unless greedy
    """
    best, total = actions[0], 0.0
    for index in range(1, count):
        if logits[actions[index]] > logits[best]:
            best = actions[index]
    for index in range(count):
        chances[index] = math.exp(logits[actions[index]] - logits[best])
        total += chances[index]
    chosen = best
    if greedy == 0:
        left = next_uint64(rng) * UNIT * total
        for index in range(count):
            left -= chances[index]
            if left < 0.0:
                chosen = actions[index]
                break
    memory[LOG_PROB] = np.float32(logits[chosen] - logits[best] - math.log(total))
    return chosen


@shared(kernel)
def find_changes(observation: Observation, params: Params, memory: Row, marks: Row) -> None:
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
    engine.board_features(observation, kept.new_features, 0, size.n_features)
    for place in range(size.n_places):
        for index in range(place * size.n_features, (place + 1) * size.n_features):
            marks[place] |= kept.features[index] != kept.new_features[index]
            kept.features[index] = kept.new_features[index]


@kernel
def encode_place(observation: Observation, params: Params, memory: Row, shown: Row, place: Int) -> None:
    """Encode a place from its own columns: what it makes of itself, and what it gives to its neighbours.

    Args:   shown int32[n], see ``list_elsewhere``
    """
    size, tables, weights, kept = size_of(params), tables_of(params), weights_of(params), memory_of(memory, params)
    width, first = size.place_width, place * size.n_columns
    begin, end = place * width, (place + 1) * width
    rows, factors = stack_ints(AT_ONCE), stack_float32s(AT_ONCE)
    count = tables.entries.shape[0] // ENTRY
    count = list_entries(observation, tables.entries, tables.units, count, place, rows, factors)
    for index in range(shown.shape[0]):
        rows[count], factors[count] = shown[index] - first, np.float32(1.0)
        count += 1 if (shown[index] >= first) & (shown[index] < first + size.n_columns) else 0
    for index in range(size.n_features):  # they are of either sign
        rows[count] = size.n_columns - size.n_features + index
        factors[count] = kept.features[place * size.n_features + index]
        count += factors[count] != 0
    add_rows(kept.encoded, weights.row_bias, weights.row_weight, width, rows, factors, count)
    count = list_active(kept.encoded, rows, factors)
    add_rows(kept.own_parts[begin:end], weights.mix_bias, weights.mix_own, width, rows, factors, count)
    add_rows(kept.near_parts[begin:end], weights.mix_bias[:0], weights.mix_near, width, rows, factors, count)


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
        begin, end = place * width, (place + 1) * width
        add_rows(kept.places[begin:end], kept.own_parts[begin:end], kept.near_parts, width, rows, factors, found)


@kernel
def add_places(observation: Observation, params: Params, memory: Row) -> None:
    """Add up the places: all, each group, and each by itself on a small board."""
    size, tables, kept = size_of(params), tables_of(params), memory_of(memory, params)
    width = size.place_width
    for index in range(size.n_places * width):
        kept.scaled[index] = max(np.float32(0.0), kept.places[index]) * np.float32(SUM_SCALE)
    rows, factors = stack_ints(AT_ONCE), stack_float32s(AT_ONCE)
    for pool in range(size.n_pools):  # the first holds every place, the others those that have a value in a byte
        found, test = 0, 2 * (pool - 1)
        for place in range(size.n_places):
            rows[found], factors[found] = place, np.float32(1.0)
            if pool == 0 or observation[np.int64(tables.pool_bytes[test]) + place] == tables.pool_bytes[test + 1]:
                found += 1
        sums = kept.sums[pool * width : (pool + 1) * width]
        add_rows(sums, sums[:0], kept.scaled, width, rows, factors, found)
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
        if marks[MAX_ROWS + group] == 1:
            given = kept.parts[group * width : (group + 1) * width]
            begin, end = np.int64(tables.group_start[group]), np.int64(tables.group_start[group + 1])
            entries = tables.outside[begin * ENTRY :]
            count = list_entries(observation, entries, units[begin:], end - begin, 0, rows, factors)
            add_rows(given, given[:0], weights.trunk_outside, width, rows, factors, count)
    for group in range(size.n_groups):
        rows[group], factors[group] = group, np.float32(1.0)
    add_rows(kept.trunk, weights.trunk_bias, kept.parts, width, rows, factors, size.n_groups)
    multiply(kept.sums, weights.trunk_pooled, kept.trunk, kept.trunk)
    multiply(kept.trunk, weights.second_weight, weights.second_bias, kept.base)
    for slot in range(kept.late_values.shape[0]):
        kept.late_values[slot] = np.float32(0.0)


@kernel
def list_late_places(observation: Observation, params: Params, memory: Row, rows: Row, factors: Row) -> Int:
    """List what places give to the top of the trunk that a late byte marks, such as those of cards laid."""
    size, tables, weights, kept = size_of(params), tables_of(params), weights_of(params), memory_of(memory, params)
    width, trunk, found = size.place_width, size.trunk_width, 0
    for index in range(size.n_late_bytes):
        entry = tables.late_places[index * ENTRY : (index + 1) * ENTRY]
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
                kind = (entry[3] + (value - entry[1]) * entry[4]) * width * trunk
                own = kept.places[place * width : (place + 1) * width]
                multiply(own, weights.late_place[kind:], given[:0], given)
    return found


@kernel
def fill_top(observation: Observation, params: Params, memory: Row, rows: Row, factors: Row) -> None:
    """Work out the top of the trunk: its second layer, with what the late bytes give.

    Args:   rows, factors: room for what is listed
    """
    size, tables, weights, kept = size_of(params), tables_of(params), weights_of(params), memory_of(memory, params)
    count = tables.late_others.shape[0] // ENTRY
    units = tables.units[tables.units.shape[0] - count :]
    found = list_entries(observation, tables.late_others, units, count, 0, rows, factors)
    add_rows(kept.top, kept.base, weights.late_other, size.trunk_width, rows, factors, found)
    found = list_late_places(observation, params, memory, rows, factors)
    add_rows(kept.top, kept.top, kept.late_parts, size.trunk_width, rows, factors, found)


@kernel
def score_numbers(legal: Row, params: Params, memory: Row, rows: Row, factors: Row, active: Int) -> None:
    """Add to the logits of numbers what they are worth counted down from the highest legal one.

    Args:   see ``score_actions``
    """
    size, weights, kept = size_of(params), weights_of(params), memory_of(memory, params)
    highest = -1
    for index in range(legal.shape[0]):
        if legal[index] >= size.first_number and legal[index] < size.first_number + size.n_numbers:
            highest = legal[index]
    if highest < 0:
        return
    count = highest - size.first_number + 1
    for index in range(count):
        kept.counted[index] = kept.logits[highest - index]
    counted = kept.counted[:count]
    add_rows(counted, counted, weights.number_weight, size.n_numbers, rows, factors, active)
    for index in range(count):
        kept.logits[highest - index] = kept.counted[index]


@kernel
def score_places(legal: Row, params: Params, memory: Row, index: Int, rows: Row, factors: Row, active: Int) -> None:
    """Add to the logits of a range of actions, by its index, what the places that they name are worth.

    Args:   see ``score_actions``
    """
    size, tables, weights, kept = size_of(params), tables_of(params), weights_of(params), memory_of(memory, params)
    first, width = np.int64(tables.first_actions[index]), size.place_width
    is_new = True
    for at in range(legal.shape[0]):
        place = legal[at] - first
        if place < 0 or place >= size.n_places:
            continue
        if is_new:
            is_new = False
            begin, end = index * size.trunk_width * width, (index + 1) * size.trunk_width * width
            bias = weights.place_bias[index * width : (index + 1) * width]
            add_rows(kept.factors, bias, weights.place_scale[begin:end], width, rows, factors, active)
            add_rows(kept.shifts, bias[:0], weights.place_shift[begin:end], width, rows, factors, active)
        own, total = kept.places[place * width : (place + 1) * width], np.float32(0.0)
        for unit in range(width):
            total += kept.factors[unit] * max(np.float32(0.0), own[unit] + kept.shifts[unit])
        kept.logits[first + place] += total


@kernel
def score_actions(legal: Row, params: Params, memory: Row, rows: Row, factors: Row, active: Int) -> None:
    """Write the logits of all actions; those of illegal ones mean nothing.

    Args:   legal int64[n], the legal actions, in order; rows, factors, active: the units of the top of the trunk that
            are above 0, see ``list_active``
    """
    size, weights, kept = size_of(params), weights_of(params), memory_of(memory, params)
    lowest, highest = legal[0], legal[legal.shape[0] - 1]
    scored = min(size.n_actions, -(-(highest + 1 - lowest) // LANES) * LANES)  # whole vectors
    lowest = min(lowest, size.n_actions - scored)
    logits, bias = kept.logits[lowest : lowest + scored], weights.action_bias[lowest : lowest + scored]
    add_rows(logits, bias, weights.action_weight[lowest:], size.n_actions, rows, factors, active)
    score_numbers(legal, params, memory, rows, factors, active)
    for index in range(size.n_ranges):
        score_places(legal, params, memory, index, rows, factors, active)


@kernel
def own_value(params: Params, memory: Row, rows: Row, factors: Row, active: Int) -> Float:
    """Return the share of the win that the network expects for the player who decides.

    Args:   rows, factors, active: the units of the top of the trunk that are above 0, see ``list_active``
    """
    size, weights, kept = size_of(params), weights_of(params), memory_of(memory, params)
    add_rows(kept.hidden, weights.value_bias, weights.value_weight, size.value_width, rows, factors, active)
    multiply(kept.hidden, weights.share_weight, weights.share_bias, kept.shares)
    total = 0.0
    for player in range(size.n_players):
        total += math.exp(kept.shares[player] - kept.shares[0])
    return 1.0 / total


@shared(memory_policy)
def network(observation: Observation, legal: Mask, rng: Rng, params: Params, memory: Row) -> Int:
    """Choose an action by the network whose shape and weights are in ``params``; see ``shape.packed``."""
    marks = stack_ints(MARKS)
    find_changes(observation, params, memory, marks)
    if is_any(marks):
        encode_places(observation, params, memory, marks)
        add_places(observation, params, memory)
        fill_base(observation, params, memory, marks)
    kept, rows, factors = memory_of(memory, params), stack_ints(AT_ONCE), stack_float32s(AT_ONCE)
    fill_top(observation, params, memory, rows, factors)
    active = list_active(kept.top, rows, factors)
    actions, count = stack_ints(AT_ONCE), 0
    for action in range(legal.shape[0]):
        actions[count] = action
        count += legal[action]
    score_actions(actions[:count], params, memory, rows, factors, active)
    memory[OWN_VALUE] = np.float32(own_value(params, memory, rows, factors, active))
    return draw(kept.logits, actions, factors, count, rng, np.int64(params[GREEDY]), memory)


def policy_of(spec: GameSpec) -> MemoryPolicy:
    """Return the compiled network of a game."""
    bound = network.of(spec.engine)
    bound.made_by, bound.reads = (policy_of, (spec,)), spec.obs_size
    return bound
