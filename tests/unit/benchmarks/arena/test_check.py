"""``tournament --check`` and ``league verify``: what was played is played again, and each kind of lie is told."""

import json
import os
import shutil
from dataclasses import replace

import pytest

from shogun_env.benchmarks import tournament
from shogun_env.benchmarks.arena.check import check, is_same
from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.journal import read
from shogun_env.benchmarks.arena.settings import Settings
from shogun_env.commands import run_command
from shogun_env.files import JOURNAL
from shogun_env.records.record import read_record
from shogun_env.records.replay import verify
from tests.games import batch_class
from tests.refusals import refusal
from tests.unit.benchmarks.arena.journals import changed
from tests.zoo.bots import ZOO

pytestmark = pytest.mark.usefixtures("no_pictures")

VARIANTS = ({"num_players": 3}, {"num_players": 2})


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A tournament of both kinds of bots, with records, by a secret; a round is one block, however slow the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shogun_env.benchmarks.arena.games.QUICK", 60.0)
        patch.setattr("shogun_env.benchmarks.pictures.is_available", lambda: False)
        out = tmp_path_factory.mktemp("tournament") / "t"
        agents = ("scripted", "random", f"{ZOO}:honest")
        tournament.run(out, Settings(game="shitenno", agents=agents, games=9, record=True, variants=VARIANTS))
    return out


@pytest.fixture
def folder(played, tmp_path):
    """A copy of it that a test may change."""
    shutil.copytree(played, tmp_path / "copy")
    return tmp_path / "copy"


def differences(folder, share=1.0, run_bots=False):
    return check(folder, share, run_bots).differences


def test_check__untouched__nothing_differs_and_no_stranger_is_run(played, capsys):
    assert run_command("tournament", ["--check", str(played)]) == 0
    said = capsys.readouterr().out
    assert "the seeds are those that follow" in said
    assert "the tables of 2 of 2 rounds were chosen again" in said
    assert "the tables are those of the results" in said
    assert "21 records are those of the results" in said
    assert "\n0 of 21 games were played again" in said
    assert f"{ZOO}:honest is not the package's own; --run-bots runs it" in said
    assert run_command("tournament", ["--check", str(played), "--run-bots"]) == 0
    assert "21 of 21 games were played again" in capsys.readouterr().out


def test_check__of_a_folder_of_somebody_else__runs_nothing_that_it_names(folder, tmp_path, capsys):
    """A settings.json that named ``exec:…`` ran it as the organiser, before any hash was looked at."""
    mark = tmp_path / "was-here"
    file = tmp_path / "bot.py"
    file.write_text(f"open({str(mark)!r}, 'w')\n\n\ndef make(game_spec):\n    return None\n")
    program = tmp_path / "prog.sh"
    program.write_text(f"#!/bin/sh\ntouch {mark}\n")
    program.chmod(0o755)

    def named(spec):
        return lambda number, values: {**values, "spec": spec} if values.get("bot") == 2 else values

    for spec in (f"exec:{program}", f"{file}:make"):
        changed(folder / JOURNAL, folder / JOURNAL, named(spec))
        assert run_command("tournament", ["--check", str(folder)]) == 1  # the tables are of other hashes
        assert not mark.exists()
        differences(folder, run_bots=True)
        assert "--run-bots runs it" in capsys.readouterr().out


def test_record__of_each_game__is_named_by_its_number_and_verifies(played):
    history = History.at(played / JOURNAL)
    assert {history.record_name(number) for number in history.records} == set(os.listdir(played / "records"))
    batch_type, games = batch_class("shitenno"), history.games
    for at in range(0, 21, 5):
        lines = read_record(played / "records" / history.record_name(int(games.number[at])), batch_type.spec)
        verify(batch_type, lines)
        assert lines[0]["seed"] == games.seed[at]
        assert lines[0]["agents"] == [history.names[bot] for bot in games.bots[at] if bot >= 0]
        assert lines[-1]["points"] == games.points[at, : len(lines[0]["agents"])].tolist()


