"""Tables: shares, places, intervals; what is said of ratings; names that mean something in Markdown."""

import csv
import io
import itertools

import pytest

from shogun_env.benchmarks.arena import tables
from shogun_env.benchmarks.arena.games import Result
from shogun_env.benchmarks.arena.table_files import as_latex, comma_separated, pairs
from shogun_env.benchmarks.arena.tables import (
    Rating,
    as_markdown,
    games_for,
    leaderboard,
    markdown,
    met,
    remark_on,
    standings,
    tables_of,
)
from shogun_env.benchmarks.markdown import number, rating_text
from shogun_env.shares import wilson
from tests.unit.benchmarks.arena.journals import played, told


def result(agents, place, points, faults=({}, {})):
    return Result(tuple(agents), 0, place, points, list(faults))


GAMES = [
    result("ab", [1.0, 2.0], [40, 30]),
    result("ba", [2.0, 1.0], [20, 50]),
    result("ab", [1.5, 1.5], [33, 33]),
    result("ba", [1.0, 2.0], [60, 50], [{"illegal": 3}, {}]),
]


def test_standings__known_games__shares_places_points():
    first, second = standings(GAMES)
    assert (first.agent, first.games, first.win_share) == ("a", 4, 0.625)
    assert first.seat_shares == (0.75, 0.5)
    assert (first.mean_place, first.mean_points) == (1.375, 43.25)
    assert (first.low, first.high) == wilson(2.5, 4)
    assert first.places == (0.625, 0.375)
    assert (second.win_share, second.faults) == (0.375, {"illegal": 3})


@pytest.mark.parametrize(("wins_of_a", "games"), [(100, 400), (200, 400), (1, 2), (0, 3)])
def test_standings__copies_at_a_table__share_one_win_of_one_game(wins_of_a, games):
    won, lost = ([1.0, 3.0, 3.0, 3.0], [3.0, 3.0, 3.0, 1.0])
    results = [result("aabb", won if game < wins_of_a else lost, [0] * 4, [{}] * 4) for game in range(games)]
    row = next(row for row in standings(results) if row.agent == "a")
    assert (row.games, row.win_share) == (2 * games, wins_of_a / games / 2)
    assert (row.low, row.high) == pytest.approx([end / 2 for end in wilson(wins_of_a, games)])


def test_standings__seat_that_was_never_played__is_a_dash():
    first, second = standings(GAMES[:1] * 2)
    assert (first.win_share, second.win_share) == (1.0, 0.0)
    assert first.low < 0.5 < first.high
    assert first.seat_shares == (1.0, None)
    assert "–" in markdown([first, second])


def test_met__who_finished_ahead_of_whom__a_tie_counts_half():
    history = told(played(tables=(((0, 1, 2),) * 10, ((1, 2, 3),) * 10), strengths=[3, 0, 0, -3]))[0]
    count, ahead = met(history.games, range(4))
    assert (count == count.T).all() and not count.diagonal().any()
    assert count.sum() == 6 * history.n_games and ahead + ahead.T == pytest.approx(count)
    assert count[0, 3] == 0 and ahead[0, 1] > 20
    copies = told(played(names="ab", tables=(((0, 0, 1),) * 10,), strengths=[60, 0]))[0]
    count, ahead = met(copies.games, range(2))
    assert count[0, 1] == copies.n_games == 30 and ahead[0, 1] == pytest.approx(30)
    shown = tables_of(history)["variants"][0]["ahead"]
    assert shown["share"][shown["agents"].index("a")][shown["agents"].index("d")] is None


def test_met__bot_that_wins_most_against_weak_ones__is_where_its_rating_puts_it_in_all_tables():
    history = told(played(tables=(((0, 1, 2),) * 20, ((2, 2, 3),) * 20), strengths=[3, 3, -3, 0]))[0]
    (variant,) = (summary := tables_of(history))["variants"]
    assert variant["leaderboard"][0]["agent"] == "d"
    _, rows = leaderboard(variant["leaderboard"], *summary["ratings"].values())
    assert variant["ahead"]["agents"] == [row[1] for row in rows] == ["b", "a", "d", "c"]


