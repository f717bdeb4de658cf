"""The arrays of a network, each listed once: by name, in the order in which they lie, with the names of its axes.

The compiled network is one row of numbers, its parameters float64[K]: a header, tables (int32, and the units) and
weights (float32). The header says how large everything is and where each array begins. ``shape.packed`` writes the
parameters, kernels read them by the names below, and torch makes its weights by the same names and axes. A new array
is a new line in a class.
"""

from collections.abc import Iterable
from typing import Annotated, Any, Generic, NamedTuple, TypeAlias, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from shogun_env.kernel.jit import inlined_kernel
from shogun_env.kernel.types import Int, Params

T = TypeVar("T")
"""What is held for each name: an array, or where in the header its beginning is."""
U = TypeVar("U")
Ints: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float32]


class Size(NamedTuple):
    """How large everything is. The axes of arrays are named by these fields."""

    n_bytes: int
    """Bytes of an observation."""
    n_words: int
    """Numbers float32 that have room for these bytes."""
    n_places: int
    place_width: int
    """Numbers by which a place is described."""
    trunk_width: int
    value_width: int
    n_players: int
    """The largest number of players of the game."""
    n_actions: int
    n_ranges: int
    """Ranges of actions that name a place."""
    first_number: int
    """The first action that is a whole number."""
    n_numbers: int
    n_groups: int
    """Rows outside the board."""
    n_pools: int
    """Sums over places: over all, and over each group."""
    has_each_place: int
    """Whether each place goes into the trunk by itself, too."""
    n_pooled: int
    """Numbers about places that go into the trunk."""
    n_features: int
    """Board features of a place."""
    n_columns: int
    """Columns of a place, the board features last."""
    n_outside: int
    """Columns of the view that do not belong to the board."""
    n_elsewhere: int
    """Bytes of other blocks that show something in places."""
    n_late_bytes: int
    """Bytes of a place that are read late."""
    n_late_kinds: int
    """Flags of a place that these show."""
    n_late_columns: int
    """Columns that do not belong to the board and are read late."""


class Tables(NamedTuple, Generic[T, U]):
    """How bytes of an observation become columns, and how places belong together."""

    entries: T
    """int32[n, ENTRY], what the bytes of the first place show; other places have their bytes behind these."""
    elsewhere: T
    """int32[n, ENTRY], what bytes of other blocks show in places."""
    elsewhere_of: T
    """int32[n_bytes], the entry in ``elsewhere`` of a byte; -1 for none."""
    outside: T
    """int32[n, ENTRY], what the rest shows, sorted by group."""
    group_start: T
    """int32[n_groups + 1], the first entry of each group in ``outside``."""
    row_of: T
    """int32[n_bytes], the place of a byte, or MAX_ROWS plus its group."""
    is_read: T
    """int32[n_bytes], 1 for bytes of which board features are worked out."""
    border_start: T
    """int32[n_places + 1], the first neighbour of each place in ``neighbours``."""
    neighbours: T
    """int32[n]."""
    pool_bytes: T
    """int32[n_pools - 1, 2], byte of the first place and the value that puts a place into the group."""
    first_actions: T
    """int32[n_ranges], the action that names the first place."""
    late_places: T
    """int32[n_late_bytes, ENTRY], what the late bytes of the first place show, with a kind in place of a column."""
    late_others: T
    """int32[n, ENTRY], what the other late bytes show."""
    units: U
    """float32[n], what the numbers of ``entries``, then of ``outside``, then of ``late_others``, are counted in."""


class Weights(NamedTuple, Generic[T]):
    """The weights; in files the first ``_`` of a name is a dot. Inputs are the last axis but one."""

    row_weight: Annotated[T, "n_columns", "place_width"]
    row_bias: Annotated[T, "place_width"]
    mix_own: Annotated[T, "place_width", "place_width"]
    mix_near: Annotated[T, "place_width", "place_width"]
    mix_bias: Annotated[T, "place_width"]
    trunk_outside: Annotated[T, "n_outside", "trunk_width"]
    trunk_pooled: Annotated[T, "n_pooled", "trunk_width"]
    trunk_bias: Annotated[T, "trunk_width"]
    second_weight: Annotated[T, "trunk_width", "trunk_width"]
    second_bias: Annotated[T, "trunk_width"]
    action_weight: Annotated[T, "trunk_width", "n_actions"]
    action_bias: Annotated[T, "n_actions"]
    number_weight: Annotated[T, "trunk_width", "n_numbers"]
    place_scale: Annotated[T, "n_ranges", "trunk_width", "place_width"]
    place_shift: Annotated[T, "n_ranges", "trunk_width", "place_width"]
    place_bias: Annotated[T, "n_ranges", "place_width"]
    value_weight: Annotated[T, "trunk_width", "value_width"]
    value_bias: Annotated[T, "value_width"]
    share_weight: Annotated[T, "value_width", "n_players"]
    share_bias: Annotated[T, "n_players"]
    late_place: Annotated[T, "n_late_kinds", "place_width", "trunk_width"]
    late_other: Annotated[T, "n_late_columns", "trunk_width"]


