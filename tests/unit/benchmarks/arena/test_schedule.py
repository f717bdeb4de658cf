"""Who meets next: every line-up equally often, drawn ones, those whose games tell most; no bot twice at a table."""

from collections import Counter

import numpy as np
import pytest

from shogun_env.benchmarks.arena.likelihood import Strengths
from shogun_env.benchmarks.arena.schedule import (
    choose,
    choose_any,
    information,
    line_ups,
    missing,
    next_round,
    tables_again,
)
from shogun_env.benchmarks.arena.settings import DRAWN, TELLING
from tests.unit.benchmarks.arena.journals import games, played, told


@pytest.mark.parametrize(
    ("agents", "players", "expected"),
    [
        (["a", "b", "b"], 3, [("a", "b", "b")]),
        (["a", "b"], 3, [("a", "a", "b"), ("a", "b", "b")]),
        (["a", "b", "c", "d"], 3, [("a", "b", "c"), ("a", "b", "d"), ("a", "c", "d"), ("b", "c", "d")]),
    ],
)
def test_line_ups__fewer_as_many_more_agents(agents, players, expected):
    assert line_ups(agents, players) == expected


@pytest.mark.parametrize("agents", [["a"], ["a", "a"], ["a", "a", "b", "c"]])
def test_line_ups__alone_or_twice__refused(agents):
    with pytest.raises(ValueError):
        line_ups(agents, 3)


def rounds_until(numbers, **more):
    """Return the history of an arena whose games are played to each of these numbers, one after the other."""
    events, rng = played(tables=(), **more), np.random.default_rng(1)
    for wanted in numbers:
        while (event := next_round(told(events)[0], wanted)) is not None:
            events.append(event)
            now = told(events)[0].rounds[-1]
            events += [games(now.number, block, now, rng) for block in range(now.n_blocks)]
    return told(events)[0]


@pytest.mark.parametrize("schedule", ["all", DRAWN])
def test_rounds__however_often_extended__are_the_same_games(schedule):
    names = "abcdefg"
    more = {
        "agents": tuple(names),
        "names": names,
        "schedule": schedule,
        "variants": ({"num_players": 2}, {"num_players": 3}),
    }
    once, often = rounds_until([200], **more), rounds_until([1, 30, 31, 150, 200], **more)
    assert len(often.rounds) > len(once.rounds) == 2

    def told_of(history):
        columns = history.games
        return sorted(zip(columns.variant.tolist(), columns.seed.tolist(), columns.bots.tolist(), strict=True))

    assert told_of(once) == told_of(often)
    assert next_round(once, 200) is None and not missing(once, 200)
    per_lap = {"all": (21 * 2, 35 * 3), DRAWN: (3 * 2, 2 * 3)}[schedule]
    for variant, size in enumerate(per_lap):
        count = int((once.games.variant == variant).sum())
        assert count == -(-200 // size) * size
    seats = Counter(bot for row in once.games.bots.tolist() for bot in row if bot >= 0)
    assert schedule == DRAWN or len(set(seats.values())) == 1
    for history in (once, often):
        assert all((tables_again(history, now) == now.tables).all() for now in history.rounds)


def test_drawn__tables__are_others_in_each_lap():
    history = rounds_until([60], names="abcde", agents=tuple("abcde"), schedule=DRAWN, variants=({"num_players": 2},))
    laps = history.rounds[0].tables.reshape(-1, 2, 2)
    assert all(len(set(lap.ravel())) == 4 for lap in laps)
    assert len({tuple(lap.ravel()) for lap in laps}) > 5
    with pytest.raises(ValueError, match="2 agents: drawn line-ups need more different agents than 2 players"):
        rounds_until([4], names="ab", agents=("a", "b"), schedule=DRAWN, variants=({"num_players": 2},))


def test_telling__rounds__follow_from_the_games_before_and_end_in_any_case():
    history = rounds_until([200], schedule=TELLING, rating={"a": 0.0}, names="abcd")
    assert len(history.rounds) > 2
    assert all((tables_again(history, now) == now.tables).all() for now in history.rounds)
    now = history.rounds[-1]
    now.done.clear()
    assert missing(history, 1) == [(now, list(range(now.n_blocks)))]


def test_missing__fewer_games_than_a_round_has__leaves_its_end_out():
    history = rounds_until([600], agents=tuple("abc"), names="abc")
    (now,) = history.rounds
    now.done.clear()
    assert missing(history, 600) == [(now, list(range(9)))]
    assert missing(history, 73) == [(now, [0, 1])]


def known(mean, variance):
    """Return strengths with independent errors."""
    return Strengths(np.array(mean, float), np.array(variance, float), np.zeros(len(mean), int), np.zeros((1, 1)))


@pytest.mark.parametrize(("size", "players"), [(2, 2), (4, 4), (5, 4), (60, 3)])
def test_choose__tables__have_as_many_different_bots_as_players(size, players):
    rng = np.random.default_rng(size)
    tables = choose(rng, known(rng.normal(size=size), np.ones(size)), 100, players)
    assert tables.shape == (100, players)
    assert (np.diff(np.sort(tables, axis=1), axis=1) > 0).all()
    assert set(tables.ravel().tolist()) == set(range(size))
    with pytest.raises(ValueError, match=f"{size} bots for games of {size + 1} players: enter more"):
        choose(rng, known(np.zeros(size), np.ones(size)), 1, size + 1)


def test_choose__one_newcomer_among_bots_that_are_known__plays_in_nearly_every_game_against_its_equals():
    variance = np.full(40, 1e-4)
    variance[7], mean = 0.5, np.linspace(-4, 4, 40)
    tables = choose(np.random.default_rng(1), known(mean, variance), 20, 4)
    with_it = (tables == 7).any(axis=1)
    assert with_it.mean() >= 0.8
    away = np.abs(mean[tables[with_it]] - mean[7])
    assert np.median(away) < 1.2 < np.median(np.abs(mean - mean[7]))


def test_choose__long_round__spreads_games_as_errors_become_smaller():
    tables = choose(np.random.default_rng(2), known(np.zeros(30), np.ones(30)), 300, 3)
    counts = np.bincount(tables.ravel(), minlength=30)
    assert counts.min() > 20 and counts.max() < 45  # 30 each


def test_choose__fixed_bots_only__still_meet():
    tables = choose(np.random.default_rng(3), known(np.zeros(4), np.zeros(4)), 5, 3)
    assert (np.diff(np.sort(tables, axis=1), axis=1) > 0).all()


def test_choose_any__every_bot_plays_as_often_as_any_other():
    tables = choose_any(np.random.default_rng(4), 10, 9, 3)  # one of ten sits out, three tables in a round
    assert (np.diff(np.sort(tables, axis=1), axis=1) > 0).all() and np.bincount(tables.ravel(), minlength=10).max() <= 3


def test_information__equal_and_uncertain_bots_tell_most_and_a_bot_twice_nothing():
    strengths = known([0, 0, 0, 5], [1, 1, 0.01, 1])
    tables = np.array([[0, 1], [0, 2], [0, 3], [0, 0]])
    assert information(strengths, tables, np.ones(4))[0] == pytest.approx(np.log1p(0.25 * 2))
    told_by = information(strengths, tables, np.ones(4))
    assert told_by[0] > told_by[1] > told_by[2] > 0 > told_by[3]
    assert information(strengths, tables, np.full(4, 0.5))[0] == pytest.approx(np.log1p(0.25 * 0.5))
