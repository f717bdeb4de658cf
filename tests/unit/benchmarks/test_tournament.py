"""The tournament command: tables that say what was played, what it refuses, and what no interruption changes."""

import html
import json
import re
import shlex
import shutil

import pytest

from shogun_env.benchmarks import tournament
from shogun_env.benchmarks.arena.check import check
from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.journal import read
from shogun_env.benchmarks.arena.seeds import game_seed, hash_of
from shogun_env.benchmarks.arena.settings import Settings
from shogun_env.cli import only_run
from shogun_env.commands import run_command
from shogun_env.files import JOURNAL
from tests.refusals import refusal
from tests.unit.benchmarks.arena.journals import write

pytestmark = pytest.mark.usefixtures("no_pictures")

TABLES = ("leaderboard.md", "leaderboard.csv", "summary.json")
SEPARATE = ("journal", "commit")
"""Parts of a summary that depend on the order in which blocks were finished, or on the day."""
LAST = "T"
"""Name of the folder, the same for the run that is interrupted and the one that is not."""


def tables_in(folder):
    """Return all tables in a folder."""
    summary = json.loads((folder / "summary.json").read_text())
    kept = {name: value for name, value in summary.items() if name not in SEPARATE}
    return [(folder / name).read_text() for name in TABLES[:2]] + [kept]


@pytest.mark.parametrize(("name", "players"), [("shogun", 5), ("shitenno", 2)])
def test_tournament__command__writes_all_tables_and_resumes(name, players, tmp_path, capsys):
    table = ["--game", name, "--players", str(players), "--games", "12"]
    arguments = ["--agents", "scripted,random", *table, "--out", str(tmp_path / "t")]
    assert run_command("tournament", [*arguments, "--json", str(tmp_path / "s.json")]) == 0
    summary = json.loads((tmp_path / "t" / "summary.json").read_text())
    journal = (tmp_path / "t" / JOURNAL).read_bytes()
    history = History.at(tmp_path / "t" / JOURNAL)
    assert summary == json.loads((tmp_path / "s.json").read_text())
    assert summary["games"] == history.n_games >= 12
    assert summary["settings"]["game"] == name
    assert [options["num_players"] for options in summary["settings"]["variants"]] == [players]
    assert {"commit", "versions", "command", "interval", "machine"} <= set(summary)
    assert {"shogun-env", "rules"} == set(history.made_by)
    assert run_command("tournament", arguments) == 0
    assert (tmp_path / "t" / JOURNAL).read_bytes() == journal
    assert "scripted" in capsys.readouterr().out
    assert "scripted" in (tmp_path / "t" / "report.html").read_text()


def test_tournament__of_fewer_bots_than_players__says_that_copies_play_and_how_many_games(tmp_path, capsys):
    table = ["--game", "shitenno", "--games", "10", "--seed", "1"]
    for players, number in (("4", 12), ("3,4", 24), ("2", 10)):
        out = tmp_path / players
        run_command("tournament", ["--agents", "scripted,random", "--players", players, *table, "--out", str(out)])
        told = capsys.readouterr()
        copies = (
            "2 bots for 4 players: up to 3 copies of a bot play, figures are of one copy; 3 line-ups, 4 rotations, 12"
        )
        for text in (told.err, told.out, (out / "leaderboard.md").read_text(), (out / "report.html").read_text()):
            assert (f"{copies} games." in text) == ("4" in players)
            assert ("2 bots for 3 players: up to 2 copies" in text) == ("3" in players)
        assert json.loads((out / "summary.json").read_text())["games"] == number
    arguments = ["--agents", "scripted,random,random,random", *table, "--out", str(tmp_path / "own")]
    assert run_command("tournament", arguments) == 0
    told = capsys.readouterr()
    assert "copies" not in told.err + told.out