class Memory(NamedTuple, Generic[T]):
    """A player's memory: what is kept from one decision to the next, and room to work in."""

    last: Annotated[T, "n_words"]
    """The bytes of the last decision."""
    features: Annotated[T, "n_places", "n_features"]
    new_features: Annotated[T, "n_places", "n_features"]
    own_parts: Annotated[T, "n_places", "place_width"]
    """What a place makes of itself."""
    near_parts: Annotated[T, "n_places", "place_width"]
    """What it gives to its neighbours."""
    places: Annotated[T, "n_places", "place_width"]
    """The encoding of the places."""
    parts: Annotated[T, "n_groups", "trunk_width"]
    """What each row outside the board gives to the trunk."""
    sums: Annotated[T, "n_pooled"]
    trunk: Annotated[T, "trunk_width"]
    base: Annotated[T, "trunk_width"]
    """What the second layer of the trunk adds up before late bytes are read."""
    late_values: Annotated[T, "n_late_bytes", "n_places"]
    """The late bytes of places for which ``late_parts`` was worked out; 0 for none."""
    late_parts: Annotated[T, "n_late_bytes", "n_places", "trunk_width"]
    """What each of them gives to the second layer."""
    top: Annotated[T, "trunk_width"]
    shown: Annotated[T, "n_elsewhere"]
    """The columns of places, int32, that other blocks show."""
    encoded: Annotated[T, "place_width"]
    scaled: Annotated[T, "n_places", "place_width"]
    """What is added up of the places."""
    factors: Annotated[T, "place_width"]
    shifts: Annotated[T, "place_width"]
    hidden: Annotated[T, "value_width"]
    shares: Annotated[T, "n_players"]
    counted: Annotated[T, "n_numbers"]
    """The logits of numbers, counted down from the highest legal one."""
    logits: Annotated[T, "n_actions"]


TableArrays: TypeAlias = Tables[Ints, Floats]

MAX_ROWS = 64
"""Most places of a board, and most rows of all other blocks together."""
ENTRY = 6
"""Numbers of an entry: byte, lowest, highest value that it is a flag for (-1: a number), column, step, row or group."""
VALID = 0
"""The first number of a memory: whether it holds anything."""
RESERVED = 16
"""Numbers at the beginning of a memory, before ``Memory``: whether it holds anything, and what loops read."""
LINE = 16
"""Each array of weights and of a memory begins at a multiple of this many numbers float32, a line of the processor's
cache. A vector that lies on two lines takes twice the time to load."""
MEMORY_SIZE, GREEDY = 0, 1
"""The first numbers of the header: how long a memory is, and whether the likeliest action is played."""
SIZE_AT = Size._make(range(2, 2 + len(Size._fields)))
"""Where in the header the sizes are. After them come two numbers for each array: where it begins and where it ends."""


def _places(fields: tuple[str, ...], first: int) -> range:
    """Return where in the header the beginnings of arrays are; their ends are right after them."""
    return range(first, first + 2 * len(fields), 2)


TABLES_AT: Tables[int, int] = Tables._make(_places(Tables._fields, SIZE_AT[-1] + 1))
WEIGHTS_AT: Weights[int] = Weights._make(_places(Weights._fields, TABLES_AT[-1] + 2))
MEMORY_AT: Memory[int] = Memory._make(_places(Memory._fields, WEIGHTS_AT[-1] + 2))
HEADER = MEMORY_AT[-1] + 2
"""Numbers of the header."""


def shapes_of(arrays: type[tuple[Any, ...]], size: Size) -> dict[str, tuple[int, ...]]:
    """Return the shape of each array of ``Weights`` or ``Memory``, by name."""
    hints = get_type_hints(arrays, include_extras=True)
    return {name: tuple(getattr(size, axis) for axis in hint.__metadata__) for name, hint in hints.items()}


def spans_of(lengths: Iterable[int], first: int) -> list[tuple[int, int]]:
    """Return where arrays of these lengths begin and end, each at the next line from ``first`` on."""
    spans = []
    for length in lengths:
        begin = -(-first // LINE) * LINE
        first = begin + length
        spans.append((begin, first))
    return spans


@inlined_kernel
def span(params: Params, position: Int) -> slice:
    """Return where an array is, whose beginning is in the header at ``position`` and whose end is right after that."""
    return slice(np.int64(params[position]), np.int64(params[position + 1]))


def _reader(name: str, parameters: str, result: type[Any], at: Iterable[int], read: str, **others: str) -> Any:
    """Return a kernel that makes a named tuple, for which ``read`` says how a field is read from its place ``{}``.

    It is made as text, because numba has no loop over the fields of a tuple; ``others`` are read otherwise, by name.
    """
    fields = [others.get(field, read).format(place) for field, place in zip(result._fields, at, strict=True)]
    text = f"def {name}({parameters}):\n    return {result.__name__}({', '.join(fields)})"
    exec(compile(text, __file__, "exec"), globals())
    return inlined_kernel(globals()[name])


_INTS, _FLOATS = (f"params.view(np.{kind}32)[span(params, {{}})]" for kind in ("int", "float"))
size_of = _reader("size_of", "params", Size, SIZE_AT, "np.int64(params[{}])")
"""``size_of(params)`` returns the sizes."""
tables_of = _reader("tables_of", "params", Tables, TABLES_AT, _INTS, units=_FLOATS)
"""``tables_of(params)`` returns the tables, flat."""
weights_of = _reader("weights_of", "params", Weights, WEIGHTS_AT, _FLOATS)
"""``weights_of(params)`` returns the weights, flat."""
memory_of = _reader("memory_of", "memory, params", Memory, MEMORY_AT, "memory[span(params, {})]")
"""``memory_of(memory, params)`` returns the parts of a player's memory float32[M], flat."""