def rows_of(history):
    (rows,) = tables_of(history)["ratings"].values()
    return {row["agent"]: Rating(**row) for row in rows}


def test_ratings__of_a_bot_without_a_game__are_no_place_and_no_number():
    history = told(played(rating={"a": 0.0, "b": 100.0}, schedule="newcomers"))[0]
    rows = rows_of(history)
    assert (rows["d"].rating, rows["d"].kind) == (None, "unknown")
    assert list(rows)[-1] == "d"
    table = as_markdown(tables_of(history)).splitlines()
    assert next(line for line in table if " d " in line).replace(" ", "").startswith("|–|d|–|–|–|")


def test_ratings__of_groups_that_never_met__are_apart_and_it_is_said():
    tables = (((0, 1, 2),) * 12, ((3, 4, 5),) * 8)
    history = told(played(tables=tables, names="abcdef", agents=tuple("abcdef")))[0]
    assert [row.group for row in rows_of(history).values()] == [1, 1, 1, 2, 2, 2]
    assert as_markdown(tables_of(history)).count("group 2: no chain of games joins it to those above") == 3


@pytest.mark.parametrize("names", [["scripted", "mine", "random"], ["mine", "scripted", "pool:2min"]])
def test_ratings__bot_that_always_wins__is_a_number_above_the_anchor_with_an_open_end(names):
    history = told(played(names=names, strengths=[60, 0, 0]))[0]
    best, *others = rows_of(history).values()
    assert (best.agent, best.kind, best.high) == (names[0], "at least", None) and 0 < best.low < best.rating < 9e9
    assert {row.agent: (row.rating, row.kind) for row in others}[names[2]] == (0, "anchor")
    assert " to ∞) " in as_markdown(tables_of(history))


def test_ratings__of_two_tournaments__are_measured_from_the_same_bot_whoever_plays():
    for names in (["a", "pool:2min", "scripted"], ["a", "pool:2min", "random"], ["scripted", "pool:2min", "random"]):
        rows = rows_of(told(played(names=names))[0])
        assert [row.agent for row in rows.values() if row.kind == "anchor"] == ["pool:2min"]
        assert rows["pool:2min"].rating == 0


def test_games_for__a_number_of_points__is_that_at_which_the_interval_is_as_wide():
    history = told(played(names=["a", "b", "random"], tables=(((0, 1, 2),) * 40,)))[0]
    rated = [row._asdict() for row in rows_of(history).values()]
    low, high = rated[0]["low"], rated[0]["high"]
    needed = number(120 * ((high - low) / 2 / 15) ** 2)
    assert games_for(rated[:1]) == f"A rating of ± 15 points takes about {needed} games of a bot."
    assert games_for([row for row in rated if row["kind"] == "anchor"]) == ""


@pytest.mark.parametrize("meetings", [1, 2, 40])
@pytest.mark.parametrize("names", ["abc", "cba"])
@pytest.mark.parametrize("variant", [{"num_players": 2}, {"num_players": 3}])
def test_order__of_bots_one_of_which_always_wins__is_that_of_their_results(meetings, names, variant):
    pairs = ((0, 1), (0, 2), (1, 2)) if variant["num_players"] == 2 else ((0, 1, 2),)
    history = told(played(tables=(pairs * meetings,), names=names, strengths=[300, 0, -300], variants=(variant,)))[0]
    assert [row.kind for row in rows_of(history).values()] != ["interval"] * 3
    assert list(rows_of(history)) == list(names)


def test_remark__wins_that_a_rating_does_not_explain__are_told():
    history = told(played())[0]
    (variant,), (rated,) = (summary := tables_of(history))["variants"], summary["ratings"].values()
    row, rating = variant["leaderboard"][0], rated[0]
    assert remark_on(rating, row) == ""
    assert remark_on({**rating, "expected": 0.999}, row) == "ratings expect 99.9 % wins"


