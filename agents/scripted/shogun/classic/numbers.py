"""The numbers of the bot of version 0.1: value, unit, meaning, and styles as differences."""

from __future__ import annotations

from shogun_env.agents.scripted.numbers import Number, Numbers

NUMBERS = Numbers(
    numbers=(
        # name, value, highest, unit, meaning
        Number("risk", 0.3, 10, "share", "0 careful .. 1 reckless: how little armies lost in a failed attack count"),
        Number("build", 1.0, 10, "factor", "worth of a building"),
        Number("attack", 1.0, 10, "factor", "worth of a conquest"),
        Number("hurt", 0.3, 10, "share", "worth of what another player loses, as a share"),
        Number("defend", 3.0, 10, "factor", "worth of armies where others can attack"),
        Number("front", 0.5, 10, "factor", "worth of armies where an attack can follow"),
        Number("income", 2.0, 10, "factor", "worth of chests and rice"),
        Number("bid", 0.0, 10, "chests", "highest chest card bid"),
    ),
    styles={
        "balanced": {},
        "builder": {"build": 2.0, "attack": 0.6, "defend": 4.0, "front": 0.2},
        "warrior": {"risk": 0.6, "build": 0.6, "attack": 1.6, "hurt": 0.5, "defend": 2.0, "front": 1.0},
        "turtle": {"risk": 0.0, "attack": 0.4, "hurt": 0.0, "defend": 6.0, "front": 0.1},
    },
)
RISK, BUILD, ATTACK, HURT, DEFEND, FRONT, INCOME, BID = range(len(NUMBERS.numbers))
