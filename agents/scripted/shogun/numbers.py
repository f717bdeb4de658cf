"""The numbers that the scripted bot of Shogun plays by: value, unit, meaning, and styles as differences."""

from __future__ import annotations

from shogun_env.agents.scripted.numbers import Number, Numbers

NUMBERS = Numbers(
    numbers=(
        # name, value, highest, unit, meaning
        Number("province", 0.5396, 4, "points", "worth of a province for each scoring to come"),
        Number("later", 0.3858, 1, "share", "what the second scoring counts in the first year"),
        Number("income", 0.01908, 1, "points", "worth of a chest or grain that a province yields, per later season"),
        Number("holds", 0.4654, 2, "share", "part of its points that a majority is worth: others build too"),
        Number("build", 0.7142, 4, "factor", "worth of a building in one's own province"),
        Number("conquest", 1.013, 4, "factor", "worth of a province to be taken"),
        Number("hurt", 0.3402, 2, "share", "worth of what the other player loses"),
        Number("army", 0.2248, 2, "points", "worth of an army lost in a battle"),
        Number("recruit", 0.2977, 2, "points", "worth of an army deployed, wherever it is"),
        Number("aggression", 0.3675, 1, "chance", "that a neighbour attacks a province in a round if victory is sure"),
        Number("defend", 1.87, 6, "factor", "worth of danger averted"),
        Number("lasting", 0.7096, 2, "factor", "what danger averted in later rounds counts for, against this round"),
        Number("prize", 0.2846, 3, "factor", "worth of a better attack in the next round"),
        Number("shift", 0.7759, 3, "factor", "worth of armies marching to where they defend or attack better"),
        Number("chest", 0.3778, 3, "points", "worth of a chest, first seasons"),
        Number("chest_late", 0.4772, 3, "factor", "the same before the last season, as a part"),
        Number("rich", 31.86, 60, "chests", "fortune at which a chest more is worth half"),
        Number("grain", 0.6389, 3, "points", "worth of a grain that is short in winter, if nothing else can bring it"),
        Number("grain_early", 0.5318, 3, "points", "worth of a grain that is short but may be brought later"),
        Number("grain_spare", 0.2193, 3, "points", "worth of a grain beyond need"),
        Number("harvest", 3.245, 8, "rice", "expected from each later season of the year"),
        Number("growth", 1.056, 4, "provinces", "expected to be gained by the winter"),
        Number("loss_margin", 0.1871, 4, "rice", "kept in reserve beyond the mean loss of the events left"),
        Number("unrest", 0.01532, 3, "points", "cost of the first revolt marker in a province"),
        Number("exposed", 1.1, 4, "factor", "danger of losing a province before its action, per battle before it"),
        Number("spare_bid", 0.5247, 6, "points", "worth of a province as bid"),
        Number("reserve", 1.614, 60, "chests", "kept before chests are bid"),
        Number("bid_rate", 0.161, 1, "share", "part of the chests beyond the reserve that is bid"),
        Number("last_bid", 0.4143, 1, "share", "the same in the last season, of all that is left"),
        Number("six", 0.7097, 4, "points", "worth of six armies with deploy 5 planned"),
        Number("plus_chest", 0.2791, 4, "points", "worth of +1 chest with taxes planned"),
        Number("plus_rice", 0.4457, 4, "points", "worth of +1 rice with rice planned"),
        Number("plus_attack", 0.5376, 4, "points", "worth of +1 attack, per battle planned"),
        Number("plus_defence", 2.916, 4, "points", "worth of +1 defence, with all provinces in mean danger"),
        Number("early", 0.05994, 2, "points", "worth of each position earlier in the turn order"),
        Number("sure", 0.8082, 1, "chance", "of winning at which no more armies are sent"),
        Number("least", 0.02945, 1, "points", "that a card must be worth to be laid"),
        Number("site_income", 0.1372, 4, "points", "draft: worth of a chest or grain that a province yields"),
        Number("site_sites", 0.3405, 4, "points", "draft: worth of a building site"),
        Number("site_own", 1.396, 4, "points", "draft: worth of a neighbour that is one's own"),
        Number("site_enemy", 0.3611, 4, "points", "draft: cost of a neighbour that is another player's"),
        Number("garrison", 1.174, 4, "factor", "danger to the province that an attack leaves behind"),
    ),
    styles={
        "balanced": {},
        "builder": {"build": 1.6, "conquest": 0.6, "defend": 1.6},
        "warrior": {"build": 0.6, "conquest": 1.6, "hurt": 0.6, "army": 0.1, "prize": 1.2},
        "turtle": {"conquest": 0.5, "defend": 2.5, "garrison": 2.0, "hurt": 0.0},
    },
    origin=(
        "history: shogun-env tune --players 3,4,5 --start preset,random --against scripted --against "
        "'0.5*scripted:style=classic' --games 2400 --population 16 --sigma 0.1 --minutes 14 --generations 100"
        " --report-games 6000 --out runs/tune/shogun --write agents/scripted/shogun/numbers.py: 42 "
        "generations of 16"
    ),
)
(
    PROVINCE, LATER, INCOME, HOLDS, BUILD, CONQUEST, HURT, ARMY, RECRUIT, AGGRESSION, DEFEND, LASTING, PRIZE, SHIFT,
    CHEST, CHEST_LATE, RICH, GRAIN, GRAIN_EARLY, GRAIN_SPARE, HARVEST, GROWTH, LOSS_MARGIN, UNREST, EXPOSED, SPARE_BID,
    RESERVE, BID_RATE, LAST_BID, SIX, PLUS_CHEST, PLUS_RICE, PLUS_ATTACK, PLUS_DEFENCE, EARLY, SURE, LEAST, SITE_INCOME,
    SITE_SITES, SITE_OWN, SITE_ENEMY, GARRISON,
) = range(len(NUMBERS.numbers))  # fmt: skip
