"""The page of a league: standings, pairings, faults and replays; nothing of a round that is being played."""

from __future__ import annotations

import shutil

import pytest

from shogun_env.benchmarks.league import command, page, standings
from shogun_env.benchmarks.league.history import History
from shogun_env.benchmarks.league.journal import FILE, line_of
from tests.unit.benchmarks.league.conftest import LOWEST, RAISING

pytest.importorskip("scipy")


def test_page__league_that_was_played__shows_all_its_parts(begun):
    _, played = begun
    text = (played / page.PAGE).read_text("utf-8")
    history = History.in_folder(played / FILE)
    for words in (
        "<h1>League: Shitennō, own</h1>", "60 games in 2 rounds", "--players 3", LOWEST, RAISING,
        "RuntimeError: out of ideas", history.commitment.hex(), history.chain, history.rounds[-1].secret.hex(),
    ):  # fmt: skip
        assert words in text, words
    assert (played / "secret").read_text().strip() not in text
    # replays only of bots that surely play the same again, and only if the game comes out as it did
    summary = standings.summary_of(history)
    games = page.chosen_games(history, summary)
    assert len({*games.values()}) == len(games) == 3 and "the greatest surprise" in next(iter(games))
    (listed,) = [(played / page.REPLAYS / "list.txt").read_text().splitlines()]
    assert len(listed) < 3 or not any(LOWEST in line or RAISING in line for line in listed)


def test_page__replay__is_of_a_game_that_comes_out_as_before(begun):
    _, played = begun
    history = History.in_folder(played / FILE)
    bots = history.games.bots
    assert page.replay_of(history, int((bots == 2).any(axis=1).argmax()), played) == ""  # a stranger's
    history.entries[2].spec = history.entries[3].spec = "scripted:style=greedy"  # others than those that played
    assert page.replay_of(history, 0, played) == ""


def test_page__round_that_is_being_played__shows_no_secret_of_it(begun, tmp_path):
    _, played = begun
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


def test_page__names_of_strangers__are_text_and_compiled_bots_have_replays(tmp_path):
    folder = tmp_path / "t"
    command.main(["create", str(folder), "--game", "shitenno", "--preset", "own", "--players", "2"])
    command.main(["enter", str(folder), "scripted", "--name", "<script>alert(1)</script>"])
    command.main(["run", str(folder), "--games", "4"])
    text = (folder / page.PAGE).read_text("utf-8")
    assert "<script>" not in text and "&lt;script&gt;alert(1)" in text and "<p>None.</p>" in text
    names = sorted(path.name for path in (folder / page.REPLAYS).glob("*.html"))
    assert len(names) == 3 and all(f"replays/{name}" in text for name in names)
    assert line_of({"kind": "x"}, "")[0].endswith('"}\n')
