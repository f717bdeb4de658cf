"""Named conditions of a league, so that results of different places mean the same."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from shogun_env import cli
from shogun_env.benchmarks.arena.settings import LIMITS, Settings
from shogun_env.spec.game_spec import GameSpec

STANDARD, OWN = "standard", "own"
"""The name of the conditions that are fixed here, and that of all others."""
OPTIONS: dict[str, dict[str, Any]] = {
    "shogun": {"num_players": 4, "side": "sun", "start": "random"},
    "shitenno": {"num_players": 4},
}
"""Options of play of ``standard``; all others are the usual ones."""
POOL = ("random", "pool:2min", "pool:20min", "pool:champion-0.2")
"""The reference pool of a league: bots that never change."""


def options_of(spec: GameSpec) -> dict[str, Any]:
    """Return the options of play that ``standard`` fixes for a game; ValueError if it has none."""
    if spec.name not in OPTIONS:
        raise ValueError(f"--preset {STANDARD}: there is none for {spec.name}; take --preset {OWN}")
    return cli.plain_options(spec.check_options(OPTIONS[spec.name]))


def with_preset(settings: Settings, options: Mapping[str, Any]) -> Settings:
    """Return the settings of a new league.

    Args: settings, with ``conditions`` STANDARD or OWN; options of play that are given, none for STANDARD.
    Raises: ValueError for a wrong option, or one that the preset fixes.
    """
    if settings.conditions != STANDARD:
        return replace(settings, variants=(dict(options),))
    for name in [*options, *(name for name in LIMITS if getattr(settings, name) is not None)]:
        raise ValueError(f"--preset {STANDARD} fixes {name}; with other values take --preset {OWN}")
    return replace(settings, variants=(options_of(settings.spec),), **LIMITS)


def check(settings: Settings, pool: Sequence[str]) -> None:
    """Check that a league that says STANDARD is played under these conditions; ValueError naming what differs.

    Args: pool, the bots of its reference pool.
    """
    if settings.conditions != STANDARD:
        return
    now = {"options": list(settings.variants), "pool": [*pool], **{name: getattr(settings, name) for name in LIMITS}}
    right = {"options": [options_of(settings.spec)], "pool": [*POOL], **LIMITS}
    for name, value in right.items():
        if now[name] != value:
            raise ValueError(f"this league says {STANDARD}, but its {name} are {now[name]}, not {value}")
