"""The law of the tower (rules 5.1, R10): the kernel ``throw`` against a model that drops cube by cube.

Both make the same two throws many times, with fixed seeds; the joint counts of outcomes are compared by a two-sample
chi-square. A correct kernel passes each comparison with probability 1 - 1e-4.
"""

import random
from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
import pytest

from shogun_env.kernel.log import new_tape, set_tape
from shogun_env.kernel.rng import seed_stream
from shogun_env.records import replay, verify
from shogun_env.shogun import Batch
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.tower import throw

Z_AT_1E4 = 3.719
"""Quantile 1 - 1e-4 of the normal distribution."""

Tower = tuple[int, float, float, float]

INSIDE = ({0: 2, 1: 1}, {1: 2, 5: 1}, {0: 1}, {5: 2})
"""Cubes resting on each floor, by colour, before the first throw."""
THROWN = {0: 3, 1: 2, 5: 1}
"""Cubes in the tray before the first throw; what falls out is thrown again."""


class NaiveTower:
    """The model of R10, one cube after the other."""

    def __init__(self, tower: Tower, rng: random.Random) -> None:
        floors, self.stick, self.dislodge, self.shake = tower
        self.rng = rng
        self.floors = [[colour for colour, n in inside.items() for _ in range(n)] for inside in INSIDE[:floors]]
        self.tray = [colour for colour, n in THROWN.items() for _ in range(n)]

    def loosen(self, floor: int, p: float) -> list[int]:
        """Take the cubes off a floor that come loose, each with probability p; in random order."""
        loose: list[int] = []
        resting: list[int] = []
        for cube in self.floors[floor]:
            (loose if self.rng.random() < p else resting).append(cube)
        self.floors[floor] = resting
        self.rng.shuffle(loose)
        return loose

    def fall(self, cube: int, floor: int) -> None:
        """Let a cube pass the floors from ``floor`` down; those it dislodges go on ahead of it."""
        if floor == len(self.floors):
            self.tray.append(cube)
            return
        for other in self.loosen(floor, self.dislodge):
            self.fall(other, floor + 1)
        if self.rng.random() < self.stick:
            self.floors[floor].append(cube)
        else:
            self.fall(cube, floor + 1)

    def throw(self) -> None:
        """Shake from the top floor down, then drop what lies in the tray in random order."""
        thrown, self.tray = self.tray, []
        for floor in range(len(self.floors)):
            for cube in self.loosen(floor, self.shake):
                self.fall(cube, floor + 1)
        self.rng.shuffle(thrown)
        for cube in thrown:
            self.fall(cube, 0)

    def outcome(self) -> Hashable:
        """What is compared: cubes of colour 0 and in all in the tray, and on each floor."""
        return (self.tray.count(0), len(self.tray), *((floor.count(0), len(floor)) for floor in self.floors))


def naive_outcomes(tower: Tower, count: int) -> Counter[Hashable]:
    rng = random.Random(1)
    outcomes: Counter[Hashable] = Counter()
    for _ in range(count):
        model = NaiveTower(tower, rng)
        model.throw()
        model.throw()
        outcomes[model.outcome()] += 1
    return outcomes


def kernel_outcomes(tower: Tower, count: int) -> Counter[Hashable]:
    batch = Batch(1, tower=tower)
    g, rng, log = batch.games[0], batch.rngs[0], batch.logs[0]
    seed_stream(rng, 1, 0)
    inside = np.zeros((c.MAX_FLOORS, c.N_COLOURS), np.uint8)
    for floor, cubes in enumerate(INSIDE[: tower[0]]):
        inside[floor, list(cubes)] = list(cubes.values())
    tray = np.zeros(c.N_COLOURS, np.uint8)
    tray[list(THROWN)] = list(THROWN.values())
    outcomes: Counter[Hashable] = Counter()
    for _ in range(count):
        g["tower"], g["tray"] = inside, tray
        throw(g, rng, log, c.WHY_BATTLE)
        throw(g, rng, log, c.WHY_BATTLE)
        floors = ((int(row[0]), int(row.sum())) for row in g["tower"][: tower[0]])
        outcomes[(int(g["tray"][0]), int(g["tray"].sum()), *floors)] += 1
    assert not g["falling"].any()
    return outcomes


