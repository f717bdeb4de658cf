"""The numbers that the scripted bot of Shitennō plays by, in ``numbers.toml``, and the constants that index them."""

from pathlib import Path

from shogun_env.agents.scripted.numbers import Numbers

NUMBERS = Numbers.read(Path(__file__).with_name("numbers.toml"))
(
    TROOP, KOKU, KEEP, PACE, TILE, TILE_LAST, MAJORITY, OPENS, NEAR, HURT, HATAMOTO, JOKER, SENSEI, SHOMYO,
    DAIMYO, PLACED, USE, SECOND, LITTLE, SURE, PICKY, PICKY_LAST, OFFER, REST, HOPE, ENOUGH,
) = range(len(NUMBERS.numbers))  # fmt: skip
