"""The report: a page that needs nothing else."""

from __future__ import annotations

from shogun_env.benchmarks import tournament
from shogun_env.benchmarks.arena.standings import standings
from shogun_env.benchmarks.report import curve, page


def test_report__page__holds_the_leaderboard_and_no_links_out(results):
    summary = tournament.summary({}, results, standings(results), "the command")
    text = page("A <title>", [("Games", summary)], None)
    assert "A &lt;title&gt;" in text
    assert "scripted" in text
    assert "the command" in text
    assert f"{summary['leaderboard'][0]['win_share']:.1%}" in text
    assert "http" not in text
    assert "<script" not in text


def test_report__curve__one_line_per_opponent():
    lines = [{"seconds": s, "win_share": {"random": s / 10, "scripted": 0.0}} for s in (0.0, 5.0, 10.0)]
    assert curve(lines).count("<polyline") == 2
