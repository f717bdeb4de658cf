"""The options of a game of Shikoku: checking them, and the blank state from which games start."""

from collections.abc import Mapping
from operator import truediv
from typing import Any, Literal, TypedDict, get_args

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.options import Reward, Tower
from shogun_env.shogun.options import blank_state as blank_state_of_shogun
from shogun_env.spec.options import check_names, number_of_players, one_of

Size = Literal["small", "large"]
PLAYERS = range(int(board.FEWEST_PLAYERS[c.SMALL]), int(board.MOST_PLAYERS[c.SMALL]) + 1)
DEFAULTS: dict[str, Any] = {"num_players": 2, "size": "small"}
CHOICES: dict[str, tuple[Any, ...]] = {"num_players": tuple(PLAYERS), "size": get_args(Size)}
FAIR: dict[str, Any] = {}
"""No options make the places equally good."""
TOWERS = {
    name: Tower(
        size["tower"]["floors"], *(truediv(*size["tower"][chance]) for chance in ("stick", "dislodge", "shake"))
    )
    for name, size in board.SHIKOKU["sizes"].items()
}
"""The tower by size: it has one floor, so that everybody knows where its cubes lie."""


class Play(TypedDict, total=False):
    """The keywords of play."""

    num_players: int
    size: Size


class Rewarded(Play, total=False):
    """The keywords of play, and the reward."""

    reward: Reward


def check_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options with defaults filled in, after checking each.

    Raises: OptionError naming the option, its value and what would be right.
    """
    check_names(options, DEFAULTS)
    full = {**DEFAULTS, **options}
    full["num_players"] = number_of_players(full["num_players"], PLAYERS)
    one_of("size", full["size"], get_args(Size))
    return full


def of_shogun(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of Shogun with which the rules are played."""
    return {
        "num_players": options["num_players"],
        "side": options["size"],
        "start": "preset",
        "tower": TOWERS[options["size"]],
        "optional_moves": False,
        "shuffle_seats": False,
    }


def blank_state(options: Mapping[str, Any]) -> np.ndarray:
    """Return a state, shape (1,), that holds checked options and is blank otherwise."""
    return blank_state_of_shogun(of_shogun(options))


def options_of_state(g: np.void) -> dict[str, Any]:
    """Return the options that a state holds."""
    return {"num_players": int(g["n_players"]), "size": board.BOARD_NAMES[g["side"]]}
