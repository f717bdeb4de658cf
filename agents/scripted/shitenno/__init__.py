"""The scripted bot of Shitennō: it works out what hands can pay, and divides, chooses and places by that."""

from __future__ import annotations

from shogun_env.agents.scripted.shitenno.kernel import scripted
from shogun_env.agents.scripted.shitenno.weights import WEIGHTS
from shogun_env.policies import Compiled
from shogun_env.spec.game_spec import GameSpec


def make_scripted(
    game_spec: GameSpec,
    style: str = "balanced",
    troop: str | float | None = None,
    koku: str | float | None = None,
    tile: str | float | None = None,
    majority: str | float | None = None,
    title: str | float | None = None,
    near: str | float | None = None,
    hurt: str | float | None = None,
) -> Compiled:
    """Return the scripted bot of Shitennō in a style; weights that are given replace those of the style.

    Args:
        game_spec: Shitennō's specification.
        style: one of ``WEIGHTS.styles``.
        troop, koku, tile, majority, title, near, hurt: weights from 0 to 10; ``WEIGHTS.parameters`` says what each
            means. None: as the style has it.

    Raises: ValueError for an unknown style, or a weight that is not a number from 0 to 10.

    Example:
        >>> from shogun_env.shitenno import SHITENNO
        >>> bot = make_scripted(SHITENNO, hurt=0.5)
    """
    params = WEIGHTS.params_of(
        style,
        troop=troop,
        koku=koku,
        tile=tile,
        majority=majority,
        title=title,
        near=near,
        hurt=hurt,
    )
    return Compiled(scripted, params)
