"""The tree of a game, written down by a compiled loop: every decision, every outcome of chance, every end.

The loop plays a game with a tape of the outcomes so far. Where the tape ends, the log says what is asked for
(``kernel.log.ask``), and the tree branches. The rules are those of the engine; nothing of a game is written again here.
"""

from typing import Annotated, NamedTuple

import numpy as np

from shogun_env.batch.loops import NO_ACTION, advance, copy_row
from shogun_env.batch.shared import engine, shared
from shogun_env.kernel.chance import count_ones, number_at
from shogun_env.kernel.jit import kernel, loop
from shogun_env.kernel.log import ASK, ASK_MORE, HEAD, LENGTH, TAPE, WIDTH
from shogun_env.kernel.rng import mix
from shogun_env.kernel.types import Int, Log, Observation, Row, Rows, State, UInt64

CHANCE, OVER = -1, -2
"""What stands for the decider of a node at which chance decides, and of one at which the game is over."""
COLOURS = 6
"""Numbers of an outcome of a throw."""
MOST_OUTCOMES = 4096
"""Outcomes of a throw for which there is room."""
LONGEST_TAPE = 256
"""Numbers of the tape between two decisions for which there is room."""
DEEPEST = 200
"""Nodes from the root to an end for which there is room."""
N_NODES, N_SETS, N_ACTIONS, N_ENDS, DEPTH, FAULT = 0, 1, 2, 3, 4, 5
"""Indices of the counters."""
NO_LIST, NO_ROOM, BAD_STATE = 1, 2, 3
"""Faults: a throw's outcomes cannot be listed; the tree is too deep or a tape too long; the engine found an error."""

_ONE = np.uint64(1)


class TreeArrays(NamedTuple):
    """A tree that grows; nodes stand in the order in which they are reached, parents before children.

    Axes: N nodes, I information sets with J actions together, E ends, P players, and room for H keys.
    """

    parents: Annotated[np.ndarray, np.int32, "N"]
    """The node above; -1 for the root."""
    slots: Annotated[np.ndarray, np.int16, "N"]
    """Which action or outcome of the parent leads here, counted from 0."""
    chances: Annotated[np.ndarray, np.float64, "N"]
    """The probability of that outcome; 1 below a decision."""
    deciders: Annotated[np.ndarray, np.int8, "N"]
    """The player who decides, CHANCE or OVER."""
    sets: Annotated[np.ndarray, np.int32, "N"]
    """The information set of a decision; the number of an end; -1 at chance."""
    owners: Annotated[np.ndarray, np.int8, "I"]
    """Whose information set it is."""
    firsts: Annotated[np.ndarray, np.int32, "I"]
    """Its first node."""
    counts: Annotated[np.ndarray, np.int16, "I"]
    """Its number of actions."""
    begins: Annotated[np.ndarray, np.int32, "I"]
    """Where its actions begin in ``actions``."""
    states: Annotated[np.ndarray, "STATE", "I"]
    """The state of its first node."""
    actions: Annotated[np.ndarray, np.int16, "J"]
    """The actions of all information sets."""
    returns: Annotated[np.ndarray, np.float64, "E", "P"]
    """The sum of each player's rewards at the ends."""
    keys: Annotated[np.ndarray, np.uint64, "H"]
    """A table of what players know by information set: hashes, 0 for a free place."""
    found: Annotated[np.ndarray, np.int32, "H"]
    """The information sets of ``keys``."""


