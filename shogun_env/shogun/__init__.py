"""Shogun (Dirk Henn, 2006) for 3 to 5 players: ``Batch`` for many games, ``Game`` for one.

The rules as they are played here are in ``RULES.md`` next to this file, the format of records is in ``RECORD.md``.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shogun_env.shogun.whole import (
        FAIR,
        OBS_LAYOUT,
        OBS_SIZE,
        SHOGUN,
        STATE,
        TOWERS,
        Batch,
        Game,
        Tower,
        action_name,
    )

__all__ = ["FAIR", "OBS_LAYOUT", "OBS_SIZE", "SHOGUN", "STATE", "TOWERS", "Batch", "Game", "Tower", "action_name"]

RULES_VERSION = 1
OBS_VERSION = 2


def __getattr__(name: str) -> Any:
    """Import the game when it is first asked for: its options alone need neither rules nor numba."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from shogun_env.shogun import whole

    return getattr(whole, name)
