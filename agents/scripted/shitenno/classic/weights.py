"""The numbers that the scripted bot of Shitennō plays by: weights with names and defaults, and a table of styles."""

from __future__ import annotations

from shogun_env.agents.scripted.weights import Weights

WEIGHTS = Weights(
    # Name, default and meaning, in the order of ``params``. Worth is in points.
    parameters=(
        ("troop", 3.0, "worth of a troop kept, with many rounds to come"),
        ("koku", 2.0, "worth of a Koku kept, with many rounds to come"),
        ("tile", 1.2, "worth of a bonus tile"),
        ("majority", 1.0, "worth of a majority, as a share of its points"),
        ("title", 1.0, "worth of a title, as a share of what it brings"),
        ("near", 0.4, "worth of a payment that lacks one troop, as a share of a whole one's"),
        ("hurt", 1.0, "worth of what all the others lose together, as a share"),
    ),
    styles={
        "balanced": {},
        "greedy": {"troop": 1.0, "koku": 1.0, "near": 0.0},
        "lord": {"majority": 3.0},
        "rival": {"hurt": 4.0},
    },
)
TROOP, KOKU, TILE, MAJORITY, TITLE, NEAR, HURT = range(len(WEIGHTS.parameters))
