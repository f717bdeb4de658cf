"""The figures of pages: all of them, for a server of one game."""

from __future__ import annotations

import json

import pytest

from shogun_env.benchmarks import pages

pytest.importorskip("resvg_py")


@pytest.mark.full
def test_pages__one_game__has_every_figure(tmp_path, capsys):
    file = tmp_path / "pages.json"
    assert pages.main(["--game", "shitenno", "--games", "1", "--json", str(file)]) == 0
    figures = json.loads(file.read_text())["figures"]
    assert set(figures) == set(pages.LABELS)
    assert all(value > 0 for value in figures.values())
    assert figures["replay_bytes"] < 500_000
    said = capsys.readouterr().out
    assert all(label in said for label in pages.LABELS.values())
