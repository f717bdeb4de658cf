"""Ratings: strengths that made the games come back, the intervals cover them, and they agree with win shares."""

from __future__ import annotations

import numpy as np
import pytest

from shogun_env.benchmarks.arena import ratings as rate
from shogun_env.benchmarks.arena.outcomes import Outcomes
from shogun_env.benchmarks.arena.seating import Result
from shogun_env.benchmarks.arena.standings import standings

pytest.importorskip("choix")

NAMES = ["random", "weak", "strong", "stronger"]
STRENGTHS = np.array([0.0, 0.4, 0.9, 1.3])


def games_of(strengths, seeds, rng, names=NAMES):
    """Return outcomes of games whose places are drawn by the model: four rotations per seed."""
    results = []
    for seed in range(seeds):
        for rotation in range(len(names)):
            order = np.argsort(-(strengths + rng.gumbel(size=len(names))))
            place = np.argsort(order) + 1.0
            seats = [(k + rotation) % len(names) for k in range(len(names))]
            results.append(
                Result(
                    seed=seed, line_up=list(names), rotation=rotation, agents=[names[k] for k in seats],
                    place=[place[k] for k in seats], points=[0] * len(names), win=[float(place[k] == 1) for k in seats],
                    decisions=1, faults=[{}] * len(names),
                )
            )  # fmt: skip
    return Outcomes.of(results)


def rated(outcomes, game="shogun"):
    return {row.agent: row for row in rate.ratings(outcomes, standings(outcomes), game)}


def test_ratings__games_drawn_by_the_model__intervals_cover_the_truth():
    rng = np.random.default_rng(1)
    inside = []
    for _ in range(20):
        rows = rated(games_of(STRENGTHS, 60, rng))
        assert (rows["random"].rating, rows["random"].low, rows["random"].high) == (0, 0, 0)
        for name, strength in zip(NAMES[1:], STRENGTHS[1:], strict=True):
            inside.append(rows[name].low <= rate.SCALE * strength <= rows[name].high)
    assert 0.87 <= np.mean(inside) <= 1.0


def test_ratings__many_games__expected_win_shares_are_the_observed_ones():
    rows = rated(games_of(STRENGTHS, 1500, np.random.default_rng(2)))
    for name, strength in zip(NAMES, STRENGTHS, strict=True):
        assert rows[name].rating == pytest.approx(rate.SCALE * strength, abs=15)
        assert rows[name].expected == pytest.approx(rows[name].observed, abs=0.02)
        assert rows[name].expected == pytest.approx(np.exp(strength) / np.exp(STRENGTHS).sum(), abs=0.02)


def test_ratings__bot_that_always_wins__is_finite_with_a_width():
    outcomes = games_of(np.array([0.0, 0.0, 0.0, 60.0]), 50, np.random.default_rng(3))
    row = rated(outcomes)["stronger"]
    assert 700 < row.rating < 2500
    assert row.high - row.low > 100
    assert row.observed == 1.0


def test_ratings__anchor_that_always_loses__all_others_have_wide_intervals():
    outcomes = games_of(np.array([-60.0, 0.0, 0.0, 0.0]), 50, np.random.default_rng(3))
    rows = rated(outcomes)
    assert all(rows[name].high - rows[name].low > 200 for name in NAMES[1:])


def test_ratings__several_anchors__the_first_of_the_list_counts(monkeypatch):
    names = ["random", "weak", "strong", "stronger"]
    monkeypatch.setitem(rate.ANCHORS, "shogun", {"strong": 700.0, "random": 0.0})
    rows = rated(games_of(STRENGTHS, 40, np.random.default_rng(4), names))
    assert (rows[names[2]].rating, rows[names[2]].low, rows[names[2]].high) == (700, 700, 700)
    assert rows["random"].low < rows["random"].rating < 700


def test_ratings__without_an_anchor__have_mean_0():
    rows = rated(games_of(STRENGTHS, 40, np.random.default_rng(4)), "a game without anchors")
    assert sum(row.rating for row in rows.values()) == pytest.approx(0, abs=1e-6)
    assert all(row.high > row.low for row in rows.values())


def test_slopes__at_the_fit__sum_to_0_and_the_curvature_is_their_spread():
    """The fit of choix is the maximum of the likelihood whose slopes are computed here."""
    outcomes = games_of(STRENGTHS, 500, np.random.default_rng(5))
    orders = rate.with_virtual_games(rate.orders_of(outcomes))
    strengths = rate.strengths_of(orders, 4)
    slopes, curvature = rate.slopes_and_curvature(orders, strengths)
    assert np.abs(slopes.sum(0)).max() < 1e-3 * len(orders)
    assert slopes.T @ slopes == pytest.approx(curvature, rel=0.1, abs=0.05 * len(orders))
    assert curvature.sum(1) == pytest.approx(0, abs=1e-6)


def test_orders__ties__fall_to_the_first_seat_on_even_seeds_and_to_the_last_on_odd_ones():
    tied = [Result(seed, ["a", "b"], 0, ["a", "b"], [1.5, 1.5], [3, 3], [0.5, 0.5], 1, [{}, {}]) for seed in (0, 1)]
    assert rate.orders_of(Outcomes.of(tied))[:, :2].tolist() == [[0, 1], [1, 0]]


def test_rating_table__share_outside_the_interval__is_flagged():
    outcomes = games_of(STRENGTHS, 200, np.random.default_rng(6))
    table = standings(outcomes)
    rows = rate.ratings(outcomes, table, "shogun")
    head, lines = rate.rating_table(rows, table)
    assert head[-1] == "check"
    assert [line[-1] for line in lines].count("in the interval") >= 3
    off = rows[0]._replace(expected=0.01)
    assert rate.verdict(off, table[0]).startswith("-")


def test_outcomes__order_of_results__does_not_matter():
    rng = np.random.default_rng(7)
    results = []
    for seed in range(9):
        for turn in range(2):
            faults = [{}, {"late": seed}] if seed else [{}, {}]
            names = ["ab"[turn], "ba"[turn]]
            results.append(Result(seed, ["a", "b"], turn, names, [1.0, 2.0], [9, seed], [1.0, 0.0], seed, faults))
    first = Outcomes.of(results)
    for _ in range(3):
        again = Outcomes.of([results[k] for k in rng.permutation(len(results))])
        for name in ("variant", "seed", "agents", "place", "points", "win", "decisions", "faults"):
            assert (getattr(first, name) == getattr(again, name))[~np.isnan(getattr(first, name))].all(), name
    with pytest.raises(ValueError, match="no game was finished"):
        Outcomes.of([])