def test_tournament__several_variants__have_tables_of_their_own_and_common_ratings(tmp_path, capsys):
    arguments = ["--agents", "scripted,random", "--players", "3,4", "--games", "8", "--out", str(tmp_path)]
    arguments += ["--variant", "side=moon,start=draft", "--variant", "optional_moves=true"]
    assert run_command("tournament", arguments) == 0
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert [variant["name"] for variant in summary["variants"]] == [
        "3 players --side moon --start draft",
        "4 players --side moon --start draft",
        "3 players --optional-moves",
        "4 players --optional-moves",
    ]
    text = capsys.readouterr().out
    assert text.startswith("## all variants")
    assert all(f"## {variant['name']}" in text for variant in summary["variants"])


@pytest.mark.parametrize(
    "options",
    ["--players 4 --variant num_players=3", "--variant num_players=4,num_players=3", "--fair --start preset"],
)
def test_tournament__two_values_of_an_option_of_play__are_refused_before_a_folder_is_there(tmp_path, capsys, options):
    arguments = ["--agents", "scripted,random", *options.split(), "--out", str(tmp_path / "out")]
    with pytest.raises(SystemExit) as stopped:
        run_command("tournament", arguments)
    assert stopped.value.code == 2
    assert re.search("is given as (4 and as 3|random and as preset); leave one out", capsys.readouterr().err)
    assert not (tmp_path / "out").exists()


def settings_of(**more):
    plain = {"game": "shogun", "agents": ("scripted", "random"), "games": 6, "seed": 0}
    return Settings(**{**plain, "variants": ({"num_players": 3},), **more})


def test_tournament__folder_of_another__refused(tmp_path, capsys):
    tournament.run(tmp_path, settings_of())
    with pytest.raises(ValueError, match=r"another tournament \(seed: 0, not 1\); give another --out"):
        tournament.run(tmp_path, settings_of(seed=1))
    with pytest.raises(ValueError, match=r"another tournament \(game_seconds: None, not 1.0\)"):
        tournament.run(tmp_path, settings_of(game_seconds=1.0))
    with pytest.raises(ValueError, match=r"another tournament \(agents: "):
        tournament.run(tmp_path, settings_of(agents=("random", "scripted")))
    journal = (tmp_path / JOURNAL).read_bytes()
    for words in ("show", "withdraw random", "run --games 90", "enter pool:2min"):
        command, *rest = words.replace("show", "show ").split(" ", 1)
        assert "there is no league" in refusal(capsys, "league", command, str(tmp_path), *rest[0].split())
    assert (tmp_path / JOURNAL).read_bytes() == journal


def test_tournament__without_a_seed__plays_by_a_secret_whose_hash_comes_first(tmp_path, capsys):
    once, again = tmp_path / "once" / LAST, tmp_path / "again" / LAST
    whole, _ = tournament.run(once, settings_of(seed=None, games=12))
    secret = bytes.fromhex((once / "secret").read_text())
    assert f"the seeds follow from a secret with the SHA-256 {hash_of(secret)}" in capsys.readouterr().err
    history = History.at(once / JOURNAL)
    assert history.secret_sha256 == hash_of(secret) and history.secret == secret, "it is published at the end"
    assert history.games.seed.tolist() == [game_seed(number, secret) for number in range(12)]
    # A run that is extended has the same games and tables in the end, and shows that its secret was public.
    again.mkdir(parents=True)
    lines = (once / JOURNAL).read_text().splitlines(keepends=True)
    begun = next(at for at, event in enumerate(read(once / JOURNAL)) if event.values["kind"] == "round")
    (again / JOURNAL).write_text("".join(lines[:begun]))
    shutil.copy(once / "secret", again / "secret")
    tournament.run(again, settings_of(seed=None, games=6))
    tables, _ = tournament.run(again, settings_of(seed=None, games=12))
    assert all(tables[part] == whole[part] for part in ("variants", "ratings"))
    assert "the secret is public, so the bots may know" in capsys.readouterr().err
    tournament.run(again, settings_of(seed=None, games=12))
    assert "the secret is public" not in capsys.readouterr().err, "nothing is played any more"
    assert History.at(again / JOURNAL).published_at == 6


