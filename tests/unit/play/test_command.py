"""The command ``play``: who sits where, and resuming."""

import errno
import json
import re
import shlex
from contextlib import nullcontext

import pytest

from shogun_env.__main__ import main
from shogun_env.files import write_whole
from shogun_env.play import command, table
from shogun_env.play.new_game import NewGame
from shogun_env.shogun import Game
from tests.refusals import refusal
from tests.zoo.bots import ZOO


@pytest.fixture
def tables(monkeypatch):
    """Serve no pages; return the tables whose pages would be served."""
    served = []
    monkeypatch.setattr(command, "_listen", lambda port, host, house: (None, nullcontext()))
    monkeypatch.setattr(command, "_serve", lambda table, pages, server: served.append(table))
    return served


@pytest.mark.parametrize(
    ("people", "against", "expected"),
    [
        ("0", "random", {1: "random", 2: "random", 3: "random"}),
        ("0", "random,scripted", {1: "random", 2: "scripted"}),
        ("1,2", "a,b", {0: "a", 3: "b"}),
    ],
)
def test_new_game__bots__fill_the_chairs_in_player_order(people, against, expected):
    new = NewGame.from_words(Game, {}, people, against)
    assert new.bots == expected
    assert new.people == [player for player in range(1 + len(new.others)) if player not in expected]


@pytest.mark.parametrize(
    ("people", "against", "options", "why"),
    [
        ("one", "random", {}, "people='one': must be players"),
        ("4", "random", {"num_players": 4}, "players are 0 to 3"),
        ("0", "random,random", {"num_players": 5}, "2 agents for 4 players"),
    ],
)
def test_new_game__seats_that_do_not_fit__are_refused(people, against, options, why):
    with pytest.raises(ValueError, match=why):
        NewGame.from_words(Game, options, people, against)


@pytest.mark.parametrize(
    ("option", "why"), [("--against", "unknown agent ''"), ("--people", "people='': must be players")]
)
def test_play__with_an_empty_option__is_refused(option, why, tmp_path, capsys):
    said = refusal(capsys, "play", "--game", "shitenno", option, "", "--new", "--out", str(tmp_path / "out"))
    assert why in said and not (tmp_path / "out").exists()


def test_play__left_and_started_again__resumes(tmp_path, capsys, tables):
    arguments = [*["play", "--game", "shitenno", "--against", "random", "--seed", "3", "--out"], str(tmp_path)]
    main(arguments)
    (first,) = tables
    first.choose(0, first.draft(0).legal()[0])
    main(arguments)
    assert "resuming" in capsys.readouterr().out
    assert tables[1].draft(0).chosen == first.draft(0).chosen


@pytest.mark.parametrize(
    "damage", [lambda saved: saved[:50], lambda saved: saved.replace('"moves": []', '"moves": ["fly"]')]
)
def test_play__with_a_damaged_game__says_that_it_is_not_resumed_and_plays_the_one_before(
    damage, tmp_path, capsys, tables
):
    arguments = ["play", "--game", "shitenno", "--against", "random", "--out", str(tmp_path)]
    for seed in ("3", "4"):
        main([*arguments, "--seed", seed])
    last = tmp_path / "4.shitenno.table.json"
    text = damage(last.read_text())
    assert text != last.read_text()
    last.write_text(text)
    main(arguments)
    told = capsys.readouterr().err
    assert f"{last} is damaged: " in told and told.endswith("; it is not resumed\n")
    assert tables[-1].seed == 3 and last.read_text() == text


def test_play__with_a_later_game_of_other_players__resumes_the_one_of_the_command(tmp_path, tables):
    for players in ("3", "2", "3"):
        main(["play", "--game", "shitenno", "--against", "random", "--players", players, "--out", str(tmp_path)])
    assert tables[2].seed == tables[0].seed != tables[1].seed


