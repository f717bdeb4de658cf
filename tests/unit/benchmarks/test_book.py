"""The results book: README's tables are those of its entries, and an entry has everything that the tables need."""

from __future__ import annotations

import json
import shutil

import pytest

from shogun_env.benchmarks import book, tournament
from tests.refusals import refusal


def test_book__tables_of_the_readme__are_up_to_date(capsys):
    assert book.main(["--check"]) == 0
    assert "up to date" in capsys.readouterr().out


def test_book__entries__say_where_they_come_from():
    for name in book.runs()["runs"]:
        entry = book.entry(name)
        assert {"command", "commit", "machine", "versions", "settings"} <= set(entry), name
        assert entry["settings"]["agents"] == book.runs()["runs"][name]["agents"]
        assert all("faults" in row for each in entry["variants"] for row in each["leaderboard"])


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """The book and README in another folder."""
    shutil.copytree(book.BOOK, tmp_path / "results")
    shutil.copy(book.ROOT / "README.md", tmp_path)
    monkeypatch.setattr(book, "BOOK", tmp_path / "results")
    monkeypatch.setattr(book, "ROOT", tmp_path)
    return tmp_path


def test_book__play_one_run__changes_its_entry_and_the_tables(copied, monkeypatch, capsys):
    settings = book.runs()
    settings["runs"]["shogun-styles"]["games"] = 8
    monkeypatch.setattr(book, "runs", lambda: settings)
    before = (copied / "README.md").read_text()
    assert book.main(["--play", "shogun-styles", "--out", str(copied / "out")]) == 0
    assert book.entry("shogun-styles")["games"] < 100
    assert "README.md" in capsys.readouterr().out
    after = (copied / "README.md").read_text()
    assert after != before
    assert book.main(["--check"]) == 0
    (copied / "README.md").write_text(after.replace("| `random` | 0 |", "| `random` | 1 |"))
    assert book.main(["--check"]) == 1


def test_book__another_tournament__is_added_without_stories(copied):
    arguments = ["--agents", "scripted,random", "--players", "3", "--games", "6", "--out", str(copied / "mine")]
    tournament.main(arguments)
    book.main(["--add", str(copied / "mine")])
    entry = json.loads((copied / "results" / "mine.json").read_text())
    assert "stories" not in entry["variants"][0]
    assert "`mine`: 6 games" in (copied / "results" / "README.md").read_text()


@pytest.mark.parametrize(("arguments", "says"), [(["--play", "nobody"], "--play nobody: must be one of")])
def test_book__bad_arguments__one_line(arguments, says, capsys):
    assert says in refusal(capsys, book.main, *arguments)


def test_with_tables__marks_missing__is_an_error():
    with pytest.raises(ValueError, match="the marks <!-- book: x --> and <!-- end of x --> are missing"):
        book.with_tables("text", {"x": "table"})
    assert book.with_tables("<!-- book: x -->\nold<!-- end of x -->", {"x": "new\n"}).count("new") == 1
