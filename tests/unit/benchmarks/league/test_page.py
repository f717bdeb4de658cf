"""The page of a league: standings, pairings, faults and replays; nothing of a round that is being played."""

from __future__ import annotations

import shutil

import pytest

from shogun_env.benchmarks.league import league, page, standings
from shogun_env.benchmarks.league.history import History
from shogun_env.benchmarks.league.journal import FILE
from tests.unit.benchmarks.league.conftest import LOWEST, RAISING

pytest.importorskip("scipy")


def test_page__league_that_was_played__shows_all_its_parts(begun):
    _, played = begun
    text = (played / page.PAGE).read_text("utf-8")
    history = History.in_folder(played / FILE)
    for words in (
        "<h1>League: Shitennō, own</h1>", "30 games in 1 round,", "--players 3", LOWEST, RAISING,
        "RuntimeError: out of ideas", history.commitment.hex(), history.chain, history.rounds[-1].secret.hex(),
    ):  # fmt: skip
        assert words in text, words
    assert (played / "secret").read_text().strip() not in text
    summary = standings.summary_of(history)
    games = page.chosen_games(history, summary)
    assert len({*games.values()}) == len(games) == 3 and "the greatest surprise" in next(iter(games))


def test_page__replay__is_of_a_game_that_comes_out_as_before(begun):
    _, played = begun
    history = History.in_folder(played / FILE)
    bots = history.games.bots
    assert page.replay_of(history, int((bots == 2).any(axis=1).argmax()), played) == ""  # a stranger's
    history.entries[2].spec = history.entries[3].spec = "scripted:style=greedy"  # others than those that played
    assert page.replay_of(history, 0, played) == ""


def test_page__round_that_is_being_played__shows_no_secret_of_it(compiled, tmp_path):
    _, played = compiled
    folder = tmp_path / "t"
    shutil.copytree(played, folder)
    lines = (folder / FILE).read_bytes().splitlines(keepends=True)
    (folder / FILE).write_bytes(b"".join(lines[:-1]))  # killed before the end of the last round
    history = History.in_folder(folder / FILE)
    assert history.open_round is not None
    text = page.page(history, standings.summary_of(history), {}, {})
    assert "Round 2 is being played." in text
    assert History.in_folder(played / FILE).rounds[-1].secret.hex() not in text
    assert all(game < 30 for game in page.chosen_games(history, standings.summary_of(history)).values())


def test_page__names_of_strangers__are_text(compiled, tmp_path):
    folder, name = tmp_path / "t", "<script>alert(1)</script>"
    shutil.copytree(compiled[1], folder)
    league.enter(folder, "scripted:style=greedy", name)
    history = History.in_folder(folder / FILE)
    text = page.page(history, standings.summary_of(history), {}, {f"table of {name}": "replays/0.html"})
    assert "<script>" not in text and text.count("&lt;script&gt;alert(1)") == 3 and "<p>None.</p>" in text


def test_page__replays__are_made_once_and_linked(compiled, tmp_path, monkeypatch):
    folder = tmp_path / "t"
    shutil.copytree(compiled[1], folder)
    history = History.in_folder(folder / FILE)
    summary = standings.summary_of(history)
    for chosen in ({"one": 40}, {"the same": 40}, {}):
        monkeypatch.setattr(page, "chosen_games", lambda *_, chosen=chosen: chosen)
        page.write_replays(folder, history, summary)
        monkeypatch.setattr(page, "replay_of", None)  # not asked again
        page.write(folder, history, summary, {})
        text = (folder / page.PAGE).read_text("utf-8")
        for name in chosen:
            assert f'<a href="replays/40.html">{name}</a>' in text
            assert "scripted" in (folder / "replays" / "40.html").read_text("utf-8")
        assert chosen or ("replays/" not in text and not (folder / "replays" / "40.html").exists())
