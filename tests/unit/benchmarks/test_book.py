"""The results book: an entry has everything that the tables need, and the command brings the documents up to date."""

import json
import shutil

import pytest

from shogun_env import FULL_GAMES
from shogun_env.benchmarks import book
from shogun_env.benchmarks.documents import generated, read_json
from shogun_env.commands import run_command

pytestmark = pytest.mark.usefixtures("no_pictures")


def entry(name):
    return read_json(book.BOOK / f"{name}.json", *book.KEPT)


def test_book__entries__say_where_they_come_from():
    for name in FULL_GAMES:
        assert all("faults" in row for each in entry(name)["variants"] for row in each["leaderboard"])


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """The checkout's documents, and the results that they are made of, in another folder."""
    results = [path for folder in ("benchmarks", "clients") for path in (book.ROOT / folder).glob("*.json")]
    for path in [*generated(book.ROOT), book.ROOT / "benchmarks" / "LEARNERS.md", *results, *book.BOOK.iterdir()]:
        copy = tmp_path / path.relative_to(book.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    monkeypatch.setattr(book, "BOOK", tmp_path / "benchmarks" / "results")
    monkeypatch.setattr(book, "ROOT", tmp_path)
    return tmp_path


def test_book__tournament_added__changes_its_entry_and_the_tables(copied, capsys):
    page, file = copied / "docs" / "strength.md", copied / "summary.json"
    before = page.read_text()
    arena = ["--agents", "random,scripted,champion", "--players", "3", "--fair", "--games", "80", "--json", str(file)]
    assert run_command("tournament", [*arena, "--out", str(copied / "out")]) == 0
    assert book.main(["--add", str(file)]) == 0
    assert entry("shogun")["games"] == json.loads(file.read_text())["games"] < 160
    assert "docs/strength.md" in capsys.readouterr().out
    after = page.read_text()
    assert after != before
    assert book.main(["--check"]) == 0
    page.write_text(after.replace("(anchor)", "(anchors)"))
    assert book.main(["--check"]) == 1


def test_book__files_of_measures__take_the_place_of_the_same_and_others_change_nothing(copied):
    file, published = copied / "new.json", copied / "benchmarks" / "strength.json"
    runs = json.loads(published.read_text())["runs"]
    file.write_text(json.dumps(runs[0] | {"command": "another"}))
    assert book.main(["--add", str(file)]) == 0
    assert json.loads(published.read_text())["runs"] == [*runs[1:], runs[0] | {"command": "another"}]
    before = published.read_text()
    speed = json.loads((copied / "benchmarks" / "speed.json").read_text())["runs"][0]
    for wrong, says in (
        (runs[0] | {"protocol": 0}, r"of panel version 0, not \d+; measure it again"),
        (speed | {"options": {"num_players": 3}}, "of games with options of play"),
        (speed | {"figures": {}}, "without all figures"),
        ({"command": "", "machine": {}}, "not of strength, speed, tournament --json"),
    ):
        file.write_text(json.dumps(wrong))
        with pytest.raises(ValueError, match=says):
            book.main(["--add", str(file)])
    with pytest.raises(ValueError, match="--check writes nothing"):
        book.main(["--check", "--add", str(file)])
    assert published.read_text() == before


def test_book__outside_a_checkout__says_where_documents_are_written(tmp_path, monkeypatch):
    monkeypatch.setattr(book, "ROOT", tmp_path)
    with pytest.raises(ValueError, match=r"there is no README.md; documents are written in the folder of a checkout"):
        book.main(["--add", "no.json"])
