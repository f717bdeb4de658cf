"""The scripted bots: for each game a policy that plays by rules of thumb and a table of weights."""

from __future__ import annotations

from collections.abc import Callable

from shogun_env.agents.scripted import shitenno, shogun
from shogun_env.agents.scripted.shitenno.weights import WEIGHTS as SHITENNO_WEIGHTS
from shogun_env.agents.scripted.shogun.weights import WEIGHTS as SHOGUN_WEIGHTS
from shogun_env.policies import Compiled

SCRIPTED: dict[str, Callable[..., Compiled]] = {"shogun": shogun.make_scripted, "shitenno": shitenno.make_scripted}
"""For each game the function that makes its bot from a style and weights."""
STYLES: dict[str, tuple[str, ...]] = {
    "shogun": tuple(SHOGUN_WEIGHTS.styles),
    "shitenno": tuple(SHITENNO_WEIGHTS.styles),
}
"""For each game the styles of its bot."""