def test_tables__faults__have_columns_only_where_there_are_some():
    events = played()
    quiet = as_markdown(tables_of(told(events)[0]))
    assert "faults" not in quiet
    events[-1]["faults"] = [[0, 0, {"late": 3}], [1, 2, {"late": 1}]]  # both of bot a
    summary, before = (tables_of(told(each)[0]) for each in (events, played()))
    text = as_markdown(summary)
    assert "4 late" in text and "none" in text
    assert "rating without games with faults" in text and "58 games" in text
    assert [*summary["variants"][0]["leaderboard"][0]] == [*before["variants"][0]["leaderboard"][0]]


def test_tables__names__are_escaped_in_markdown():
    names = ("|a|[x](javascript:1)", "</td><script>", "`b*", "c")
    text = as_markdown(tables_of(told(played(names=names))[0]))
    assert r"\|a\|\[x\](javascript:1)" in text
    assert r"\</td\>\<script\>" in text
    assert r"\`b\*" in text


def test_tables__do_not_depend_on_the_order_of_names_or_blocks():
    one = told(played(tables=(((0, 1, 2),) * 60,), names="abc"))[0]
    rng_events = played(tables=(((0, 1, 2),) * 60,), names="abc")
    blocks = rng_events[-3:]
    other = told([*rng_events[:-3], *reversed(blocks)])[0]
    drop = {"journal"}
    first, second = ({k: v for k, v in tables_of(each).items() if k not in drop} for each in (one, other))
    assert first == second


def test_ahead__of_many_bots__is_of_the_best(monkeypatch):
    monkeypatch.setattr(tables, "MOST_MET", 2)
    variant = tables_of(told(played(strengths=[0, 2, -2, 0]))[0])["variants"][0]
    assert variant["ahead"]["agents"] == [row["agent"] for row in variant["leaderboard"]][:2] == ["b", "a"]
    assert len(variant["leaderboard"]) == 3 and [len(row) for row in variant["ahead"]["share"]] == [2, 2]


def test_csv__columns__are_those_of_the_table_with_the_ends_of_intervals():
    summary = tables_of(told(played(names=["a", "b", "random"], strengths=[1, 0, -60]))[0])
    head, rows = leaderboard(summary["variants"][0]["leaderboard"], *summary["ratings"].values())
    told_rows = list(csv.DictReader(io.StringIO(comma_separated(summary))))
    names = [name.removesuffix(" (95 %)") for name in head]
    assert [name for name in told_rows[0] if name in names] == names
    for row, cells in zip(told_rows, rows, strict=True):
        values = dict(zip(names, cells, strict=True))
        assert (row["place"], row["bot"], row["games"]) == (values["place"], values["bot"], values["games"])
        assert float(row["wins low"]) <= float(row["wins"]) <= float(row["wins high"])
        assert rating_text(
            *(float(row[name]) if row[name] else None for name in ("rating", "rating low", "rating high")),
            row["rating kind"],
        ) == values["rating"]  # fmt: skip
    assert [row["rating kind"] for row in told_rows] == ["interval", "interval", "at most"]


def test_pairs__of_a_tournament__have_their_games_and_intervals():
    summary = tables_of(told(played(strengths=[2, 0, -2], agents=tuple("abc")))[0])
    rows = list(csv.DictReader(io.StringIO(pairs(summary))))
    assert [(row["bot"], row["other"]) for row in rows] == [*itertools.permutations("abc", 2)]
    for row in rows:
        share, games = float(row["ahead"]), int(row["games"])
        assert games == 60 and (float(row["ahead low"]), float(row["ahead high"])) == wilson(share * games, games)


def test_latex__of_names_that_mean_something_there__is_a_table_with_booktabs():
    names = ("a_b", "50 %&#$", r"{\x}~^")
    text = as_latex(tables_of(told(played(names=names, strengths=[0, 0, -60]))[0]))
    assert [text.count(rf"\{rule}rule") for rule in ("top", "mid", "bottom")] == [1, 1, 1]
    lines = [line for line in text.splitlines() if line.endswith(r" \\")]
    assert {line.count(" & ") for line in lines} == {6} and r"rating (95 \%)" in lines[0]
    assert r"a\_b" in text and r"50 \%\&\#\$" in text and r"\{\textbackslash{}x\}\textasciitilde{}" in text
    assert r"$-$$\infty$" in text
