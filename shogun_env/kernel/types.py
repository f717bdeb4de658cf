"""Names for the arguments and results of kernels. They are for readers; numba infers the types by itself.

Numbers are passed as int64 or float64. A value in a state is narrower: it is widened where it is read
(``np.int64(g["armies"][province])``) and narrowed again only where it is stored.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

State: TypeAlias = Any
"""One position of a game: a numpy struct of the game's ``STATE`` dtype, changed in place."""
Rng: TypeAlias = Any
"""A random row uint64[2]: the key of a stream, and the number of draws made."""
Log: TypeAlias = Any
"""A log row int16[L], see ``kernel.log``."""
Mask: TypeAlias = Any
"""A mask int8[A]: 1 where an action is legal."""
Observation: TypeAlias = Any
"""The bytes of an observation, uint8[D]."""
Params: TypeAlias = Any
"""The parameters of a policy, float64[K]."""
Row: TypeAlias = Any
"""A row of numbers: one axis of a field, or a scratch array."""

Rows: TypeAlias = Any
"""Rows of numbers, one for each game of a batch: an array of two axes or three."""

Int: TypeAlias = Any
"""An int64."""
Float: TypeAlias = Any
"""A float64."""
Bool: TypeAlias = Any
"""A truth value, or a byte that is 0 or 1."""
UInt64: TypeAlias = Any
"""64 random bits."""
Action: TypeAlias = Int
"""The number of an action; NONE for none."""
Player: TypeAlias = Int
"""A player, 0 .. n - 1; NONE for nobody."""
Prov: TypeAlias = Int
"""A province; NONE for none."""
Kernel: TypeAlias = Callable[..., Any]
"""A compiled function."""
