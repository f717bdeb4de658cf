"""Budgets: a run that is interrupted goes on, files of something else are refused, what is published is drawn."""

from __future__ import annotations

import json

import pytest

from shogun_env.benchmarks import budget
from shogun_env.benchmarks.budget import main, publish, run
from shogun_env.benchmarks.pictures import budget_curves
from shogun_env.policies import make_agent
from tests.games import NAMES, batch_class


def test_agents__of_the_table__are_bots_of_the_game():
    assert set(budget.AGENTS) == set(NAMES)
    for game, agents in budget.AGENTS.items():
        for agent in agents:
            make_agent(agent, batch_class(game).spec)


def test_run__interrupted__goes_on_where_its_file_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(budget, "CHUNK", 2)
    batch_type, file, bots = batch_class("shitenno"), tmp_path / "b.json", ["scripted", "random"]
    whole = run(batch_type, bots, "random", 5)
    run(batch_type, bots[:1], "random", 3, file)
    played = []
    measure = budget.measure
    monkeypatch.setattr(budget, "measure", lambda *args: played.append(args[1:]) or measure(*args))
    again = run(batch_type, bots, "random", 5, file)
    calls = [call for call in played if call[0] == "scripted"]
    assert calls == [("scripted", "random", budget.SEED + 3, 1), ("scripted", "random", budget.SEED + 4, 1)]
    assert json.loads(file.read_text()) == json.loads(json.dumps(again))
    for one, other in zip(whole["points"], again["points"], strict=True):
        assert one["won"] == other["won"] and (one["share"], one["low"]) == (other["share"], other["low"])
        assert other["cpu_s_per_game"] > 0
    assert run(batch_type, ["scripted"], "random", 5, limit=0.0)["points"] == []


def test_run__file_of_another_opponent__is_refused(tmp_path):
    file = tmp_path / "b.json"
    run(batch_class("shitenno"), ["random"], "random", 1, file)
    with pytest.raises(ValueError, match="another game, opponent or version"):
        run(batch_class("shitenno"), ["random"], "scripted", 1, file)


def test_run__bot_that_has_changed__is_not_added_to_what_it_was(tmp_path):
    file = tmp_path / "b.json"
    run(batch_class("shitenno"), ["random", "scripted"], "random", 1, file)
    figures = json.loads(file.read_text())
    figures["points"][1]["made_of"] = "0"
    file.write_text(json.dumps(figures))
    with pytest.raises(ValueError, match="scripted has changed since it was measured"):
        run(batch_class("shitenno"), ["random", "scripted"], "random", 2, file)
    assert json.loads(file.read_text()) == figures


def test_command__publish__replaces_the_same_run_and_is_drawn(tmp_path, capsys):
    file, results = tmp_path / "b.json", tmp_path / "budget.json"
    arguments = ["--game", "shitenno", "--agents", "random,scripted", "--against", "random", "--seeds", "2"]
    assert main([*arguments, "--json", str(file)]) == 0
    assert capsys.readouterr().out.splitlines()[1].endswith("scripted")
    publish([file], results)
    publish([file], results)
    (published,) = json.loads(results.read_text())["runs"]
    assert [point["agent"] for point in published["points"]] == ["random", "scripted"]
    assert all("won" not in point for point in published["points"])
    publish([file, file], results)
    assert len(json.loads(results.read_text())["runs"][0]["points"]) == 4
    assert b"against three random" in budget_curves([published], {"shitenno": "Shitenno"})
