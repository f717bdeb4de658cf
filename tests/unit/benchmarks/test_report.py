"""The report: a page that needs nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from shogun_env.benchmarks import pictures
from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.outcomes import Outcomes
from shogun_env.benchmarks.arena.tables import as_markdown, tables_of, times_of
from shogun_env.benchmarks.markdown import percent
from shogun_env.benchmarks.report import page, training_part
from shogun_env.training.config import Config


@pytest.fixture
def outcomes(engine):
    """Outcomes of twelve games with stories, and with faults and times of one bot."""
    arena = Arena(engine, {"num_players": 3}, agents={"<stubborn>": Stubborn()}, stories_of={0, 1})
    return Outcomes.of(arena.play(["scripted", "random", "<stubborn>"], games=12))


class Stubborn:
    """Always plays the lowest illegal action."""

    def act(self, view, rng):
        return view.masks.argmin(1)


@pytest.fixture
def tables(engine, outcomes):
    return tables_of(outcomes, {"game": engine.spec.name, "seed": 0}, "the command")


def test_report__page__holds_the_tables_and_no_links_out(tables, outcomes):
    text = page("A <title>", [("Games", tables.summary, times_of(outcomes), "")], None)
    assert "A &lt;title&gt;" in text
    assert "&lt;stubborn&gt;" in text
    assert "the command" in text
    share = tables.summary["variants"][0]["leaderboard"][0]["win_share"]
    assert percent(share) in text
    assert re.search(r"\d+ illegal", text)
    assert not re.search(r'(href|src)="(?!#|data:)', text)
    assert "<script" not in text


def test_report__of_games_whose_records_are_kept__leads_to_them(outcomes):
    kept = [("", ["random", "<stubborn>", "scripted"], [3, 0, 9], f"{number} 1.jsonl") for number in range(120)]
    kept = [(outcomes.variants[0], *record[1:]) for record in kept]
    summary = tables_of(replace(outcomes, records=kept), {"game": "shogun", "seed": 0}).summary
    text = page("T", [("Games", summary, {}, "../games%20of%20may/")], None)
    links = re.findall(r'<a href="([^"]+)">([^<]+)</a>', text)
    assert len(links) == 100
    assert links[7] == ("../games%20of%20may/records/7%201.jsonl", "random 3, &lt;stubborn&gt; 0, scripted 9")


def test_tables__markdown__has_faults_and_ratings(tables):
    text = as_markdown(tables)
    assert re.search(r"<stubborn> +\|.* \d+ illegal +\|", text)
    assert re.search(r"scripted +\| +≥ -?\d+ +\| +only a bound: at least -?\d+ +\|", text)


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_pictures__of_a_tournament__are_one_for_each_thing(tables, outcomes, kind):
    pytest.importorskip("matplotlib")
    (variant,) = tables.summary["variants"]
    (ratings,) = tables.summary["ratings"].values()
    drawn = pictures.pictures_of(variant, ratings, times_of(outcomes), kind)
    words = ("Ratings", "place", "ahead", "Points", "did", "Milliseconds")
    assert all(word in heading for word, heading in zip(words, drawn, strict=True))
    starts = {"svg": b"<?xml", "png": b"\x89PNG"}
    assert all(data.startswith(starts[kind]) for data in drawn.values())
    assert drawn == pictures.pictures_of(variant, ratings, times_of(outcomes), kind)


def test_page__without_matplotlib__says_what_is_missing(tables, monkeypatch):
    monkeypatch.setattr(pictures, "is_available", lambda: False)
    assert "shogun-env[viz]" in page("T", [("Games", tables.summary, {}, "")], None)


def test_stories__of_games__add_up(engine, outcomes, tables):
    stories = tables.summary["variants"][0]["stories"]
    assert set(stories) == {"scripted", "random", "<stubborn>"}
    assert {story["games"] for story in stories.values()} == {6}
    scripted = stories["scripted"]
    assert scripted["points"] == sorted(scripted["points"])
    deed = {"shogun": "built", "shitenno": "Kamon placed"}[engine.spec.name]
    assert scripted[deed][0] > 1


@pytest.mark.parametrize(("variants", "line"), [([{}], "parity, 25 %"), ([{}, {"num_players": 2}], "parity, 37.5 %")])
def test_report__of_a_run__shows_parity_and_says_how_it_learnt(tmp_path, variants, line):
    pytest.importorskip("matplotlib")
    config = {**Config(game="shitenno").as_json(), "variants": variants}
    about = {"config": config, "commit": "c", "versions": {}, "command": "the command"}
    (tmp_path / "run.json").write_text(json.dumps(about))
    point = {"decisions": 10, "seconds": 1.0, "win_share": {"random": 0.5}}
    (tmp_path / "progress.jsonl").write_text(f"{json.dumps(point)}\n")
    text = training_part(tmp_path)
    assert line in text
    assert "from games against itself, its past, and the bot scripted." in text
    assert "To reproduce it:</p><pre>the command</pre>" in text
