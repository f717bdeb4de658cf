"""Named conditions of a league, so that results of different places mean the same."""

from __future__ import annotations

from collections.abc import Mapping
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
POOL: dict[str, dict[str, float]] = {
    "shogun": {"random": 0.0, "pool:2min": 562.0, "pool:20min": 688.0, "pool:champion-0.2": 888.0},
    "shitenno": {"random": 0.0, "pool:2min": 642.0, "pool:20min": 789.0, "pool:champion-0.2": 833.0},
}
"""The reference pool with its ratings, which never change. They were found by leagues of these bots and ``scripted``
under the same conditions (``--preset own``), in which only ``random`` was fixed, after 20,000 games."""


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


def check(settings: Settings, fixed: Mapping[str, float]) -> None:
    """Check that a league that says STANDARD is played under these conditions; ValueError naming what differs.

    Args: fixed, the ratings of its bots that are fixed.
    """
    if settings.conditions != STANDARD:
        return
    now = {
        "options": list(settings.variants),
        "ratings": dict(fixed),
        **{name: getattr(settings, name) for name in LIMITS},
    }
    right = {"options": [options_of(settings.spec)], "ratings": POOL[settings.game], **LIMITS}
    for name, value in right.items():
        if now[name] != value:
            raise ValueError(f"this league says {STANDARD}, but its {name} are {now[name]}, not {value}")
