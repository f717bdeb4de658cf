"""The numbers that the scripted bot of Shitennō plays by: value, unit, meaning, and styles as differences."""

from __future__ import annotations

from shogun_env.agents.scripted.numbers import Number, Numbers

ALLROUND = {
    "troop": 4.123, "koku": 2.191, "keep": 0.8556, "pace": 0.5296, "tile": 0.9683, "tile_last": 1.047,
    "majority": 1.221, "opens": 0.2208, "near": 0.2801, "hurt": 0.7859, "hatamoto": 2.046, "joker": 0.4149,
    "sensei": 1.801, "shomyo": 0.1726, "daimyo": 0.494, "placed": 0.1088, "use": 0.209, "second": 0.6896,
    "little": 0.1175, "sure": 1.205, "picky": 1.116, "picky_last": 1.453, "offer": 1.125, "rest": 0.7571,
    "hope": 0.6249, "enough": 46.63,
}  # fmt: skip
"""Tuned for 2, 3 and 4 players together, where the table is the bot of the ladder and stays as it is."""
NUMBERS = Numbers(
    numbers=(
        # name, value, highest, unit, meaning
        Number("troop", 4.265, 10, "points", "worth of a troop kept, with many rounds to come"),
        Number("koku", 2.126, 10, "points", "worth of a Koku kept, with many rounds to come"),
        Number("keep", 0.8797, 4, "rounds", "to come at which what is kept has half of that worth"),
        Number("pace", 0.7012, 3, "rounds", "that a player needs to place one Kamon"),
        Number("tile", 0.8336, 10, "points", "worth of a bonus tile, with many rounds to come"),
        Number("tile_last", 0.8777, 4, "points", "worth of a bonus tile in the last round"),
        Number("majority", 1.307, 10, "share", "part of its points that a majority is worth"),
        Number("opens", 0.2842, 2, "share", "cost of a Kamon as part of what the next position is worth more"),
        Number("near", 0.3087, 2, "share", "part of its gain that a payment that lacks one troop is worth"),
        Number("hurt", 0.6601, 10, "share", "worth of what all the others lose together"),
        Number("hatamoto", 1.42, 6, "points", "worth of the title, without the payment that its joker completes"),
        Number("joker", 0.4742, 6, "points", "that the joker is expected to bring, where no hand is looked at"),
        Number("sensei", 1.812, 6, "points", "worth of the title, its golden Kamon included"),
        Number("shomyo", 0.5768, 6, "points", "worth of the title, without its point per Kamon"),
        Number("daimyo", 0.4964, 6, "points", "worth of the title, without its two points per Kamon"),
        Number("placed", 0.1787, 2, "Kamon", "that a player is expected to place in a turn, for what a title brings"),
        Number("use", 0.1382, 2, "share", "part of a title's points per Kamon that counts where a hand is looked at"),
        Number("second", 0.7634, 2, "share", "worth of the second Kamon of a turn where the first is chosen"),
        Number("little", 0.02882, 2, "points", "added to what a card is worth to a player, where cards are compared"),
        Number("sure", 1.261, 10, "points", "by which a lot must be better for the other player to take it surely"),
        Number("picky", 1.108, 4, "factor", "a lot is accepted if it is worth this many times one's share of the rest"),
        Number("picky_last", 1.441, 4, "factor", "the same for the last asked, whose refusal gives it to the Tairō"),
        Number("offer", 1.105, 4, "factor", "worth to the others of the lots that are compared, in shares of the pool"),
        Number("rest", 0.8869, 4, "factor", "part of an equal share that the Tairō expects of the cards that remain"),
        Number("hope", 0.6744, 2, "share", "how far that goes from an equal share to the lot that suits best"),
        Number("enough", 35.38, 60, "units", "of troops in hand at which one more is worth half"),
    ),
    styles={
        "balanced": {},
        "greedy": {"troop": 1.0, "koku": 1.0, "near": 0.0},
        "lord": {"majority": 3.0},
        "rival": {"hurt": 4.0},
        "allround": ALLROUND,
    },
    origin=(
        "history: shogun-env tune --game shitenno --players 4,4,3 --against scripted:style=classic --games "
        "2400 --sigma 0.12 --population 14 --minutes 7 --generations 100 --seed 500000 --report-games 9000 "
        "--out runs/tune/shitenno --write agents/scripted/shitenno/numbers.py: 38 generations of 14; allround: "
        "shogun-env tune --game shitenno --players 4,3,2 --against scripted --games 1200 --sigma 0.12 "
        "--population 14 --minutes 5 --threads 1 --seed 700000 --report-games 9000: 23 generations of 14"
    ),
)
(
    TROOP, KOKU, KEEP, PACE, TILE, TILE_LAST, MAJORITY, OPENS, NEAR, HURT, HATAMOTO, JOKER, SENSEI, SHOMYO,
    DAIMYO, PLACED, USE, SECOND, LITTLE, SURE, PICKY, PICKY_LAST, OFFER, REST, HOPE, ENOUGH,
) = range(len(NUMBERS.numbers))  # fmt: skip
