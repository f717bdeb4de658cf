"""The conditions of a league: named ones, so that results of different places mean the same, or one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shogun_env import cli
from shogun_env.agents.program.messages import PROTOCOL
from shogun_env.benchmarks.tournament import made_by
from shogun_env.spec.forms import finite
from shogun_env.spec.game_spec import GameSpec

STANDARD, OWN = "standard", "own"
"""The name of the conditions that are fixed here, and that of all others."""
LIMITS = {"game_seconds": 60.0, "memory_mb": 2048}
"""What a stranger's bot may use; see ``programs.Limits``."""
OPTIONS: dict[str, dict[str, Any]] = {
    "shogun": {"num_players": 4, "side": "sun", "start": "random"},
    "shitenno": {"num_players": 4},
}
"""Options of play of ``standard``; all others are the usual ones."""
ANCHORS: dict[str, dict[str, float]] = {
    "shogun": {"random": 0.0, "pool:2min": 562.0, "pool:20min": 688.0, "pool:champion-0.2": 888.0},
    "shitenno": {"random": 0.0, "pool:2min": 642.0, "pool:20min": 789.0, "pool:champion-0.2": 833.0},
}
"""The reference pool with its places, which never change. They were found by leagues of these bots and ``scripted``
under the same conditions (``--preset own``), in which only ``random`` was fixed, after 20,000 games."""
FIXED = ("options", "limits", "protocol", "anchors")
"""The settings that a preset fixes."""


def standard(spec: GameSpec) -> dict[str, Any]:
    """Return the settings that ``standard`` fixes for a game; ValueError if it has none."""
    if spec.name not in OPTIONS:
        raise ValueError(f"--preset {STANDARD}: there is none for {spec.name}; take --preset {OWN}")
    options = cli.plain_options(spec.check_options(OPTIONS[spec.name]))
    return {"options": options, "limits": dict(LIMITS), "protocol": PROTOCOL, "anchors": dict(ANCHORS[spec.name])}


def settings_of(game: str, preset: str, options: Mapping[str, Any], limits: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a new league.

    Args:
        game: short name of the game.
        preset: STANDARD or OWN.
        options: options of play, none for STANDARD.
        limits: of isolated bots, none for STANDARD; an empty one lets strangers play without any.

    Raises: ValueError for a wrong option, or one that the preset fixes.
    """
    spec = cli.batch_class(game).spec
    if preset == STANDARD:
        for name in {**options, **limits}:
            raise ValueError(f"--preset {STANDARD} fixes {name}; with other values take --preset {OWN}")
        fixed = standard(spec)
    else:
        full = cli.plain_options(spec.check_options(options))
        kept = {**LIMITS, **limits} if limits else None
        fixed = {"options": full, "limits": kept, "protocol": PROTOCOL, "anchors": {"random": 0.0}}
    made = made_by(game)
    return {"game": game, "preset": preset, **fixed, "rules": made["rules"], "signature": made["signature"]}


def check(settings: Mapping[str, Any]) -> None:
    """Check that a league can go on with this version, and is what it says.

    Raises: ValueError naming what differs.
    """
    for name in ("game", "preset", *FIXED, "rules", "signature"):
        if name not in settings:
            raise ValueError(f"this league does not say its {name}")
    spec = cli.batch_class(str(settings["game"])).spec
    made = made_by(spec.name)
    limits = settings["limits"]
    if limits is not None and not (
        isinstance(limits, dict) and set(limits) == set(LIMITS) and all(map(finite, limits.values()))
    ):
        raise ValueError(f"the limits of this league are {limits}, not numbers for {', '.join(LIMITS)}")
    if settings["options"] != cli.plain_options(spec.check_options(settings["options"])):
        raise ValueError(f"the options of this league are {settings['options']}, and some are missing")
    for name in ("rules", "signature"):
        if settings[name] != made[name]:
            raise ValueError(f"this league is played by {name} {settings[name]}, and this version has {made[name]}")
    if settings["preset"] == STANDARD:
        fixed = standard(spec)
        for name in FIXED:
            if settings[name] != fixed[name]:
                raise ValueError(f"this league says {STANDARD}, but its {name} are {settings[name]}, not {fixed[name]}")
