"""The oracles, by game: what the tests that drive one of them need to know of it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from .oracle.chance import Chance, Outcome
from .oracle.game import Line, SlowGame
from .oracle.shitenno import outcomes as shitenno_outcomes
from .oracle.shitenno.oracle import OracleGame as ShitennoGame
from .oracle.shogun import outcomes as shogun_outcomes
from .oracle.shogun.oracle import OracleGame as ShogunGame


class Oracle(NamedTuple):
    """A slow game and what goes with it."""

    game: Callable[..., SlowGame]
    """Keywords: players, options of the rules, chance."""
    chance_of: Callable[[list[Line]], list[Outcome]]
    """Lines of a record -> its chance."""
    free: tuple[str, ...]
    """Types of lines at the beginning whose order is free."""
    rules: dict[str, Any]
    """Options of the engine that the oracle knows, with their defaults."""


ORACLES = {
    "shogun": Oracle(
        ShogunGame,
        shogun_outcomes.chance_of,
        ("place",),
        {"side": "sun", "start": "preset", "optional_moves": False, "shuffle_seats": False},
    ),
    "shitenno": Oracle(ShitennoGame, shitenno_outcomes.chance_of, (), {}),
}


def game_of(name: str, options: dict[str, Any], chance: Chance) -> Any:
    """Return the oracle's game for options of the engine; those that do not concern it are left out."""
    rules = {option: options.get(option, default) for option, default in ORACLES[name].rules.items()}
    return ORACLES[name].game(players=options.get("num_players", 4), chance=chance, **rules)
