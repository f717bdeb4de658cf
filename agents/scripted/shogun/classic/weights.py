"""The numbers that the scripted bot of Shogun plays by: weights with names and defaults, and a table of styles."""

from __future__ import annotations

from shogun_env.agents.scripted.weights import Weights

WEIGHTS = Weights(
    # Name, default and meaning, in the order of ``params``. Worth is in points.
    parameters=(
        ("risk", 0.3, "0 careful .. 1 reckless: how little armies lost in a failed attack count"),
        ("build", 1.0, "worth of a building"),
        ("attack", 1.0, "worth of a conquest"),
        ("hurt", 0.3, "worth of what another player loses, as a share"),
        ("defend", 3.0, "worth of armies where others can attack"),
        ("front", 0.5, "worth of armies where an attack can follow"),
        ("income", 2.0, "worth of chests and rice"),
        ("bid", 0.0, "highest chest card bid"),
    ),
    styles={
        "balanced": {},
        "builder": {"build": 2.0, "attack": 0.6, "defend": 4.0, "front": 0.2},
        "warrior": {"risk": 0.6, "build": 0.6, "attack": 1.6, "hurt": 0.5, "defend": 2.0, "front": 1.0},
        "turtle": {"risk": 0.0, "attack": 0.4, "hurt": 0.0, "defend": 6.0, "front": 0.1},
    },
)
RISK, BUILD, ATTACK, HURT, DEFEND, FRONT, INCOME, BID = range(len(WEIGHTS.parameters))
