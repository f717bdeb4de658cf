"""Ratings: intervals hold the truth, bounds are told as bounds, and nothing depends on the order of names or games."""

import itertools
from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest

from shogun_env.benchmarks.arena import fit, likelihood
from shogun_env.shares import wilson

TRUTH = np.array([0.0, 0.5, 1.0, 1.8, -0.7])
SPREAD = 200.0
"""Deviation of the true ratings of tournaments."""
NEVER = 60.0
"""Added to the strengths of bots that never lose to the others: their odds are e^60 to one."""


def drawn(rng, truth, bots):
    """Return the places in games between bots int[N, P], drawn from the model of Plackett and Luce."""
    luck = truth[bots] + rng.gumbel(size=bots.shape)
    return 1.0 + (-luck).argsort(axis=1).argsort(axis=1)


class Kind(NamedTuple):
    """A kind of tournament: this many bots never lose to the others; bots may play in two halves that never meet."""

    bots: int
    players: int
    games: int
    has_anchor: bool = True
    never_lose: int = 0
    never_meet: bool = False


KINDS = [
    *(Kind(bots=2, players=2, games=games) for games in (12, 40, 200, 1000, 10_000)),
    *(Kind(bots=3, players=3, games=games) for games in (12, 100)),
    *(Kind(bots=4, players=4, games=games) for games in (12, 40, 1000)),
    *(Kind(bots=6, players=4, games=games, has_anchor=False) for games in (12, 100)),
    *(Kind(bots=8, players=2, games=games) for games in (40, 400)),
    *(Kind(bots=12, players=4, games=games) for games in (12, 40, 200, 1000, 10_000)),
    Kind(bots=12, players=3, games=30, has_anchor=False),
    *(Kind(bots=4, players=2, games=games, never_lose=1) for games in (12, 100)),
    *(Kind(bots=6, players=3, games=games, never_lose=2) for games in (40, 1000)),
    *(Kind(bots=8, players=4, games=games, never_meet=True) for games in (24, 400)),
    Kind(bots=12, players=3, games=120, has_anchor=False, never_lose=3, never_meet=True),
]


def played(rng, strength, kind):
    """Return the bots and the places of the games of a tournament."""
    draws = rng.random((kind.games, kind.bots))
    if kind.never_meet:
        draws += (np.arange(kind.bots) % 2 != rng.integers(2, size=kind.games)[:, None]) * 1.0
    bots = draws.argsort(axis=1)[:, : kind.players]
    return bots, drawn(rng, strength, bots)


def counted(kind, tournaments):
    """Draw tournaments of a kind; count ratings by what is known of them and whether it holds the truth.

    Where the true distance is infinite, no interval may be given, nor a bound on the wrong side: that is ``wrong``.
    """
    rng, count = np.random.default_rng([0, *map(int, kind)]), Counter()
    for _ in range(tournaments):
        strength = rng.normal(size=kind.bots) * SPREAD / fit.SCALE
        strength[kind.bots - kind.never_lose :] += NEVER
        rated = fit.rate(*played(rng, strength, kind), kind.bots, anchors=[0] if kind.has_anchor else [])
        for bot in range(kind.bots):
            anchor = rated.anchor[rated.group[bot]]
            alike = rated.compared & (rated.group == rated.group[bot])
            truth = fit.SCALE * (strength[bot] - (strength[alike].mean() if anchor < 0 else strength[anchor]))
            holds = bool(rated.low[bot] <= truth <= rated.high[bot])
            if abs(truth) > fit.SCALE * NEVER / 4:
                count["infinite" if holds and rated.kind[bot] != "interval" else "wrong"] += 1
            elif rated.kind[bot] in ("interval", "at least", "at most"):
                count[str(rated.kind[bot]), holds] += 1
    return count


def held(counts, kinds=("interval", "at least", "at most")):
    """Return the share of intervals and bounds that hold the truth."""
    holds, fails = (sum(count[kind, is_held] for count in counts for kind in kinds) for is_held in (True, False))
    return holds / max(holds + fails, 1)


def games(number, players=3, seed=0):
    return played(np.random.default_rng(seed), TRUTH, Kind(bots=len(TRUTH), players=players, games=number))


def look(bots, place, strength):
    """Return the likelihood of strengths, with all slopes."""
    size = len(strength)
    found = likelihood.choices(likelihood.outcomes(bots, place, size), np.zeros(size, np.int64))
    return likelihood.likelihood(found, strength)


@pytest.mark.slow
def test_intervals__every_kind_of_tournament__hold_the_truth():
    counts = {kind: counted(kind, 200) for kind in KINDS}
    assert 0.94 <= held(counts.values(), ["interval"]) <= 0.965
    for kind, count in counts.items():
        noise = 2.5 * np.sqrt(0.05 * 0.95 / 200)  # bots of a tournament hang together
        assert held([count]) >= 0.95 - noise and count["wrong"] == 0, kind


