"""The shape of a network for a game, and its parameters as compiled code reads them.

Every place of the board is encoded by the same weights from its own columns; what its neighbours are is added along the
borders. Sums over places, over all and over groups such as an owner or a region, go into the trunk together with the
rest of the view. An action that names a place is scored from that place and the trunk, every other action from the
trunk alone. A game without a board has the trunk only. ``arrays`` lists the arrays.

Slices that change while a player makes several decisions in one position, such as the cards of a plan, can be read
late: all that comes before the second layer of the trunk is the same for these decisions, and is worked out once. What
late bytes say goes into the second layer, a flag of a place together with the encoding of that place.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from shogun_env.agents.network import arrays as at
from shogun_env.agents.network.arrays import ENTRY, MAX_ROWS, Ints, Memory, Size, TableArrays, Tables, Weights
from shogun_env.batch.float_view import FloatView
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.layout import Board

WIDTHS = ("place_width", "trunk_width", "value_width")
WIDEST = 2048
"""The widest layer: a file that asks for more, and so for gigabytes, is not a network that anybody would play."""
FEW_PLACES = 16
"""A board of at most this many places goes into the trunk place by place, besides the sums."""
HEAD_SPREAD = 0.01
"""Spread of the first weights of heads, times the root of their inputs: a new policy is to try everything (Andrychowicz
et al. 2021, arXiv 2006.05990). With 0.1 the sums over places made some actions of Shogun all but impossible: a wide
network began with hardly an attack, and made hardly any after 76 million decisions of self-play."""
NEAR_SCALE, SUM_SCALE = 0.25, 0.125
"""What sums over neighbours and over places are multiplied by, so that they are about as large as one place."""
LATE = ("late_place", "late_other")
"""The weights that only a network has that reads some slices late."""
SIZE_NAMES = {"place_width": "row", "trunk_width": "trunk", "value_width": "value", "features": "features"}
"""The names of ``Sizes`` on the card of a file, but for ``late``, which older cards do not have."""


@dataclass(frozen=True)
class Sizes:
    """The widths of a network's layers; ValueError for one that is not from 1 to ``WIDEST``."""

    place_width: int = 32
    """Numbers by which a place is described."""
    trunk_width: int = 128
    """Width of both layers of the trunk."""
    value_width: int = 64
    """Width of the hidden layer of the value."""
    features: bool = True
    """Whether the game's board features are given to the network."""
    late: tuple[str, ...] = ()
    """Names of the slices that are read late."""

    def __post_init__(self) -> None:
        """Check the widths."""
        for name in WIDTHS:
            width = getattr(self, name)
            if type(width) is not int or not 1 <= width <= WIDEST:
                raise ValueError(f"{name}={width!r}: must be a whole number from 1 to {WIDEST}")
        if type(self.features) is not bool or not all(isinstance(name, str) for name in self.late):
            raise ValueError(
                f"features={self.features!r}, late={self.late!r}: must be True or False, and names of slices"
            )

    def as_card(self) -> dict[str, Any]:
        """Return the sizes as JSON values, by the names of a card."""
        sizes = {on_card: getattr(self, name) for name, on_card in SIZE_NAMES.items()}
        return {**sizes, "late": list(self.late)} if self.late else sizes

    @classmethod
    def from_card(cls, values: Mapping[str, Any]) -> Sizes:
        """Return the sizes of a card; KeyError or ValueError if it is damaged."""
        return cls(
            **{name: values[on_card] for name, on_card in SIZE_NAMES.items()}, late=tuple(values.get("late", ()))
        )


