"""Every engine against its oracle, whole games at a time."""

from collections import Counter
from itertools import chain

import pytest

from tests.games import Options

from .shitenno.play import SHITENNO
from .shogun.play import OPTIONS, SHOGUN
from .versus import Directed, Pick, Versus, any_legal, compare_games

BOTH = {"shogun": SHOGUN, "shitenno": SHITENNO}
MANY = {"shogun": 4, "shitenno": 50}
"""Games of each kind in the long run: Shogun has twelve times as many kinds."""


def named(value: object) -> str | None:
    """Name a parameter of a test."""
    if isinstance(value, dict):
        return "-".join(map(str, value.values()))
    return getattr(value, "__name__", None) or getattr(value, "name", None)


def each_of(options: dict[str, list[Options]]) -> list[tuple[Versus, Options]]:
    return [(BOTH[name], each) for name, several in options.items() for each in several]


@pytest.mark.parametrize(
    ("versus", "options"), each_of({"shogun": OPTIONS[::7], "shitenno": SHITENNO.options}), ids=named
)
def test_game__random_play__equals_the_oracle(versus: Versus, options: Options):
    compare_games(versus, Directed(any_legal, 2, 1, options), Counter())


@pytest.mark.full
@pytest.mark.parametrize(
    ("versus", "options"), each_of({name: versus.options for name, versus in BOTH.items()}), ids=named
)
def test_game__random_play_in_all_options__equals_the_oracle(versus: Versus, options: Options):
    compare_games(versus, Directed(any_legal, 1, 100, options), Counter())


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
