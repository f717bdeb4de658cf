"""The shape of a network for a game: its weights by name, and the tables by which compiled code computes it.

Every place of the board is encoded by the same weights from its own columns; what its neighbours are is added along the
borders. Sums over places, over all and over groups such as an owner or a region, go into the trunk together with the
rest of the view. An action that names a place is scored from that place and the trunk, every other action from the
trunk alone. A game without a board has the trunk only.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from shogun_env.batch.float_view import FloatView
from shogun_env.spec.game_spec import GameSpec

MAX_ROWS = 64
"""Most places of a board, and most rows of all other blocks together."""
FEW_ROWS = 16
"""A board of at most so many places goes into the trunk place by place, besides the sums."""
NEAR_SCALE, SUM_SCALE = 0.25, 0.125
"""What sums over neighbours and over places are multiplied by, so that they are about as large as one place."""


@dataclass(frozen=True)
class Sizes:
    """The widths of a network's layers; ValueError for one below 1."""

    row: int = 32
    """Numbers by which a place is described."""
    trunk: int = 128
    """Width of both layers of the trunk."""
    value: int = 64
    """Width of the hidden layer of the value."""
    features: bool = True
    """Whether the game's board features are given to the network."""

    def __post_init__(self) -> None:
        """Check the widths; ValueError unless they are whole numbers of at least 1."""
        for name in ("row", "trunk", "value"):
            width = getattr(self, name)
            if not isinstance(width, int) or width < 1:
                raise ValueError(f"{name}={width!r}: must be a whole number, at least 1")

    def as_json(self) -> dict[str, Any]:
        """Return the sizes as JSON values."""
        return asdict(self)


