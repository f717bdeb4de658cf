"""Shares of wins of one agent against copies of another, and tests that stop as soon as they know."""

import numpy as np
import pytest

from shogun_env.policies import Bot, make_agent
from shogun_env.shares import (
    NO,
    UNDECIDED,
    YES,
    Bounds,
    decide,
    half_width,
    interval,
    log_capital,
    mean_shares,
    parity,
    rotated,
    run_test,
    share_of,
    wilson,
    wins,
)
from tests.games import batch_class, each_engine

BOUNDS = Bounds(low=0.25, high=0.29)
QUARTER = Bounds(low=0.25, high=0.27)


@each_engine
def test_wins__bots_that_are_the_same__one_win_per_seed(engine):
    bot = make_agent("scripted", engine.spec)
    options = engine.spec.check_options({"num_players": 3})
    won = wins(engine, bot, bot, np.arange(6), options)
    assert won.shape == (6, 3)
    assert won.sum(1) == pytest.approx(np.ones(6))


@each_engine
def test_wins__scripted_against_random__wins_and_threads_do_not_matter(engine):
    one, other = (make_agent(name, engine.spec) for name in ("scripted", "random"))
    options = engine.spec.check_options({"num_players": 3})
    won = [wins(engine, one, other, np.arange(8), options, threads) for threads in (1, 2)]
    assert won[0].mean() > 0.9
    assert (won[0] == won[1]).all()


def test_share_of__interval_over_seeds():
    won = np.tile([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]], (3, 1))
    share = share_of(won)
    assert share.share == 0.5
    assert share.seats == (0.75, 0.25)
    assert share.games == 24
    half = 2.200985 * won.mean(1).std(ddof=1) / 12**0.5  # by the tables of Student's distribution
    assert (share.low, share.high) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-4)


@pytest.mark.parametrize("count", [2, 3, 5, 20])
def test_half_width__of_few_values__holds_the_mean_95_times_in_100(count):
    values = np.random.default_rng(count).normal(size=(4000, count))
    holds = [abs(row.mean()) <= half_width(row) for row in values]
    assert np.mean(holds) == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize("won", [[1, 1, 1, 1, 0], [1] * 5])
def test_half_width__of_an_interval_cut_off_at_1__reaches_its_other_end(won):
    """Half of what was left of it was less: ``exploit`` claimed more than the games say."""
    share = share_of(np.array(won, float)[:, None])
    assert share.high == 1.0 and share.share - share.half_width == pytest.approx(share.low)
    none = share_of(1.0 - np.array(won, float)[:, None])
    assert none.low == 0.0 and none.share + none.half_width == pytest.approx(none.high)


def test_share_of__no_spread__wilson():
    share = share_of(np.ones((5, 2)))
    assert (share.low, share.high) == wilson(10, 10)


@each_engine
def test_mean_shares__over_variants_and_seats__one_value_per_seed(engine):
    one, other = (make_agent(name, engine.spec) for name in ("scripted", "random"))
    variants = [{"num_players": number} for number in engine.spec.players]
    seeds = np.arange(3, 7)
    values = mean_shares(engine, one, other, seeds, variants)
    parts = [wins(engine, one, other, seeds, options) for options in variants]
    assert values.tolist() == [np.mean([part[row].mean() for part in parts]) for row in range(4)]
    equal = [parity(engine.spec, variants)] * 4
    assert mean_shares(engine, one, one, seeds, variants).tolist() == pytest.approx(equal)


def coins(rng, mean, shape, games=4):
    """Means of independent games, as those of the rotations of a seed are."""
    return rng.binomial(games, mean, shape) / games


def lumps(rng, mean, shape):
    """Values that are as far apart as they can be, which is what bets fear most."""
    return (rng.random(shape) < mean).astype(np.float64)


def uneven(rng, mean, shape):
    """Values whose spread grows in time while their mean stays: seeds of which the later ones are wilder."""
    width = np.linspace(0.02, min(mean, 1 - mean), shape[-1])
    return mean + width * rng.choice([-1.0, 1.0], shape)


def verdicts(values, bounds):
    """The verdicts of many tests at once, one for each row, and how many values each took."""
    zone, enough = bounds.high - bounds.low, -np.log(bounds.error)
    above = log_capital(values, bounds.low, zone) >= enough
    below = log_capital(1 - values, 1 - bounds.high, zone) >= enough
    never = values.shape[1] + 1
    yes, no = (np.where(hits.any(1), hits.argmax(1) + 1, never) for hits in (above, below))
    return np.where(yes < no, YES, np.where(no < yes, NO, UNDECIDED)), np.minimum(np.minimum(yes, no), never - 1)