def test_intervals__some_kinds__hold_the_truth():
    kinds = (
        Kind(bots=2, players=2, games=12),
        Kind(bots=4, players=4, games=12),
        Kind(bots=6, players=3, games=40, never_lose=2),
        Kind(bots=8, players=4, games=24, never_meet=True),
    )
    counts = [counted(kind, 25) for kind in kinds]
    assert 0.92 <= held(counts) <= 0.985
    assert not any(count["wrong"] for count in counts) and counts[2]["infinite"] == 50


def test_intervals__few_games_of_many_bots__hold_the_truth_and_so_do_bounds():
    counts = [counted(Kind(bots=45, players=4, games=45), 8)]
    assert held(counts, ["interval"]) >= 0.93 and held(counts, ["at least", "at most"]) >= 0.93


def test_intervals__nearly_all_places_tied__hold_the_truth_and_are_no_wider():
    rng, equal, inside = np.random.default_rng(0), Kind(bots=6, players=4, games=200), []
    for _ in range(60):  # equal bots, so that the truth does not depend on what a tie says
        bots, place = played(rng, np.zeros(6), equal)
        rated = fit.rate(bots, np.where(place == 1, 1.0, 3.0), 6, anchors=[0])
        inside += ((rated.low <= 0) & (rated.high >= 0))[1:].tolist()
    assert 0.92 <= np.mean(inside) <= 0.97


def test_intervals__stopped_by_their_width__hold_the_truth():
    rng, ends, shares = np.random.default_rng(0), [], []
    for _ in range(2000):  # as ``--until-interval`` doubles 200 games; chance decides whether 200 are enough
        wins, games = rng.binomial(200, 0.7), 200
        while np.ptp(wilson(wins, games)) > 0.1265:
            wins, games = wins + rng.binomial(games, 0.7), 2 * games
        ends.append(wilson(wins, games))
        shares.append(wins / games)
    assert 0.94 <= np.mean([low <= 0.7 <= high for low, high in ends]) <= 0.965
    assert 0.0 < np.mean(shares) - 0.7 < 0.01


def test_likelihood__of_all_orders__is_a_distribution_and_its_slopes_are_its_derivatives():
    strength = TRUTH[:3]
    orders = [np.array([order]) for order in itertools.permutations([1.0, 2.0, 3.0])]
    values = [look(np.array([[0, 1, 2]]), place, strength).value for place in orders]
    assert np.exp(values).sum() == pytest.approx(1)
    played, step = games(20, 4), 1e-5
    found = look(*played, TRUTH)
    for bot in range(5):
        up, down = (look(*played, TRUTH + sign * step * np.eye(5)[bot]) for sign in (1, -1))
        assert (up.value - down.value) / (2 * step) == pytest.approx(found.slope[bot], abs=1e-4)
        assert (down.slope - up.slope) / (2 * step) == pytest.approx(found.curvature[bot], abs=1e-4)


def test_likelihood__of_ties__is_the_mean_over_all_orders():
    table = np.array([[0, 1, 2, 3]])
    tied = look(table, np.array([[1.0, 3.0, 3.0, 3.0]]), TRUTH[:4])
    orders = [[1.0, *order] for order in itertools.permutations([2.0, 3.0, 4.0])]
    each = [look(table, np.array([order]), TRUTH[:4]) for order in orders]
    mean = np.mean([one.value for one in each])
    assert tied.value == pytest.approx(mean)


@pytest.mark.parametrize("games_played", [1, 50])
def test_rate__equal_results__have_equal_ratings(games_played):
    bots, place = np.array([[3, 0, 1, 2]] * games_played), np.array([[1.0, 3.0, 3.0, 3.0]] * games_played)
    rated = fit.rate(bots, place, 4)
    for column in (rated.rating, rated.low, rated.high):
        assert np.ptp(column[:3]) == pytest.approx(0, abs=1e-6)
    assert rated.high[0] - rated.low[0] > 50 and rated.kind[3] == "at least"


@pytest.mark.parametrize("number", [12, 300])
def test_rate__order_of_names_and_games__does_not_matter(number):
    bots, place = games(number)
    first = fit.rate(bots, place, 5)
    rng = np.random.default_rng(1)
    names, order = rng.permutation(5), rng.permutation(number)
    again = fit.rate(names[bots][order][:, ::-1], place[order][:, ::-1], 5)
    for column in ("rating", "low", "high"):
        assert getattr(again, column)[names] == pytest.approx(getattr(first, column), abs=0.5, nan_ok=True)
    assert (again.kind[names] == first.kind).all()


