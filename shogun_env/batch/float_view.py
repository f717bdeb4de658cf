"""Views of observations: as they are, in bytes, and as the numbers that a network learns from.

In a float view counts are divided by natural units, so that most values of real games are from 0 to 1; a category has
a flag for each kind. A card on a space is one of many provinces: which one is shown by flags of the province. The
columns stand block after block, row after row, so that a block is a slice of the view.
"""

from __future__ import annotations

import functools
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from shogun_env.kernel.jit import Loop, bind_loop, inlined_kernel, kernel, loop, unbound
from shogun_env.kernel.types import Int, Kernel, Observation, Row, Rows
from shogun_env.kernel.vectors import eight_bytes, lowest_bit
from shogun_env.spec.engine import Engine
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.layout import Kinds, Slice

board_features: Kernel = unbound("board_features")
_ALL_BITS, _BYTE = np.uint64(2**64 - 1), np.uint64(255)


@kernel
def no_board_features(o: Observation, out: Row, first: Int, width: Int) -> None:
    """Write nothing, for an engine without board features."""


@inlined_kernel
def write_run(o: Observation, run: Row, values: Rows, row: Row) -> None:
    """Write the numbers of a run, ``run`` int64[6] as in ``view_games``."""
    column, step, numbers = run[2], run[3], values[run[4]]
    for byte in range(np.uint64(run[0]), np.uint64(run[0] + run[1])):
        row[np.uint64(column)] = numbers[o[byte]]
        column += step


@inlined_kernel
def write_flags(value: Int, columns: Rows, row: Row) -> None:
    """Write the flags of a byte's value: at most two, in ``columns`` int16[V, 2]; -1 for none."""
    if value < columns.shape[0] and columns[value, 0] >= 0:
        row[np.int64(columns[value, 0])] = 1.0
        row[np.int64(columns[value, 1])] = 1.0


@loop
def view_games(
    observations: Rows, words: Rows, shown: Row, runs: Rows, flag_of: Row, columns: Rows, values: Rows, out: Rows,
    lo: Int, hi: Int,
) -> Int:  # fmt: skip
    """Write the float views of the observations ``lo .. hi - 1``, but for board features, which are 0.

    What never changes in a game is the same in games of the same options: what it shows is copied. Numbers are written
    run by run. Most bytes with flags are 0, and are passed over eight at a time.

    Args:
        observations: uint8[n, D].
        words: uint64[3, D // 8], bytes of an observation eight at a time: 255 for those that never change in a game;
            what these are in most of the games; 255 for those with flags.
        shown: float32[F], the view of what never changes alone.
        runs: int64[R, 6]: first byte, number of bytes, column of the first, step to the column of the next, row of
            ``values``, and 1 for what never changes.
        flag_of: int64[D], where the flags of each byte are in ``columns``; -1 for none.
        columns: int16[K, V, 2], the columns of the flags of each value; the same twice for one, -1 for none.
        values: float32[U, 256], what is written for each value of a byte in a run.
        out: float32[n, F], written.

    Returns: in how many of the observations what never changes is something else.
    """
    strange = np.int64(0)
    for index in range(lo, hi):
        o, row = observations[index], out[index]
        differs = np.uint64(0)
        for word in range(words.shape[1]):
            differs |= (eight_bytes(o, 8 * word) & words[0, word]) ^ words[1, word]
        is_known = differs == 0
        strange += np.int64(not is_known)
        if is_known:
            for column in range(row.shape[0]):
                row[column] = shown[column]
        else:
            for column in range(row.shape[0]):
                row[column] = 0.0
        for run in range(runs.shape[0]):
            if not (is_known and runs[run, 5]):
                write_run(o, runs[run], values, row)
        skipped = _ALL_BITS if is_known else np.uint64(0)
        for word in range(words.shape[1]):
            bits = eight_bytes(o, 8 * word) & words[2, word] & ~(words[0, word] & skipped)
            while bits != 0:
                byte = 8 * word + (lowest_bit(bits) >> 3)
                write_flags(np.int64(o[byte]), columns[flag_of[byte]], row)
                bits &= ~(_BYTE << np.uint64(8 * (byte & 7)))
        for byte in range(8 * words.shape[1], o.shape[0]):
            if flag_of[byte] >= 0:
                write_flags(np.int64(o[byte]), columns[flag_of[byte]], row)
    return strange


