"""``tournament --check``: what was recorded is played again, and whatever was changed is told."""

from __future__ import annotations

import json

import pytest

from shogun_env.benchmarks import tournament
from shogun_env.benchmarks.arena.checking import is_same_text, units
from shogun_env.benchmarks.arena.folder import fingerprints, results_in
from shogun_env.benchmarks.arena.results import ResultsFile, chain_start
from shogun_env.cli import batch_class
from shogun_env.records.record import read_record
from shogun_env.records.replay import verify
from tests.refusals import refusal
from tests.unit.benchmarks.arena.test_referee import ZOO

pytestmark = pytest.mark.usefixtures("no_pictures")

AGENTS = ["scripted", "random", f"{ZOO}:honest"]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A tournament of both kinds of bots, with records, by a secret."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shogun_env.benchmarks.pictures.is_available", lambda: False)
        out = tmp_path_factory.mktemp("tournament") / "t"
        settings = {"game": "shitenno", "agents": AGENTS, "games": 9, "seed": None, "record": True}
        tournament.run(out, {**settings, "variants": [{"num_players": 3}, {"num_players": 2}]})
    return out


@pytest.fixture
def folder(played, tmp_path):
    """A copy of it that a test may change."""
    for file in sorted(played.rglob("*")):
        if file.is_file():
            target = tmp_path / "copy" / file.relative_to(played)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
    return tmp_path / "copy"


def differences(folder, share=0.05):
    return tournament.check(folder, share).differences


def test_check__untouched__nothing_differs(played, capsys):
    assert tournament.main(["--check", str(played)]) == 0
    said = capsys.readouterr().out
    assert "21 results follow from one another; the hashes end with" in said
    assert "the tables are those of the results" in said
    assert "21 records are those of the results" in said
    assert "21 of 21 games were played again" in said


def test_check__of_a_folder_resumed_without_records__plays_the_others_with_them(tmp_path):
    settings = {"game": "shitenno", "agents": ["scripted", "random"], "seed": 3, "variants": [{"num_players": 2}]}
    tournament.run(tmp_path, {**settings, "games": 6, "record": True})
    tournament.run(tmp_path, {**settings, "games": 12})
    assert differences(tmp_path, share=1.0) == []


def test_fingerprints__of_a_program__are_those_of_its_file(tmp_path):
    file = tmp_path / "bot.py"
    specs = {f"exec:python {file} --level=3": None, f"{file}:make": None, "random": None}
    hashes = []
    for text in ("one", "two"):
        file.write_text(text)
        hashes.append(fingerprints(specs))
    changed = [name for name in specs if hashes[0][name] != hashes[1][name]]
    assert changed == list(specs)[:2]


def test_record__of_each_game__is_named_by_its_line_and_verifies(played):
    results = list(results_in(played))
    names = {result.record["file"] for result in results}
    assert names == {file.name for file in (played / "records").iterdir()}
    batch_type = batch_class("shitenno")
    for result in results[::5]:
        lines = read_record(played / "records" / result.record["file"], batch_type.spec)
        verify(batch_type, lines)
        assert (lines[0]["seed"], lines[0]["agents"]) == (result.seed, result.agents)
        assert lines[-1]["points"] == result.points


def rewritten(folder, change):
    """Change the results and make all hashes new, as somebody could who does not mind the last one."""
    settings = json.loads((folder / "settings.json").read_text())
    results = list(results_in(folder))
    (folder / "results.jsonl").unlink()
    file = ResultsFile(folder / "results.jsonl", chain_start(settings))
    file.append([change(result) if index == 2 else result for index, result in enumerate(results)])
    file.close()


def swap(result):
    """Give the points and the place of the first player to the last, and a point more: the secret may make them tie."""
    for column in (result.points, result.place, result.win):
        column[0], column[-1] = column[-1], column[0]
    result.points[-1] += 1
    return result


def test_check__a_line_changed__is_told(folder):
    path = folder / "results.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"decisions":', b'"decisions":1', 1))
    told = differences(folder)
    assert told[:2] == [
        "1 set aside: line 1: was changed, or does not follow the line before it",
        "1 of 21 games have no result",
    ]
    assert told[2].startswith("the results make other tables than leaderboard.md, leaderboard.csv, summary.json: games")


