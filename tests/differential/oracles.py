"""The oracles, by game: what the tests that drive one of them need to know of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from .oracle.auditor import Auditor
from .oracle.chance import Chance, DrawnChance, Outcome
from .oracle.game import Line, SlowGame
from .oracle.shitenno import audit as shitenno_audit
from .oracle.shitenno import outcomes as shitenno_outcomes
from .oracle.shitenno.oracle import OracleGame as ShitennoGame
from .oracle.shitenno.random_chance import RandomChance as ShitennoChance
from .oracle.shogun import audit as shogun_audit
from .oracle.shogun import outcomes as shogun_outcomes
from .oracle.shogun.oracle import OracleGame as ShogunGame
from .oracle.shogun.random_chance import RandomChance as ShogunChance


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
    header: Callable[[dict[str, Any]], dict[str, Any]]
    """Options of the rules -> fields of a record's header besides those of every game."""


def shogun_header(rules: dict[str, Any]) -> dict[str, Any]:
    more = {name: rules[name] for name in ("optional_moves", "shuffle_seats")}
    tower = {"floors": 2, "stick": 0.15, "dislodge": 0.025, "shake": 0}
    return {"side": rules["side"], "start": rules["start"], "tower": tower, "options": more}


ORACLES = {
    "shogun": Oracle(
        ShogunGame,
        shogun_audit.Audit,
        shogun_outcomes.chance_of,
        ShogunChance,
        {"side": "sun", "start": "preset", "optional_moves": False, "shuffle_seats": False},
        shogun_header,
    ),
    "shitenno": Oracle(
        ShitennoGame,
        shitenno_audit.Audit,
        shitenno_outcomes.chance_of,
        ShitennoChance,
        {},
        lambda rules: {"options": {}},
    ),
}


def rules_of(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the rules among those of the engine."""
    return {option: options.get(option, default) for option, default in ORACLES[name].rules.items()}


def game_of(name: str, options: dict[str, Any], chance: Chance) -> Any:
    """Return the oracle's game for options of the engine; those that do not concern it are left out."""
    return ORACLES[name].game(players=options.get("num_players", 4), chance=chance, **rules_of(name, options))


def record_of(name: str, options: dict[str, Any], game: SlowGame) -> list[Line]:
    """Return the record of a game, as a file would give it back."""
    header = {"t": "header", "format": f"{name}-record", "version": 1, "players": options.get("num_players", 4)}
    header |= ORACLES[name].header(rules_of(name, options)) | {"seed": 7, "agents": None}
    lines: list[Line] = json.loads(json.dumps([header, *game.lines]))
    return lines