def feature_games(observations: Rows, first: Int, width: Int, out: Rows, lo: Int, hi: Int) -> None:
    """Write the board features of the observations ``lo .. hi - 1``.

    Args: where those of the first place begin in ``out`` float32[n, F], and how far the next place's are.
    """
    for index in range(lo, hi):
        board_features(observations[index], out[index], first, width)


@functools.cache
def _features_of(engine: Engine) -> Loop:
    functions = {"board_features": engine.board_features or no_board_features}
    return bind_loop(feature_games, engine.name, engine.source, functions)


class Column(NamedTuple):
    """One column of a block in a float view; every row of the block has one."""

    name: str
    low: float
    high: float


class FloatView:
    """The form in which observations of a game are shown to networks.

    Args:
        spec: the game.
        static: whether to show what never changes in a game.
        features: whether to add the game's board features.
        slices: names of the slices that are shown; None for all.

    Attributes:
        size: number of columns of a view, F.
        blocks: for each block where it begins, its number of rows, and its columns.
        low, high: float32[F], bounds of the values.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> view = FloatView(SHOGUN)
        >>> start, rows, columns = view.blocks["provinces"]
        >>> start, rows, [column.name for column in columns][:2]
        (0, 45, ['owner_none', 'owner_self'])
    """

    def __init__(
        self, spec: GameSpec, static: bool = True, features: bool = False, slices: Collection[str] | None = None
    ) -> None:
        self.spec = spec
        self.static = static
        self.slices = slices
        self.board = spec.board if features else None
        shown = [piece for piece in spec.obs_layout if static or not piece.is_static]
        shown = [piece for piece in shown if slices is None or piece.name in slices]
        self.blocks: dict[str, tuple[int, int, tuple[Column, ...]]] = {}
        start = 0
        for block, rows in spec.block_rows.items():
            columns = self._columns(block, shown)
            self.blocks[block] = (start, rows, columns)
            start += rows * len(columns)
        self.size = start
        self.low = self._each_row([[column.low for column in columns] for _, _, columns in self.blocks.values()])
        self.high = self._each_row([[column.high for column in columns] for _, _, columns in self.blocks.values()])
        self.first, self.width = (-1, 0)
        if self.board is not None:
            self.first, self.width = self.place_of(self.board.features[0].name, self.board.block)
        places = spec.block_rows[self.board.block] if self.board is not None else 0
        kinds = len(self.board.features) if self.board is not None else 0
        self.feature_columns = (self.first + np.arange(places)[:, None] * self.width + np.arange(kinds)).ravel()
        """Columns of the board features, place after place: int64[B]."""
        self.tables = self._tables(shown)
        """What each byte shows. numbers int32[N, 2]: a byte and its column; units float32[N]: what each of these bytes
        is divided by; flags int32[K, 5]: a byte, its lowest and highest value shown, the column of the lowest, and the
        step to the column of the next."""
        self._drawn = self._draw_up()
        self._known = self._part_known(np.zeros(spec.obs_size, np.uint8))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy a view by what it is made of."""
        return FloatView, (self.spec, self.static, self.board is not None, self.slices)

    def _each_row(self, values: list[list[float]]) -> np.ndarray:
        rows = [rows for _, rows, _ in self.blocks.values()]
        return np.concatenate([np.tile(np.array(row, np.float32), n) for row, n in zip(values, rows, strict=True)])

    def _columns(self, block: str, slices: list[Slice]) -> tuple[Column, ...]:
        """Return the columns of a block: its own slices, what other blocks show there, and board features."""
        columns: dict[str, Column] = {}
        for piece in slices:
            for name, high in _columns_of(piece, self.spec) if piece.block == block else ():
                columns[name] = Column(name=name, low=0.0, high=high)
        for piece in slices:
            if isinstance(piece.shown, Kinds) and piece.shown.rows_of == block and piece.shown.seen_from:
                for row in range(self.spec.block_rows[piece.block]):
                    name = f"{piece.shown.seen_from}_{row}"
                    columns[name] = Column(name=name, low=0.0, high=1.0)
        if self.board is not None and block == self.board.block:
            for feature in self.board.features:
                columns[feature.name] = Column(name=feature.name, low=feature.low, high=feature.high)
        return tuple(columns.values())

    def place_of(self, column: str, block: str, row: int = 0) -> tuple[int, int]:
        """Return where a column of a row is in the view, and how far the next row's is."""
        start, _, columns = self.blocks[block]
        at = [each.name for each in columns].index(column)
        return start + row * len(columns) + at, len(columns)

    def flat_names(self) -> list[str]:
        """Return the name of each column of a view, F of them: block, row and column, joined by dots.

        Example:
            >>> from shogun_env.shitenno import SHITENNO
            >>> FloatView(SHITENNO).flat_names()[0]
            'provinces.0.position_1_self'
        """
        return [
            f"{block}.{row}.{column.name}"
            for block, (_, rows, columns) in self.blocks.items()
            for row in range(rows)
            for column in columns
        ]

    def _tables(self, slices: list[Slice]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        numbers: list[tuple[int, int]] = []
        units: list[float] = []
        flags: list[tuple[int, int, int, int, int]] = []
        for piece in slices:
            rows = self.spec.block_rows[piece.block]
            for byte in range(piece.start, piece.stop):
                copy, row = divmod(byte - piece.start, rows)
                first_name = _columns_of(piece, self.spec)[copy * _width(piece)][0]
                column, _ = self.place_of(first_name, piece.block, row)
                if not isinstance(piece.shown, Kinds):
                    numbers.append((byte, column))
                    units.append(piece.shown)
                    continue
                first, block, elsewhere = piece.shown
                if block:
                    flags.append((byte, 1, first - 1, column, 0))
                    column += 1
                if elsewhere:
                    flags.append((byte, 1, first - 1, *self.place_of(f"{elsewhere}_{row}", block)))
                flags.append((byte, first, piece.high, column, 1))
        return (
            np.array(numbers, np.int32).reshape(-1, 2),
            np.array(units, np.float32),
            np.array(flags, np.int32).reshape(-1, 5),
        )

    def _draw_up(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the tables as ``view_games`` reads them: runs, flag_of, columns, values."""
        numbers, units, flags = self.tables
        distinct, unit_of = np.unique(units, return_inverse=True)
        runs: list[list[int]] = []
        for (byte, column), unit in zip(numbers.tolist(), unit_of.tolist(), strict=True):
            last = runs[-1] if runs else [0, 0, 0, 0, -1]
            step = last[3] if last[1] > 1 else column - last[2]
            is_next = byte == last[0] + last[1] and column == last[2] + last[1] * step
            if is_next and unit == last[4] and self._is_static[byte] == last[5]:
                last[1], last[3] = last[1] + 1, step
            else:
                runs.append([byte, 1, column, 0, unit, int(self._is_static[byte])])
        flag_of = np.full(self.spec.obs_size, -1)
        with_flags = np.unique(flags[:, 0])
        flag_of[with_flags] = np.arange(len(with_flags))
        columns = np.full((len(with_flags), 1 + flags[:, 2].max(initial=0), 2), -1, np.int16)
        for byte, low, high, column, step in flags.tolist():
            for value in range(low, high + 1):
                pair = columns[flag_of[byte], value]
                pair[1 if pair[0] >= 0 else slice(None)] = column + (value - low) * step
        of_units = np.arange(256, dtype=np.float32) / distinct[:, None]
        return np.array(runs, np.int64).reshape(-1, 6), flag_of, columns, of_units

    @functools.cached_property
    def _is_static(self) -> np.ndarray:
        """Which bytes of an observation never change in a game: bool[D]."""
        out = np.zeros(self.spec.obs_size, bool)
        for piece in self.spec.obs_layout:
            out[piece.start : piece.stop] = piece.is_static
        return out

    def _part_known(self, observation: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the bytes that never change in a game, those of an observation uint8[D], and their view.

        Returns: ``words`` and ``shown``, as ``view_games`` reads them.
        """
        parts = np.zeros((3, self.spec.obs_size), np.uint8)
        parts[0, self._is_static] = 255
        parts[1] = observation & parts[0]
        parts[2, self._drawn[1] >= 0] = 255
        words = np.ascontiguousarray(parts[:, : self.spec.obs_size // 8 * 8]).view(np.uint64)
        nothing = words.copy()
        nothing[0], nothing[1] = 0, 1  # so that nothing is known
        shown = np.zeros((1, self.size), np.float32)
        view_games(parts[1:2], nothing, shown[0].copy(), *self._drawn, shown, 0, 1)
        return words, shown[0]

    def show(self, observations: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Return the views of observations uint8[..., D]: float32[..., F], a new array unless ``out`` is given."""
        rows = np.ascontiguousarray(observations.reshape(-1, self.spec.obs_size))
        if out is None:
            out = np.empty((*observations.shape[:-1], self.size), np.float32)
        target = out.reshape(-1, self.size)
        strange = view_games(rows, *self._known, *self._drawn, target, 0, len(rows))
        if 2 * strange > len(rows):
            self._known = self._part_known(rows[-1])
        if self.board is not None:
            _features_of(self.spec.engine)(rows, self.first, self.width, target, 0, len(rows))
        return out

    def features_of(self, observations: np.ndarray) -> np.ndarray:
        """Return the board features alone, place after place, of observations uint8[..., D]: float32[..., B].

        They are what a view has that its bytes do not say; B is 0 for a view without them.
        """
        shape = observations.shape[:-1]
        rows = np.ascontiguousarray(observations.reshape(-1, self.spec.obs_size))
        out = np.empty((len(rows), len(self.feature_columns)), np.float32)
        if self.board is not None:
            _features_of(self.spec.engine)(rows, 0, len(self.board.features), out, 0, len(rows))
        return out.reshape(*shape, -1)

    def block(self, views: np.ndarray, name: str) -> np.ndarray:
        """Return a block of views float32[..., F]: float32[..., rows, columns], a view, [..., columns] for one row."""
        start, rows, columns = self.blocks[name]
        part = views[..., start : start + rows * len(columns)]
        return part.reshape(*part.shape[:-1], rows, len(columns)) if rows > 1 else part


class ByteView:
    """Observations as they are; ``envs.device_view`` makes float views of them where the learner is.

    Attributes:
        low, high: uint8[D], bounds of the bytes.
    """

    def __init__(self, spec: GameSpec) -> None:
        self.high = np.concatenate([np.full(piece.stop - piece.start, piece.high) for piece in spec.obs_layout])
        self.high = self.high.astype(np.uint8)
        self.low = np.zeros_like(self.high)

    def show(self, observations: np.ndarray) -> np.ndarray:
        """Return a copy of observations uint8[..., D]."""
        return observations.copy()


def _width(piece: Slice) -> int:
    """Return how many columns each byte of a slice has in its own row."""
    if not isinstance(piece.shown, Kinds):
        return 1
    return piece.high - piece.shown.first + 1 + (1 if piece.shown.rows_of else 0)


def _columns_of(piece: Slice, spec: GameSpec) -> list[tuple[str, float]]:
    """Return names and highest values of the columns that a slice has in each row of its own block."""
    copies = (piece.stop - piece.start) // spec.block_rows[piece.block]
    columns = []
    for copy in range(copies):
        name = piece.name if copies == 1 else f"{piece.name}_{copy}"
        if not isinstance(piece.shown, Kinds):
            columns.append((name, piece.high / piece.shown))
            continue
        if piece.shown.rows_of:
            columns.append((f"{name}_in_{piece.shown.rows_of}", 1.0))
        columns += [(f"{name}_is_{kind}", 1.0) for kind in range(piece.shown.first, piece.high + 1)]
    return columns
