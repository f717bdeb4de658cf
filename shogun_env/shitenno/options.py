"""The options of a game of Shitennō: checked, and put into a blank record that games start from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shogun_env.errors import OptionError
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.state import GAME, blank

PLAYERS = range(c.MIN_PLAYERS, c.MAX_PLAYERS + 1)
DEFAULTS: dict[str, Any] = {"num_players": 4}


def check_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in defaults and check every option.

    Returns: all of DEFAULTS' keys.   Raises: OptionError naming what is wrong and what would be right.
    """
    for name in options:
        if name not in DEFAULTS:
            raise OptionError(f"unknown option {name!r}; the options are {', '.join(DEFAULTS)}")
    players = {**DEFAULTS, **options}["num_players"]
    if isinstance(players, bool) or not isinstance(players, int | np.integer) or players not in PLAYERS:
        raise OptionError(f"num_players={players!r}: must be 2, 3 or 4")
    return {"num_players": int(players)}


def template(options: Mapping[str, Any]) -> np.ndarray:
    """Return a record, shape (1,), that is blank but for checked options and waits for the set-up."""
    games = np.empty(1, GAME)
    games[0] = blank()
    games[0]["n_players"] = options["num_players"]
    games[0]["phase"] = c.SET_UP
    return games
