"""The scripted bots: for each game a policy that plays by rules of thumb and a table of numbers."""

from shogun_env.agents.scripted.numbers import Numbers
from shogun_env.agents.scripted.shitenno.numbers import NUMBERS as SHITENNO_NUMBERS
from shogun_env.agents.scripted.shogun.numbers import NUMBERS as SHOGUN_NUMBERS

NUMBERS: dict[str, Numbers] = {"shogun": SHOGUN_NUMBERS, "shitenno": SHITENNO_NUMBERS}
"""For each game the numbers of its bot."""
STYLES: dict[str, tuple[str, ...]] = {game: tuple(table.styles) for game, table in NUMBERS.items()}
"""For each game the styles of its bot."""
