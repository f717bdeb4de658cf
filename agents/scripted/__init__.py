"""The scripted bots: for each game a compiled kernel that plays by rules of thumb and a table of weights."""

from __future__ import annotations

from collections.abc import Callable

from shogun_env.agents.scripted import shitenno, shogun
from shogun_env.policies import Compiled

SCRIPTED: dict[str, Callable[..., Compiled]] = {"shogun": shogun.make_scripted, "shitenno": shitenno.make_scripted}
"""By game, what makes its bot of a style and weights."""
