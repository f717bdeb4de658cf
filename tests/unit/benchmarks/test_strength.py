"""The panel: its rows, what it measures and what it refuses."""

import hashlib
import json

import pytest

from shogun_env.agents.fingerprint import made_of
from shogun_env.benchmarks import strength
from shogun_env.benchmarks.strength import MIXED, Rung, panel, rows_of
from shogun_env.commands import run_command
from shogun_env.policies import make_agent
from tests.games import batch_class, each_game
from tests.refusals import refusal

MEMBERS = {"shogun": "8c80ae0c", "shitenno": "6785cb89"}
"""A hash of the members of the panel, with weights and numbers: a new champion is one of the next panel."""


@each_game
def test_panel__rows__different_bots_and_their_mix_from_fair_starts(name):
    spec = batch_class(name).spec
    rows = rows_of(spec)
    assert [row.against for row in rows] == [*panel(spec), MIXED]
    assert all(row.options == spec.fair for row in rows)
    numbers = [made_of(bot, spec)[:16] if make_agent(bot, spec).compiled else bot for bot in panel(spec)]
    assert len(set(numbers)) == len(numbers)
    assert hashlib.sha256("".join(numbers).encode()).hexdigest()[:8] == MEMBERS[name], "raise PANEL_VERSION"


@each_game
def test_strength__command__one_line_per_rung_and_json(name, tmp_path, capsys):
    path = tmp_path / "s.json"
    rungs = "random,scripted"
    arguments = ["--game", name, "--agent", "scripted", "--rungs", rungs, "--seeds", "4", "--threads", "1"]
    assert run_command("strength", [*arguments, "--json", str(path)]) == 0
    result = json.loads(path.read_text())
    assert {"protocol", "version", "signature", "machine", "command", "seed"} <= set(result)
    variants = strength.variants(batch_class(name).spec)
    expected = [(against, options) for against in rungs.split(",") for options in variants]
    assert [(rung["against"], rung["options"]) for rung in result["rungs"]] == expected
    counts = sorted(batch_class(name).spec.option_choices["num_players"])
    for rung in result["rungs"]:
        assert list(rung["players"]) == [str(count) for count in counts]
        for players, figures in rung["players"].items():
            assert len(figures["seats"]) == int(players)
            assert figures["games"] == 4 * int(players)
            assert 0 <= figures["low"] <= figures["share"] <= figures["high"] <= 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"against {Rung(*rung).title}" for rung in expected]
    assert lines[0].startswith("against random --start random: 3" if name == "shogun" else "against random: 2")
    assert result["rungs"][len(variants)]["players"][str(counts[0])]["share"] == pytest.approx(1 / counts[0])


def test_strength__panel__ends_with_mean_and_worst(monkeypatch, capsys):
    monkeypatch.setattr(strength, "panel", lambda spec: ["random", "scripted"])
    arguments = ["--game", "shitenno", "--agent", "scripted", "--players", "2", "--seeds", "3", "--threads", "1"]
    assert run_command("strength", arguments) == 0
    *rows, last = capsys.readouterr().out.splitlines()
    assert [row.split(":")[0] for row in rows] == ["against random", "against scripted", "against mixed"]
    assert last.startswith("2 players: ") and last.endswith("(50.0)")
    assert run_command("strength", [*arguments, "--rungs", "mixed"]) == 0  # drawn from the panel, of which it is a part
    assert [row.split(",")[0] for row in capsys.readouterr().out.splitlines()] == [rows[-1].split(",")[0]]


QUESTION = ["--game", "shitenno", "--agent", "scripted", "--players", "2", "--threads", "1"]


def ask(capsys, path, *arguments):
    """Run a test; return the exit status, the file, and the line that it prints."""
    status = run_command("strength", [*QUESTION, "--json", str(path), *arguments])
    return status, json.loads(path.read_text()), capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["--against", "random"], 0, "yes: scripted wins more than 50.0 % against random; 100.0 % ("),
        (
            ["--against", "random", "--better-than", "97", "--seeds", "3"],
            3,
            "undecided whether scripted wins more than",
        ),
        (["--against", "scripted", "--zone", "8"], 1, "no: scripted wins less than 58.0 % against scripted; 50.0 % ("),
    ],
)
def test_against__bots_far_apart_and_alike__status_is_the_answer(arguments, status, says, tmp_path, capsys):
    said, result, text = ask(capsys, tmp_path / "t.json", *arguments)
    assert (said, text[: len(says)]) == (status, says)
    assert {"verdict", "share", "low", "high", "seeds", "games", "values", "machine", "command"} <= set(result)
    assert result["games"] == 2 * result["seeds"]
    assert result["low"] <= result["share"] <= result["high"]
    assert result["seeds"] < 50


