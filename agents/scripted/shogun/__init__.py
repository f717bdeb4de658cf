"""The scripted bot of Shogun: it plans by what actions are worth and marches by the odds of battles."""

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
    """Return the scripted bot of Shogun in a style; weights that are given replace those of the style.

    Args:
        game_spec: Shogun's specification.
        style: one of ``WEIGHTS.styles``.
        risk, build, attack, hurt, defend, front, income, bid: weights from 0 to 10; ``WEIGHTS.parameters`` says what
            each means. None: as the style has it.

    Raises: ValueError for an unknown style, or a weight that is not a number from 0 to 10.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> bot = make_scripted(SHOGUN, style="builder", risk=0.1)
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
