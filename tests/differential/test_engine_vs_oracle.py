"""Every engine against its oracle, whole games at a time."""

from collections import Counter
from itertools import chain

import pytest

from tests.games import Options

from .shitenno.play import SHITENNO
from .shogun.play import SHOGUN
from .versus import Directed, Pick, Versus, any_legal, compare_games

BOTH = {"shogun": SHOGUN, "shitenno": SHITENNO}
MANY = {"shogun": 4, "shitenno": 50}
"""Games of each kind in the long run: Shogun has twelve times as many kinds."""


def named(value: object) -> str | None:
    """Name a parameter of a test."""
    if isinstance(value, dict):
        return "-".join(map(str, value.values()))
    return getattr(value, "__name__", None) or getattr(value, "name", None)


ALL_OPTIONS = [
    pytest.param(versus, options, 100 + number, marks=[pytest.mark.full] * (versus is SHOGUN and number % 7 > 0))
    for versus in BOTH.values()
    for number, options in enumerate(versus.options)
]
"""Every seventh of Shogun, which is never `full`, meets every start, tower and number of players."""


@pytest.mark.parametrize(("versus", "options", "seed"), ALL_OPTIONS, ids=named)
def test_game__random_play__equals_the_oracle(versus: Versus, options: Options, seed: int):
    compare_games(versus, Directed(any_legal, 1, seed, options), Counter())


@pytest.mark.full
@pytest.mark.parametrize("versus", BOTH.values(), ids=named)
def test_game__some_directed_play__reaches_what_random_play_hardly_does_and_equals_the_oracle(versus: Versus):
    counts: Counter[str] = Counter()
    for directed in chain.from_iterable(versus.directed.values()):
        compare_games(versus, directed._replace(count=-(-directed.count // 6)), counts)
    assert {what for reached in versus.reached.values() for what in reached if counts[what] == 0} == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("versus", "name"), [(versus, name) for versus in BOTH.values() for name in versus.directed], ids=named
)
def test_game__directed_play__reaches_what_random_play_hardly_does_and_equals_the_oracle(versus: Versus, name: str):
    counts: Counter[str] = Counter()
    for directed in versus.directed[name]:
        compare_games(versus, directed, counts)
    assert {what for what in versus.reached[name] if counts[what] == 0} == set()


LONG_RUNS = [
    (versus, options, pick, 10_000 + 1000 * number)
    for versus in BOTH.values()
    for number, options in enumerate(versus.options)
    for pick in versus.picks
]


@pytest.mark.slow
@pytest.mark.parametrize(("versus", "options", "pick", "seed"), LONG_RUNS, ids=named)
def test_game__many_games__equal_the_oracle(versus: Versus, options: Options, pick: Pick, seed: int):
    compare_games(versus, Directed(pick, MANY[versus.name], seed, options), Counter())
