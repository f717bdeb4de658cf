"""Checking a program: what is told of one that plays by the protocol, and of ones that do not."""

import inspect
import re

import pytest

from shogun_env.benchmarks.bot_check import play
from shogun_env.commands import run_command
from shogun_env.policies import make_agent
from tests.games import batch_class
from tests.unit.agents.program.test_program import BOTS, WAYS
from tests.unit.benchmarks.arena.test_referee import Forgetful
from tests.zoo.keeper import keeper, kept

FEW = ["--game", "shitenno", "--games", "2", "--players", "2"]


def test_bot_check__good_program__has_no_faults(capsys):
    assert run_command("bot-check", [f"exec:python {BOTS / 'random_bot.py'}", *FEW]) == 0
    out = capsys.readouterr().out
    assert re.fullmatch(r"random: wants -\n0 faults in \d+ decisions, [1-9][\d,]* decisions per second\n.*\n", out)


def test_bot_check__of_serve__tells_a_bot_that_games_begin_and_end_and_counts_no_fault_if_that_fails(capsys, tmp_path):
    (tmp_path / "mine.py").write_text(f"from shogun_env.policies import Bot\n\n\n{inspect.getsource(Forgetful)}")
    assert run_command("bot-check", [f"python -m shogun_env serve {tmp_path}/mine.py:Forgetful", *FEW]) == 0
    out = capsys.readouterr().out
    assert "\n0 faults in" in out
    assert re.search(r"\nits standard error ends with: \w+Error: .+ \(standard error: .+\)\n$", out)


@pytest.mark.parametrize(
    ("way", "says"),
    [
        ("illegal", " illegal: action 10000 is illegal"),
        ("text", " form: each line must be a JSON object, not 'thinking'"),
    ],
)
def test_bot_check__bad_program__is_told_game_by_game(way, says, capsys):
    assert run_command("bot-check", [f"python {WAYS} {way}", *FEW]) == 1
    out = capsys.readouterr().out
    assert re.findall(rf"^(.*): [1-9]\d*{says}$", out, re.M) == ["game 1", "game 2", "all games together"]


@pytest.mark.full
def test_bots__planner__wins_most_games_against_random():
    engine = batch_class("shogun")
    program = make_agent(f"exec:python {BOTS / 'planner.py'}", engine.spec)
    played = play(engine, program, {"num_players": 3}, range(6), seed=0)
    program.close()
    assert not played.faults
    assert played.wins >= 0.6 * 6


def test_bot_check__program_that_wants_lines_and_results__is_told_them(tmp_path, capsys):
    assert run_command("bot-check", [keeper(tmp_path / "log", wants=["lines", "result"]), *FEW]) == 0
    assert "wants lines, result" in capsys.readouterr().out
    (told,) = kept(tmp_path / "log").values()
    assert any(each["lines"] for each in told if each["t"] == "decide")
    assert {len(each["points"]) for each in told if each["t"] == "over"} == {2}
