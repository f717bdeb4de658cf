"""Budgets: a run that is interrupted goes on, files of something else are refused, what is published is drawn."""

import json

from shogun_env.benchmarks import budget
from shogun_env.benchmarks.pictures import draw_budgets, picture
from shogun_env.commands import run_command
from shogun_env.policies import make_agent
from tests.games import NAMES, batch_class
from tests.refusals import refusal


def test_agents__of_the_table__are_bots_of_the_game():
    assert set(budget.AGENTS) == set(NAMES)
    for game, agents in budget.AGENTS.items():
        for agent in agents:
            make_agent(agent, batch_class(game).spec)


def test_budget__of_a_game_for_fewer_players__is_refused(capsys):
    for more in ([], ["--agents", "random"]):
        line = refusal(capsys, "budget", "--game", "shikoku", *more)
        assert line == "shogun-env budget: --game shikoku: bots are measured with 4 players, and it has fewer"


def run(capsys, file, *arguments: str, agents: str = "random,scripted", against: str = "random") -> dict:
    words = ["--game", "shitenno", "--agents", agents, "--against", against, "--json", str(file)]
    assert run_command("budget", [*words, *arguments]) == 0
    capsys.readouterr()
    return json.loads(file.read_text())


def test_budget__interrupted__goes_on_where_its_file_ends(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(budget, "CHUNK", 2)
    file = tmp_path / "b.json"
    whole = run(capsys, tmp_path / "whole.json", "--seeds", "5", agents="scripted,random")
    run(capsys, file, "--seeds", "3", agents="scripted")
    calls = []
    played = budget.played
    monkeypatch.setattr(budget, "played", lambda *args: calls.append(args[1:]) or played(*args))
    again = run(capsys, file, "--seeds", "5", agents="scripted,random")
    of_scripted = [call for call in calls if call[0] == "scripted"]
    assert of_scripted == [("scripted", "random", budget.SEED + 3, 1), ("scripted", "random", budget.SEED + 4, 1)]
    for one, other in zip(whole["points"], again["points"], strict=True):
        assert one["won"] == other["won"] and (one["share"], one["low"]) == (other["share"], other["low"])
        assert other["cpu_s_per_game"] > 0
    assert run(capsys, tmp_path / "none.json", "--seconds", "0")["points"] == []


def test_budget__other_opponent_or_bot_that_has_changed__is_not_added_to_what_it_was(tmp_path, capsys):
    file = tmp_path / "b.json"
    figures = run(capsys, file, "--seeds", "1")
    arguments = ["--game", "shitenno", "--agents", "random,scripted", "--seeds", "2", "--json", str(file)]
    assert "of another run (against: random, not scripted)" in refusal(capsys, "budget", *arguments)
    figures["points"][1]["made_of"] = "0"
    file.write_text(json.dumps(figures))
    says = refusal(capsys, "budget", *arguments, "--against", "random")
    assert "scripted has changed since it was measured; give another --json" in says
    assert json.loads(file.read_text()) == figures


def test_publish__files__replace_the_same_run_are_joined_and_drawn(tmp_path, capsys):
    file, results, publish = tmp_path / "b.json", tmp_path / "budget.json", budget.EXPERIMENT.published.put
    results.write_text('{"runs": []}')
    figures = run(capsys, file, "--seeds", "2")
    assert budget.table(figures).splitlines()[1].endswith("scripted")
    publish([file], results)
    publish([file], results)
    (published,) = json.loads(results.read_text())["runs"]
    assert [point["agent"] for point in published["points"]] == ["random", "scripted"]
    assert all("won" not in point for point in published["points"])
    publish([file, file], results)
    assert len(json.loads(results.read_text())["runs"][0]["points"]) == 4
    drawn = picture(lambda axes: draw_budgets(axes, [published], {"shitenno": "Shitenno"}), 3.4)
    assert b"against three random" in drawn
