"""The numbers of the bot of version 0.1: value, unit, meaning, and styles as differences."""

from __future__ import annotations

from shogun_env.agents.scripted.numbers import Number, Numbers

NUMBERS = Numbers(
    numbers=(
        # name, value, highest, unit, meaning
        Number("troop", 3.0, 10, "points", "worth of a troop kept, with many rounds to come"),
        Number("koku", 2.0, 10, "points", "worth of a Koku kept, with many rounds to come"),
        Number("tile", 1.2, 10, "points", "worth of a bonus tile"),
        Number("majority", 1.0, 10, "share", "worth of a majority, as a share of its points"),
        Number("title", 1.0, 10, "share", "worth of a title, as a share of what it brings"),
        Number("near", 0.4, 10, "share", "worth of a payment that lacks one troop, as a share of a whole one's"),
        Number("hurt", 1.0, 10, "share", "worth of what all the others lose together, as a share"),
    ),
    styles={
        "balanced": {},
        "greedy": {"troop": 1.0, "koku": 1.0, "near": 0.0},
        "lord": {"majority": 3.0},
        "rival": {"hurt": 4.0},
    },
)
TROOP, KOKU, TILE, MAJORITY, TITLE, NEAR, HURT = range(len(NUMBERS.numbers))
