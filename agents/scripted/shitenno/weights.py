"""The numbers Shitennō's scripted bot plays by: named weights, their defaults, and a table of styles."""

from __future__ import annotations

from agents.scripted.weights import Weights

WEIGHTS = Weights(
    # Where each stands in ``params``, what it is, and its default. Worth is in points.
    parameters=(
        ("troop", 1.3, "worth of a troop kept for later rounds"),
        ("koku", 1.1, "worth of a Koku"),
        ("tile", 1.2, "worth of a bonus tile"),
        ("majority", 1.0, "worth of a province's majority, as a share of its points"),
        ("title", 1.0, "worth of a title, as a share of what it brings"),
        ("near", 0.4, "worth of a payment that lacks one troop, as a share of the whole one's"),
        ("hurt", 1.0, "worth of what the others lose, as a share"),
    ),
    styles={
        "balanced": {},
    },
)
TROOP, KOKU, TILE, MAJORITY, TITLE, NEAR, HURT = range(len(WEIGHTS.parameters))
