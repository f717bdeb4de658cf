"""The page of an arena and the report of several: they need nothing else, and believe nothing that they read."""

import json
import re

import pytest

from shogun_env.benchmarks import pictures, report
from shogun_env.benchmarks.arena.journal import FILE
from shogun_env.benchmarks.arena.page import PageContent, figure, page, write_arena
from shogun_env.benchmarks.arena.tables import tables_of, times_of, write_tables
from shogun_env.commands import run_command
from shogun_env.training.config import Config
from tests.refusals import refusal
from tests.unit.benchmarks.arena.journals import played, told, write

NAMES = ("scripted", "</td><script>alert(1)</script>", "c")


def events():
    """Return games with faults and times of one bot, whose name is no good."""
    found = played(names=NAMES, agents=NAMES)
    found[-1] |= {"faults": [[0, 1, {"illegal": 7}]], "seconds": {"1": [1.0, 200]}}
    return found


@pytest.fixture
def history():
    return told(events())[0]


@pytest.fixture
def folder(history, tmp_path):
    write(tmp_path / FILE, events())
    write_tables(tmp_path, tables_of(history, "the command"), times_of(history))
    return tmp_path


def page_of(history, **more):
    content = PageContent(
        tables_of(history, "the command").summary, heading="", times={}, folder="", texts={}, replays={}
    )
    return page("A <title>", [PageContent(content, **more)])


@pytest.mark.usefixtures("no_pictures")
def test_page__holds_what_was_played_and_needs_no_other_file_or_script(history):
    text = page_of(history, texts={(NAMES[1], "illegal"): "action <9>"})
    assert "A &lt;title&gt;" in text and "the command" in text
    assert "Shitennō: 60 games of 3 bots" in text
    assert "seed of its own (from 5 on)" in text
    assert re.search(r"Written on \d{4}-\d\d-\d\d\.", text)
    assert "7 illegal" in text and "A fault is an answer that could not be used" in text
    assert "action &lt;9&gt;" in text
    assert '<td class="name">scripted</td>' in text
    assert "<script" not in text and not re.search(r'(href|src)="(?!#|data:)', text)
    history.faults.clear()
    assert "None: every answer could be used." in page_of(history)


def test_page__of_two_arenas_with_pictures__has_a_landmark_and_no_id_twice(history):
    pytest.importorskip("matplotlib")
    summary = tables_of(history).summary
    arenas = [PageContent(summary, heading=name, times={"c": 1.0}, folder="", texts={}) for name in ("one", "two")]
    text = page("T", arenas)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids)) > 20
    for used in re.findall(r'(?:url\(#|href="#)([^")]+)', text):
        assert used in ids
    assert text.count("<main>") == text.count("</main>") == 1
    assert "#333333" not in text, "pictures have the colours of the page"


def test_figure__background_goes_and_white_figures_on_dark_cells_stay():
    white = 'style="fill: #ffffff"'
    text = figure("A", f"<?xml?><svg><path {white}/><path {white}/><text {white}>93%</text></svg>".encode(), "a")
    assert text.count("fill: none") == 2
    assert f"<text {white}>93%" in text


@pytest.mark.usefixtures("no_pictures")
def test_page__of_games_whose_records_are_kept__leads_to_them(history):
    summary = tables_of(history).summary
    kept = [{"agents": ["c", NAMES[1]], "points": [3, 0], "file": f"{number} 1.jsonl"} for number in range(9)]
    summary["variants"][0]["records"] = kept
    text = page("T", [PageContent(summary, heading="Games", times={}, folder="../games%20of%20may/", texts={})])
    links = re.findall(r'<a href="([^"]+)">([^<]+)</a>', text)
    assert links[7][0] == "../games%20of%20may/records/7%201.jsonl"
    assert links[7][1].startswith("c 3, &lt;/td&gt;&lt;script&gt;")


@pytest.mark.usefixtures("no_pictures")
def test_page__texts_of_faults__are_kept_from_run_to_run(history, tmp_path):
    write_arena(tmp_path, "T", history, "", {(NAMES[1], "illegal"): "the first"})
    write_arena(tmp_path, "T", history, "", {(NAMES[1], "illegal"): "the second"})
    assert "the first" in (tmp_path / "report.html").read_text()
    (tmp_path / "faults.json").write_text('[[1, 2, 3], "x"]')
    write_arena(tmp_path, "T", history, "", {})


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize("field", ["command", "commit", "machine", "versions"])
def test_report__of_a_summary_of_somebody_else__believes_only_where_it_was_made_and_runs_no_script(
    field, folder, capsys
):
    good, script = json.loads((folder / "summary.json").read_text()), "<script>alert(1)</script>"
    arguments = ["--tournament", str(folder), "--out", str(folder / "r.html")]
    (folder / "summary.json").write_text(json.dumps({**good, "games": script, "ratings": 5, field: script}))
    if field == "versions":
        assert "summary.json: versions is" in refusal(capsys, "report", *arguments)
    else:
        assert run_command("report", arguments) == 0
        text = (folder / "r.html").read_text()
        assert "60 games of 3 bots" in text and "<script" not in text
    (folder / "summary.json").write_text(json.dumps({**good, field: None}))
    assert f"summary.json: {field} is null, must be" in refusal(capsys, "report", *arguments)


def test_report__of_a_tournament_stopped_before_its_tables_were_written__says_how_to_go_on(folder, capsys):
    (folder / "summary.json").unlink()
    said = refusal(capsys, "report", "--tournament", str(folder), "--out", str(folder / "r.html"))
    assert "summary.json: is not there; run the tournament or league to its end, which writes it" in said


@pytest.mark.parametrize("text", ["", "[", "nul", "[" * 100_000, "5"])
def test_report__of_a_summary_that_is_none__one_line(text, folder, capsys):
    (folder / "summary.json").write_text(text)
    assert "summary.json: the summary is" in refusal(
        capsys, "report", "--tournament", str(folder), "--out", str(folder / "r.html")
    )


def test_pictures__of_a_tournament__are_one_for_each_thing(history):
    pytest.importorskip("matplotlib")
    summary = tables_of(history).summary
    (variant,) = summary["variants"]
    (ratings,) = summary["ratings"].values()
    drawn = pictures.pictures_of(variant, ratings, times_of(history))
    words = ("Ratings", "place", "ahead", "Milliseconds")
    assert all(word in heading for word, heading in zip(words, drawn, strict=True))
    assert all(data.startswith(b"<?xml") for data in drawn.values())
    assert drawn == pictures.pictures_of(variant, ratings, times_of(history))


def test_page__without_matplotlib__says_what_is_missing(history, monkeypatch):
    monkeypatch.setattr(pictures, "is_available", lambda: False)
    assert "shogun-env[viz]" in page_of(history)


@pytest.mark.parametrize(("variants", "line"), [([{}], "parity, 25 %"), ([{}, {"num_players": 2}], "parity, 37.5 %")])
def test_report__of_a_run__shows_parity_and_says_how_it_learnt(tmp_path, variants, line):
    pytest.importorskip("matplotlib")
    config = {**Config(game="shitenno").as_json(), "variants": variants}
    about = {"config": config, "commit": "c", "versions": {}, "command": "the command"}
    (tmp_path / "run.json").write_text(json.dumps(about))
    point = {"decisions": 10, "seconds": 1.0, "win_share": {"random": 0.5}}
    (tmp_path / "progress.jsonl").write_text(f"{json.dumps(point)}\n")
    text = report.training_part(tmp_path)
    assert line in text
    assert "from games against itself, its past, and the bot scripted." in text
    assert "To reproduce it:</p><pre>the command</pre>" in text