def test_tournament__without_a_seed__its_command_with_the_secret_plays_the_same(tmp_path, capsys):
    words = ["--game", "shitenno", "--agents", "scripted,random,random", "--players", "3", "--games", "6"]
    assert run_command("tournament", [*words, "--out", str(tmp_path / "one")]) == 0
    command = json.loads((tmp_path / "one" / "summary.json").read_text())["command"]
    assert html.escape(command) in (tmp_path / "one" / "report.html").read_text()
    again = [*shlex.split(command)[2:], "--out", str(tmp_path / "again")]
    assert run_command("tournament", again) == 0
    for name in ("leaderboard.csv", "pairs.csv", "leaderboard.md", "leaderboard.tex"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "one" / name).read_bytes()
    assert run_command("tournament", [*again, "--games", "12"]) == run_command("tournament", again) == 0
    now = json.loads((tmp_path / "again" / "summary.json").read_text())
    assert (now["games"], now["command"][-11:]) == (12, " --games 12"), "the command plays what the tables are of"
    words += ["--out", str(tmp_path / "one")]
    assert "of another secret" in refusal(capsys, "tournament", *words, "--secret", "0" * 64)
    assert "goes without --seed" in refusal(capsys, "tournament", *again, "--seed", "5")
    assert "64 hexadecimal digits" in refusal(capsys, "tournament", *words, "--secret", "5")


def test_tournament__fewer_games_than_a_run_that_was_stopped_began__has_the_command_of_those(tmp_path, monkeypatch):
    monkeypatch.setattr("shogun_env.benchmarks.arena.games.MEETINGS_PER_BLOCK", 1)
    words = ["tournament", "--game", "shitenno", "--agents", "scripted,random,random", "--players", "3", "--seed", "1"]
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert run_command(words[0], [*words[1:], "--games", "12", "--out", str(whole)]) == 0
    played = [at for at, event in enumerate(read(whole / JOURNAL)) if event.values["kind"] == "games"]
    lines = (whole / JOURNAL).read_text().splitlines(keepends=True)
    cut.mkdir()
    (cut / JOURNAL).write_text("".join(lines[: played[2]]))  # of 12 games 6 were played
    assert run_command(words[0], [*words[1:], "--games", "6", "--out", str(cut)]) == 0
    summary = json.loads((cut / "summary.json").read_text())
    assert (summary["games"], summary["command"].count("--games")) == (6, 1)


def test_tournament__journal_that_was_damaged__is_named_and_mended_as_it_says(tmp_path):
    tournament.run(tmp_path, settings_of(games=300))
    tables, path = tables_in(tmp_path), tmp_path / JOURNAL
    lines = path.read_bytes().splitlines(keepends=True)
    at = len(lines) - 2
    path.write_bytes(b"".join([*lines[:at], lines[at].replace(b'"first":', b'"first":1'), *lines[at + 1 :]]))
    with pytest.raises(ValueError, match=rf"line {at + 1}: was changed, .*; `head -n {at}` keeps those, and the games"):
        tournament.run(tmp_path, settings_of(games=300))
    path.write_bytes(b"".join(lines[:at]))
    tournament.run(tmp_path, settings_of(games=300))
    assert tables_in(tmp_path) == tables


