"""The shape of a network for a game, and its parameters as compiled code reads them.

Every place of the board is encoded by the same weights from its own columns; what its neighbours are is added along the
borders. Sums over places, over all and over groups such as an owner or a region, go into the trunk together with the
rest of the view. An action that names a place is scored from that place and the trunk, every other action from the
trunk alone. A game without a board has the trunk only. ``arrays`` lists the arrays.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from shogun_env.agents.network import arrays as at
from shogun_env.agents.network.arrays import ENTRY, MAX_ROWS, Ints, Memory, Size, TableArrays, Tables, Weights
from shogun_env.batch.float_view import FloatView
from shogun_env.spec.game_spec import GameSpec

FEW_PLACES = 16
"""A board of at most this many places goes into the trunk place by place, besides the sums."""
NEAR_SCALE, SUM_SCALE = 0.25, 0.125
"""What sums over neighbours and over places are multiplied by, so that they are about as large as one place."""
SIZE_NAMES = {"place_width": "row", "trunk_width": "trunk", "value_width": "value", "features": "features"}
"""The names of ``Sizes`` on the card of a file."""


@dataclass(frozen=True)
class Sizes:
    """The widths of a network's layers; ValueError for one below 1."""

    place_width: int = 32
    """Numbers by which a place is described."""
    trunk_width: int = 128
    """Width of both layers of the trunk."""
    value_width: int = 64
    """Width of the hidden layer of the value."""
    features: bool = True
    """Whether the game's board features are given to the network."""

    def __post_init__(self) -> None:
        """Check the widths; ValueError unless they are whole numbers of at least 1."""
        for name in ("place_width", "trunk_width", "value_width"):
            width = getattr(self, name)
            if not isinstance(width, int) or width < 1:
                raise ValueError(f"{name}={width!r}: must be a whole number, at least 1")

    def as_card(self) -> dict[str, Any]:
        """Return the sizes as JSON values, by the names of a card."""
        return {SIZE_NAMES[each.name]: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def from_card(cls, values: Mapping[str, Any]) -> Sizes:
        """Return the sizes of a card; KeyError or ValueError if it is damaged."""
        return cls(**{name: values[on_card] for name, on_card in SIZE_NAMES.items()})


class Shape:
    """The network of a game with given sizes.

    Attributes:
        view: the float view that the network reads.
        size: how large everything is, by the names that the axes of arrays have.
        start: first column of the board block.
        outside: columns of the view that do not belong to the board, in order: int64[n_outside].
        pools: for each sum over places the column that says which belong to it; None for all.
        numbers: the actions that are whole numbers.
    """

    def __init__(self, spec: GameSpec, sizes: Sizes) -> None:
        self.spec = spec
        self.sizes = sizes
        self.view = FloatView(spec, static=True, features=sizes.features)
        self.board = board = spec.board
        self.start, places, columns = 0, 0, 0
        self.pools: tuple[str | None, ...] = ()
        self.numbers = range(0)
        if board is not None:
            self.start, places, names = self.view.blocks[board.block]
            columns = len(names)
            self.pools = (None, *board.groups)
            self.numbers = board.numbers
        if places > MAX_ROWS:
            raise ValueError(f"{places} places: a network is built for at most {MAX_ROWS}")
        inside = np.zeros(self.view.size, bool)
        inside[self.start : self.start + places * columns] = True
        self.outside = np.flatnonzero(~inside)
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
        )

    def weights(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of each array of weights, by its name in files; inputs are the last axis but one."""
        return {name.replace("_", ".", 1): shape for name, shape in at.shapes_of(Weights, self.size).items()}

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
            spread = 0.1 / np.sqrt(shape[-2]) if is_head else np.sqrt(2.0 / max(1, shape[-2]))
            out[name] = (rng.standard_normal(shape) * spread).astype(np.float32)
        return out


def packed(shape: Shape, weights: Mapping[str, np.ndarray], greedy: bool = False) -> np.ndarray:
    """Return the parameters of the compiled network, as ``arrays`` lists them: float64[K].

    Args:
        shape: the shape of the network.
        weights: arrays by name, as ``Shape.weights`` lists them.
        greedy: whether it plays the likeliest action; otherwise it draws by probability.
    """
    floats = np.concatenate([np.asarray(weights[name], np.float32).ravel() for name in shape.weights()])
    begin = int(shape.layout[at.WEIGHTS_AT[0]])
    params = np.zeros(-(-(begin + len(floats)) // 2))
    params[: len(shape.layout)] = shape.layout
    params.view(np.float32)[begin : begin + len(floats)] = floats
    params[at.GREEDY] = greedy
    return params


def _lay_out(shape: Shape) -> np.ndarray:
    """Return the header and the tables: float64[...]."""
    tables = _tables(shape)
    begins = np.cumsum([2 * at.HEADER, *map(len, tables)])
    weights_at = at.begins_of(Weights, shape.size, int(begins[-1]))
    memory_at = at.begins_of(Memory, shape.size, at.RESERVED)
    out = np.zeros(-(-int(begins[-1]) // 2))
    out[at.MEMORY_SIZE] = memory_at[-1]
    out[at.SIZE_AT[0] : at.HEADER] = [*shape.size, *begins[:-1], *weights_at, *memory_at]
    for begin, table in zip(begins, tables, strict=False):
        out.view(table.dtype)[begin : begin + len(table)] = table
    return out


def _tables(shape: Shape) -> TableArrays:
    """Return the tables, flat."""
    board, elsewhere, outside, units = _entries(shape)
    spec, size = shape.spec, shape.size
    group_of = _first_groups(spec)
    row_of = np.full(spec.obs_size, -1)
    is_read = np.zeros(spec.obs_size)
    for piece in spec.obs_layout:
        rows = spec.block_rows[piece.block]
        for byte in range(piece.start, piece.stop):
            inside = shape.board is not None and piece.block == shape.board.block
            row = (byte - piece.start) % rows
            row_of[byte] = row if inside else MAX_ROWS + group_of[piece.block] + row
            is_read[byte] = shape.board is not None and piece.name in shape.board.features_read
    neighbours = (shape.board and shape.board.neighbours) or ((),) * size.n_places
    return Tables(
        entries=_ints(board),
        elsewhere=_ints(elsewhere),
        outside=_ints(outside),
        group_start=_ints(np.searchsorted(outside[:, 5], np.arange(size.n_groups + 1))),
        row_of=_ints(row_of),
        is_read=_ints(is_read),
        border_start=_ints(np.cumsum([0, *map(len, neighbours)])),
        neighbours=_ints([place for places in neighbours for place in places]),
        pool_bytes=_ints(_pool_bytes(shape, board)),
        first_actions=_ints(shape.board.actions if shape.board is not None else ()),
        units=units,
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


def _entries(shape: Shape) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return entries of the board's rows, of what other blocks show there, and of the rest, and the units.

    Those of the board are for its first row; other rows have their bytes behind it.
    """
    spec, place = shape.spec, np.full(shape.view.size, -1, np.int64)
    place[shape.outside] = np.arange(len(shape.outside))
    where = {}
    for piece in spec.obs_layout:
        for byte in range(piece.start, piece.stop):
            where[byte] = (piece.block, (byte - piece.start) % spec.block_rows[piece.block])
    board: list[tuple[int, ...]] = []
    elsewhere: list[tuple[int, ...]] = []
    outside: list[tuple[int, ...]] = []
    units: list[list[float]] = [[], []]
    group_of = _first_groups(spec)
    for byte, low, high, column, step, unit in _shown(shape):
        block, row = where[byte]
        if shape.board is not None and block == shape.board.block:
            if row == 0:
                board.append((byte, low, high, column - shape.start, step, 0))
                units[0].append(unit)
        elif place[column] < 0:
            elsewhere.append((byte, low, high, column - shape.start, step, row))
        else:
            outside.append((byte, low, high, int(place[column]), step, group_of[block] + row))
            units[1].append(unit)
    order = sorted(range(len(outside)), key=lambda index: outside[index][5])
    outside = [outside[index] for index in order]
    units[1] = [units[1][index] for index in order]
    arrays = [np.array(own, np.int64).reshape(-1, ENTRY) for own in (board, elsewhere, outside)]
    return arrays[0], arrays[1], arrays[2], np.array([*units[0], *units[1]], np.float32)


def _shown(shape: Shape) -> Iterator[tuple[int, int, int, int, int, float]]:
    """Yield how each byte is shown: byte, lowest and highest value (-1 for a number), column, step, unit."""
    numbers, units, flags = shape.view.tables
    for (byte, column), unit in zip(numbers.tolist(), units.tolist(), strict=True):
        yield byte, -1, -1, column, 0, unit
    for byte, low, high, column, step in flags.tolist():
        yield byte, low, high, column, step, 1.0


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