def rates(draw, mean, bounds, runs, length, seed=1, **more):
    """The shares of yes and of no among many tests, and the mean number of values."""
    said, used = verdicts(draw(np.random.default_rng(seed), mean, (runs, length), **more), bounds)
    return np.mean(said == YES), np.mean(said == NO), used.mean()


@pytest.mark.parametrize("draw", [coins, lumps, uneven])
def test_decide__mean_at_a_bound__is_wrong_at_most_as_often_as_allowed(draw):
    margin = 3 * (0.05 * 0.95 / 400) ** 0.5
    assert rates(draw, BOUNDS.low, BOUNDS, 400, 900)[0] <= 0.05 + margin
    assert rates(draw, BOUNDS.high, BOUNDS, 400, 900)[1] <= 0.05 + margin


def test_decide__clear_cases__takes_fewer_values_than_a_test_of_fixed_size():
    fixed = (2 * 1.645) ** 2 * (0.25 * 0.75 / 4) / (BOUNDS.high - BOUNDS.low) ** 2  # both errors 5 %
    yes, _, used = rates(coins, 0.35, BOUNDS, 200, 900)
    assert yes == 1.0
    assert used < fixed / 3
    for mean in (BOUNDS.low, BOUNDS.high):
        assert rates(coins, mean, BOUNDS, 200, 900)[2] < 0.75 * fixed


def test_decide__one_row__says_what_many_at_once_say_and_ignores_what_comes_later():
    values = coins(np.random.default_rng(3), 0.31, (20, 600))
    for row, said, used in zip(values, *verdicts(values, BOUNDS), strict=True):
        decision = decide(row, BOUNDS)
        assert (decision.verdict, decision.used) == (said, used)
        assert decision.mean == row[:used].mean()
        assert decide(row[:used], BOUNDS) == decision
        assert decide(row[: used - 1], BOUNDS).verdict == UNDECIDED
    assert decide([], BOUNDS) == (UNDECIDED, 0, 0.0)
    good, bad = np.full(60, 0.75), np.zeros(400)
    for first, then, said in ((good, bad, YES), (bad, good, NO)):
        assert decide(first, BOUNDS).verdict == said
        assert decide([*first, *then, *bad], BOUNDS) == decide(first, BOUNDS)


def test_interval__contains_the_mean_and_is_not_much_wider_than_one_of_fixed_size():
    rng = np.random.default_rng(4)
    rows = coins(rng, 0.3, (12, 300))
    ends = np.array([interval(row) for row in rows])
    assert ((ends[:, 0] <= 0.3) & (ends[:, 1] >= 0.3)).mean() >= 11 / 12
    widths = ends[:, 1] - ends[:, 0]
    assert widths.mean() < 2 * 2 * 1.96 * rows.std() / 300**0.5
    assert interval(np.zeros(0)) == (0.0, 1.0)
    assert interval(np.ones(40))[1] == 1.0
    assert interval(np.ones(40))[0] > 0.7


@pytest.mark.parametrize(
    ("bounds", "says"),
    [
        (Bounds(0.3, 0.3), r"bounds 0.3 and 0.3: must be 0 < low < high < 1"),
        (Bounds(0.0, 0.3), "bounds 0 and 0.3"),
        (Bounds(0.3, 1.0), "bounds 0.3 and 1"),
        (Bounds(0.2, 0.3, 0.5), r"error=0.5: must be more than 0 and less than 0.5"),
    ],
)
def test_decide__bad_bounds__are_refused(bounds, says):
    with pytest.raises(ValueError, match=says):
        decide([0.5], bounds)


@pytest.mark.parametrize("values", [[0.5, 1.1], [-0.1], [float("nan")]])
def test_decide__values_out_of_range__are_refused(values):
    with pytest.raises(ValueError, match=r"must be in \[0, 1\]"):
        decide(values, BOUNDS)


