"""Libraries that learn, search or play with these environments; ``python -m clients`` tries them all."""

from __future__ import annotations

import importlib
from typing import Any

import shogun_env  # noqa: F401 - registers the environments


def env_id(game: str) -> str:
    """Return the name of a game's environment in Gymnasium's registry."""
    return f"shogun_env/{game.capitalize()}-v0"


def module(game: str) -> Any:
    """Return the module of a game's environments, such as ``shogun_env.shogun_v0``."""
    return importlib.import_module(f"shogun_env.{game}_v0")
