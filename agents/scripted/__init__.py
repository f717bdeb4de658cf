"""The scripted bots: a compiled kernel for each game they know, which plays by a table of weights."""

from __future__ import annotations

from agents.scripted.kernel import scripted
from agents.scripted.weights import PARAMETERS, STYLES, params_of
from shogun_env.frame.game import Game
from shogun_env.policies import Compiled

__all__ = ["PARAMETERS", "STYLES", "make_scripted", "params_of", "scripted"]

KERNELS = {"shogun": scripted}
"""The games there is a scripted bot for."""


def make_scripted(
    game: Game,
    style: str = "balanced",
    risk: str | float | None = None,
    build: str | float | None = None,
    attack: str | float | None = None,
    hurt: str | float | None = None,
    defend: str | float | None = None,
    front: str | float | None = None,
    income: str | float | None = None,
    bid: str | float | None = None,
) -> Compiled:
    """Make a scripted bot of a style; the parameters (see ``PARAMETERS``) replace the style's own.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> bot = make_scripted(SHOGUN, style="builder", risk=0.1)

    Raises: ValueError for a game without one, an unknown style, or a bad value.
    """
    if game.name not in KERNELS:
        raise ValueError(f"there is no scripted bot for {game.name}, only for {', '.join(KERNELS)}")
    given = {
        "risk": risk,
        "build": build,
        "attack": attack,
        "hurt": hurt,
        "defend": defend,
        "front": front,
        "income": income,
        "bid": bid,
    }
    changes = {name: value for name, value in given.items() if value is not None}
    return Compiled(KERNELS[game.name], params_of(style, **changes))