def test_run_test__whole_or_resumed__same_verdict_from_the_same_values():
    source = coins(np.random.default_rng(5), 0.33, 2000)
    asked = []

    def play(first, count):
        asked.append((first, count))
        return source[first : first + count]

    *_, whole = run_test(play, BOUNDS, 2000, [])
    assert whole.verdict == YES
    assert [first for first, _ in asked] == np.cumsum([0, *(count for _, count in asked[:-1])]).tolist()
    begun = source[: whole.used // 2].tolist()
    assert list(run_test(play, BOUNDS, 2000, begun))[-1] == whole
    calls = len(asked)
    assert list(run_test(play, BOUNDS, 2000, begun))[-1] == whole
    assert len(asked) == calls  # it knows already
    *_, stopped = run_test(play, BOUNDS, 7, [])
    assert (stopped.verdict, stopped.used) == (UNDECIDED, 7)


@pytest.mark.slow
def test_decide__error_rates__as_in_the_documents():
    """``python -m pytest -rP`` prints the figures of docs/compare_two_bots.md."""
    for mean in (0.23, 0.25, 0.26, 0.27, 0.29, 0.35):
        parts = [
            rates(coins, mean, QUARTER, 500, 4000 if abs(mean - 0.26) < 0.02 else 1500, seed) for seed in range(20)
        ]
        yes, no, used = np.mean(parts, 0)
        print(f"| {mean:.0%} | {yes:.1%} | {no:.1%} | {used:.0f} |".replace("%", " %"))
        error = 0.05 + 3 * (0.05 * 0.95 / 10_000) ** 0.5
        assert mean > QUARTER.low or yes <= error
        assert mean < QUARTER.high or no <= error


def test_rotated__several_opponents__each_seed_draws_its_table_and_rotates_it():
    class Seen:
        """Plays like ``random``, and notes in which seats."""

        def __init__(self, spec):
            self.inner, self.seats = make_agent("random", spec), set()

        def act(self, view, rng):
            self.seats |= set(zip(view.rows.tolist(), view.players.tolist(), strict=True))
            return self.inner.act(view, rng)

    engine = batch_class("shitenno")
    one, *others = [Seen(engine.spec) for _ in range(5)]
    batch, played = rotated(engine, one, others, np.arange(6), {"num_players": 4})
    assert batch.over.all() and one.seats == set(enumerate(played.tolist()))
    taken = [{row for row, _ in other.seats} for other in others]
    assert all(len(rows) == len(other.seats) for rows, other in zip(taken, others, strict=True))  # nobody twice
    tables = [{index for index, rows in enumerate(taken) if row in rows} for row in range(24)]
    assert all(len(table) == 3 for table in tables) and tables[::4] == tables[1::4] == tables[3::4]
    assert len(set(map(frozenset, tables))) > 1


def test_rotated__bots_that_want_to_be_told__are_told_what_has_happened():
    class Told(Bot):
        """Counts what it was told, as far as it wants to be."""

        wants, counts = ("story", "lines"), (0, 0)

        def decide(self, decision):
            self.counts = tuple(map(max, self.counts, (len(decision.story), len(decision.lines))))
            return decision.names[0]

    engine, told = batch_class("shitenno"), Told()
    rotated(engine, make_agent("random", engine.spec), [told], np.arange(1), {"num_players": 2})
    assert min(told.counts) > 20
    batch, _ = rotated(engine, *[make_agent("random", engine.spec)] * 2, np.arange(1), {"num_players": 2})
    assert not batch.record


SHITENNO = batch_class("shitenno")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: wins(SHITENNO, "random", "random", np.zeros(0, np.int64), {}), "seeds: give at least one"),
        (lambda: wins(SHITENNO, "random", "random", np.array([0.5]), {}), "seeds of shape .* must be whole numbers"),
        (lambda: wins(SHITENNO, "random", [], np.arange(2), {}), "opponent: give at least one"),
        (lambda: mean_shares(SHITENNO, "random", "random", np.arange(2), []), "variants: give at least one"),
        (lambda: parity(SHITENNO.spec, []), "variants: give at least one"),
        (lambda: share_of(np.zeros((0, 3))), "won: give at least one"),
        (lambda: share_of(np.zeros(3)), r"values of shape \(3,\): must be an array of 2 dimensions"),
        (lambda: share_of(np.array([[np.nan, 0.5]])), "values from nan to nan: must be in"),
        (lambda: interval(np.array([0.5, np.nan])), "values from nan to nan: must be in"),
        (lambda: interval(np.array([0.5, 7.0])), "values from 0.5 to 7: must be in"),
        (lambda: interval(np.array([0.5]), error=0), "error=0: must be more than 0 and less than 1"),
        (lambda: wilson(0, 0), "0 wins of 0 games: must be from 0 to all of at least one"),
        (lambda: wilson(3, 2), "3 wins of 2 games"),
    ],
)
def test_shares__of_nothing_or_of_what_is_no_share__are_refused(call, says):
    with pytest.raises(ValueError, match=f"^{says}"):
        call()
