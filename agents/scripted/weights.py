"""The numbers a scripted bot plays by: named parameters, their defaults, and a table of styles."""

from __future__ import annotations

import numpy as np

# Where each parameter stands in ``params`` float64[N_PARAMS], what it is, and its default. Worth is in points.
PARAMETERS: tuple[tuple[str, float, str], ...] = (
    ("risk", 0.3, "0 careful .. 1 reckless: how little armies lost in a failed attack count"),
    ("build", 1.0, "worth of a building"),
    ("attack", 1.0, "worth of a conquest"),
    ("hurt", 0.3, "worth of what another player loses, as a share"),
    ("defend", 3.0, "worth of armies where others can attack"),
    ("front", 0.5, "worth of armies where an attack can follow"),
    ("income", 2.0, "worth of chests and rice"),
    ("bid", 0.0, "highest chest card bid"),
)
N_PARAMS = len(PARAMETERS)
RISK, BUILD, ATTACK, HURT, DEFEND, FRONT, INCOME, BID = range(N_PARAMS)

HIGHEST = 10.0
"""No parameter may be more."""

STYLES: dict[str, dict[str, float]] = {
    "balanced": {},
    "builder": {"build": 2.0, "attack": 0.6, "defend": 4.0, "front": 0.2},
    "warrior": {"risk": 0.6, "build": 0.6, "attack": 1.6, "hurt": 0.5, "defend": 2.0, "front": 1.0},
    "turtle": {"risk": 0.0, "attack": 0.4, "hurt": 0.0, "defend": 6.0, "front": 0.1},
}
"""Styles as differences from the defaults."""


def params_of(style: str = "balanced", **changes: str | float) -> np.ndarray:
    """Return the parameters of a style with changes, float64[N_PARAMS].

    Raises: ValueError naming an unknown style or parameter, or a value that is no number from 0 to 10.
    """
    if style not in STYLES:
        raise ValueError(f"style={style!r}: must be one of {', '.join(STYLES)}")
    values = {name: default for name, default, _ in PARAMETERS} | STYLES[style]
    for name, value in changes.items():
        if name not in values:
            raise ValueError(f"unknown parameter {name!r}; known are style, {', '.join(values)}")
        values[name] = _weight(name, value)
    return np.array([values[name] for name, _, _ in PARAMETERS], np.float64)


def _weight(name: str, value: str | float) -> float:
    try:
        weight = float(value)
    except (TypeError, ValueError):
        weight = -1.0
    if not 0.0 <= weight <= HIGHEST:
        raise ValueError(f"{name}={value!r}: must be a number from 0 to {HIGHEST:g}")
    return weight