def test_against__stopped_and_resumed__same_answer_and_other_tests_are_refused(tmp_path, capsys):
    path, question = tmp_path / "t.json", ["--against", "pool:2min"]
    _, whole, _ = ask(capsys, tmp_path / "whole.json", *question, "--seeds", "40")
    assert ask(capsys, path, *question, "--seeds", "5")[1]["verdict"] == "undecided"
    _, parts, _ = ask(capsys, path, *question, "--seeds", "40")
    assert {**parts, "command": "", "machine": ""} == {**whole, "command": "", "machine": ""}
    assert len(parts["values"]) > 5
    begun = path.read_bytes()
    others = {
        "game": ["--game", "shogun", "--players", "3"],
        "bounds high": ["--zone", "3"],
        "agent": ["--agent", "random"],
        "variants": ["--players", "3"],
    }
    for says, other in others.items():
        assert f"of another run (settings {says}: " in refusal(
            capsys, "strength", *QUESTION, *question, "--json", str(path), *other
        )
    for values in ([None], [[0.5]], [2]):
        path.write_text(json.dumps(whole | {"values": values}))
        assert f"{path}: damaged; values is {json.dumps(values)}, must be a list of a" in refusal(
            capsys, "strength", *QUESTION, *question, "--json", str(path)
        )
    path.write_text(json.dumps({"protocol": 2, "rungs": []}))
    assert "not of this command; it must hold settings, values" in refusal(
        capsys, "strength", *QUESTION, *question, "--json", str(path)
    )
    path.write_bytes(begun.replace(b'"numbers": [\n   "', b'"numbers": [\n   "0'))
    assert "another run (settings numbers: " in refusal(capsys, "strength", *QUESTION, *question, "--json", str(path))


def test_against__resumed_with_a_python_bot_that_has_changed__is_refused(tmp_path, capsys):
    """Values of the bot as it was were counted for the one that it had become."""
    bot, path = tmp_path / "mine.py", tmp_path / "mine.json"
    text = (
        "class Bot:\n    act = lambda self, view, rng: view.masks.argmax(1)\ndef make(game_spec):\n    return Bot()\n"
    )
    bot.write_text(text)
    question = ["--agent", f"{bot}:make", "--against", "random"]
    begun = ask(capsys, path, *question, "--seeds", "3")[1]["values"]
    assert ask(capsys, path, *question, "--seeds", "6")[1]["values"][:3] == begun  # its own file is no part of a bot
    bot.write_text(text.replace("argmax", "argmin"))
    assert "another run (settings numbers: " in refusal(capsys, "strength", *QUESTION, *question, "--json", str(path))


OVER_PANEL = ["--against", "panel", "--better-than"]


@pytest.mark.parametrize(("better_than", "status", "verdict"), [("40", 0, "yes"), ("80", 1, "no")])
def test_against__panel__value_of_a_seed_is_the_mean_of_all_rows(
    better_than, status, verdict, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(strength, "panel", lambda spec: ["random", "scripted:style=rival"])
    whole, path, rows = tmp_path / "whole.json", tmp_path / "t.json", tmp_path / "rows.json"
    said, result, text = ask(capsys, whole, *OVER_PANEL, better_than, "--players", "2,3")
    assert (said, result["verdict"]) == (status, verdict)
    assert text.startswith(f"{verdict}: scripted wins ") and f" over the panel; {100 * result['share']:.1f} % (" in text
    ask(capsys, path, *OVER_PANEL, better_than, "--players", "2,3", "--seeds", "3")
    assert ask(capsys, path, *OVER_PANEL, better_than, "--players", "2,3")[1]["values"] == result["values"]  # resumed
    _, measured, _ = ask(capsys, rows, "--players", "2,3", "--seeds", str(result["seeds"]))
    figures = [row["players"][count] for row in measured["rungs"] for count in ("2", "3")]
    assert result["share"] == pytest.approx(sum(each["share"] for each in figures) / len(figures))
    assert result["games"] == sum(each["games"] for each in figures)
    monkeypatch.setattr(strength, "panel", lambda spec: ["random", "pool:2min"])
    line = refusal(capsys, "strength", *QUESTION, *OVER_PANEL, better_than, "--players", "2,3", "--json", str(path))
    assert "of another run (settings numbers: " in line


def test_against__panel_of_shogun__is_met_from_fair_starts(tmp_path, monkeypatch):
    path = tmp_path / "t.json"
    monkeypatch.setattr(strength, "panel", lambda spec: ["random"])
    arguments = ["--game", "shogun", "--agent", "random", "--players", "3", "--seeds", "2", "--json", str(path)]
    assert run_command("strength", [*arguments, *OVER_PANEL, "34"]) == 3
    assert [options["start"] for options in json.loads(path.read_text())["settings"]["variants"]] == ["random"]
