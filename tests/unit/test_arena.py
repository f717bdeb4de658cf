"""Arena, standings, tournament and report: seats rotate evenly, the same seeds, tables that say what was played."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from shogun_env.benchmarks import tournament
from shogun_env.benchmarks.arena.arena import Arena, Match, Result, line_ups, matches, play_to_file, read_results
from shogun_env.benchmarks.arena.standings import ahead, comma_separated, markdown, standings, wilson
from shogun_env.benchmarks.report import curve, page
from shogun_env.shitenno import Batch as ShitennoBatch
from shogun_env.shogun import Batch

OPTIONS = {"num_players": 3}
ENGINES = {engine.spec.name: engine for engine in (Batch, ShitennoBatch)}


class Stubborn:
    """Always plays the lowest illegal action."""

    def act(self, view, rng):
        return view.masks.argmin(1)


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    return ENGINES[request.param]


@pytest.fixture(scope="module")
def results(engine):
    return list(Arena(engine, OPTIONS).play(matches(["scripted", "random", "random"], 3, 24)))


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


def test_play__every_rotation_on_the_same_seeds__seats_even(results):
    seats = Counter((name, player) for result in results for player, name in enumerate(result.agents))
    assert {seats["scripted", player] for player in range(3)} == {8}
    assert Counter(result.seed for result in results) == dict.fromkeys(range(8), 3)
    assert {result.rotation for result in results} == {0, 1, 2}


def test_play__results__places_and_wins_agree_with_points(results):
    for result in results:
        assert sum(result.place) == pytest.approx(6)
        assert sum(result.win) == pytest.approx(1, abs=1e-3)
        best = result.points[int(np.argmax(result.win))]
        assert best == max(result.points)
        assert result.illegal == [0, 0, 0]
        assert result.decisions > 60


def test_play__batches_and_order__do_not_matter(engine, results):
    alone = list(Arena(engine, OPTIONS).play([Match(("scripted", "random", "random"), 5)]))
    assert alone == [result for result in results if result.seed == 5]


def test_play__illegal_actions__counted_and_replaced(engine):
    arena = Arena(engine, OPTIONS, agents={"stubborn": Stubborn()})
    found = list(arena.play([Match(("stubborn", "random", "random"), 1)]))
    assert all(result.illegal[result.agents.index("stubborn")] > 10 for result in found)
    assert all(sum(result.illegal) == max(result.illegal) for result in found)


def test_play_to_file__stopped_with_half_a_line__goes_on_with_the_same_games(tmp_path, engine, results):
    path = tmp_path / "results.jsonl"
    wanted = matches(["scripted", "random", "random"], 3, 24)
    play_to_file(Arena(engine, OPTIONS), wanted[:3], path)
    path.write_bytes(path.read_bytes()[:-40])
    assert len(read_results(path)) == 8
    found = play_to_file(Arena(engine, OPTIONS), wanted, path)
    assert sorted(found, key=lambda r: r.key) == sorted(results, key=lambda r: r.key)
    assert len(read_results(path)) == 24


def test_read_results__a_line_that_is_none__named(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text("{}\n")
    with pytest.raises(ValueError, match="line 1"):
        read_results(path)


STATE = Result(0, ["a", "b"], 0, ["a", "b"], [1.0, 2.0], [40, 30], [1.0, 0.0], 300, [0, 0])


def test_standings__known_games__shares_places_points():
    games = [
        STATE,
        replace(STATE, rotation=1, agents=["b", "a"], points=[20, 50], place=[2.0, 1.0], win=[0.0, 1.0]),
        replace(STATE, seed=1, place=[1.5, 1.5], win=[0.5, 0.5], points=[33, 33]),
        replace(STATE, seed=1, rotation=1, agents=["b", "a"], points=[60, 50], illegal=[3, 0]),
    ]
    first, second = standings(games)
    assert (first.agent, first.games, first.win_share) == ("a", 4, 0.625)
    assert first.seat_shares == (0.75, 0.5)
    assert (first.mean_place, first.mean_points) == (1.375, 43.25)
    assert first.low <= first.win_share <= first.high
    assert (second.win_share, second.illegal) == (0.375, 3)
    assert ahead(games, ["a", "b"]) == [[None, 0.625], [0.375, None]]


def test_standings__all_seeds_agree__interval_still_has_a_width():
    first, second = standings([STATE, replace(STATE, seed=1)])
    assert (first.win_share, second.win_share) == (1.0, 0.0)
    assert first.low == pytest.approx(wilson(2, 2)[0])
    assert first.low < 0.5
    assert math.isnan(first.seat_shares[1])
    assert "–" in markdown([first, second])
    assert comma_separated([first, second]).splitlines()[0].startswith("agent,games,win_share,low,high")


def test_interval__many_seeds__covers_about_the_spread_of_the_mean():
    rng = np.random.default_rng(0)
    games = [replace(STATE, seed=s, win=[float(w), 1.0 - float(w)]) for s, w in enumerate(rng.random(400) < 0.3)]
    row = next(row for row in standings(games) if row.agent == "a")
    assert row.high - row.low == pytest.approx(2 * 1.96 * math.sqrt(0.3 * 0.7 / 400), rel=0.15)


@pytest.mark.parametrize(("game", "players"), [(name, n) for name in ENGINES for n in ENGINES[name].spec.players])
def test_tournament__command__writes_all_tables_and_goes_on(game, players, tmp_path, capsys):
    table = ["--game", game, "--players", str(players), "--games", "12"]
    arguments = ["--agents", "scripted,random", *table, "--out", str(tmp_path / "t")]
    assert tournament.main([*arguments, "--json", str(tmp_path / "s.json")]) == 0
    found = json.loads((tmp_path / "t" / "summary.json").read_text())
    rows = (tmp_path / "t" / "results.jsonl").read_bytes()
    assert found == json.loads((tmp_path / "s.json").read_text())
    assert found["games"] == len(rows.splitlines()) >= 12
    assert found["settings"]["game"] == game
    assert found["settings"]["options"]["num_players"] == players
    assert {"commit", "versions", "command", "interval"} <= set(found)
    assert tournament.main(arguments) == 0
    assert (tmp_path / "t" / "results.jsonl").read_bytes() == rows
    assert "scripted" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--agents", "nobody,random"], "unknown agent 'nobody'"),
        (["--agents", "random,scripted", "--players", "9"], "num_players=9"),
        (["--agents", "random,scripted", "--games", "0"], "argument --games: '0' must be a whole number, at least 1"),
        (["--agents", "random,scripted", "--option", "side"], "--option side"),
        (
            ["--agents", "random,scripted", "--game", "chess"],
            "invalid choice: 'chess' (choose from 'shogun', 'shitenno')",
        ),
    ],
)
def test_tournament__bad_arguments__one_line_and_status_2(arguments, says, tmp_path, capsys):
    with pytest.raises(SystemExit) as caught:
        tournament.main([*arguments, "--out", str(tmp_path / "t")])
    assert caught.value.code == 2
    line = capsys.readouterr().err
    assert says in line
    assert line.count("\n") == 1
    assert not (tmp_path / "t").exists()


def test_tournament__folder_of_another__refused(tmp_path):
    settings = {"game": "shogun", "agents": ["scripted", "random"], "games": 6, "seed": 0, "options": OPTIONS}
    tournament.run(tmp_path, settings)
    with pytest.raises(ValueError, match=r"another tournament \(seed: 0, not 1\); give another --out"):
        tournament.run(tmp_path, {**settings, "seed": 1})


def test_report__page__holds_the_leaderboard_and_no_links_out(results):
    found = tournament.summary({}, results, standings(results), "the command")
    text = page("A <title>", [("Games", found)], None)
    assert "A &lt;title&gt;" in text
    assert "scripted" in text
    assert "the command" in text
    assert f"{found['leaderboard'][0]['win_share']:.1%}" in text
    assert "http" not in text
    assert "<script" not in text


def test_report__curve__one_line_an_opponent():
    lines = [{"seconds": s, "win_share": {"random": s / 10, "scripted": 0.0}} for s in (0.0, 5.0, 10.0)]
    assert curve(lines).count("<polyline") == 2