def test_play__left_with_a_program__is_resumed_by_the_command_that_is_printed(tmp_path, capsys, tables):
    bot = f"exec:python {ZOO.with_name('stranger.py')} 'reads~none'"
    options = ["--players", "3", "--people", "1", "--against", f"{bot},random", "--hint", bot, "--host", "192.168.1.5"]
    main(["play", "--game", "shitenno", *options, "--seed", "3", "--out", str(tmp_path)])
    (printed,) = re.findall("; (shogun-env play .*) resumes it", capsys.readouterr().out)
    assert "--host 192.168.1.5" in printed
    main(shlex.split(printed)[1:])
    assert "resuming" in capsys.readouterr().out


@pytest.mark.parametrize("is_full", [False, True])
def test_play__after_a_full_disk__saves_the_game_or_says_that_it_is_not(is_full, tmp_path, capsys, monkeypatch):
    def full(path, text, only_owner=True):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    def filled(game, pages, server):
        with monkeypatch.context() as patch:
            patch.setattr(table, "write_whole", full)
            with pytest.raises(OSError, match="No space left"):
                game.choose(0, game.draft(0).legal()[0])
        monkeypatch.setattr(table, "write_whole", full if is_full else write_whole)

    monkeypatch.setattr(command, "_listen", lambda port, host, house: (None, nullcontext()))
    monkeypatch.setattr(command, "_serve", filled)
    main(["play", "--game", "shitenno", "--against", "random", "--seed", "3", "--out", str(tmp_path)])
    path = tmp_path / "3.shitenno.table.json"
    says = f"the last decisions could not be saved: {path}: No space" if is_full else f"saved in {path}; "
    assert capsys.readouterr().out.startswith(says)
    assert bool(json.loads(path.read_text())["drafts"]["0"]) != is_full


def test_play__of_shikoku_which_has_no_champion__takes_hints_from_solved(tmp_path, tables):
    main(["play", "--game", "shikoku", "--against", "random", "--out", str(tmp_path)])
    assert tables[0].new.adviser == "solved" and tables[0].advice(0)


@pytest.mark.parametrize(
    ("more", "options", "start"),
    [
        ([], {"start": "random", "shuffle_seats": False}, ""),
        (["--start", "preset"], {"start": "preset", "shuffle_seats": False}, "row 1 of the start table"),
        (["--shuffle-seats"], {"start": "preset", "shuffle_seats": True}, "row 3 of the start table"),
        (["--start", "draft"], {"start": "draft", "shuffle_seats": False}, ""),
    ],
)
def test_play__of_shogun__has_a_fair_start_unless_another_is_given(more, options, start, tmp_path, capsys, tables):
    arguments = ["play", "--against", "random", "--seed", "3", "--out", str(tmp_path), *more]
    main(arguments)
    saved = json.loads((tmp_path / "3.shogun.table.json").read_text())["options"]
    assert {name: saved[name] for name in options} == options
    assert tables[0].view(0)["start"] == start
    main(arguments)
    assert "resuming" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("game", "more"),
    [
        *(("shitenno", more) for more in ("--players 4", "--people 1", "--against scripted", "--hint random")),
        ("shogun", "--shuffle-seats"),  # which does not go with the fair start that is saved
    ],
)
def test_play__saved_game_with_other_options__is_refused(game, more, tmp_path, capsys, tables):
    arguments = ["play", "--game", game, "--seed", "3", "--out", str(tmp_path)]
    for _ in range(2):
        main([*arguments, "--players", "3", "--against", "random"])
    assert "is a game with other options or bots: leave them out" in refusal(capsys, main, *arguments, *more.split())


def test_play__another_game_with_the_seed_of_a_saved_one__is_refused(tmp_path, capsys, tables):
    arguments = [*["play", "--game", "shitenno", "--against", "random", "--seed", "3", "--new", "--out"], str(tmp_path)]
    main(arguments)
    assert "3.shitenno.table.json is there already: leave out --new" in refusal(capsys, main, *arguments)