class Shape:
    """The network of a game with given sizes.

    Attributes:
        view: the float view of what the network reads first.
        late_view: the float view of what it reads late.
        size: how large everything is, by the names that the axes of arrays have.
        start: first column of the board block.
        outside: columns of the view that do not belong to the board, in order: int64[n_outside].
        late_outside: the same for the late view: int64[n_late_columns].
        pools: for each sum over places the column that says which belong to it; None for all.
        numbers: the actions that are whole numbers.
    """

    def __init__(self, spec: GameSpec, sizes: Sizes) -> None:
        self.spec = spec
        self.sizes = sizes
        early = [piece.name for piece in spec.obs_layout if piece.name not in sizes.late]
        self.view = FloatView(spec, static=True, features=sizes.features, slices=early if sizes.late else None)
        self.late_view = FloatView(spec, slices=sizes.late)
        self.board = board = spec.board
        self.start, places, columns = 0, 0, 0
        self.pools: tuple[str | None, ...] = ()
        self.numbers = range(0)
        kinds = 0
        if board is not None:
            self.start, places, names = self.view.blocks[board.block]
            columns = len(names)
            self.pools = (None, *(group for group in board.groups if group in {column.name for column in names}))
            self.numbers = board.numbers
            kinds = len(self.late_view.blocks[board.block][2])
        if places > MAX_ROWS:
            raise ValueError(f"{places} places: a network is built for at most {MAX_ROWS}")
        if max(spec.obs_size, spec.n_actions) >= WIDEST:
            raise ValueError(
                f"{spec.obs_size} bytes, {spec.n_actions} actions: a network is built for fewer than {WIDEST}"
            )
        self.outside = _outside(self.view, board)
        self.late_outside = _outside(self.late_view, board)
        self.entries = _entries(spec, self.view, self.outside)
        self.late_entries = _late_entries(self)
        each_place = 0 < places <= FEW_PLACES
        self.size = Size(
            n_bytes=spec.obs_size,
            n_words=-(-spec.obs_size // 4),
            n_places=places,
            place_width=sizes.place_width,
            trunk_width=sizes.trunk_width,
            value_width=sizes.value_width,
            n_players=max(spec.players),
            n_actions=spec.n_actions,
            n_ranges=len(board.actions) if board is not None else 0,
            first_number=self.numbers.start,
            n_numbers=len(self.numbers),
            n_groups=sum(_outside_rows(spec).values()),
            n_pools=len(self.pools),
            has_each_place=each_place,
            n_pooled=(len(self.pools) + (places if each_place else 0)) * sizes.place_width,
            n_features=len(board.features) if board is not None and sizes.features else 0,
            n_columns=columns,
            n_outside=len(self.outside),
            n_elsewhere=len(self.entries.elsewhere),
            n_late_bytes=len(self.late_entries.board),
            n_late_kinds=kinds,
            n_late_columns=len(self.late_outside),
        )

    def weights(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of each array of weights, by its name in files; inputs are the last axis but one."""
        shapes = at.shapes_of(Weights, self.size).items()
        return {name.replace("_", ".", 1): shape for name, shape in shapes if self.sizes.late or name not in LATE}

    @functools.cached_property
    def layout(self) -> np.ndarray:
        """What ``packed`` puts before the weights: header and tables, as int32 or float32, in whole float64."""
        return _lay_out(self)

    def neighbour_matrix(self) -> np.ndarray:
        """Return 1 where the place of the column is next to that of the row: float32[R, R]."""
        out = np.zeros((self.size.n_places, self.size.n_places), np.float32)
        if self.board is not None:
            for place, others in enumerate(self.board.neighbours):
                out[place, list(others)] = 1.0
        return out

    def pool_columns(self) -> list[int]:
        """Return the columns of the board block that say which places belong to each sum but the first."""
        if self.board is None:
            return []
        names = [column.name for column in self.view.blocks[self.board.block][2]]
        return [names.index(name) for name in self.pools if name is not None]

    def random_weights(self, seed: int) -> dict[str, np.ndarray]:
        """Return weights to begin with, float32: normal, scaled by the number of inputs; heads near zero."""
        rng = np.random.default_rng(seed)
        out = {}
        for name, shape in self.weights().items():
            if name.endswith("bias"):
                out[name] = np.zeros(shape, np.float32)
                continue
            is_head = name.split(".")[0] in ("action", "number", "share") or name == "place.scale"
            spread = HEAD_SPREAD / np.sqrt(shape[-2]) if is_head else np.sqrt(2.0 / max(1, shape[-2]))
            out[name] = (rng.standard_normal(shape) * spread).astype(np.float32)
        return out


def packed(shape: Shape, weights: Mapping[str, np.ndarray], greedy: bool = False) -> np.ndarray:
    """Return the parameters of the compiled network, as ``arrays`` lists them: float64[K], read-only.

    Args:
        shape: the shape of the network.
        weights: arrays by name, as ``Shape.weights`` lists them.
        greedy: whether it plays the likeliest action; otherwise it draws by probability.
    """
    params = np.zeros(-(-int(shape.layout[at.WEIGHTS_AT[-1] + 1]) // 2))
    params[: len(shape.layout)] = shape.layout
    for name, position in zip(at.shapes_of(Weights, shape.size), at.WEIGHTS_AT, strict=True):
        begin, end = map(int, shape.layout[position : position + 2])
        if begin != end:
            params.view(np.float32)[begin:end] = np.asarray(weights[name.replace("_", ".", 1)], np.float32).ravel()
    params[at.GREEDY] = greedy
    params.flags.writeable = False  # so that a loop need not copy them for each call
    return params


def _lay_out(shape: Shape) -> np.ndarray:
    """Return the header and the tables: float64[...]."""
    tables = _tables(shape)
    tables_at = at.spans_of(map(len, tables), 2 * at.HEADER)
    weights_at = at.spans_of(map(math.prod, at.shapes_of(Weights, shape.size).values()), tables_at[-1][1])
    memory_at = at.spans_of(map(math.prod, at.shapes_of(Memory, shape.size).values()), at.RESERVED)
    out = np.zeros(-(-tables_at[-1][1] // 2))
    out[at.MEMORY_SIZE] = memory_at[-1][1]
    out[at.SIZE_AT[0] : at.HEADER] = [*shape.size, *sum([*tables_at, *weights_at, *memory_at], ())]
    for (begin, end), table in zip(tables_at, tables, strict=True):
        out.view(table.dtype)[begin:end] = table
    return out


def _tables(shape: Shape) -> TableArrays:
    """Return the tables, flat."""
    entries, late = shape.entries, shape.late_entries
    spec, size = shape.spec, shape.size
    group_of = _first_groups(spec)
    row_of = np.full(spec.obs_size, -1)
    is_read = np.zeros(spec.obs_size)
    elsewhere_of = np.full(spec.obs_size, -1)
    elsewhere_of[entries.elsewhere[:, 0]] = np.arange(len(entries.elsewhere))
    for piece in spec.obs_layout:
        rows = spec.block_rows[piece.block]
        for byte in range(piece.start, piece.stop) if piece.name not in shape.sizes.late else ():
            inside = shape.board is not None and piece.block == shape.board.block
            row = (byte - piece.start) % rows
            row_of[byte] = row if inside else MAX_ROWS + group_of[piece.block] + row
            is_read[byte] = shape.board is not None and piece.name in shape.board.features_read
    neighbours = (shape.board and shape.board.neighbours) or ((),) * size.n_places
    return Tables(
        entries=_ints(entries.board),
        elsewhere=_ints(entries.elsewhere),
        elsewhere_of=_ints(elsewhere_of),
        outside=_ints(entries.outside),
        group_start=_ints(np.searchsorted(entries.outside[:, 5], np.arange(size.n_groups + 1))),
        row_of=_ints(row_of),
        is_read=_ints(is_read),
        border_start=_ints(np.cumsum([0, *map(len, neighbours)])),
        neighbours=_ints([place for places in neighbours for place in places]),
        pool_bytes=_ints(_pool_bytes(shape, entries.board)),
        first_actions=_ints(shape.board.actions if shape.board is not None else ()),
        late_places=_ints(late.board),
        late_others=_ints(late.outside),
        units=np.concatenate([entries.units, late.units]),
    )


def _ints(numbers: npt.ArrayLike) -> Ints:
    """Return numbers as a flat table."""
    return np.asarray(numbers, np.int32).ravel()


def _outside_rows(spec: GameSpec) -> dict[str, int]:
    """Return the number of rows, a group each, of each block but the board's; ValueError if there are too many."""
    rows = {block: count for block, count in spec.block_rows.items() if spec.board is None or block != spec.board.block}
    if sum(rows.values()) > MAX_ROWS:
        raise ValueError(f"{sum(rows.values())} rows outside the board: a network is built for at most {MAX_ROWS}")
    return rows


def _first_groups(spec: GameSpec) -> dict[str, int]:
    """Return the first group of each block outside the board."""
    rows = _outside_rows(spec)
    return dict(zip(rows, np.cumsum([0, *rows.values()]).tolist(), strict=False))


class Entries(NamedTuple):
    """How the bytes of a view are shown; ``arrays.ENTRY`` has what the numbers are."""

    board: np.ndarray
    """int64[n, ENTRY], for the first row of the board; other rows have their bytes behind it."""
    elsewhere: np.ndarray
    """int64[n, ENTRY], what other blocks show in rows of the board."""
    outside: np.ndarray
    """int64[n, ENTRY], the rest, by groups."""
    units: np.ndarray
    """float32[n], the units of ``board``, then those of ``outside``."""


def _outside(view: FloatView, board: Board | None) -> np.ndarray:
    """Return the columns of a view that do not belong to the board: int64[n]."""
    inside = np.zeros(view.size, bool)
    if board is not None:
        start, rows, columns = view.blocks[board.block]
        inside[start : start + rows * len(columns)] = True
    return np.flatnonzero(~inside)


def _entries(spec: GameSpec, view: FloatView, outside_columns: np.ndarray) -> Entries:
    """Return how the bytes of a view are shown."""
    place = np.full(view.size, -1, np.int64)
    place[outside_columns] = np.arange(len(outside_columns))
    start = view.blocks[spec.board.block][0] if spec.board is not None else 0
    where = {}
    for piece in spec.obs_layout:
        for byte in range(piece.start, piece.stop):
            where[byte] = (piece.block, (byte - piece.start) % spec.block_rows[piece.block])
    board: list[tuple[Any, ...]] = []
    elsewhere: list[tuple[Any, ...]] = []
    outside: list[tuple[Any, ...]] = []
    group_of = _first_groups(spec)
    for byte, low, high, column, step, unit in view.entries:
        block, row = where[byte]
        if spec.board is not None and block == spec.board.block:
            if row == 0:
                board.append((byte, low, high, column - start, step, 0, unit))
        elif place[column] < 0:
            elsewhere.append((byte, low, high, column - start, step, row, unit))
        else:
            outside.append((byte, low, high, place[column], step, group_of[block] + row, unit))
    outside.sort(key=lambda entry: entry[ENTRY - 1])
    tables = (np.array([entry[:ENTRY] for entry in part], np.int64) for part in (board, elsewhere, outside))
    shown, others, rest = (table.reshape(-1, ENTRY) for table in tables)
    units = np.array([entry[ENTRY] for entry in (*board, *outside)], np.float32)
    return Entries(board=shown, elsewhere=others, outside=rest, units=units)


def _late_entries(shape: Shape) -> Entries:
    """Return how late bytes are shown; those of places as flags.

    Raises: ValueError for a slice that the game does not have, of which features are worked out, that shows in places
        from elsewhere, or whose bytes in places are no flags.
    """
    spec, late = shape.spec, shape.sizes.late
    read = spec.board.features_read if spec.board is not None else ()
    for name in late:
        if name in read or name not in {piece.name for piece in spec.obs_layout}:
            raise ValueError(f"late={late}: {name} is no slice of {spec.name} that a network can read late")
    entries = _entries(spec, shape.late_view, shape.late_outside)
    board = entries.board
    numbers = board[:, 1] < 0
    if len(entries.elsewhere) or (entries.units[: len(board)][numbers] != 1).any():
        raise ValueError(f"late={late}: what is read late of places must be flags or kinds")
    board[numbers, 1:3] = 1
    return entries._replace(units=entries.units[len(board) :])


def _pool_bytes(shape: Shape, board: np.ndarray) -> np.ndarray:
    """Return for each sum but the first the byte of the first row and the value that puts a place into it.

    Args: board: the entries of the board's rows.
    """
    out = []
    for column in shape.pool_columns():
        for byte, low, high, first, step, _ in board.tolist():
            if low < 0 and first == column:
                out.append((byte, 1))
            elif low >= 0 and step == 1 and first <= column <= first + high - low:
                out.append((byte, low + column - first))
    return np.array(out, np.int64).reshape(-1, 2)
