"""The numbers that the scripted bot of Shogun plays by, in ``numbers.toml``, and the constants that index them."""

from pathlib import Path

from shogun_env.agents.scripted.numbers import Numbers

NUMBERS = Numbers.read(Path(__file__).with_name("numbers.toml"))
(
    PROVINCE, LATER, INCOME, HOLDS, BUILD, CONQUEST, HURT, ARMY, RECRUIT, AGGRESSION, DEFEND, LASTING, PRIZE, SHIFT,
    CHEST, CHEST_LATE, RICH, GRAIN, GRAIN_EARLY, GRAIN_SPARE, HARVEST, GROWTH, LOSS_MARGIN, UNREST, EXPOSED, SPARE_BID,
    RESERVE, BID_RATE, LAST_BID, SIX, PLUS_CHEST, PLUS_RICE, PLUS_ATTACK, PLUS_DEFENCE, EARLY, SURE, LEAST, SITE_INCOME,
    SITE_SITES, SITE_OWN, SITE_ENEMY, GARRISON,
) = range(len(NUMBERS.numbers))  # fmt: skip
