"""The tournament command: tables that say what was played, and what it refuses."""

from __future__ import annotations

import json

import pytest

from shogun_env.benchmarks import tournament
from tests.games import each_game_and_player_count


@each_game_and_player_count
def test_tournament__command__writes_all_tables_and_resumes(name, players, tmp_path, capsys):
    table = ["--game", name, "--players", str(players), "--games", "12"]
    arguments = ["--agents", "scripted,random", *table, "--out", str(tmp_path / "t")]
    assert tournament.main([*arguments, "--json", str(tmp_path / "s.json")]) == 0
    summary = json.loads((tmp_path / "t" / "summary.json").read_text())
    rows = (tmp_path / "t" / "results.jsonl").read_bytes()
    assert summary == json.loads((tmp_path / "s.json").read_text())
    assert summary["games"] == len(rows.splitlines()) >= 12
    assert summary["settings"]["game"] == name
    assert summary["settings"]["options"]["num_players"] == players
    assert {"commit", "versions", "command", "interval"} <= set(summary)
    assert tournament.main(arguments) == 0
    assert (tmp_path / "t" / "results.jsonl").read_bytes() == rows
    assert "scripted" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--agents", "nobody,random"], "unknown agent 'nobody'"),
        (["--agents", "random,scripted", "--players", "9"], "num_players=9"),
        (["--agents", "random,scripted", "--games", "0"], "argument --games: '0' must be a whole number, at least 1"),
        (["--agents", "random,scripted", "--option", "side"], "argument --option: 'side' must be NAME=VALUE"),
        (
            ["--agents", "random,scripted", "--game", "chess"],
            "invalid choice: 'chess' (choose from 'shogun', 'shitenno')",
        ),
    ],
)
def test_tournament__bad_arguments__one_line_and_status_2(arguments, says, tmp_path, capsys):
    with pytest.raises(SystemExit) as caught:
        tournament.main([*arguments, "--out", str(tmp_path / "t")])
    assert caught.value.code == 2
    line = capsys.readouterr().err
    assert says in line
    assert line.count("\n") == 1
    assert not (tmp_path / "t").exists()


def test_tournament__folder_of_another__refused(tmp_path):
    settings = {
        "game": "shogun",
        "agents": ["scripted", "random"],
        "games": 6,
        "seed": 0,
        "options": {"num_players": 3},
    }
    tournament.run(tmp_path, settings)
    with pytest.raises(ValueError, match=r"another tournament \(seed: 0, not 1\); give another --out"):
        tournament.run(tmp_path, {**settings, "seed": 1})