@pytest.mark.parametrize(
    ("asked", "left", "games", "later"),
    [
        ([300], {(0, 0), (0, 72), (0, 144)}, 216, 84),
        ([300], {(0, 0), (0, 72), (0, 216)}, 288, 12),  # another process had (0, 144) when it was killed
        ([6, 300], {(0, 0)}, 6, 294),
    ],
)
def test_tournament__resumed_for_fewer_games_than_were_begun__has_no_gap_and_differs_in_nothing(
    asked, left, games, later, tmp_path
):
    for count in asked:
        tournament.run(tmp_path, settings_of(games=count))
    events = [event.values for event in read(tmp_path / JOURNAL) if event.values["kind"] != "secret"]
    lost = [each for each in events if each["kind"] == "games" and (each["round"], each["first"]) not in left]
    write(tmp_path / JOURNAL, [each for each in events if each not in lost])
    tournament.run(tmp_path, settings_of(games=6))
    report = check(tmp_path, 0.01, False)
    assert report.differences == [] and any(f"{later} games at the end of rounds" in each for each in report.checked)
    assert History.at(tmp_path / JOURNAL).n_games == games


def test_tournament__another_run_in_the_folder__refused(tmp_path):
    tournament.run(tmp_path, settings_of())
    with only_run(tmp_path), pytest.raises(ValueError, match="another run is writing there"):
        tournament.run(tmp_path, settings_of(games=12))


def test_tournament__stopped_while_its_journal_is_made__begins_anew(tmp_path, monkeypatch):
    """A run that was killed between two bots left a journal without the others, and could not be resumed."""

    def stopped(path, text):
        path.with_name(".half").write_text(text[: len(text) // 2])
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("shogun_env.benchmarks.arena.run.write_whole", stopped)
        tournament.run(tmp_path, settings_of(seed=None))
    assert not (tmp_path / JOURNAL).exists()
    assert tournament.run(tmp_path, settings_of(seed=None))[1]


def test_tournament__until_interval__doubles_the_games_until_it_is_narrow_enough(tmp_path):
    tables, _ = tournament.run(tmp_path, settings_of(until_interval=0.06))
    assert max(row["high"] - row["low"] for row in tables["variants"][0]["leaderboard"]) <= 0.06
    assert tables["games"] in [6 * 2**k for k in range(3, 12)]
    assert len(History.at(tmp_path / JOURNAL).rounds) > 3
    again, _ = tournament.run(tmp_path, settings_of(until_interval=0.06))
    assert again == tables
    assert check(tmp_path, 0.01, False).differences == []


def test_tournament__drawn_line_ups__are_others_on_each_seed_and_can_be_checked(tmp_path, capsys):
    bots = [f"scripted:style={style}" for style in ("greedy", "lord", "rival")] + ["scripted", "random"]
    drawn = ["--game", "shitenno", "--agents", ",".join(bots), "--players", "2", "--line-ups", "drawn", "--seed", "3"]
    assert run_command("tournament", [*drawn, "--games", "12", "--out", str(tmp_path / LAST)]) == 0
    tables = History.at(tmp_path / LAST / JOURNAL).rounds[0].tables
    assert tables.shape == (6, 2)  # three laps, two line-ups of the five bots in each
    assert [len(set(lap.ravel().tolist())) for lap in tables.reshape(3, 2, 2)] == [4, 4, 4]
    assert len({frozenset(map(tuple, lap.tolist())) for lap in tables.reshape(3, 2, 2)}) > 1
    assert run_command("tournament", ["--check", str(tmp_path / LAST)]) == 0
    all_of_them = [argument for argument in drawn if argument not in ("--line-ups", "drawn")]
    says = refusal(capsys, "tournament", *all_of_them, "--games", "12", "--out", str(tmp_path / LAST))
    assert "another tournament" in says
    few = [*drawn, "--agents", "scripted,random", "--out", str(tmp_path / "few")]
    assert "drawn line-ups need more different agents than 2 players" in refusal(capsys, "tournament", *few)


def test_tournament__list__names_bots_with_parameters_and_games(capsys):
    assert run_command("tournament", ["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "random  (every game)" in lines
    assert "ppo:PATH:greedy=True  (every game)" in lines
    assert any(line.startswith("scripted:style=balanced") and line.endswith("(shitenno)") for line in lines)
