"""Colours: readable, and told apart by people with each kind of colour blindness."""

import itertools

import numpy as np
import pytest

from shogun_env.shogun import Game
from shogun_env.shogun.draw.provinces import province
from shogun_env.svg.style import COLOURS, style_sheet

SEEN_BY = {
    "everybody": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
"""Linear RGB as people see it (Machado, Oliveira and Fernandes 2009, full severity)."""
REGIONS = [name for name in COLOURS if name.startswith("region-")]
PLAYERS = ["p0", "p1", "p2", "p3", "p4", "p5"]
GROUNDS = (0, 1)


def linear(colour: str) -> np.ndarray:
    values = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_xyz @ np.clip(rgb, 0, 1) / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(one: str, other: str) -> float:
    weights = [0.2126, 0.7152, 0.0722]
    dark, light = sorted([linear(one) @ weights, linear(other) @ weights])
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("eyes", SEEN_BY)
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize(("names", "least"), [(REGIONS, 15), (PLAYERS, 12)], ids=["regions", "players"])
def test_colours__colour_blind_people__can_tell_them_apart(eyes, ground, names, least):
    seen_as = [lab(np.array(SEEN_BY[eyes]) @ linear(COLOURS[name][ground])) for name in names]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen_as, 2)) > least


@pytest.mark.parametrize("ground", GROUNDS)
def test_text__on_every_ground__is_readable(ground):
    ink = COLOURS["ink"][ground]
    for name in (*REGIONS, "back", "panel", "sea", "none"):
        assert contrast(COLOURS[name][ground], ink) >= 4.2, name
    assert contrast(COLOURS["back-of-card"][ground], COLOURS["panel"][ground]) >= 3  # what is written on the back
    for name in COLOURS:
        if name.startswith("on-"):
            assert contrast(COLOURS[name][ground], COLOURS[name.removeprefix("on-")][ground]) >= 3, name


@pytest.mark.parametrize("ground", GROUNDS)
def test_outline__of_a_province_on_every_region__is_seen(ground):
    g = Game(seed=3, num_players=5, start="random").batch.games[0]
    assert all("rim s-edge" in province(g, prov) for prov in np.flatnonzero(g["owner"] >= 0).tolist())
    for region in (COLOURS[name][ground] for name in REGIONS):
        rim = contrast(COLOURS["edge"][ground], region)
        assert all(max(rim, contrast(COLOURS[player][ground], region)) >= 3 for player in PLAYERS), region


def test_theme__unknown__is_refused():
    with pytest.raises(ValueError, match="theme='blue': must be one of auto, light, dark"):
        style_sheet("blue")
