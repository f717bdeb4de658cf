"""The options of a game of Shogun: checked, and put into a blank record that games start from."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from shogun_env.errors import OptionError
from shogun_env.rng import threshold
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.state import GAME, blank


class Tower(NamedTuple):
    """Parameters of the tower (R10): floors 1..4 and three probabilities."""

    floors: int
    stick: float
    dislodge: float
    shake: float


TOWERS = {
    "two_floor": Tower(2, float(Fraction(3, 20)), float(Fraction(1, 40)), 0.0),
    "one_shot": Tower(1, float(Fraction(1, 3)), 0.0, float(Fraction(1, 3))),
}
"""The presets: the real tower's two perforated floors; and a well-known online version."""

PLAYERS = range(3, c.MAX_PLAYERS + 1)
DEFAULTS: dict[str, Any] = {
    "num_players": 4,
    "side": "sun",
    "start": "preset",
    "tower": "two_floor",
    "optional_moves": False,
    "shuffle_seats": False,
}


def tower_of(tower: str | Tower | Mapping[str, Any] | tuple[Any, ...]) -> Tower:
    """Return the parameters of a tower given by preset name, mapping or (floors, stick, dislodge, shake)."""
    if isinstance(tower, str):
        if tower not in TOWERS:
            raise OptionError(
                f"tower={tower!r}: the presets are {', '.join(TOWERS)}; or give floors, stick, dislodge, shake"
            )
        return TOWERS[tower]
    try:
        found = Tower(**tower) if isinstance(tower, Mapping) else Tower(*tower)
        found = Tower(found.floors, float(found.stick), float(found.dislodge), float(found.shake))
    except (TypeError, ValueError):
        raise OptionError(f"tower={tower!r}: give a preset name or all of floors, stick, dislodge, shake") from None
    if (
        isinstance(found.floors, bool)
        or not isinstance(found.floors, int | np.integer)
        or not 1 <= found.floors <= c.MAX_FLOORS
    ):
        raise OptionError(f"tower floors={found.floors!r}: must be a whole number from 1 to {c.MAX_FLOORS}")
    for name in ("stick", "dislodge", "shake"):
        if not 0.0 <= getattr(found, name) <= 1.0:
            raise OptionError(f"tower {name}={getattr(found, name)!r}: must be a probability from 0 to 1")
    return found._replace(floors=int(found.floors))


def _one_of(name: str, value: Any, allowed: tuple[str, ...]) -> int:
    if value not in allowed:
        raise OptionError(f"{name}={value!r}: must be one of {', '.join(allowed)}")
    return allowed.index(value)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise OptionError(f"{name}={value!r}: must be True or False")
    return bool(value)


def check_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in defaults and check every option and their combination.

    Returns: all of DEFAULTS' keys, the tower as ``Tower``.   Raises: OptionError naming what is wrong and what would
    be right.
    """
    for name in options:
        if name not in DEFAULTS:
            raise OptionError(f"unknown option {name!r}; the options are {', '.join(DEFAULTS)}")
    full = {**DEFAULTS, **options}
    players = full["num_players"]
    if isinstance(players, bool) or not isinstance(players, int | np.integer) or players not in PLAYERS:
        raise OptionError(f"num_players={players!r}: must be 3, 4 or 5")
    _one_of("side", full["side"], board.SIDE_NAMES)
    _one_of("start", full["start"], board.START_NAMES)
    full["num_players"] = int(players)
    full["tower"] = tower_of(full["tower"])
    full["optional_moves"] = _flag("optional_moves", full["optional_moves"])
    full["shuffle_seats"] = _flag("shuffle_seats", full["shuffle_seats"])
    if full["start"] == "preset" and full["side"] != "sun":
        raise OptionError(
            "start='preset' with side='moon': starting positions are printed for the sun side only; use draft or random"
        )
    if full["shuffle_seats"] and full["start"] != "preset":
        raise OptionError(
            f"shuffle_seats=True with start={full['start']!r}: only the preset start has seats to shuffle"
        )
    return full


def template(options: Mapping[str, Any]) -> np.ndarray:
    """Return a record, shape (1,), that is blank but for checked options."""
    games = np.empty(1, GAME)
    games[0] = blank()
    g = games[0]
    g["n_players"] = options["num_players"]
    g["side"] = board.SIDE_NAMES.index(options["side"])
    g["start"] = board.START_NAMES.index(options["start"])
    g["optional_moves"] = options["optional_moves"]
    g["shuffle_seats"] = options["shuffle_seats"]
    tower = options["tower"]
    g["floors"] = tower.floors
    for name in ("stick", "dislodge", "shake"):
        g[name] = threshold(getattr(tower, name))
    return games
