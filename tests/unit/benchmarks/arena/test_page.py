"""The page of an arena: it needs nothing else, and runs nothing that it shows."""

import re

import pytest

from shogun_env.benchmarks import pictures
from shogun_env.benchmarks.arena.page import figure, page, write_arena
from shogun_env.benchmarks.arena.tables import tables_of, times_of
from tests.unit.benchmarks.arena.journals import played, told

NAMES = ("scripted", "</td><script>alert(1)</script>", "c")


def events():
    """Return games with faults and times of one bot, whose name is no good."""
    found = played(names=NAMES, agents=NAMES)
    found[-1] |= {"faults": [[0, 1, {"illegal": 7}]], "seconds": {"1": [1.0, 200]}}
    return found


@pytest.fixture
def history():
    return told(events())[0]


def page_of(history, **more):
    summary = tables_of(history, "the command")
    return page("A <title>", {**summary, "times": times_of(history), "texts": {}, "replays": {}, **more})


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
    assert re.search(r"<td>5</td>", text), "the milliseconds of a decision"
    assert "shogun-env[viz]" in text
    assert "<script" not in text and not re.search(r'(href|src)="(?!#|data:)', text)
    history.faults.clear()
    assert "None: every answer could be used." in page_of(history)


def test_page__with_pictures__has_a_landmark_and_no_id_twice(history):
    pytest.importorskip("matplotlib")
    text = page_of(history)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids)) > 10
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
    summary = tables_of(history)
    kept = [{"agents": ["c", NAMES[1]], "points": [3, 0], "file": f"{number} 1.jsonl"} for number in range(9)]
    summary["variants"][0]["records"] = kept
    text = page("T", {**summary, "times": {}, "texts": {}})
    links = re.findall(r'<a href="([^"]+)">([^<]+)</a>', text)
    assert links[7][0] == "records/7%201.jsonl"
    assert links[7][1].startswith("c 3, &lt;/td&gt;&lt;script&gt;")


@pytest.mark.usefixtures("no_pictures")
def test_page__texts_of_faults__are_kept_from_run_to_run(history, tmp_path):
    write_arena(tmp_path, "T", history, "", {(NAMES[1], "illegal"): "the first"})
    write_arena(tmp_path, "T", history, "", {(NAMES[1], "illegal"): "the second"})
    assert "the first" in (tmp_path / "report.html").read_text()
    (tmp_path / "faults.json").write_text('[[1, 2, 3], "x"]')
    write_arena(tmp_path, "T", history, "", {})


def test_pictures__of_a_tournament__are_one_for_each_thing(history):
    pytest.importorskip("matplotlib")
    summary = tables_of(history)
    (variant,) = summary["variants"]
    (ratings,) = summary["ratings"].values()
    drawn = pictures.pictures_of(variant, ratings)
    words = ("Ratings", "place")
    assert all(word in heading for word, heading in zip(words, drawn, strict=True))
    assert all(data.startswith(b"<?xml") for data in drawn.values())
    assert drawn == pictures.pictures_of(variant, ratings)
