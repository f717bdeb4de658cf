"""Views of observations: as they are, in bytes, and as the numbers that a network learns from.

In a float view counts are divided by natural units, so that most values of real games are from 0 to 1; a category has
a flag for each kind. A card on a space is one of many provinces: which one is shown by flags of the province. The
columns stand block after block, row after row, so that a block is a slice of the view.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from shogun_env.batch.shared import engine, shared
from shogun_env.kernel.jit import inlined_kernel, loop
from shogun_env.kernel.types import Int, Observation, Row, Rows
from shogun_env.kernel.vectors import BLOCK, differing, lowest_bit
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.layout import Kinds, Slice

NOWHERE = -1
"""In place of a column: the byte is not shown as a number."""


class Columns(NamedTuple):
    """Where the bytes of an observation are shown, as kernels read it."""

    number: np.ndarray
    """int32[D], the column of a byte that is a number; NOWHERE - 1 - k for one whose flags are row k of ``flags``."""
    unit: np.ndarray
    """float32[D], what numbers are divided by."""
    flags: np.ndarray
    """int16[K, V, 2], the columns of the flags of each value; the same twice for one, -1 for none."""
    rival: np.ndarray
    """int32[D], the next in a ring of bytes that show the same values by the same flags; most are alone in theirs."""
    static: np.ndarray
    """uint64[D / BLOCK, rounded up], bits of the bytes that never change in a game."""


@inlined_kernel
def set_flags(flags: Rows, value: Int, row: Row, number: float) -> None:
    """Write a number into the columns of the flags of a value, ``flags`` int16[V, 2]."""
    if value < flags.shape[0] and flags[value, 0] >= 0:
        row[np.int64(flags[value, 0])] = number
        row[np.int64(flags[value, 1])] = number


@inlined_kernel
def update_row(o: Observation, seen: Observation, columns: Columns, row: Row) -> Int:
    """Make the view of what was ``seen`` that of ``o``: only the columns of bytes that differ.

    Args:   o, seen uint8[D]; columns; row float32[F], the view of ``seen``
    Writes: row

    Returns: uint64, not 0 if a byte differs that never changes in a game.
    """
    strange = np.uint64(0)
    for block in range(columns.static.shape[0]):
        bits = differing(o, seen, block * BLOCK)
        strange |= bits & columns.static[block]
        while bits != 0:
            byte = np.uint64(block * BLOCK + lowest_bit(bits))
            bits &= bits - np.uint64(1)
            column = np.int64(columns.number[byte])
            if column > NOWHERE:
                row[np.uint64(column)] = np.float32(o[byte]) / columns.unit[byte]
            elif column < NOWHERE:
                before, flags = np.int64(seen[byte]), columns.flags[NOWHERE - 1 - column]
                set_flags(flags, before, row, 0.0)
                set_flags(flags, np.int64(o[byte]), row, 1.0)
                rival = np.int64(columns.rival[byte])
                while rival != np.int64(byte):  # another byte may set a flag that was cleared
                    if np.int64(o[rival]) == before:
                        set_flags(columns.flags[NOWHERE - 1 - columns.number[rival]], before, row, 1.0)
                    rival = np.int64(columns.rival[rival])
    return strange


@loop
def show_views(observations: Rows, known: Row, shown: Row, columns: Columns, out: Rows, lo: Int, hi: Int) -> Int:
    """Write the float views of the observations ``lo .. hi - 1``, but for board features, which are 0.

    Args:
        observations: uint8[n, D].
        known: uint8[D], what never changes in most of the games, other bytes being 0.
        shown: float32[F], its view.
        columns: where bytes are shown.
        out: float32[n, F], written.

    Returns: in how many of the observations what never changes is something else.
    """
    strange = np.int64(0)
    for index in range(lo, hi):
        for column in range(shown.shape[0]):
            out[index, column] = shown[column]
        strange += np.int64(update_row(observations[index], known, columns, out[index]) != 0)
    return strange


@loop
def update_views(observations: Rows, seen: Rows, columns: Columns, out: Rows, lo: Int, hi: Int) -> None:
    """Make the float views of ``seen`` uint8[n, D] those of the observations ``lo .. hi - 1``, which it then holds."""
    for index in range(lo, hi):
        update_row(observations[index], seen[index], columns, out[index])
        for byte in range(observations.shape[1]):
            seen[index, byte] = observations[index, byte]


@shared(loop)
def feature_games(observations: Rows, first: Int, width: Int, out: Rows, lo: Int, hi: Int) -> None:
    """Write the board features of the observations ``lo .. hi - 1``.

    Args: where those of the first place begin in ``out`` float32[n, F], and how far the next place's are.
    """
    for index in range(lo, hi):
        engine.board_features(observations[index], out[index], first, width)


class Column(NamedTuple):
    """One column of a block in a float view; every row of the block has one."""

    name: str
    low: float
    high: float


Entries = list[tuple[int, int, int, int, int, float]]
_KNOWN: dict[tuple[Any, ...], tuple[Entries, Columns]] = {}
"""What the bytes of views show, by the arguments of the views: networks are loaded much faster than this is found."""


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
        sizes = [piece.stop - piece.start for piece in spec.obs_layout]
        self._is_static = np.repeat([piece.is_static for piece in spec.obs_layout], sizes)
        """Which bytes of an observation never change in a game: bool[D]."""
        self.blocks: dict[str, tuple[int, int, tuple[Column, ...]]] = {}
        start = 0
        for block, rows in spec.block_rows.items():
            columns = self._columns(block, shown)
            self.blocks[block] = (start, rows, columns)
            start += rows * len(columns)
        self.size = start
        each = [column for _, rows, columns in self.blocks.values() for column in columns * rows]
        self.low: np.ndarray = np.array([column.low for column in each], np.float32)
        self.high: np.ndarray = np.array([column.high for column in each], np.float32)
        self.first, self.width, places, kinds = -1, 0, 0, 0
        if self.board is not None:
            self.first, self.width = self.place_of(self.board.features[0].name, self.board.block)
            places, kinds = spec.block_rows[self.board.block], len(self.board.features)
        self.feature_columns = (self.first + np.arange(places)[:, None] * self.width + np.arange(kinds)).ravel()
        """Columns of the board features, place after place: int64[B]."""
        key = (spec, static, features, None if slices is None else frozenset(slices))
        if key not in _KNOWN:
            entries = self._entries(shown)
            _KNOWN[key] = entries, self._columns_of_bytes(entries)
        self.entries, self._byte_columns = _KNOWN[key]
        """What bytes show, numbers first: a byte; the lowest and the highest value that it is a flag for, -1 and -1 for
        a number; the column of the lowest; the step to the column of the next; what a number is divided by."""
        self._known = np.zeros(spec.obs_size, np.uint8), np.zeros(self.size, np.float32)
        """An observation of which most others differ little, and its view: see ``show_views``."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy a view by what it is made of."""
        return FloatView, (self.spec, self.static, self.board is not None, self.slices)

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

    def _entries(self, slices: list[Slice]) -> Entries:
        numbers: Entries = []
        flags: Entries = []
        for piece in slices:
            rows, names = self.spec.block_rows[piece.block], _columns_of(piece, self.spec)
            width = len(names) * rows // (piece.stop - piece.start)  # columns of each byte in its own row
            for byte in range(piece.start, piece.stop):
                copy, row = divmod(byte - piece.start, rows)
                column, _ = self.place_of(names[copy * width][0], piece.block, row)
                if not isinstance(piece.shown, Kinds):
                    numbers.append((byte, -1, -1, column, 0, piece.shown))
                    continue
                first, block, elsewhere = piece.shown
                if block:
                    flags.append((byte, 1, first - 1, column, 0, 1.0))
                    column += 1
                if elsewhere:
                    flags.append((byte, 1, first - 1, *self.place_of(f"{elsewhere}_{row}", block), 1.0))
                flags.append((byte, first, piece.high, column, 1, 1.0))
        return numbers + flags

    def _columns_of_bytes(self, entries: Entries) -> Columns:
        """Return the entries as kernels read them."""
        size = self.spec.obs_size
        number, unit = np.full(size, NOWHERE, np.int32), np.ones(size, np.float32)
        with_flags = sorted({byte for byte, low, *_ in entries if low >= 0})
        number[with_flags] = NOWHERE - 1 - np.arange(len(with_flags))
        highest = max((entry[2] for entry in entries), default=0)
        columns = np.full((len(with_flags), 1 + max(0, highest), 2), -1, np.int16)
        rings: dict[tuple[int, ...], list[int]] = {}
        for byte, low, high, column, step, divisor in entries:
            if low < 0:
                number[byte], unit[byte] = column, divisor
                continue
            rings.setdefault((low, high, column, step), []).append(byte)
            for value in range(low, high + 1):
                pair = columns[NOWHERE - 1 - number[byte], value]
                pair[1 if pair[0] >= 0 else slice(None)] = column + (value - low) * step
        rival = np.arange(size, dtype=np.int32)
        for ring in rings.values():
            if len(ring) > 1:
                rival[ring] = np.roll(ring, -1)
        padded = np.pad(self._is_static, (0, -size % BLOCK))
        static = np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64)
        return Columns(number=number, unit=unit, flags=columns, rival=rival, static=static)

    def show(self, observations: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Return the views of observations uint8[..., D]: float32[..., F], a new array unless ``out`` is given.

        Raises: TypeError for observations that are no such bytes, or an ``out`` that is no such array.
        """
        rows, shape = self._rows(observations), (*observations.shape[:-1], self.size)
        if out is None:
            out = np.empty(shape, np.float32)
        _check_out(out, shape)
        target = out.reshape(-1, self.size)
        known, shown = self._known
        strange = show_views(rows, known, shown, self._byte_columns, target, 0, len(rows))
        if 2 * strange > len(rows):
            known, shown = rows[-1] * self._is_static, np.zeros(self.size, np.float32)
            update_row(known, np.zeros_like(known), self._byte_columns, shown)
            self._known = known, shown
        self._show_features(rows, target)
        return out

    def update(self, observations: np.ndarray, seen: np.ndarray, out: np.ndarray) -> None:
        """Make views those of other observations; the fewer of their bytes differ, the faster.

        Args:
            observations: uint8[n, D], C-contiguous.
            seen: uint8[n, D], what ``out`` shows; then the same as ``observations``.
            out: float32[n, F], C-contiguous, the views of ``seen``. Views of nothing but zeros are zeros.

        Raises: TypeError for observations that are no such bytes, or an ``out`` that is no such array.
        """
        kinds, shape = (observations.dtype, seen.dtype, out.dtype), (len(out), self.spec.obs_size)
        is_like = observations.shape == seen.shape == shape and out.shape[1:] == (self.size,)
        # Once for each step of an environment: to look at everything, for the words of an error, took a tenth of it.
        for each in () if is_like and kinds == _KINDS and out.flags.carray else (observations, seen):
            _check_out(out, (len(self._rows(each)), self.size))
        update_views(observations, seen, self._byte_columns, out, 0, len(observations))
        self._show_features(observations, out)

    def _rows(self, observations: np.ndarray) -> np.ndarray:
        """Return observations uint8[..., D] as uint8[n, D]; kernels would read any other numbers as if they were."""
        size, given = self.spec.obs_size, np.asarray(observations)
        if given.shape[-1:] != (size,) or given.dtype != np.uint8:
            words = f"{given.dtype}{list(given.shape)}"
            raise TypeError(f"observations: must be uint8[..., {size}] as {self.spec.name} shows them, not {words}")
        return np.ascontiguousarray(given.reshape(-1, size))

    def _show_features(self, rows: np.ndarray, out: np.ndarray) -> None:
        """Write the board features of observations uint8[n, D] into their views float32[n, F]."""
        if self.board is not None:
            feature_games.of(self.spec.engine)(rows, self.first, self.width, out, 0, len(rows))

    def features_of(self, observations: np.ndarray) -> np.ndarray:
        """Return the board features alone, place after place, of observations uint8[..., D]: float32[..., B].

        They are what a view has that its bytes do not say; B is 0 for a view without them.
        """
        shape = observations.shape[:-1]
        rows = self._rows(observations)
        out = np.empty((len(rows), len(self.feature_columns)), np.float32)
        if self.board is not None:
            feature_games.of(self.spec.engine)(rows, 0, len(self.board.features), out, 0, len(rows))
        return out.reshape(*shape, -1)

    def block(self, views: np.ndarray, name: str) -> np.ndarray:
        """Return a block of views float32[..., F]: float32[..., rows, columns], a view, [..., columns] for one row."""
        start, rows, columns = self.blocks[name]
        part = views[..., start : start + rows * len(columns)]
        return part.reshape(*part.shape[:-1], rows, len(columns)) if rows > 1 else part


_KINDS = (np.dtype(np.uint8), np.dtype(np.uint8), np.dtype(np.float32))
"""Of observations, of those that were seen, and of their views."""


def _check_out(out: np.ndarray, shape: tuple[int, ...]) -> None:
    """Raise TypeError for an array that does not take views of this shape; kernels would write beyond its end."""
    if out.shape != shape or out.dtype != np.float32 or not out.flags.carray:
        given = f"{out.dtype}{list(out.shape)}"
        raise TypeError(f"out: must be float32{list(shape)}, C-contiguous and not read-only, not {given}")


class ByteView:
    """Observations as they are; ``envs.device_view`` makes float views of them where the learner is.

    Attributes:
        low, high: uint8[D], bounds of the bytes.
    """

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        sizes = [piece.stop - piece.start for piece in spec.obs_layout]
        self.high = np.repeat(np.array([piece.high for piece in spec.obs_layout], np.uint8), sizes)
        self.low = np.zeros_like(self.high)

    def show(self, observations: np.ndarray) -> np.ndarray:
        """Return a copy of observations uint8[..., D]."""
        return observations.copy()

    def update(self, observations: np.ndarray, seen: np.ndarray, out: np.ndarray) -> None:
        """Write observations uint8[n, D] into ``out``; ``seen`` is not needed."""
        np.copyto(out, observations)


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
