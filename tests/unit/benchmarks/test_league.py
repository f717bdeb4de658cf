"""A league: entries that stay, rounds that no interruption changes, conditions that are refused when changed."""

import shutil

import pytest

from shogun_env.benchmarks.arena import run, schedule
from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.tables import tables_of
from shogun_env.commands import run_command
from shogun_env.files import JOURNAL
from tests.refusals import refusal
from tests.unit.benchmarks.arena.journals import changed
from tests.zoo.bots import ZOO

pytestmark = pytest.mark.usefixtures("no_pictures")

OWN = ["--game", "shitenno", "--preset", "own", "--players", "3"]
RAISING, LOWEST = "raising", "lowest"
MEETINGS, IN_A_ROUND = 30, 90
"""Of a round in these tests: two blocks, 90 games."""


@pytest.fixture(autouse=True)
def rounds_of_two_blocks(monkeypatch):
    monkeypatch.setattr(schedule, "LEAST_MEETINGS", MEETINGS)


def said(capsys, *arguments):
    """Run the command; return what it prints."""
    assert run_command("league", [str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


def league_of(folder, bots, games):
    """Make a league of bots, specs by name; return its folder, and that of a copy in which games were played."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schedule, "LEAST_MEETINGS", MEETINGS)
        patch.setattr("shogun_env.benchmarks.pictures.is_available", lambda: False)
        run_command("league", ["create", str(folder), *OWN])
        for name, spec in bots.items():
            run_command("league", ["enter", str(folder), spec, "--name", name])
        played = folder.with_name("played")
        shutil.copytree(folder, played)
        run_command("league", ["run", str(played), "--games", str(games), "--no-replays"])
    return folder, played


@pytest.fixture(scope="module")
def strangers(tmp_path_factory):
    """The folders of a league with bots of strangers; see ``league_of``."""
    bots = {"scripted": "scripted", LOWEST: f"{ZOO}:lowest", RAISING: f"{ZOO}:raises:good=0"}
    return league_of(tmp_path_factory.mktemp("league") / "begun", bots, IN_A_ROUND)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The folders of a league of compiled bots; see ``league_of``."""
    bots = {"scripted": "scripted", "pool:2min": "pool:2min"}
    return league_of(tmp_path_factory.mktemp("league") / "begun", bots, 2 * IN_A_ROUND)


def test_league__run__plays_whole_rounds_and_says_the_same_again(strangers, capsys):
    _, played = strangers
    journal, table = (played / JOURNAL).read_bytes(), (played / "leaderboard.md").read_text()
    said(capsys, "run", played, "--games", IN_A_ROUND, "--no-replays")
    assert (played / JOURNAL).read_bytes() == journal
    history = History.at(played / JOURNAL)
    assert history.n_games == IN_A_ROUND * len(history.rounds) == IN_A_ROUND
    assert said(capsys, "show", played) == table == (played / "leaderboard.md").read_text()
    (rows,) = tables_of(history)["ratings"].values()
    rows = {row["agent"]: row for row in rows}
    assert (rows["scripted"]["rating"], rows["scripted"]["kind"]) == (0, "anchor")
    assert max(row["rating"] for row in rows.values() if row["agent"] != "scripted") < -100
    # one bot raises always, so games without faults are those without it
    assert rows[RAISING]["faultless"] == "–" and rows["scripted"]["faultless"] not in ("", "–")
    text = (played / "report.html").read_text()
    assert "League: Shitennō, own" in text and "error" in text


def test_league__interrupted_anywhere__goes_on_to_the_same_games(compiled, tmp_path, capsys):
    folder, played = compiled
    whole, begin = (played / JOURNAL).read_bytes(), (folder / JOURNAL).stat().st_size
    shutil.copytree(folder, tmp_path / "t")
    shutil.copy(played / "secret", tmp_path / "t")
    ends = [at + 1 for at, byte in enumerate(whole) if byte == 10 and at > begin]
    for cut in (ends[0] - 30, ends[1], len(whole) - 1):  # what a kill leaves
        (tmp_path / "t" / JOURNAL).write_bytes(whole[:cut])
        said(capsys, "run", tmp_path / "t", "--games", 2 * IN_A_ROUND, "--no-replays")
        assert (tmp_path / "t" / JOURNAL).read_bytes() == whole, cut
        assert (tmp_path / "t" / "leaderboard.csv").read_bytes() == (played / "leaderboard.csv").read_bytes()


def test_league__withdrawn_bot__stays_in_the_tables_and_plays_no_more(compiled, tmp_path, capsys):
    folder = tmp_path / "t"
    shutil.copytree(compiled[1], folder)
    said(capsys, "enter", folder, "scripted:style=greedy", "--name", "greedy")
    said(capsys, "blame", folder, "pool:2min", "--why", "it never answers")
    said(capsys, "withdraw", folder, "GREEDY")
    with pytest.raises(SystemExit):
        run_command("league", ["run", str(folder), "--games", "181"])
    assert "enter more" in capsys.readouterr().err.splitlines()[-1]
    said(capsys, "back", folder, "greedy")
    assert "blamed: it never answers" in said(capsys, "run", folder, "--games", 181, "--no-replays")
    last = History.at(folder / JOURNAL).rounds[-1]
    assert set(last.tables.ravel().tolist()) == {0, 1, 3}
    refused = {
        ("enter", "scripted", "--name", "s"): "scripted plays already, as scripted; withdraw that first",
        ("enter", "scripted"): "scripted plays already, as scripted; withdraw that first",
        ("enter", "pool:20min", "--name", " Scripted"): "looks like the name of scripted; give another with --name",
        ("enter", "pool:20min", "--name", "two\nlines"): "must be one printable line",
        ("enter", "nobody"): "unknown agent 'nobody'",
        ("withdraw", "random"): "is of the reference pool",
        ("withdraw", "nobody"): "no bot of this name",
        ("back", "greedy"): "is back already",
        ("withdraw", "greedy", "--why", "\x1b[31mred"): "must be one printable line",
    }
    for (name, *rest), says in refused.items():
        assert says in refusal(capsys, "league", name, str(folder), *rest), (name, rest)
    said(capsys, "withdraw", folder, "greedy")
    said(capsys, "enter", folder, "scripted:style=greedy", "--name", "again")
    assert "greedy plays already, as again; withdraw that first" in refusal(
        capsys, "league", "back", str(folder), "greedy"
    )


def test_league__one_file_by_two_paths__enters_once(compiled, tmp_path, capsys):
    folder = tmp_path / "t"
    shutil.copytree(compiled[1], folder)
    for name in ("bot", "copy"):
        (tmp_path / name).mkdir()
        shutil.copy(ZOO, tmp_path / name / "bot.py")
    said(capsys, "enter", folder, f"{tmp_path}/bot/bot.py:lowest", "--name", "one")
    for spec in (f"{tmp_path}/x/../bot/bot.py:lowest", f"{tmp_path}/bot/../copy/bot.py:lowest"):
        (tmp_path / "x").mkdir(exist_ok=True)
        assert "plays already, as one" in refusal(capsys, "league", "enter", str(folder), spec, "--name", "two")


def test_league__bot_that_changed__does_not_play(strangers, tmp_path, capsys):
    folder = tmp_path / "t"
    shutil.copytree(strangers[0], folder)
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.py").write_text(
        f"import sys\nsys.path.insert(0, {str(ZOO.parent)!r})\nfrom bots import honest\n"
    )
    said(capsys, "enter", folder, f"{tmp_path}/bot/bot.py:honest", "--name", "mine")
    (tmp_path / "bot" / "helper.py").write_text("")
    said_why = refusal(capsys, "league", "run", str(folder), "--games", "10")
    assert "mine: has changed since it entered" in said_why
    assert "in a league under another name, else with another --out" in said_why


def test_league__bot_withdrawn_while_a_round_is_open__loses_the_rest_and_the_round_ends(strangers, tmp_path, capsys):
    """A bot that had changed, or ends its process, could be neither played nor withdrawn: the league stood still."""
    folder = tmp_path / "t"
    shutil.copytree(strangers[0], folder)
    (tmp_path / "bot").mkdir()
    file = tmp_path / "bot" / "bot.py"
    file.write_text(f"import sys\nsys.path.insert(0, {str(ZOO.parent)!r})\nfrom bots import honest\n")
    said(capsys, "enter", folder, f"{file}:honest", "--name", "mine")
    said(capsys, "run", folder, "--games", IN_A_ROUND, "--no-replays")
    lines = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    last = next(at for at, line in enumerate(lines) if b'"games"' in line)
    (folder / JOURNAL).write_bytes(b"".join(lines[: last + 1]))  # what a kill leaves
    file.write_text(file.read_text() + "# changed\n")
    assert "mine: has changed" in refusal(capsys, "league", "run", str(folder), "--games", str(IN_A_ROUND))
    said(capsys, "withdraw", folder, "mine")
    before = History.at(folder / JOURNAL)
    mine = before.number_of("mine")
    assert before.open_rounds and not any(before.faults.get((0, mine), {}).values())
    said(capsys, "run", folder, "--games", IN_A_ROUND, "--no-replays")
    history = History.at(folder / JOURNAL)
    assert not history.open_rounds and history.n_games == IN_A_ROUND
    assert set(history.faults[0, mine]) == {"error"}
    assert str(history.seconds.get(mine)) == str(before.seconds.get(mine))
    now = history.rounds[0]
    lost = [first for first in now.blocks if mine in now.gone[first]]
    others = [first for first in now.blocks if mine not in now.bots(now.games(first))]
    again = sum(now.blocks[first] for first in {*lost, *others})
    assert lost and f"{again} of {IN_A_ROUND} games were played again" in said(
        capsys, "verify", folder, "--run-bots", "--share", 99
    )
    said(capsys, "enter", folder, f"{file}:honest", "--name", "new")
    said(capsys, "run", folder, "--games", 2 * IN_A_ROUND, "--no-replays")
    history = History.at(folder / JOURNAL)
    assert str(history.seconds.get(mine)) == str(before.seconds.get(mine)), "those of another bot with the same spec"
    assert history.seconds[history.number_of("new")][1] > 0


def test_league__conditions__are_fixed_and_other_ones_refused(tmp_path, capsys, monkeypatch):
    create = ["create", str(tmp_path / "t")]
    out = said(capsys, *create, "--game", "shitenno")
    assert "random, pool:2min, pool:20min, pool:champion-0.2 are in it" in out
    shown = said(capsys, "show", tmp_path / "t")
    assert shown == "no game has been played yet; in it are random, pool:2min, pool:20min, pool:champion-0.2\n"
    history = History.at(tmp_path / "t" / JOURNAL)
    assert f"SHA-256 {history.secret_sha256}" in out
    assert (tmp_path / "t" / "secret").stat().st_mode & 0o077 == 0
    assert "holds games already" in refusal(capsys, "league", *create, "--game", "shitenno")
    (tmp_path / "bot").mkdir()
    mine = tmp_path / "bot" / "mine.py"
    mine.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nmake = lambda game: None\n")
    for stranger in (f"{mine}:make", f"exec:touch {tmp_path / 'ran'}"):
        assert "add --isolate" in refusal(capsys, "league", "enter", str(tmp_path / "t"), stranger)
        assert not (tmp_path / "ran").exists()
    with monkeypatch.context() as earlier:  # a version that entered it all the same
        earlier.setattr(run, "try_bots", lambda *_, **__: None)
        said(capsys, "enter", tmp_path / "t", f"{ZOO}:lowest", "--name", LOWEST)
    assert "add --isolate" in refusal(capsys, "league", "run", str(tmp_path / "t"), "--games", "9")

    def no_pool(number, values):
        return {**values, "rating": None} if values.get("bot") == 1 else values

    def more_time(number, values):
        return {**values, "settings": {**values["settings"], "game_seconds": 9}} if number == 0 else values

    for change, says in ((no_pool, "says standard, but its pool are"), (more_time, "but its game_seconds are 9")):
        changed(tmp_path / "t" / JOURNAL, tmp_path / "j", change)
        (tmp_path / "o").mkdir(exist_ok=True)
        shutil.copy(tmp_path / "j", tmp_path / "o" / JOURNAL)
        assert says in refusal(capsys, "league", "run", str(tmp_path / "o"), "--games", "9")


def test_league__replays__are_pages_of_games_that_come_out_as_before(compiled, tmp_path, capsys):
    folder = tmp_path / "t"
    shutil.copytree(compiled[1], folder)
    said(capsys, "run", folder, "--games", 2 * IN_A_ROUND)
    pages = list((folder / "replays").glob("*.html"))
    assert len(pages) == 3 and all("<script" in path.read_text() for path in pages)
    text = (folder / "report.html").read_text()
    assert "the greatest surprise of the last rounds" in text
    assert all(f"replays/{path.name}" in text for path in pages)


def test_league__verify__of_a_copy_without_its_secret__is_true(compiled, tmp_path, capsys):
    shutil.copytree(compiled[1], tmp_path / "t")
    (tmp_path / "t" / "secret").unlink()
    out = said(capsys, "verify", tmp_path / "t")
    assert "the secret of the seeds is not published yet" in out
    assert "180 of 180 games were played again" in out and "the tables of 2 of 2 rounds" in out
    out = said(capsys, "verify", tmp_path / "t", "--share", "50")
    assert "1 of 2 rounds" in out and "180 of 180 games" not in out