def chi_square(one: Counter[Hashable], other: Counter[Hashable]) -> tuple[float, float]:
    """Return the statistic of two samples of one size and its critical value; rare outcomes are one class."""
    pairs = [(one[key], other[key]) for key in one | other]
    common = [pair for pair in pairs if sum(pair) >= 20]
    rare = [pair for pair in pairs if sum(pair) < 20]
    classes = [*common, (sum(a for a, _ in rare), sum(b for _, b in rare))]
    statistic = sum((a - b) ** 2 / (a + b) for a, b in classes if a + b)
    k = max(1, len(classes) - 1)
    critical = k * (1 - 2 / (9 * k) + Z_AT_1E4 * (2 / (9 * k)) ** 0.5) ** 3  # Wilson and Hilferty
    return statistic, critical


def assert_same_law(tower: Tower, count: int) -> None:
    statistic, critical = chi_square(naive_outcomes(tower, count), kernel_outcomes(tower, count))
    assert statistic < critical, f"{tower}: chi-square {statistic:.1f}, allowed {critical:.1f}"


@pytest.mark.parametrize("tower", [(2, 0.15, 0.025, 0.0), (1, 1 / 3, 0.0, 1 / 3)])
def test_R10__presets__have_the_law_of_the_model(tower: Tower):
    assert_same_law(tower, 6_000)


TOWERS = [
    (2, 0.15, 0.025, 0.0), (2, 0.15, 0.2, 0.0), (2, 0.4, 0.5, 0.0), (3, 0.3, 0.5, 0.0), (4, 0.25, 0.1, 0.0),
    (1, 0.3, 0.5, 0.0), (2, 0.5, 1.0, 0.0), (4, 0.5, 1.0, 0.0), (2, 0.3, 0.3, 0.5), (3, 0.3, 0.05, 0.3),
    (4, 0.4, 0.4, 0.4), (1, 1 / 3, 0.0, 1 / 3), (3, 0.5, 0.0, 1.0), (4, 0.0, 0.3, 0.3), (2, 1.0, 0.5, 0.5),
]  # fmt: skip
QUICK = [(2, 0.5, 1.0, 0.0), (3, 0.3, 0.05, 0.3)]
"""Those in which cubes stick, come loose and are shaken off; the presets have a test of their own."""


@pytest.mark.parametrize(
    "tower",
    [
        pytest.param(each, marks=pytest.mark.full if each in QUICK else pytest.mark.slow, id=str(each))
        for each in TOWERS
    ],
)
def test_R10__many_towers__have_the_law_of_the_model(tower: Tower):
    assert_same_law(tower, 6_000 if tower in QUICK else 12_000)


@pytest.mark.full
def test_chi_square__tower_a_little_different__is_found():
    """The comparison can fail: sticks of 0.15 and 0.19, dislodges of 0.025 and 0.08, shakes of 0 and 0.04."""
    right = kernel_outcomes((2, 0.15, 0.025, 0.0), 6_000)
    for wrong in ((2, 0.19, 0.025, 0.0), (2, 0.15, 0.08, 0.0), (2, 0.15, 0.025, 0.04)):
        statistic, critical = chi_square(right, kernel_outcomes(wrong, 6_000))
        assert statistic > critical, wrong


@pytest.mark.parametrize(
    ("tower", "outcome"),
    [
        ((1, 0.0, 0.0, 0.0), (3, 6, (2, 3))),  # nothing stays, nothing moves
        ((1, 0.0, 1.0, 0.0), (5, 9, (0, 0))),  # everything falls through
        ((1, 1.0, 0.0, 0.0), (0, 0, (5, 9))),  # everything stays
        ((2, 0.0, 0.0, 1.0), (5, 12, (0, 0), (0, 0))),  # shaken out of both floors
    ],
)
def test_R10__probabilities_0_and_1__are_certain(tower: Tower, outcome: Hashable):
    resting = sum(sum(floor.values()) for floor in INSIDE[: tower[0]])
    assert sum(THROWN.values()) + resting == outcome[1] + sum(n for _, n in outcome[2:])  # type: ignore[index]
    outcomes = kernel_outcomes(tower, 200)
    assert set(outcomes) == {outcome}


