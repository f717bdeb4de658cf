"""The scripted bot of Shogun: it plans by what actions are worth and marches by what battles promise."""

from __future__ import annotations

from shogun_env.agents.scripted.shogun.kernel import scripted
from shogun_env.agents.scripted.shogun.weights import WEIGHTS
from shogun_env.policies import Compiled
from shogun_env.spec.game_spec import GameSpec


def make_scripted(
    game_spec: GameSpec,
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
    """Make Shogun's scripted bot of a style; the weights given (see ``WEIGHTS``) replace the style's own.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> bot = make_scripted(SHOGUN, style="builder", risk=0.1)

    Raises: ValueError for an unknown style, or a bad value.
    """
    params = WEIGHTS.params_of(
        style,
        risk=risk,
        build=build,
        attack=attack,
        hurt=hurt,
        defend=defend,
        front=front,
        income=income,
        bid=bid,
    )
    return Compiled(scripted, params)
