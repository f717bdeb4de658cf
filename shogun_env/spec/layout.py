"""How observations are laid out: named slices of bytes, grouped in blocks, and how float views show them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple


class Kinds(NamedTuple):
    """Says that bytes are categories: a float view has a flag for every value from ``first``, and nothing for 0."""

    first: int = 1
    """The lowest value that is a kind."""
    rows_of: str = ""
    """Block whose rows, from 1, the values below ``first`` name; a flag next to the kinds says that a row is named."""
    seen_from: str = ""
    """Name of the flags by which a row of ``rows_of`` shows which rows of the own block name it; none if empty."""


EACH_KIND = Kinds()
UNIT = 1.0
"""The unit of flags and of what is counted one by one."""
Shown = float | Kinds
"""How a float view shows a byte: divided by a natural unit, so that most values of real games are from 0 to 1, or as
a category."""


class Slice(NamedTuple):
    """One feature of an observation: bytes ``start .. stop - 1`` hold values 0..high."""

    name: str
    block: str
    """The block that it belongs to, such as provinces or players; it has the same number of values for each row."""
    start: int
    stop: int
    high: int
    shown: Shown
    """The unit by which float views divide, or the kinds that they show as flags."""
    is_static: bool
    """Whether it never changes in a game."""
    known_to: str
    """Who may know it."""
    meaning: str


Feature = tuple[str, str, int, int, Shown, str, str]
"""Name, block, bytes per row of the block, highest value, how float views show it, who may know it, meaning."""


def lay_out(
    features: Iterable[Feature], rows: Mapping[str, Sequence[str]], static: Collection[str] = ()
) -> tuple[Slice, ...]:
    """Return features as slices, one after the other.

    Args:
        features: in the order of the observation.
        rows: names of the rows of each block, by its name; a feature has its bytes once per row.
        static: names of the features that never change in a game.
    """
    slices: list[Slice] = []
    start = 0
    for name, block, width, high, shown, known_to, meaning in features:
        stop = start + width * len(rows[block])
        slices.append(Slice(name, block, start, stop, high, shown, name in static, known_to, meaning))
        start = stop
    return tuple(slices)


class BoardFeature(NamedTuple):
    """A number that an engine works out from an observation for every row of a block, for learners who ask for it."""

    name: str
    low: float
    high: float
    meaning: str


class Board(NamedTuple):
    """What a learner can use of the main block of a game's observations: its places, such as provinces."""

    block: str
    """Name of the block."""
    features: tuple[BoardFeature, ...]
    """What the engine's ``board_features`` writes for each place."""
    features_read: tuple[str, ...]
    """Names of the slices of which they are worked out."""
    neighbours: tuple[tuple[int, ...], ...]
    """The places next to each place; empty for a game without borders."""
    groups: tuple[str, ...]
    """Columns of the block in a float view, flags each, by which places belong together."""
    actions: tuple[int, ...]
    """First actions of ranges in which each action names a place, in their order."""
    numbers: range = range(0)
    """Actions that are whole numbers in order."""
    late: tuple[str, ...] = ()
    """Names of the slices, of flags and kinds, that change while a player makes several decisions in one position."""