class Shape:
    """The network of a game with given sizes.

    Attributes:
        view: the float view that the network reads.
        rows, columns: of the board block; 0 for a game without a board.
        outside: columns of the view that do not belong to the board, in order: int64[G].
        pools: for each sum over places the column that says which belong to it; None for all.
        seats: number of players that the value is for, the largest of the game.
    """

    def __init__(self, spec: GameSpec, sizes: Sizes) -> None:
        self.spec = spec
        self.sizes = sizes
        self.view = FloatView(spec, static=True, features=sizes.features)
        self.board = spec.board
        self.start, self.rows, self.columns = 0, 0, 0
        self.pools: tuple[str | None, ...] = ()
        if self.board is not None:
            self.start, self.rows, names = self.view.blocks[self.board.block]
            self.columns = len(names)
            self.pools = (None, *self.board.groups)
        inside = np.zeros(self.view.size, bool)
        inside[self.start : self.start + self.rows * self.columns] = True
        self.outside = np.flatnonzero(~inside)
        self.seats = max(spec.players)
        self.each_row = 0 < self.rows <= FEW_ROWS
        if self.rows > MAX_ROWS:
            raise ValueError(f"{self.rows} places: a network is built for at most {MAX_ROWS}")

    @property
    def pooled(self) -> int:
        """How many numbers about places go into the trunk."""
        return (len(self.pools) + (self.rows if self.each_row else 0)) * self.sizes.row

    @property
    def numbers(self) -> range:
        """The actions that are whole numbers."""
        return self.board.numbers if self.board is not None else range(0)

    def weights(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of each array of weights, by name; inputs are the first axis."""
        row, trunk, value = self.sizes.row, self.sizes.trunk, self.sizes.value
        ranges = len(self.board.actions) if self.board is not None else 0
        return {
            "row.weight": (self.columns, row),
            "row.bias": (row,),
            "mix.own": (row, row),
            "mix.near": (row, row),
            "mix.bias": (row,),
            "trunk.outside": (len(self.outside), trunk),
            "trunk.pooled": (self.pooled, trunk),
            "trunk.bias": (trunk,),
            "second.weight": (trunk, trunk),
            "second.bias": (trunk,),
            "action.weight": (trunk, self.spec.n_actions),
            "action.bias": (self.spec.n_actions,),
            "number.weight": (trunk, len(self.numbers)),
            "place.scale": (ranges, trunk, row),
            "place.shift": (ranges, trunk, row),
            "place.bias": (ranges, row),
            "value.weight": (trunk, value),
            "value.bias": (value,),
            "share.weight": (value, self.seats),
            "share.bias": (self.seats,),
        }

    @functools.cached_property
    def layout(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What ``packed`` puts before the weights: header, tables and units."""
        return _lay_out(self)

    def neighbour_matrix(self) -> np.ndarray:
        """Return 1 where the place of the column is next to that of the row: float32[R, R]."""
        out = np.zeros((self.rows, self.rows), np.float32)
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


HEADER = 32
"""Numbers at the beginning of ``params`` that say where everything is."""
(
    MEMORY, GREEDY, N_BYTES, ROWS, WIDTH, TRUNK, VALUE, SEATS, ACTIONS, RANGES, FIRST_NUMBER, N_NUMBERS, N_GROUPS,
    N_POOLS, EACH_ROW, N_FEATURES, FEATURE_COLUMN, N_BOARD, N_ELSEWHERE, N_OUTSIDE, N_BORDERS, OUTSIDE_COLUMNS, TABLES,
    FLOATS,
) = range(24)  # fmt: skip
"""Their order; sizes, and where the tables (int32) and the weights (float32) begin."""
ENTRY = 6
"""Numbers of an entry: byte, lowest, highest value that it is a flag for (-1: a number), column, step, row or group."""
NOTES = 8
"""Numbers at the beginning of a memory, before what is kept."""


def packed(shape: Shape, weights: Mapping[str, np.ndarray], greedy: bool = False) -> np.ndarray:
    """Return the parameters of the compiled network: float64[K].

    They are a header, integer tables and float32 weights, two to a float64.

    Args:
        shape: the shape of the network.
        weights: arrays by name, as ``Shape.weights`` lists them.
        greedy: whether it plays the likeliest action; otherwise it draws by probability.
    """
    head, table, units = shape.layout
    floats = np.concatenate([units, *(np.asarray(weights[name], np.float32).ravel() for name in shape.weights())])
    body = np.zeros(-(-len(floats) // 2))
    body.view(np.float32)[: len(floats)] = floats
    params = np.concatenate([head, table, body])
    params[GREEDY] = greedy
    return params


def _lay_out(shape: Shape) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the header float64[HEADER], the tables as float64[...], and the units float32[...]."""
    board, elsewhere, outside, units = _entries(shape)
    spec, sizes = shape.spec, shape.sizes
    group_of, groups = _groups(shape)
    row_of = np.full(spec.obs_size, -1, np.int32)
    read = np.zeros(spec.obs_size, np.int32)
    for piece in spec.obs_layout:
        rows = spec.block_rows[piece.block]
        for byte in range(piece.start, piece.stop):
            inside = shape.board is not None and piece.block == shape.board.block
            row = (byte - piece.start) % rows
            row_of[byte] = row if inside else MAX_ROWS + group_of[piece.block] + row
            read[byte] = shape.board is not None and piece.name in shape.board.features_read
    neighbours = shape.board.neighbours if shape.board is not None and shape.board.neighbours else ((),) * shape.rows
    borders = np.cumsum([0, *map(len, neighbours)])
    near = np.array([place for row in neighbours for place in row], np.int32)
    first = np.array(shape.board.actions if shape.board is not None else (), np.int32)
    starts = np.searchsorted(outside[:, 5], np.arange(groups + 1))
    tables = (board, elsewhere, outside, starts, row_of, read, borders, near, _pool_bytes(shape, board), first)
    numbers = np.concatenate([np.asarray(own, np.int32).ravel() for own in tables])
    table = np.zeros(-(-len(numbers) // 2))
    table.view(np.int32)[: len(numbers)] = numbers
    features = len(shape.board.features) if shape.board is not None and sizes.features else 0
    values = {
        MEMORY: _memory_size(shape, groups, features),
        N_BYTES: spec.obs_size,
        ROWS: shape.rows,
        WIDTH: sizes.row,
        TRUNK: sizes.trunk,
        VALUE: sizes.value,
        SEATS: shape.seats,
        ACTIONS: spec.n_actions,
        RANGES: len(first),
        FIRST_NUMBER: shape.numbers.start,
        N_NUMBERS: len(shape.numbers),
        N_GROUPS: groups,
        N_POOLS: len(shape.pools),
        EACH_ROW: shape.each_row,
        N_FEATURES: features,
        FEATURE_COLUMN: shape.columns - features,
        N_BOARD: len(board),
        N_ELSEWHERE: len(elsewhere),
        N_OUTSIDE: len(outside),
        N_BORDERS: len(near),
        OUTSIDE_COLUMNS: len(shape.outside),
        TABLES: HEADER,
        FLOATS: HEADER + len(table),
    }
    head = np.zeros(HEADER)
    head[list(values)] = list(values.values())
    return head, table, units


def _memory_size(shape: Shape, groups: int, features: int) -> int:
    """Return how many numbers the compiled network keeps and works with for one player."""
    row, trunk = shape.sizes.row, shape.sizes.trunk
    kept = -(-shape.spec.obs_size // 4) + shape.rows * (2 * features + 3 * row) + groups * trunk
    work = shape.pooled + 2 * trunk + 3 * row + shape.sizes.value + shape.seats + shape.spec.n_actions
    return NOTES + kept + work


def _groups(shape: Shape) -> tuple[dict[str, int], int]:
    """Return the first group of each block outside the board, whose rows are a group each, and the number of groups."""
    group_of, count = {}, 0
    for block, rows in shape.spec.block_rows.items():
        if shape.board is None or block != shape.board.block:
            group_of[block] = count
            count += rows
    if count > MAX_ROWS:
        raise ValueError(f"{count} rows outside the board: a network is built for at most {MAX_ROWS}")
    return group_of, count


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
    group_of, _ = _groups(shape)
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
