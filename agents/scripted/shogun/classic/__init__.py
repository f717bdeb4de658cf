"""The scripted bot of Shogun as it was in version 0.1, kept so that old figures can be repeated."""

from __future__ import annotations

from shogun_env.agents.scripted.shogun.classic.kernel import classic
from shogun_env.agents.scripted.shogun.classic.numbers import NUMBERS
from shogun_env.policies import Compiled
from shogun_env.spec.game_spec import GameSpec


def make_classic(game_spec: GameSpec, style: str = "balanced", **weights: str | float | None) -> Compiled:
    """Return the scripted bot of version 0.1 in a style; weights that are given replace those of the style.

    Args:
        game_spec: Shogun's specification.
        style: one of ``NUMBERS.styles``.
        weights: by name, from 0 to 10; ``NUMBERS`` says what each means. None: as the style has it.

    Raises: ValueError for an unknown style or weight, or a weight that is not a number from 0 to 10.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> bot = make_classic(SHOGUN, risk=0.1)
    """
    return Compiled(classic, NUMBERS.params_of(style, **weights), NUMBERS)
