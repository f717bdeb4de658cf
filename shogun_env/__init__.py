"""Shogun, Shitennō, and Shikoku, a Shogun small enough to solve, as research environments.

- PettingZoo: ``from shogun_env import shogun_v0, shitenno_v0, shikoku_v0``;
- Gymnasium, after ``import shogun_env``: ``gymnasium.make("shogun_env/Shogun-v0")``, ``Shitenno-v0`` or ``Shikoku-v0``;
- many games as arrays: ``from shogun_env.shogun import Batch``, likewise from ``shitenno`` and ``shikoku``;
- one game to hold: ``from shogun_env.shogun import Game``, likewise;
- bots of your own: ``from shogun_env import Bot``.

Importing this package loads no game, nor Gymnasium or PettingZoo: the environments are registered when those are
imported, before or after.
"""

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

if importlib.util.find_spec(f"{__name__}.agents") is None:
    raise ImportError(
        "shogun_env: this checkout has no symbolic links, so bots, training and benchmarks are missing; install it "
        "(pip install -e .), or let git make links: git config core.symlinks true && git checkout -- shogun_env"
    )

__all__ = [
    "FULL_GAMES",
    "GAMES",
    "OBS_VERSION",
    "RULES_VERSION",
    "Bot",
    "__version__",
    "shikoku_v0",
    "shitenno_v0",
    "shogun_v0",
]

__version__ = "0.4.1"

GAMES = ("shogun", "shitenno", "shikoku")
"""Short names of the games; ``shogun`` has its environments in ``shogun_v0``, such as ``ShogunEnv``."""
FULL_GAMES = ("shogun", "shitenno")
"""Those that are sold as games, with scripted bots, champions and figures; Shikoku is for exact results."""
Bot: Any
"""What every bot is, the base class of your own (``shogun_env.bot``)."""
OBS_VERSION: dict[str, int]
"""Version of the observations and action numbers of each game, by its name."""
RULES_VERSION: dict[str, int]
"""Version of the rules of each game, by its name."""


def __getattr__(name: str) -> Any:
    """Import the environments of a game, ``Bot``, or the versions of all games, when they are first asked for."""
    if name in {f"{game}_v0" for game in GAMES}:
        return importlib.import_module(f"{__name__}.{name}")
    if name == "Bot":
        return importlib.import_module(f"{__name__}.bot").Bot
    if name in ("OBS_VERSION", "RULES_VERSION"):
        return {game: getattr(importlib.import_module(f"{__name__}.{game}"), name) for game in GAMES}
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _register_in_gymnasium(gymnasium: Any) -> None:
    """Register the environments with Gymnasium, unless that is done already."""
    for game in GAMES:
        single = f"{__name__}/{game.capitalize()}-v0"
        if single not in gymnasium.registry:
            entry = f"{__name__}.{game}_v0:{game.capitalize()}"
            gymnasium.register(single, entry_point=f"{entry}Env", vector_entry_point=f"{entry}VectorEnv")


def _register_in_pettingzoo(pettingzoo: Any) -> None:
    """Register the environments with PettingZoo (1.27 or newer), unless that is done already."""
    for game in GAMES:
        for kind, function in (("parallel", "parallel_env"), ("aec", "env")):
            registry = getattr(pettingzoo, f"{kind}_registry", None)
            if registry is not None and f"{__name__}/{game}-v0" not in registry:
                pettingzoo.register(kind, f"{__name__}/{game}-v0", entry_point=f"{__name__}.{game}_v0:{function}")


_REGISTER = {"gymnasium": _register_in_gymnasium, "pettingzoo": _register_in_pettingzoo}


class _Registering:
    """Finds a library as Python does, and has the environments registered once it is imported."""

    def __init__(self, library: str) -> None:
        self.library = library

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return how the others find the library, with the registration added; None for other modules."""
        if name != self.library:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        spec = next(filter(None, (finder.find_spec(name, path, target) for finder in others)), None)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def execute_and_register(module: ModuleType) -> None:
            execute(module)
            sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]
            _REGISTER[name](module)

        spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec


for _library, _register in _REGISTER.items():
    if _library in sys.modules:
        _register(sys.modules[_library])
    elif not any(getattr(finder, "library", None) == _library for finder in sys.meta_path):
        sys.meta_path.insert(0, _Registering(_library))