def taped_throw(tower: Tower, inside: int, thrown: int, out: int) -> int:
    """Throw one player's cubes with a tape that lets ``out`` of them fall; return the error code of the game."""
    batch = Batch(1, tower=tower, record=True)
    g = batch.games[0]
    g["tower"], g["tray"] = 0, 0
    g["tower"][0, 0], g["tray"][0] = inside, thrown
    fall = [(c.LOG_TRAY, out if colour == 0 else 0) for colour in range(c.N_COLOURS)]
    set_tape(batch.logs[0], new_tape(fall, len(batch.logs[0])))
    throw(g, batch.rngs[0], batch.logs[0], c.WHY_BATTLE)
    return int(g["error"])


@pytest.mark.parametrize(
    ("tower", "inside", "thrown", "possible"),
    [
        ((2, 0.15, 0.025, 0.0), 3, 2, range(6)),
        ((1, 1 / 3, 0.0, 1 / 3), 3, 2, range(6)),
        ((2, 0.0, 0.5, 0.0), 0, 4, [4]),
        ((2, 1.0, 0.0, 0.0), 3, 2, [0]),
        ((2, 0.5, 0.0, 0.0), 3, 2, [0, 1, 2]),
        ((2, 1.0, 0.0, 0.5), 3, 2, [0, 1, 2, 3]),
        ((3, 0.5, 0.1, 1.0), 3, 2, [3, 4, 5]),
        ((2, 1.0, 0.5, 0.0), 3, 2, [0, 1, 2, 3, 4]),
        ((2, 0.5, 1.0, 0.0), 2, 3, [3, 4, 5]),
        ((1, 1.0, 1.0, 0.0), 0, 3, [2]),
    ],
)
def test_R10__throw_from_a_tape__only_what_this_tower_can_yield(
    tower: Tower, inside: int, thrown: int, possible: Sequence[int]
):
    fits = [out for out in range(inside + thrown + 1) if taped_throw(tower, inside, thrown, out) == 0]
    assert fits == list(possible)


@pytest.mark.parametrize("tower", [(2, 1.0, 1.0, 0.0), (3, 0.5, 1.0, 0.5), (4, 0.3, 0.5, 0.2), (1, 0.4, 0.0, 0.0)])
def test_R10__throws_of_the_engine__are_all_possible_on_its_tape(tower: Tower):
    batch = Batch(20, tower=tower, record=True)
    batch.play(["random"] * 4)
    for record in batch.records():
        verify(Batch, record)


def key_that_draws(next_uint64: int, draw: int) -> int:
    """Return the key of a random row whose draw number ``draw`` gives these 64 bits: ``mix`` backwards."""
    z = next_uint64 ^ (next_uint64 >> 31) ^ (next_uint64 >> 62)
    z = z * pow(0x94D049BB133111EB, -1, 2**64) % 2**64
    z ^= (z >> 27) ^ (z >> 54)
    z = z * pow(0xBF58476D1CE4E5B9, -1, 2**64) % 2**64
    z ^= (z >> 30) ^ (z >> 60)
    return (z - draw * 0x9E3779B97F4A7C15) % 2**64


def test_R10__dislodge_always__loosens_at_the_highest_draw_too():
    batch = Batch(1, tower=(1, 0.0, 1.0, 0.0))
    g, rng, log = batch.games[0], batch.rngs[0], batch.logs[0]
    g["tower"], g["tray"] = 0, 0
    g["tower"][0, 0], g["tray"][1] = 1, 1
    rng[:] = key_that_draws(0xFFFFFFFF << 32, 2), 0  # the first draw chooses the cube, the second is of its floor
    throw(g, rng, log, c.WHY_BATTLE)
    assert g["tray"].tolist()[:2] == [1, 1]


@pytest.mark.parametrize("tower", [(2, 0.15, 0.025, 0.0), (4, 0.3, 0.1, 0.05)])
def test_replay__cubes_inside__rest_on_all_floors_alike(tower: Tower):
    batch = Batch(20, tower=tower, record=True, seed=3)
    batch.play(["random"] * 4)
    floors = np.zeros(4)
    for record in batch.records():
        *_, (last, _) = replay(Batch, record)
        floors += last.games["tower"][0].sum(1)
    share = floors[: tower[0]] / floors.sum()
    assert np.abs(share - 1 / tower[0]).max() < 4 * np.sqrt(0.25 / floors.sum())
