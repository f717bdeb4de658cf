"""The scripted bots: for each game a policy that plays by rules of thumb and a table of numbers."""

from __future__ import annotations

from collections.abc import Callable

from shogun_env.agents.scripted import shitenno, shogun
from shogun_env.agents.scripted.numbers import Numbers
from shogun_env.agents.scripted.shitenno.numbers import NUMBERS as SHITENNO_NUMBERS
from shogun_env.agents.scripted.shogun.numbers import NUMBERS as SHOGUN_NUMBERS
from shogun_env.policies import Compiled

SCRIPTED: dict[str, Callable[..., Compiled]] = {"shogun": shogun.make_scripted, "shitenno": shitenno.make_scripted}
"""For each game the function that makes its bot from a style and numbers."""
NUMBERS: dict[str, Numbers] = {"shogun": SHOGUN_NUMBERS, "shitenno": SHITENNO_NUMBERS}
"""For each game the numbers of its bot."""
STYLES: dict[str, tuple[str, ...]] = {game: tuple(table.styles) for game, table in NUMBERS.items()}
"""For each game the styles of its bot."""
