"""The oracles, by game: what the tests that drive one of them need to know of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .oracle import shitenno_audit, shitenno_outcomes, shogun_audit, shogun_outcomes
from .oracle.auditor import Auditor
from .oracle.chance import Chance, DrawnChance, Outcome
from .oracle.game import Line, SlowGame
from .oracle.shitenno_oracle import OracleGame as ShitennoGame
from .oracle.shogun_oracle import OracleGame as ShogunGame
from .random_chance import RandomChance as ShogunChance
from .shitenno_random_chance import RandomChance as ShitennoChance


class Oracle(NamedTuple):
    """A slow game and what goes with it."""

    game: Callable[..., SlowGame]
    """Keywords: players, options of the rules, chance."""
    audit: type[Auditor]
    chance_of: Callable[[list[Line]], list[Outcome]]
    """Lines of a record -> its chance."""
    drawn: Callable[[int], DrawnChance]
    """Seed -> chance drawn at random."""
    rules: dict[str, Any]
    """Options of the engine that the oracle knows, with their defaults."""
    header: dict[str, Any]
    """Fields of a record's header beside those of every game."""


ORACLES = {
    "shogun": Oracle(
        ShogunGame,
        shogun_audit.Audit,
        shogun_outcomes.chance_of,
        ShogunChance,
        {"side": "sun", "start": "preset", "optional_moves": False, "shuffle_seats": False},
        {"tower": {"floors": 2, "stick": 0.15, "dislodge": 0.025, "shake": 0}},
    ),
    "shitenno": Oracle(ShitennoGame, shitenno_audit.Audit, shitenno_outcomes.chance_of, ShitennoChance, {}, {}),
}


def game_of(name: str, options: dict[str, Any], chance: Chance) -> Any:
    """Return the oracle's game for options of the engine; those that do not concern it are left out."""
    oracle = ORACLES[name]
    rules = {option: options.get(option, default) for option, default in oracle.rules.items()}
    return oracle.game(players=options.get("num_players", 4), chance=chance, **rules)