class TreeStack(NamedTuple):
    """The nodes from the root to the one that is being expanded; A actions and P players."""

    states: Annotated[np.ndarray, "STATE", DEEPEST]
    """States at decisions."""
    bases: Annotated[np.ndarray, np.int16, DEEPEST]
    """Where the state stands from which a node is reached on."""
    nodes: Annotated[np.ndarray, np.int32, DEEPEST]
    """Their numbers."""
    actions: Annotated[np.ndarray, np.int64, DEEPEST]
    """At chance the action that is being carried out."""
    done: Annotated[np.ndarray, np.int32, DEEPEST]
    """How many of their branches have been followed."""
    branches: Annotated[np.ndarray, np.int32, DEEPEST]
    """How many they have."""
    legal: Annotated[np.ndarray, np.int16, DEEPEST, "A"]
    """The actions of a decision."""
    tapes: Annotated[np.ndarray, np.int16, DEEPEST, LONGEST_TAPE]
    """At chance the outcomes so far, as pairs."""
    lengths: Annotated[np.ndarray, np.int32, DEEPEST]
    """Numbers of these tapes."""
    kinds: Annotated[np.ndarray, np.int16, DEEPEST]
    """The kind of the outcome that is asked for."""
    widths: Annotated[np.ndarray, np.int16, DEEPEST]
    """Numbers of an outcome: 1, or one per colour."""
    values: Annotated[np.ndarray, np.int16, DEEPEST, MOST_OUTCOMES, COLOURS]
    """The outcomes."""
    shares: Annotated[np.ndarray, np.float64, DEEPEST, MOST_OUTCOMES]
    """Their probabilities."""
    known: Annotated[np.ndarray, np.uint64, DEEPEST, "P"]
    """A hash of what each player has seen and done."""
    seen: Annotated[np.ndarray, np.uint64, DEEPEST, "P"]
    """A hash of what each was shown last."""


@kernel
def hash_of(o: Observation) -> UInt64:
    """Return a hash of the bytes of an observation; their number is a multiple of 4."""
    words = o.view(np.uint32)
    total = np.uint64(14695981039346656037)
    for index in range(words.shape[0]):
        total = mix(total ^ np.uint64(words[index]))
    return total


@kernel
def lay_tape(log: Log, tape: Row) -> None:
    """Empty a log and put a tape at its end."""
    begin = log.shape[0] - tape.shape[0]
    log[:HEAD] = 0
    copy_row(tape, log[begin:])
    log[TAPE] = begin


@kernel
def asked_at(log: Log) -> Int:
    """Return where in a log the entry stands that asks for an outcome; -1 if none does."""
    for entry in range(np.int64(log[LENGTH])):
        at = HEAD + WIDTH * entry
        if log[at] == ASK:
            return at
    return np.int64(-1)


@kernel
def part_of(log: Log, at: Int) -> Int:
    """Return sixteen bits of a set, as ``ask`` logs them."""
    return np.int64(log[at]) & 0xFFFF


@shared(kernel)
def read_outcomes(g: State, log: Log, at: Int, values: Rows, shares: Row) -> Int:
    """Write the outcomes that are asked for, each with its probability; return how many, -1 if that is not possible.

    Args:   g, at its options; log; at, where the entry stands; values int16[n, COLOURS]; shares float64[n]
    """
    candidates = part_of(log, at + 2) | (part_of(log, at + 3) << 16)
    candidates |= (part_of(log, at + 4) << 32) | (part_of(log, at + 5) << 48)
    if candidates == 0:
        thrown, inside = log[at - WIDTH + 1 : at - WIDTH + 1 + COLOURS], log[at + WIDTH + 1 : at + WIDTH + 1 + COLOURS]
        return engine.throw_outcomes(g, thrown, inside, values, shares)
    count = count_ones(candidates)
    more = at + WIDTH
    is_counted = more < HEAD + WIDTH * np.int64(log[LENGTH]) and log[more] == ASK_MORE
    total = 0.0
    for index in range(count):
        number = number_at(candidates, np.int64(index))
        values[index, 0] = number
        shares[index] = np.float64(log[more + WIDTH * number + 2]) if is_counted else 1.0
        total += shares[index]
    for index in range(count):
        shares[index] /= total
    return count


@kernel
def find_set(tree: TreeArrays, key: UInt64) -> Int:
    """Return where in the table of keys a key stands or, with the sign turned and one less, where it is to be put."""
    size = np.uint64(tree.keys.shape[0])
    at = np.int64(key % size)
    while tree.keys[at] != 0 and tree.keys[at] != key:
        at = (at + 1) % tree.keys.shape[0]
    return at if tree.keys[at] == key else -1 - at


