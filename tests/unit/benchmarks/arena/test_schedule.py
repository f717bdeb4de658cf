"""Who meets next: every line-up equally often, drawn ones, newcomers first; no bot twice at a table."""

from collections import Counter

import numpy as np
import pytest

from shogun_env.benchmarks.arena.journal import JournalEvent
from shogun_env.benchmarks.arena.schedule import NEW, league_tables, line_ups, missing, next_round, tables_again
from shogun_env.benchmarks.arena.settings import DRAWN, NEWCOMERS
from tests.unit.benchmarks.arena.journals import entry, games, played, told


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


@pytest.mark.parametrize(
    ("agents", "says"),
    [
        (["a"], "needs at least two agents, not 1"),
        (["a", "a"], "2 agents for 3 players, one of them twice: give one for each player, or different ones"),
        (["a", "a", "b", "c"], "4 agents for 3 players, one of them twice"),
    ],
)
def test_line_ups__alone_or_twice__refused(agents, says):
    with pytest.raises(ValueError, match=says):
        line_ups(agents, 3)


def rounds_until(numbers, **more):
    """Return the history of an arena whose games are played to each of these numbers, one after the other."""
    events, rng = played(tables=(), **more), np.random.default_rng(1)
    for wanted in numbers:
        while (event := next_round(told(events)[0], wanted)) is not None:
            events.append(event)
            now = told(events)[0].rounds[-1]
            events += [games(now, first, rng) for first in range(0, now.n_games, now.per_block)]
    return told(events)[0]


@pytest.mark.parametrize("schedule", ["all", DRAWN])
def test_rounds__however_often_extended_or_short__are_the_same_games(schedule, monkeypatch):
    names = "abcdefg"
    more = {
        "agents": tuple(names),
        "names": names,
        "schedule": schedule,
        "variants": ({"num_players": 2}, {"num_players": 3}),
    }
    once, often = rounds_until([200], **more), rounds_until([1, 30, 31, 150, 200], **more)
    assert len(often.rounds) > len(once.rounds) == 2
    monkeypatch.setattr("shogun_env.benchmarks.arena.schedule.MOST_MEETINGS", 20)
    short = rounds_until([200], **more)
    assert max(len(each.tables) for each in short.rounds) == 20, "a line of the journal must not be too long to read"

    def told_of(history):
        columns = history.games
        return sorted(zip(columns.variant.tolist(), columns.seed.tolist(), columns.bots.tolist(), strict=True))

    assert told_of(once) == told_of(often) == told_of(short)
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


def test_league__rounds__follow_from_the_games_before_and_end_in_any_case():
    history = rounds_until([1500], schedule=NEWCOMERS, rating={"a": 0.0}, names="abcd")
    assert len(history.rounds) > 2
    assert all((tables_again(history, now) == now.tables).all() for now in history.rounds)
    now = history.rounds[-1]
    now.is_missing[7:] = True
    ((again, lacking),) = missing(history, 1)
    assert again is now and lacking.tolist() == list(range(7, now.n_games))


def test_league__newcomer__leads_every_meeting_until_it_has_enough_games():
    history = rounds_until([3000], schedule=NEWCOMERS, names="abcdef", rating={"a": 0.0})
    history.take(JournalEvent(entry(6, "g"), ""))
    tables = league_tables(history, range(7), history.n_games, 3)
    leads = tables[:, 0] == 6
    assert leads[: -(-NEW // 3)].all() and not leads[-(-NEW // 3) :].all()
    assert (np.diff(np.sort(tables, axis=1), axis=1) > 0).all(), "no bot twice at a table"
    assert set(tables[:, 1:].ravel().tolist()) == {0, 1, 2, 3, 4, 5} | set(tables[~leads][:, 1:].ravel().tolist())
    with pytest.raises(ValueError, match="2 bots for games of 3 players: enter more"):
        league_tables(history, [0, 1], 0, 3)


def test_missing__fewer_games_than_a_round_has__leaves_its_end_out():
    history = rounds_until([600], agents=tuple("abc"), names="abc")
    (now,) = history.rounds
    now.is_missing[:] = True
    for wanted, lacking in ((600, 600), (73, 75)):
        assert [found.tolist() for _, found in missing(history, wanted)] == [list(range(lacking))]
