"""Shitennō (Cédric Lefebvre, 2011) for 2 to 4 players: its ``GameSpec``, ``Batch`` and ``Game``.

``RULES.md``, next to this file, has the rules as they are played here, and ``RECORD.md`` the format of game records.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shogun_env.shitenno.whole import FAIR, OBS_LAYOUT, OBS_SIZE, SHITENNO, STATE, Batch, Game, action_name

__all__ = ["FAIR", "OBS_LAYOUT", "OBS_SIZE", "SHITENNO", "STATE", "Batch", "Game", "action_name"]

RULES_VERSION = 1
OBS_VERSION = 2


def __getattr__(name: str) -> Any:
    """Import the game when it is first asked for: its options alone need neither rules nor numba."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from shogun_env.shitenno import whole

    return getattr(whole, name)
