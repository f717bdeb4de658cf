"""The command that tunes numbers: what it searches, that it resumes to the same result, and what it refuses."""

import json
import shutil

import numpy as np
import pytest

from shogun_env.agents.scripted import NUMBERS
from shogun_env.agents.scripted.numbers import Number, Numbers
from shogun_env.benchmarks import tune as command
from shogun_env.benchmarks.strength import EXIT_STATUS
from shogun_env.benchmarks.tune import Judge, Search, conditions_of, weighted, write_table
from shogun_env.commands import run_command
from shogun_env.policies import make_agent
from shogun_env.shares import NO, UNDECIDED, YES
from shogun_env.shitenno import Batch as ShitennoBatch
from shogun_env.shogun import SHOGUN
from tests.refusals import refusal

TINY = [
    "--game", "shitenno", "--against", "random", "--players", "2,3", "--games", "12", "--population", "4",
    "--only", "troop,koku,hurt", "--report-games", "12", "--threads", "1",
]  # fmt: skip


def tune(out, *more: str) -> dict:
    assert run_command("tune", [*TINY, "--out", str(out), *more]) == 0
    return json.loads((out / "numbers.json").read_text())


def test_search__a_peak_far_from_the_start__found_within_bounds():
    numbers = (
        Number("a", 1.0, 4, "points", ""),
        Number("b", 0.05, 1, "share", ""),
        Number("c", 10.0, 60, "chests", ""),
    )
    peak = np.array([2.0, 0.5, 60.0])  # the last one at its highest value
    search = Search(numbers, [1.0, 0.05, 10.0], sigma=0.3, seed=3)
    highest = np.array([number.highest for number in numbers])

    def value_of(point):
        assert (point >= 0).all()
        assert (point <= highest).all()
        return -float((((point - peak) / highest) ** 2).sum())

    for _ in range(80):
        search.generation(value_of)
    assert search.mean == pytest.approx(peak, rel=0.1)


def test_weighted__with_and_without():
    assert weighted("0.5*scripted:style=builder") == (0.5, "scripted:style=builder")
    assert weighted("scripted") == (1.0, "scripted")
    for wrong in ("0*random", "x*random", "nan*random", "inf*random"):
        with pytest.raises(ValueError, match="must be a number above 0"):
            weighted(wrong)


def test_conditions__lists__all_combinations_that_are_allowed():
    given = {"num_players": "3,4", "side": "sun,moon", "start": "preset,random"}
    sets = [each.options for each in conditions_of(SHOGUN, ["random"], given)]
    assert {(one["num_players"], one["side"], one["start"]) for one in sets} == {
        (players, *board) for players in (3, 4) for board in (("sun", "preset"), ("sun", "random"), ("moon", "random"))
    }
    with pytest.raises(ValueError, match="num_players=9"):
        conditions_of(SHOGUN, ["random"], {"num_players": "9,10"})


def test_judge__a_bot_against_itself__is_worth_one_and_threads_do_not_matter():
    conditions = conditions_of(ShitennoBatch.spec, ["2*scripted"], {"num_players": "2,4"})
    agent = make_agent("scripted", ShitennoBatch.spec)
    values = [Judge(ShitennoBatch, conditions, 48, threads).value(agent, 5) for threads in (1, 2)]
    assert values == [pytest.approx(1.0)] * 2  # every rotation of a seed has the same winner


def test_tune__stopped_and_resumed__same_numbers_as_in_one_go(tmp_path, capsys):
    whole = tune(tmp_path / "whole", "--generations", "3")
    tune(tmp_path / "parts", "--generations", "1")
    shutil.copy(tmp_path / "parts" / "state.json", tmp_path / "first.json")
    parts = tune(tmp_path / "parts", "--generations", "3")
    assert parts["numbers"] == whole["numbers"]
    assert parts["shares"] == whole["shares"]
    assert set(whole["numbers"]) == {"troop", "koku", "hurt"}
    assert whole["numbers"] != whole["before"]
    states = [json.loads((tmp_path / name / "state.json").read_text()) for name in ("whole", "parts")]
    for state in states:
        del state["command"], state["machine"]
    assert states[0] == states[1]
    assert states[0]["generations"][:1] == json.loads((tmp_path / "first.json").read_text())["generations"]
    assert "| number" in capsys.readouterr().out
    says = refusal(capsys, "tune", *TINY, "--out", str(tmp_path / "parts"), "--seed", "2")
    assert "state.json: of another run (seed: 0, not 2); give another --out" in says


def test_tune__no_time__reports_the_start(tmp_path):
    result = tune(tmp_path / "t", "--minutes", "0")
    assert result["numbers"] == result["before"]
    assert result["generations"] == 0


def test_tune__another_style__begins_with_its_numbers(tmp_path):
    result = tune(tmp_path / "t", "--bot", "scripted:style=greedy", "--minutes", "0")
    usual = {number.name: number.value for number in NUMBERS["shitenno"].numbers}
    assert result["before"] == {"troop": 1.0, "koku": 1.0, "hurt": usual["hurt"]}


def test_verdict__of_shares_far_apart_or_equal__and_write_needs_a_yes(tmp_path, capsys):
    conditions = conditions_of(ShitennoBatch.spec, ["scripted", "2*random"], {"num_players": "2,3"})
    judge = Judge(ShitennoBatch, conditions, 400)
    rng = np.random.default_rng(1)
    weak, strong = (
        [(rng.random((seeds, condition.players)) < share).astype(float) for condition in conditions for seeds in [200]]
        for share in (0.3, 0.6)
    )
    assert command.verdict_of(judge, weak, strong) == YES
    assert command.verdict_of(judge, strong, weak) == NO
    assert command.verdict_of(judge, [part[:7] for part in weak], [part[:7] for part in weak]) == UNDECIDED
    path = tmp_path / "numbers.toml"
    path.write_text(TABLE, "utf-8")
    arguments = [*TINY, "--out", str(tmp_path / "t"), "--minutes", "0", "--write", str(path)]
    assert run_command("tune", arguments) == EXIT_STATUS[UNDECIDED]  # nothing was searched, so nothing is better
    assert path.read_text("utf-8") == TABLE
    assert "numbers.toml is left as it was: the numbers are not surely better" in capsys.readouterr().err


TABLE = """\
origin = "chosen (by) \\"hand\\""

[numbers]
a = {value = 1.0, highest = 4, unit = "points", meaning = "worth of a \\\\"}
b = {value = 0.25, highest = 1, unit = "share", meaning = "ō"}

[styles]
balanced = {}
bold = {a = 2.5}
"""


def test_write_table__values_and_origin__all_else_as_it_was(tmp_path):
    path = tmp_path / "numbers.toml"
    path.write_text(TABLE, "utf-8")
    write_table(path, {"b": 0.125}, 'chosen (by) "hand"')
    assert path.read_text("utf-8") == TABLE.replace("0.25", "0.125")
    write_table(path, {"a": 3.5, "b": 0.5}, "by a command")
    table = Numbers.read(path)
    assert [number.value for number in table.numbers] == [3.5, 0.5] and table.origin == "by a command"


@pytest.mark.parametrize("text", ["numbers = 1\n", TABLE.replace("b =", "other ="), TABLE.replace("origin", "since")])
def test_write_table__another_file__refused_and_left(text, tmp_path):
    path = tmp_path / "numbers.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"numbers\.toml: not"):
        write_table(path, {"b": 0.5}, "by a command")
    assert path.read_text("utf-8") == text
