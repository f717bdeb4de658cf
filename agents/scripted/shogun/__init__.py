"""The scripted bot of Shogun: it works out a whole plan from what every card is worth, and marches by the odds.

- ``kernel``: the policy and its planner; each decision goes to one of the two below;
- ``planner``: the cards of a plan; ``choices``: all else, from the draft to revolts;
- ``features`` reads the observation for all of them, ``odds`` says how fights end, ``evaluate`` what things are worth;
- ``numbers``: the weights, with unit, meaning and origin; ``trace``: what went into a decision, in words.
"""

from shogun_env.agents.scripted.shogun.kernel import scripted
from shogun_env.agents.scripted.shogun.numbers import NUMBERS
from shogun_env.agents.scripted.shogun.trace import explanation
from shogun_env.policies import Compiled
from shogun_env.spec.game_spec import GameSpec


def make_scripted(game_spec: GameSpec, style: str = "balanced", **numbers: str | float | None) -> Compiled:
    """Return the scripted bot of Shogun in a style; numbers that are given replace those of the style.

    Args:
        game_spec: Shogun's specification.
        style: one of ``NUMBERS.styles``.
        numbers: by name; ``NUMBERS`` says what each means.

    Raises: ValueError for an unknown style, or a number out of bounds.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> bot = make_scripted(SHOGUN, style="builder", chest=0.5)
    """
    scripted.reads = game_spec.obs_size
    return Compiled(scripted, NUMBERS.params_of(style, **numbers), explanation)
