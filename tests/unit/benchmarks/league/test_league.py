"""A league: entries that stay, rounds that no interruption changes, conditions that are refused when changed."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from shogun_env.benchmarks.league import command, league, links, preset
from shogun_env.benchmarks.league.history import History
from shogun_env.benchmarks.league.journal import FILE, line_of, read
from shogun_env.benchmarks.league.standings import met, rows_of
from tests.refusals import refusal
from tests.unit.benchmarks.league.conftest import IN_A_ROUND, LOWEST, RAISING, SPECS

pytest.importorskip("scipy")
ROOT = Path(__file__).resolve().parents[4]


def said(capsys, *arguments):
    """Run the command; return what it prints."""
    assert command.main([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


def test_league__run__plays_whole_rounds_and_says_the_same_again(begun, capsys):
    _, played = begun
    journal, table = (played / FILE).read_bytes(), (played / "standings.md").read_text()
    said(capsys, "run", played, "--games", 30, "--no-replays")
    assert (played / FILE).read_bytes() == journal
    history = History.in_folder(played / FILE)
    assert history.n_games == IN_A_ROUND * len(history.rounds) == 30
    assert said(capsys, "show", played) == table == (played / "standings.md").read_text()
    rows = {row.name: row for row in rows_of(history)}
    assert rows["random"][1:4] == (0, 0, 0) and rows["random"].fixed
    assert rows["scripted"].rating == max(row.rating for row in rows.values()) > 100
    assert rows["scripted"].low < rows["scripted"].rating < rows["scripted"].high
    assert sum(row.games for row in rows.values()) == 3 * 30
    # one bot raises always, so games without faults are those without it
    assert set(rows[RAISING].faults) == {"error"} and rows[RAISING].faultless_games == 0
    assert 0 < rows["scripted"].faultless_games < rows["scripted"].games
    assert rows["scripted"].faultless != rows["scripted"][1:4] and "errors" not in table


def test_league__pairings__count_who_met_whom(begun):
    history = History.in_folder(begun[1] / FILE)
    count, ahead = met(history.games, range(4))
    assert (count == count.T).all() and not count.diagonal().any()
    assert count.sum() == 6 * history.n_games and ahead + ahead.T == pytest.approx(count)
    assert ahead[1, 0] > 0.8 * count[1, 0] > 0  # scripted before random


def test_league__interrupted_anywhere__goes_on_to_the_same_journal(compiled, tmp_path, capsys):
    folder, played = compiled
    whole, start = (played / FILE).read_bytes(), (folder / FILE).stat().st_size
    shutil.copytree(folder, tmp_path / "t")
    ends = [at + 1 for at, byte in enumerate(whole) if byte == 10 and at > start]
    for cut in (ends[0] - 30, ends[1], len(whole) - 1):  # what a kill leaves
        (tmp_path / "t" / FILE).write_bytes(whole[:cut])
        said(capsys, "run", tmp_path / "t", "--games", 60, "--no-replays")
        assert (tmp_path / "t" / FILE).read_bytes() == whole, cut
        assert (tmp_path / "t" / "standings.json").read_bytes() == (played / "standings.json").read_bytes()


@pytest.mark.slow
def test_league__killed__goes_on_to_the_same_journal(begun, tmp_path, capsys, monkeypatch):
    folder, _ = begun
    monkeypatch.setattr(league, "LEAST_MEETINGS", 16)  # as in other processes
    shutil.copytree(folder, tmp_path / "once")
    shutil.copytree(folder, tmp_path / "t")
    said(capsys, "run", tmp_path / "once", "--games", 1500)
    line = [
        sys.executable,
        "-m",
        "benchmarks.league",
        "run",
        str(tmp_path / "t"),
        "--games",
        "1500",
        "--processes",
        "2",
    ]
    for number in range(8):
        run = subprocess.Popen(line, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(3 + number / 4)
        run.send_signal(signal.SIGKILL if number % 2 else signal.SIGINT)
        run.wait()
    assert subprocess.run(line, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    assert (tmp_path / "t" / FILE).read_bytes() == (tmp_path / "once" / FILE).read_bytes()


@pytest.mark.slow
@pytest.mark.ray
def test_league__with_ray__writes_the_same_journal(compiled, tmp_path, capsys):
    pytest.importorskip("ray")
    folder, played = compiled
    shutil.copytree(folder, tmp_path / "t")
    said(capsys, "run", tmp_path / "t", "--games", 60, "--no-replays", "--ray", "local")
    assert (tmp_path / "t" / FILE).read_bytes() == (played / FILE).read_bytes()


def test_league__secrets__are_published_one_by_one_and_each_is_the_hash_of_the_next(begun):
    _, played = begun
    events = list(read(played / FILE))
    published = [bytes.fromhex(event.values["secret"]) for event in events if event.values["kind"] == "end"]
    chain = [bytes.fromhex(events[0].values["commitment"]), *published]
    assert all(links.follows(after, before) for before, after in pairwise(chain))
    secret = (played / "secret").read_text().strip()
    assert (played / "secret").stat().st_mode & 0o077 == 0 and secret not in (played / FILE).read_text()
    changed = played.with_name("changed")
    shutil.copytree(played, changed)
    (changed / "secret").write_text("00" * 32)
    with pytest.raises(ValueError, match="is not the secret that this league published the hash of"):
        links.secret_in(changed, chain[0])
    with pytest.raises(ValueError, match="at most 65536 rounds"):
        links.link(b"", links.LINKS + 1)


def test_league__withdrawn_bot__stays_in_the_tables_and_plays_no_more(compiled, tmp_path, capsys):
    folder = tmp_path / "t"
    shutil.copytree(compiled[1], folder)
    said(capsys, "enter", folder, "scripted:style=greedy", "--name", "greedy")
    said(capsys, "blame", folder, "pool:2min", "--why", "it never answers")
    said(capsys, "withdraw", folder, "greedy")
    assert "enter more" in refusal(capsys, command.main, "run", str(folder), "--games", "61")
    said(capsys, "back", folder, "greedy")
    out = said(capsys, "run", folder, "--games", 61, "--no-replays")
    assert "blamed: it never answers" in out
    last = History.in_folder(folder / FILE).rounds[-1]
    assert set(last.tables.ravel().tolist()) == {0, 1, 3}
    refused = {
        ("enter", "scripted"): "scripted is the name of an entry already; give another with --name",
        ("enter", "scripted", "--name", "s2"): "scripted plays already, as scripted; withdraw that first",
        ("enter", "nobody"): "nobody",
        ("blame", "nobody"): "nobody: not in the league, whose bots are random, scripted,",
        ("withdraw", "random"): "random: its rating is fixed, and all others hang on it",
        ("back", "scripted"): "scripted: is in the league already",
    }
    for (what, *arguments), words in refused.items():
        assert words in refusal(capsys, command.main, what, str(folder), *arguments)


def test_league__journal_that_was_changed__is_refused_naming_the_line(begun, tmp_path, capsys):
    folder = tmp_path / "t"
    shutil.copytree(begun[1], folder)
    lines = (folder / FILE).read_bytes().splitlines(keepends=True)
    for wrong in ([*lines[:5], lines[5].replace(b"1", b"0", 1), *lines[6:]], [*lines[:5], *lines[6:]]):
        (folder / FILE).write_bytes(b"".join(wrong))
        words = refusal(capsys, command.main, "show", str(folder))
        assert "line 6: was changed, or does not follow from the lines before it" in words
    values = [event.values for event in read(begun[1] / FILE)]
    changes = [
        (1, {"bot": 7}), (2, {"kind": "x"}), (5, {"number": 9}), (5, {"tables": [[0, 1, 9]]}), (6, {"round": 9}),
        (6, {"place": [[1]]}),
    ]  # fmt: skip
    for number, change in changes:
        before, text = "", ""
        for at, each in enumerate(values):
            line, event = line_of({**each, **change} if at == number else each, before)
            text, before = text + line, event.chain
        (folder / FILE).write_text(text)
        assert f"line {number + 1}: cannot be" in refusal(capsys, command.main, "show", str(folder)), change


def test_preset__standard__is_refused_when_changed(tmp_path, capsys):
    create = ("create", str(tmp_path / "t"), "--game", "shitenno")
    words = refusal(capsys, command.main, *create, "--players", "3")
    assert "--preset standard fixes num_players; with other values take --preset own" in words
    assert "fixes memory_mb" in refusal(capsys, command.main, *create, "--memory-mb", "9")
    assert not (tmp_path / "t").exists()
    said(capsys, *create)
    history = History.in_folder(tmp_path / "t" / FILE)
    assert history.names == ["random", "pool:2min", "pool:20min", "pool:champion-0.2"]
    assert "holds a league already" in refusal(capsys, command.main, *create)
    settings = history.settings
    preset.check(settings)
    for name, value, words in (
        ("options", {**settings["options"], "num_players": 3}, "says standard, but its options are"),
        ("limits", {**settings["limits"], "memory_mb": 9}, "says standard, but its limits are"),
        ("limits", {"memory_mb": "9"}, "the limits of this league are"),
        ("options", {"num_players": 4, "side": "moon"}, "side"),
        ("rules", 0, "this league is played by rules 0, and this version has"),
    ):
        with pytest.raises(ValueError, match=words):
            preset.check({**settings, name: value})
    with pytest.raises(ValueError, match="this league does not say its limits"):
        preset.check({name: value for name, value in settings.items() if name != "limits"})
    # strangers keep the limits only in isolation, and bots that have changed are others
    league.enter(tmp_path / "t", SPECS[LOWEST], "mine")
    words = refusal(capsys, command.main, "run", str(tmp_path / "t"))
    assert "mine: this league has limits, which a bot of strangers keeps with --isolate" in words
    history.entries[1].sha256 = "0"
    with pytest.raises(ValueError, match="pool:2min: has changed since it entered"):
        league.check_bots(history, None)
    assert json.loads((tmp_path / "t" / FILE).read_text().splitlines()[-1])["name"] == "mine"
