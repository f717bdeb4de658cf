"""Rated games of people: seats in turn, seeds of their own, no help, results and tables as of a tournament."""

import itertools
import random
from contextlib import closing

import pytest

from shogun_env import __main__ as commands
from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.journal import FILE
from shogun_env.commands import run_command
from shogun_env.play.house import House
from shogun_env.play.rated import Series
from shogun_env.play.server import Pages
from shogun_env.records import read_record, verify
from tests.games import batch_class
from tests.refusals import refusal
from tests.unit.play.people import Browser, move

OPTIONS = {"num_players": 3}
BOTS = ("random", "scripted")


@pytest.fixture
def series(tmp_path):
    with closing(Series(tmp_path / "ann", "ann", "shitenno", BOTS, OPTIONS)) as found:
        yield found


def play(table):
    """Play a game to its end by chance."""
    chance = random.Random(4)
    while not table.game.is_over:
        move(table, chance)


def test_series__four_games__change_seats_and_seeds_and_make_tables(series, tmp_path):
    seats, seeds = [], []
    for _ in range(4):
        table = series.next_table()
        block = series.playing[0]
        seats.append(table.people[0])
        seeds += block.seeds
        assert tuple(table.bots.get(player, "person:ann") for player in range(3)) == block.agents[0]
        play(table)
        series.count()
        series.count()  # twice is once
    assert seats == [0, 2, 1, 0]
    assert len(set(seeds)) == 4
    tables = series.tables("a command")
    (board,) = tables.standings.values()
    assert {row.agent: row.games for row in board} == {"person:ann": 4, "random": 4, "scripted": 4}
    assert {row.agent for row in tables.ratings["3 players"]} == {"person:ann", *BOTS}
    history = History.at(series.out / FILE)  # read as any tournament is
    assert history.n_games == len(history.records) == 4
    for number in history.records:
        record = read_record(series.out / "records" / history.record_name(number), batch_class("shitenno").spec)
        verify(batch_class("shitenno"), record)
    assert "person:ann" in (series.out / "report.html").read_text()
    with pytest.raises(ValueError, match="another run is writing there"):
        Series(series.out, "ann", "shitenno", BOTS, OPTIONS)
    series.close()
    with closing(Series(series.out, "ann", "shitenno", BOTS, OPTIONS)) as again:
        again.next_table()
        assert again.playing[0].seeds[0] not in seeds


def test_series__game_that_was_begun__is_played_on_counted_if_over_or_given_up(series):
    table = series.next_table()
    first, _ = series.playing
    move(table, random.Random(1))
    same = series.next_table()
    assert series.playing[0] == first
    (person,) = table.people
    assert same.draft(person).chosen == table.draft(person).chosen
    play(same)  # and the program is killed before the result is written
    series.playing = None
    after = series.next_table()
    assert series.playing[0] != first
    assert series.history.games.seed.tolist() == first.seeds
    series.count(gives_up=True)
    games = series.history.games
    (person,) = after.people
    assert (games.place[1, person], games.wins[1, person], games.wins[1].sum()) == (3.0, 0.0, 1.0)
    assert games.place[1].sum() == 6


def test_table__of_a_rated_game__gives_no_advice(series):
    pages = Pages(series.next_table())
    browser = Browser(pages)
    state = browser.ask("state")[1]
    assert not state["advised"]
    for command in ("hint", "explain", "why"):
        data = {"version": state["version"], "action": state["legal"][0] if state["legal"] else "", "on": True}
        status, answer = browser.ask(command, data)
        assert status == 409
        assert "in a rated game" in answer["error"]
    table, chance = pages.table, random.Random(4)
    while (division := table.lots(table.people[0])) is None:
        move(table, chance)
    worths = [each["worth"] for lot in division["lots"] for each in lot["brings"].values()]
    assert worths and set(worths) == {None}


def test_pages__of_another_rated_game__let_the_same_address_play_the_other_seat(series, tmp_path):
    table, house = series.next_table(), House(tmp_path)
    house.series = series
    pages = Pages(table, house=house)
    play(table)
    browser = Browser(pages)
    status, state = browser.ask("again", {"version": table.versions[table.people[0]]})
    assert status == 200
    assert state["player"] == pages.table.people[0] != table.people[0]


COMMAND = ["play", "--rated", "ann", "--game", "shitenno", "--against", "random,scripted", "--terminal"]


def test_play__rated_in_the_terminal__keeps_results_and_plays_on(tmp_path, monkeypatch, capsys):
    out = ["--out", str(tmp_path)]
    answers = itertools.cycle(["1", "c"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    commands.main([*COMMAND, *out])
    said = capsys.readouterr().out
    assert "rated game 1, you are player 0" in said
    assert "person:ann: 1 games, wins" in said
    given = iter(["1", "c", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(given))
    commands.main([*COMMAND, *out])
    assert "rated game 2, you are player 2" in capsys.readouterr().out
    commands.main([*COMMAND, *out, "--give-up"])
    assert "person:ann: 2 games" in capsys.readouterr().out
    assert History.at(tmp_path / "rated-ann.shitenno" / FILE).settings.conditions == "rated-1"
    bots = tmp_path / "bots"
    three = ["--game", "shitenno", "--agents", "random,scripted", "--players", "3", "--fair", "--games", "6"]
    run_command("tournament", [*three, "--out", str(bots)])
    with pytest.raises(SystemExit):
        commands.main([*COMMAND, *out, "--give-up"])
    assert "--give-up: no rated game is begun and not over" in capsys.readouterr().err
    given = iter(["1", "c", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(given))
    commands.main([*COMMAND, *out])
    capsys.readouterr()
    commands.main([*COMMAND, *out, "--beside", str(bots), "--give-up"])
    assert "random: 12 games" in capsys.readouterr().out
    others = [part.replace("random,scripted", "random,random") for part in COMMAND]
    assert "holds another tournament (agents: " in refusal(capsys, commands.main, *others, *out)
