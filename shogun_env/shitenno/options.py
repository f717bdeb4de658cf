"""The options of a game of Shitennō: checking them, and putting them into the blank state that a game starts from."""

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

import numpy as np

from shogun_env.shitenno import constants as c
from shogun_env.shitenno.state import blank
from shogun_env.spec.options import check_names, number_of_players

Reward = Literal["win", "rank", "margin"]

PLAYERS = range(c.MIN_PLAYERS, c.MAX_PLAYERS + 1)
DEFAULTS: dict[str, Any] = {"num_players": 4}
CHOICES: dict[str, tuple[Any, ...]] = {"num_players": (2, 3, 4)}
"""Values of every option; together they exercise all rules."""
FAIR: dict[str, Any] = {}
"""Options with which no player begins better placed than another: titles are dealt at random always."""


class Play(TypedDict, total=False):
    """The keywords of play."""

    num_players: int


class Rewarded(Play, total=False):
    """The keywords of play, and the reward."""

    reward: Reward


def check_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options, defaults filled in.

    Raises: OptionError naming the option, its value and what would be right.
    """
    check_names(options, DEFAULTS)
    return {"num_players": number_of_players({**DEFAULTS, **options}["num_players"], PLAYERS)}


def blank_state(options: Mapping[str, Any]) -> np.ndarray:
    """Return a state of shape (1,) that holds checked options, is blank otherwise, and waits for the set-up (2)."""
    games = blank().reshape(1)
    games[0]["n_players"] = options["num_players"]
    games[0]["phase"] = c.SET_UP
    return games


def options_of_state(g: np.void) -> dict[str, Any]:
    """Return the options that a state holds."""
    return {"num_players": int(g["n_players"])}
