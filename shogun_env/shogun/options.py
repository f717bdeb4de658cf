"""The options of a game of Shogun: checking them, and the blank state from which games start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypedDict, get_args

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.state import blank
from shogun_env.spec.options import OptionError, check_names, flag, is_whole, number_of_players, one_of


class Play(TypedDict, total=False):
    """The keywords of play."""

    num_players: int
    side: Side
    start: Start
    tower: TowerOption
    optional_moves: bool
    shuffle_seats: bool


class Rewarded(Play, total=False):
    """The keywords of play, and the reward."""

    reward: Reward


class Tower(NamedTuple):
    """Parameters of the tower (5.1, R10): 1 to 4 floors and three probabilities."""

    floors: int
    stick: float
    dislodge: float
    shake: float


TOWERS = {
    "two_floor": Tower(2, 3 / 20, 1 / 40, 0.0),
    "one_shot": Tower(1, 1 / 3, 0.0, 1 / 3),
}
"""The presets: the real tower with its two perforated floors, and a well-known online version."""

Side = Literal["sun", "moon"]
Start = Literal["preset", "draft", "random"]
Reward = Literal["win", "rank", "margin", "points"]
TowerOption = Literal["two_floor", "one_shot"] | tuple[int, float, float, float] | Mapping[str, Any]
"""A preset, or the parameters as ``Tower``, tuple or mapping."""

PLAYERS = range(3, c.MAX_PLAYERS + 1)
DEFAULTS: dict[str, Any] = {
    "num_players": 4,
    "side": "sun",
    "start": "preset",
    "tower": "two_floor",
    "optional_moves": False,
    "shuffle_seats": False,
}
CHOICES: dict[str, tuple[Any, ...]] = {
    "num_players": (3, 4, 5),
    "side": get_args(Side),
    "start": get_args(Start),
    "tower": ("two_floor", "one_shot"),
    "optional_moves": (False, True),
    "shuffle_seats": (False, True),
}
"""Values of every option that together lead through all rules; not every combination is allowed."""
FAIR: dict[str, Any] = {"start": "random"}
"""Options with which no player begins better placed than another; the rows of the start table are not equally good."""


def tower_of(tower: TowerOption) -> Tower:
    """Return the parameters of a tower given as name of a preset, mapping or (floors, stick, dislodge, shake).

    Raises: OptionError if there is no such preset, or a parameter is out of range (5.1).
    """
    try:
        if isinstance(tower, str):
            return TOWERS[tower]
        given = Tower(**tower) if isinstance(tower, Mapping) else Tower(*tower)
        given = Tower(given.floors, float(given.stick), float(given.dislodge), float(given.shake))
    except (KeyError, TypeError, ValueError, OverflowError):
        raise OptionError(
            f"tower={tower!r}: must be one of {', '.join(TOWERS)}, or all of floors, stick, dislodge, shake"
        ) from None
    if not is_whole(given.floors) or not 1 <= given.floors <= c.MAX_FLOORS:
        raise OptionError(f"tower floors={given.floors!r}: must be a whole number from 1 to {c.MAX_FLOORS}")
    for name in ("stick", "dislodge", "shake"):
        if not 0.0 <= getattr(given, name) <= 1.0:
            raise OptionError(f"tower {name}={getattr(given, name)!r}: must be a probability from 0 to 1")
    return given._replace(floors=int(given.floors))


def check_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options with defaults filled in, after checking each and their combination (rules 2, 5.1).

    Returns: a value for every key of DEFAULTS, the tower as ``Tower``.

    Raises: OptionError naming the option, its value and what would be right.
    """
    check_names(options, DEFAULTS)
    full = {**DEFAULTS, **options}
    full["num_players"] = number_of_players(full["num_players"], PLAYERS)
    one_of("side", full["side"], board.SIDE_NAMES)
    one_of("start", full["start"], board.START_NAMES)
    full["tower"] = tower_of(full["tower"])
    full["optional_moves"] = flag("optional_moves", full["optional_moves"])
    full["shuffle_seats"] = flag("shuffle_seats", full["shuffle_seats"])
    start = full["start"]
    if start == "preset" and full["side"] != "sun":
        raise OptionError(
            "start='preset' with side='moon': must be draft or random; start positions are printed for the sun side"
        )
    if full["shuffle_seats"] and start != "preset":
        raise OptionError(
            f"shuffle_seats=True with start={start!r}: must be False; only preset has positions to shuffle"
        )
    return full


def blank_state(options: Mapping[str, Any]) -> np.ndarray:
    """Return a state, shape (1,), that holds checked options and is blank otherwise."""
    from shogun_env.kernel.rng import threshold  # not above: what a command line may say needs no kernel

    games = blank().reshape(1)
    g = games[0]
    g["n_players"] = options["num_players"]
    g["side"] = board.BOARD_NAMES.index(options["side"])
    g["start"] = board.START_NAMES.index(options["start"])
    g["optional_moves"] = options["optional_moves"]
    g["shuffle_seats"] = options["shuffle_seats"]
    tower = options["tower"]
    g["floors"] = tower.floors
    for name in ("stick", "dislodge", "shake"):
        g[name] = threshold(getattr(tower, name))
    return games


def options_of_state(g: np.void) -> dict[str, Any]:
    """Return the options that a state holds; probabilities of the tower are exact to 2^-32."""
    from shogun_env.kernel.rng import probability

    chances = (probability(int(g[name])) for name in ("stick", "dislodge", "shake"))
    return {
        "num_players": int(g["n_players"]),
        "side": board.SIDE_NAMES[g["side"]],
        "start": board.START_NAMES[g["start"]],
        "tower": Tower(int(g["floors"]), *chances),
        "optional_moves": bool(g["optional_moves"]),
        "shuffle_seats": bool(g["shuffle_seats"]),
    }