@kernel
def take_branch(tree: TreeArrays, stack: TreeStack, depth: Int) -> tuple[Int, Int, Int]:
    """Follow the next branch of the node at ``depth``; return base and action of the step, and the tape's length.

    Writes: done; what the players know at the next depth; the tape at the end of ``tapes``
    """
    tape, slot = stack.tapes[stack.tapes.shape[0] - 1], np.int64(stack.done[depth])
    stack.done[depth] += 1
    for player in range(stack.known.shape[1]):
        stack.known[depth + 1, player] = stack.known[depth, player]
        stack.seen[depth + 1, player] = stack.seen[depth, player]
    decider = np.int64(tree.deciders[stack.nodes[depth]])
    if decider != CHANCE:
        action = np.int64(stack.legal[depth, slot])
        known = stack.known[depth + 1, decider]
        stack.known[depth + 1, decider] = mix(known ^ mix(np.uint64(action) + _ONE))
        return np.int64(stack.bases[depth]), action, np.int64(0)
    length = np.int64(stack.lengths[depth])
    copy_row(stack.tapes[depth], tape[:length])
    length = add_outcome(stack, depth, slot, tape, length)
    return np.int64(stack.bases[depth]), np.int64(stack.actions[depth]), length


@kernel
def add_outcome(stack: TreeStack, depth: Int, index: Int, tape: Row, length: Int) -> Int:
    """Write an outcome at the end of a tape and return the tape's length."""
    for number in range(stack.widths[depth]):
        tape[length] = stack.kinds[depth]
        tape[length + 1] = stack.values[depth, index, number]
        length += 2
    return length


@shared(kernel)
def carry_out(
    template: Row, stack: TreeStack, counters: Row, depth: Int, base: Int, action: Int, length: Int, log: Log, rng: Row,
    mask: Row,
) -> tuple[Int, Int]:  # fmt: skip
    """Carry an action out from a state as far as the tape says what chance brings.

    An outcome that is certain is put on the tape. What is asked for is written at ``depth``, next to the state.

    Args: base, where the state stands; -1 for the start of the game.
    Returns: how many outcomes are asked for, 0 if a decision or the end is reached; the tape's length.
    """
    tape = stack.tapes[stack.tapes.shape[0] - 1]
    while True:
        stack.states[depth] = template[0] if base < 0 else stack.states[base]
        lay_tape(log, tape[:length])
        if base < 0:
            engine.start(stack.states[depth], rng, log)
        advance(stack.states[depth], rng, log, action, mask)
        at = asked_at(log)
        if at < 0:
            return np.int64(0), length
        source = template[0] if base < 0 else stack.states[base]
        count = read_outcomes(source, log, at, stack.values[depth], stack.shares[depth])
        is_throw = log[at + 2] == 0 and log[at + 3] == 0 and log[at + 4] == 0 and log[at + 5] == 0
        stack.kinds[depth], stack.widths[depth] = log[at + 1], COLOURS if is_throw else 1
        if count < 1 or length + 2 * COLOURS > stack.tapes.shape[1]:
            counters[FAULT] = NO_LIST if count < 1 else NO_ROOM
            return np.int64(0), length
        if count > 1:
            return count, length
        length = add_outcome(stack, depth, np.int64(0), tape, length)


@shared(kernel)
def add_decision(tree: TreeArrays, stack: TreeStack, counters: Row, depth: Int, mask: Row, shown: Observation) -> None:
    """Write down the node at ``depth``, at which a player decides, with its information set."""
    g, node = stack.states[depth], np.int64(stack.nodes[depth])
    for player in range(stack.known.shape[1]):
        engine.observe(g, player, shown)
        now = hash_of(shown)
        if now != stack.seen[depth, player]:
            stack.seen[depth, player] = now
            stack.known[depth, player] = mix(stack.known[depth, player] ^ now)
    decider, count = np.int64(g["player"]), np.int64(0)
    for index in range(mask.shape[0]):
        if mask[index] == 1:
            stack.legal[depth, count] = index
            count += 1
    stack.bases[depth], stack.branches[depth] = depth, count
    key = mix(stack.known[depth, decider] + np.uint64(decider)) | _ONE
    place = find_set(tree, key)
    if place < 0:
        place = -1 - place
        number = counters[N_SETS]
        counters[N_SETS] += 1
        tree.keys[place], tree.found[place] = key, number
        tree.owners[number], tree.firsts[number], tree.counts[number] = decider, node, count
        tree.begins[number] = counters[N_ACTIONS]
        for index in range(count):
            tree.actions[counters[N_ACTIONS] + index] = stack.legal[depth, index]
        counters[N_ACTIONS] += count
        tree.states[number] = g
    tree.deciders[node], tree.sets[node] = decider, tree.found[place]
    if tree.counts[tree.found[place]] != count:
        counters[FAULT] = BAD_STATE