@pytest.mark.parametrize("number", [12, 108, 1008])
def test_rate__bot_that_never_lost__has_a_bound_that_its_games_allow(number):
    rated = fit.rate(np.array([[0, 1]] * number), np.array([[1.0, 2.0]] * number), 2, anchors=[1])
    assert rated.kind.tolist() == ["at least", "anchor"] and rated.high[0] == np.inf
    wins = 1 / (1 + 10 ** (-rated.low[0] / 400))
    assert wins**number == pytest.approx(0.01, rel=0.01)


def test_rate__group_that_never_lost__is_bounded_together_and_copies_hide_nothing():
    rng = np.random.default_rng(0)
    bots = np.array([rng.permutation([0, 1, 2, 2]) for _ in range(60)])  # two copies of the weakest at each table
    place = np.where(bots == 2, rng.permuted(np.tile([3.5, 3.5], (60, 2)), axis=1), 0.0)
    place[place == 0] = np.array([rng.permutation([1.0, 2.0]) for _ in range(60)]).ravel()
    rated = fit.rate(bots, place, 3, anchors=[2])
    assert rated.kind.tolist() == ["interval", "interval", "at most"]
    assert rated.compared.tolist() == [True, True, False]


def test_rate__groups_that_never_met__are_rated_apart():
    bots = np.array([[0, 1], [2, 3]] * 20)
    place = np.array([[1.0, 2.0], [1.0, 2.0], [2.0, 1.0], [2.0, 1.0]] * 10)
    rated = fit.rate(bots, place, 5, anchors=[0])
    assert rated.group.tolist() == [0, 0, 1, 1, 2] and rated.rating[:4].round().tolist() == [0, 0, 0, 0]
    assert rated.kind.tolist() == ["anchor", "interval", "interval", "interval", "anchor"]


def test_rate__anchor__is_the_first_of_those_that_have_won_and_lost():
    bots, place = games(100)
    lost = np.concatenate([bots, np.array([[0, 5, 1]] * 20)]), np.concatenate([place, np.array([[1.0, 3, 2]] * 20)])
    rated = fit.rate(*lost, 6, anchors=[5, 2, 0])
    assert rated.anchor.tolist() == [2] and rated.rating[2] == 0 and rated.kind[5] == "at most"
    assert -np.inf < rated.rating[5] < rated.high[5] < rated.rating.max()


def test_rate__many_bots_one_anchor__each_has_the_distance_that_it_has_among_few(monkeypatch):
    bots, place = games(40)
    joint = fit.rate(bots, place, 5, anchors=[0])
    monkeypatch.setattr(fit, "MOST_JOINT", 1)
    alone = fit.rate(bots, place, 5, anchors=[0])
    assert alone.rating == pytest.approx(joint.rating) and (alone.high - alone.low)[1:] == pytest.approx(
        (joint.high - joint.low)[1:], rel=0.15
    )


def test_outcomes__of_games_in_any_order_of_players__count_those_that_ended_alike():
    bots = np.array([[0, 1, 2], [2, 0, 1], [0, 1, 2], [1, 0, -1]])
    place = np.array([[1, 2.5, 2.5], [2.5, 1, 2.5], [2, 1, 3], [1, 2, 0]])
    found = likelihood.outcomes(bots, place, 3)
    told = {tuple(row): (tied, count) for row, tied, count in zip(*map(np.ndarray.tolist, found), strict=True)}
    no = [False] * 3
    assert told == {(0, 1, 2): ([False, False, True], 2), (1, 0, 2): (no, 1), (1, 0, 3): (no, 1)}


@pytest.mark.parametrize("number", [12, 300])
def test_rate__games_counted_or_one_by_one__are_the_same(number, monkeypatch):
    bots, place = games(number)
    place = np.where((place > 1) & (np.arange(number) % 3 == 0)[:, None], 2.5, place)
    counted = fit.rate(bots, place, 5)
    monkeypatch.setattr(likelihood, "counted", lambda rows, base, count: (rows.astype(np.int32), count))
    alone = fit.rate(bots, place, 5)
    assert len(likelihood.outcomes(bots, place, 5).often) == number
    for column in ("rating", "low", "high"):
        assert getattr(alone, column) == pytest.approx(getattr(counted, column), abs=1e-4, nan_ok=True)


@pytest.mark.parametrize("seed", range(20))
def test_chains__of_any_links__are_those_of_all_paths(seed):
    rng, size = np.random.default_rng(seed), 12
    links = np.array(np.nonzero(rng.random((size, size)) < 0.12))
    paths = np.eye(size, dtype=bool)
    paths[tuple(links)] = True
    for middle in range(size):
        paths |= paths[:, [middle]] & paths[[middle]]
    chains = fit.Chains.of(links, size)
    assert (chains.leads == paths).all()
    assert ((chains.part[:, None] == chains.part) == (paths & paths.T)).all()