def first_of(folder, kind):
    return next(number for number, event in enumerate(read(folder / JOURNAL)) if event.values["kind"] == kind)


@pytest.mark.parametrize(
    ("kind", "field", "value", "words"),
    [
        ("games", "points", lambda points: [points[0][::-1], *points[1:]], "1 of these came out otherwise"),
        ("games", "seeds", lambda seeds: [seeds[0] + 1, *seeds[1:]], "1 game was played on other seeds"),
        ("games", "records", lambda records: ["0" * 64, *records[1:]], "1 record is missing or changed: 0-0.shitenno"),
        ("round", "tables", lambda tables: [*tables[:-1], tables[0][::-1]], "round 0: other bots meet than"),
        ("entry", "sha256", lambda sha256: "0", "other files or parameters than those that were played: scripted"),
        ("secret", "secret", lambda secret: "00" * 32, "the secret is not the one whose hash stands in the first line"),
    ],
)
def test_check__lie_with_right_hashes__is_found(folder, tmp_path, kind, field, value, words):
    first = first_of(folder, kind)
    changed(
        folder / JOURNAL, folder / JOURNAL,
        lambda number, values: {**values, field: value(values[field])} if number == first else values,
    )  # fmt: skip
    told = " | ".join(differences(folder, run_bots=True))
    assert words in told
    assert "the results make other tables than" in told


def test_check__games_taken_out__are_counted(folder, tmp_path):
    lines = (folder / JOURNAL).read_text().splitlines(keepends=True)
    (folder / JOURNAL).write_text("".join(lines[: first_of(folder, "games")]))
    assert any("9 of 9 games have no result" in each for each in differences(folder))


def test_check__tables_changed__are_named(folder):
    board = folder / "leaderboard.md"
    board.write_text(board.read_text().replace("scripted", "scr1pted", 1))
    summary = json.loads((folder / "summary.json").read_text())
    summary["variants"][0]["leaderboard"][0]["win_share"] += 0.001
    (folder / "summary.json").write_text(json.dumps(summary))
    record = min((folder / "records").iterdir())
    record.write_text(record.read_text() + "\n")
    assert differences(folder) == [
        "the results make other tables than leaderboard.md, summary.json: variants",
        f"1 record is missing or changed: {record.name}",
    ]


def test_check__stopped_before_its_tables_were_written__says_so_in_one_line(folder):
    (folder / "pairs.csv").unlink()  # which earlier versions did not write
    assert differences(folder) == [
        "there is no pairs.csv: the run that writes the tables has not ended, or was of an earlier version; the same "
        "command writes them"
    ]


