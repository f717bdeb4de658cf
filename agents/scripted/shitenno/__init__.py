"""The scripted bot of Shitennō: it works out what hands can pay, and divides, chooses and places by that."""

from shogun_env.agents.scripted.shitenno.appraise import appraise
from shogun_env.agents.scripted.shitenno.kernel import scripted
from shogun_env.agents.scripted.shitenno.numbers import NUMBERS
from shogun_env.policies import Compiled
from shogun_env.spec.game_spec import GameSpec


def make_scripted(game_spec: GameSpec, style: str = "balanced", **numbers: str | float | None) -> Compiled:
    """Return the scripted bot of Shitennō in a style; numbers that are given replace those of the style.

    Args:
        game_spec: Shitennō's specification.
        style: one of ``NUMBERS.styles``.
        numbers: by name; ``NUMBERS`` says what each means.

    Raises: ValueError for an unknown style or number, or a number out of bounds.

    Example:
        >>> from shogun_env.shitenno import SHITENNO
        >>> bot = make_scripted(SHITENNO, hurt=0.5)
    """
    scripted.reads = game_spec.obs_size
    return Compiled(scripted, NUMBERS.params_of(style, **numbers), appraise=appraise)