@shared(kernel)
def add_end(tree: TreeArrays, stack: TreeStack, counters: Row, depth: Int, reward: Int) -> None:
    """Write down the node at ``depth``, at which the game is over."""
    node, end = np.int64(stack.nodes[depth]), counters[N_ENDS]
    tree.deciders[node], tree.sets[node] = OVER, end
    for player in range(tree.returns.shape[1]):
        tree.returns[end, player] = engine.reward_so_far(stack.states[depth], player, reward)
    counters[N_ENDS] += 1
    counters[DEPTH] = depth - 1


@kernel
def add_chance(
    tree: TreeArrays, stack: TreeStack, depth: Int, base: Int, action: Int, length: Int, count: Int
) -> None:  # fmt: skip
    """Write down the node at ``depth``, at which chance decides."""
    node = np.int64(stack.nodes[depth])
    tree.deciders[node], tree.sets[node] = CHANCE, -1
    stack.bases[depth], stack.actions[depth], stack.branches[depth] = base, action, count
    copy_row(stack.tapes[stack.tapes.shape[0] - 1], stack.tapes[depth, :length])
    stack.lengths[depth] = length


@kernel
def add_node(tree: TreeArrays, stack: TreeStack, counters: Row, depth: Int) -> None:
    """Write down how the node at ``depth`` is reached."""
    node = counters[N_NODES]
    tree.parents[node], tree.slots[node], tree.chances[node] = -1, 0, 1.0
    if depth > 0:
        above = np.int64(stack.nodes[depth - 1])
        slot = np.int64(stack.done[depth - 1]) - 1
        tree.parents[node], tree.slots[node] = above, slot
        if tree.deciders[above] == CHANCE:
            tree.chances[node] = stack.shares[depth - 1, slot]
    stack.nodes[depth], stack.done[depth] = node, 0
    counters[N_NODES] += 1
    counters[DEPTH] = depth


@shared(loop)
def grow_tree(
    template: Row, tree: TreeArrays, stack: TreeStack, counters: Row, log: Log, rng: Row, mask: Row, shown: Observation,
    reward: Int, limit: Int,
) -> Int:  # fmt: skip
    """Write down up to ``limit`` nodes of a tree, which must have room for them; return how many nodes are left open.

    Args:
        template: STATE[1], blank but for its options; the root is its start.
        counters: int64[6], carried from call to call; all zeros but DEPTH -1 before the first.
        log, rng, mask, shown: scratch: int16[L], uint64[2], int8[A], uint8[D].
    """
    until = counters[N_NODES] + limit
    while counters[FAULT] == 0 and counters[N_NODES] < until and (counters[DEPTH] >= 0 or counters[N_NODES] == 0):
        depth = counters[DEPTH]
        base, action, length = np.int64(-1), np.int64(NO_ACTION), np.int64(0)
        if depth >= 0:
            if stack.done[depth] == stack.branches[depth]:
                counters[DEPTH] -= 1
                continue
            base, action, length = take_branch(tree, stack, depth)
        depth += 1
        if depth + 2 > stack.states.shape[0]:
            counters[FAULT] = NO_ROOM
            break
        count, length = carry_out(template, stack, counters, depth, base, action, length, log, rng, mask)
        add_node(tree, stack, counters, depth)
        if count > 0:
            add_chance(tree, stack, depth, base, action, length, count)
        elif stack.states[depth]["error"] != 0:
            counters[FAULT] = counters[FAULT] or BAD_STATE
        elif stack.states[depth]["phase"] == engine.over:
            add_end(tree, stack, counters, depth, reward)
        else:
            add_decision(tree, stack, counters, depth, mask, shown)
    return counters[DEPTH] + 1


@shared(loop)
def list_outcomes(
    games: Row, action: Int, tape: Row, log: Log, rng: Row, mask: Row, values: Rows, shares: Row
) -> Int:  # fmt: skip
    """Write what chance may bring next when a game goes on with ``action`` after the outcomes of ``tape``.

    Args:
        games: STATE[2], the game and one that is overwritten by the state that is reached.
        tape: int16[T], outcomes as pairs of kind and value.
        log: its entries then say what has happened, and what is asked for.

    Returns: how many outcomes there are, 0 if the tape holds all of them, -1 if they cannot be listed.
    """
    games[1] = games[0]
    lay_tape(log, tape)
    advance(games[1], rng, log, action, mask)
    at = asked_at(log)
    if at < 0:
        return 0
    return read_outcomes(games[0], log, at, values, shares)