def test_check__odd_files_in_the_place_of_each__are_one_line_and_no_hang(folder, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in ("leaderboard.md", "leaderboard.csv", "leaderboard.tex", "pairs.csv", "summary.json", "secret"):
        for odd in (tmp_path / "pipe", "/dev/zero", tmp_path):
            kept = (folder / name).read_bytes()
            (folder / name).unlink()
            (folder / name).symlink_to(odd)
            told = differences(folder)
            assert name == "secret" or any(name in each for each in told), (name, odd)
            (folder / name).unlink()
            (folder / name).write_bytes(kept)


def test_check__bots_that_do_not_say_and_play_otherwise__are_named(tmp_path):
    bots = tmp_path / "b" / "bots.py"
    bots.parent.mkdir()
    text = f"import sys\nsys.path.insert(0, {str(ZOO.parent)!r})\nfrom bots import honest, lowest\n"
    bots.write_text(text)
    out = tmp_path / "t"
    agents = (f"{bots}:honest", "random")
    tournament.run(out, Settings(game="shitenno", agents=agents, games=2, seed=1, variants=({"num_players": 2},)))
    bots.write_text(text + "honest = lowest\n")
    (told,) = differences(out, run_bots=True)
    assert told == f"other files or parameters than those that were played: {bots}:honest"


def test_check__bot_whose_file_is_not_where_it_was_named__differs_in_nothing_and_is_not_checked(
    tmp_path, monkeypatch, capsys
):
    """From another folder a bot had changed, said both the check and the next run."""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "bots.py").write_text(
        f"import sys\nsys.path.insert(0, {str(ZOO.parent)!r})\nfrom bots import honest\n"
    )
    monkeypatch.chdir(tmp_path)
    settings = Settings(game="shitenno", agents=("b/bots.py:honest", "random"), games=2, seed=1, variants=VARIANTS)
    tournament.run(tmp_path / "t", settings)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    report = check(tmp_path / "t", 1.0, run_bots=True)
    assert report.differences == [] and report.print() == 1
    told = capsys.readouterr().out
    assert "honest is read from b/bots.py, which is not here: go to the folder from which it played" in told
    assert "NOT CHECKED: no game could be played again of b/bots.py:honest" in told
    with pytest.raises(ValueError, match=r"b/bots.py is not here; go to the folder from which it entered"):
        tournament.run(tmp_path / "t", replace(settings, games=4))


@pytest.mark.parametrize("says", [False, None])
def test_check__bot_of_which_no_game_can_be_played_again__is_named_last_by_status_1(says, tmp_path, capsys):
    """The status was 0, although points of all games of such a bot had been changed."""
    bots = tmp_path / "b" / "bots.py"
    bots.parent.mkdir()
    bots.write_text(
        f"import sys\nsys.path.insert(0, {str(ZOO.parent)!r})\nimport bots\n\n\n"
        f"def make(game_spec):\n    bot = bots.honest(game_spec)\n    bot.replayable = {says}\n    return bot\n"
    )
    out, agents = tmp_path / "t", (f"{bots}:make", "random", "scripted")
    tournament.run(out, Settings(game="shitenno", agents=agents, games=2, seed=1, variants=({"num_players": 2},)))
    assert run_command("tournament", ["--check", str(out), "--run-bots"]) == (0 if says is None else 1)
    last = capsys.readouterr().out.splitlines()[-1]
    told = f"NOT CHECKED: no game could be played again of {bots}:make"
    assert (last == told) == (says is False)
    assert run_command("tournament", ["--check", str(out)]) == 0, "it was not to be run"


def test_check__extended_after_its_secret_was_public__says_so(folder):
    agents = ("scripted", "random", f"{ZOO}:honest")
    tournament.run(folder, Settings(game="shitenno", agents=agents, games=12, record=True, variants=VARIANTS))
    report = check(folder, 0.01, False)
    assert report.differences == []
    assert "the last 3 games were played when the secret was public already" in report.checked


def test_check__earlier_versions__are_refused_in_one_line(tmp_path, capsys):
    (tmp_path / "results.jsonl").write_text("{}\n")
    assert "journal.jsonl: is not there" in refusal(capsys, "tournament", "--check", str(tmp_path))
    assert "was begun by an earlier version, whose results.jsonl" in refusal(
        capsys, "tournament", "--agents", "random,scripted", "--out", str(tmp_path)
    )


def test_check__other_rules__are_the_only_difference(folder, tmp_path):
    changed(
        folder / JOURNAL, folder / JOURNAL,
        lambda number, values: {**values, "made_by": {**values["made_by"], "rules": 0}} if number == 0 else values,
    )  # fmt: skip
    (told,) = differences(folder)
    assert told.startswith("this was played by rules 0, and this version has")


def test_is_same__numbers_of_other_processors__are_the_same():
    assert is_same({"a": [1.0000000000000002, "x"]}, {"a": (1, "x")})
    assert not is_same({"a": [1.1]}, {"a": [1.0]}) and not is_same({"a": 1}, {"b": 1}) and not is_same("a", "b")