def test_check__all_hashes_made_new__the_games_tell(folder):
    rewritten(folder, swap)
    tables, number, game = differences(folder, share=1.0)
    assert tables.startswith("the results make other tables than leaderboard.md")
    assert number == "1 of these came out otherwise"
    assert "points [" in game
    assert "again [" in game


def test_check__tables_and_records_changed__are_named(folder):
    board = folder / "leaderboard.md"
    board.write_text(board.read_text().replace("scripted", "scr1pted", 1))
    summary = json.loads((folder / "summary.json").read_text())
    summary["variants"][0]["leaderboard"][0]["win_share"] += 0.001
    (folder / "summary.json").write_text(json.dumps(summary))
    record = min((folder / "records").iterdir())
    record.write_text(record.read_text() + "\n")
    assert differences(folder) == [
        "the results make other tables than leaderboard.md, summary.json: variants",
        f"1 records are missing or changed: {record.name}",
    ]


def test_check__bots_that_changed_or_do_not_say__are_named(folder, tmp_path):
    bots = tmp_path / "bots.py"
    text = f"import sys\nsys.path.insert(0, {str(ZOO.parent)!r})\nfrom zoo import honest, lowest\n"
    bots.write_text(text)
    out = tmp_path / "t"
    settings = {"game": "shitenno", "agents": [f"{bots}:honest", "random"], "games": 2, "seed": 1}
    tournament.run(out, {**settings, "variants": [{"num_players": 2}]})
    bots.write_text(text + "honest = lowest\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shogun_env.policies._factory_in_file", tournament_factory(bots))
        changed, number, *games = differences(out, share=1.0)
    assert changed == f"other files or parameters than those that were played: {bots}:honest"
    assert number == "2 of these came out otherwise"
    assert all(game.endswith(f"({bots}:honest may play otherwise each time)") for game in games)


def tournament_factory(path):
    """Return how a file is read in a new process."""
    from shogun_env.policies import _factory_in_file

    return _factory_in_file.__wrapped__


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("settings.json", "null", "has no settings.json that can be read"),
        ("settings.json", "{}", "its settings.json is not that of a tournament"),
        ("settings.json", '{"seed": 1, "game": 5}', "its settings.json is not that of a tournament"),
        ("results.jsonl", "", "has no results that follow from the settings"),
        ("secret", "00", "has another hash than the"),
    ],
)
def test_check__folder_that_cannot_be_checked__one_line_and_status_2(folder, file, text, says, capsys):
    (folder / file).write_text(text)
    assert says in refusal(capsys, tournament.main, "--check", str(folder))


def test_check__made_by_another_version__refused(folder):
    settings = json.loads((folder / "settings.json").read_text())
    settings["made_by"]["shogun-env"] = "0.2.9"
    (folder / "settings.json").write_text(json.dumps(settings))
    with pytest.raises(ValueError, match=r"was made by .*0\.2\.9.*; check it with that version"):
        tournament.check(folder)


def test_units__of_bots_that_may_remember__are_whole_blocks():
    blocks = [["ab", "ba"], ["cd", "dc", "xx"]]
    games = {name: Line(name) for block in blocks for name in block}
    named = [[games[name] for name in block] for block in blocks]
    results = dict.fromkeys(games.values())
    kinds = {"a": "sure", "b": "sure", "c": "sure", "d": "unknown", "x": "sure"}
    assert units(named, results, kinds, 1.0) == (named, 0)
    assert {len(part) for _ in range(20) for part in units(named, results, kinds, 0.1)[0]} <= {1, 3}
    assert units(named, results, {**kinds, "x": "never"}, 1.0) == ([named[0], named[1][:2]], 1)


class Line(str):
    """Stands for a game: its text is its line-up."""

    @property
    def line_up(self):
        return list(self)


def test_is_same_text__numbers_of_other_processors__are_the_same():
    assert is_same_text("| 1.0000000000000002 | a |", "| 1.0 | a |")
    assert not is_same_text("| 1.1 | a |", "| 1.0 | a |")
    assert not is_same_text("| 1.0 | a |", "| 1.0 | b |")
