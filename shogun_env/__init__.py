"""Shogun and Shitennō as research environments.

PettingZoo: ``from shogun_env import shogun_v0, shitenno_v0``. Gymnasium, after ``import shogun_env``:
``gymnasium.make("shogun_env/Shogun-v0")`` or ``"shogun_env/Shitenno-v0"``. The engines: ``from shogun_env.shogun import
Batch``, ``from shogun_env.shitenno import Batch``. Importing this package
loads no engine yet.
"""

from __future__ import annotations

import importlib
from typing import Any

import gymnasium
import pettingzoo

__all__ = ["GAMES", "OBS_VERSION", "RULES_VERSION", "__version__", "shitenno_v0", "shogun_v0"]

__version__ = "0.1.0"

GAMES = ("shogun", "shitenno")
"""Games with environments: ``shogun`` has the module ``shogun_v0`` with ``ShogunEnv`` and ``ShogunVectorEnv`` in it."""

OBS_VERSION: dict[str, int]
"""Version of each game's observations and action numbers."""
RULES_VERSION: dict[str, int]
"""Version of each game's rules."""


def __getattr__(name: str) -> Any:
    """Import a game's environments, or read the versions of all games, when first asked for."""
    if name in {f"{game}_v0" for game in GAMES}:
        return importlib.import_module(f"{__name__}.{name}")
    if name in ("OBS_VERSION", "RULES_VERSION"):
        return {game: getattr(importlib.import_module(f"{__name__}.{game}"), name) for game in GAMES}
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _register() -> None:
    """Name the environments in the registries of Gymnasium and of PettingZoo (from 1.27 on), once."""
    for game in GAMES:
        module = f"{__name__}.{game}_v0"
        single = f"{__name__}/{game.capitalize()}-v0"
        if single not in gymnasium.registry:
            entry = f"{module}:{game.capitalize()}"
            gymnasium.register(single, entry_point=f"{entry}Env", vector_entry_point=f"{entry}VectorEnv")
        for kind, function in (("parallel", "parallel_env"), ("aec", "env")):
            known = getattr(pettingzoo, f"{kind}_registry", None)
            if known is not None and f"{__name__}/{game}-v0" not in known:
                pettingzoo.register(kind, f"{__name__}/{game}-v0", entry_point=f"{module}:{function}")


_register()
