"""Shikoku, a small Shogun for 2 or 3 players that can be solved: ``Batch`` for many games, ``Game`` for one.

It is the last round of a game of Shogun on the four provinces of one island, with some of the cards, played by the
same rules code; its numbers are in ``shogun/shikoku.json``, what differs from Shogun in ``RULES.md`` next to this file.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shogun_env.shikoku.whole import OBS_LAYOUT, OBS_SIZE, SHIKOKU, STATE, Batch, Game

__all__ = ["OBS_LAYOUT", "OBS_SIZE", "SHIKOKU", "STATE", "Batch", "Game"]

RULES_VERSION = 1
OBS_VERSION = 1


def __getattr__(name: str) -> Any:
    """Import the game when it is first asked for: its options alone need neither rules nor numba."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from shogun_env.shikoku import whole

    return getattr(whole, name)
