"""What all experiments share: options of settings, files with an origin, resuming, and Ctrl-C."""

import json
import sys
from dataclasses import dataclass
from functools import partial

import pytest

from shogun_env import cli, commands
from shogun_env.benchmarks.experiment import Experiment, GameSettings, WithOptions, earlier
from shogun_env.commands import Command
from tests.refusals import refusal


@dataclass(frozen=True)
class Settings(GameSettings):
    of: str = "rows"
    """What is counted."""
    rows: int = 3
    """How many."""
    loud: bool = False
    """Not used."""
    stop: int = 99
    """Stop before this row, from 1."""


def measure(settings, watch):
    for row in watch.each(range(len(watch.earlier), settings.rows)):
        if row + 1 == settings.stop:
            raise KeyboardInterrupt
        yield row


COUNTED = Experiment(
    name="count",
    settings=Settings,
    measure=measure,
    question=lambda settings, path: {"of": settings.of, "game": settings.game},
    figures=lambda settings, rows: {"rows": rows},
    table=lambda run: f"{len(run['rows'])} {run['of']}\n",
    line=lambda row: f"row {row}",
    status=lambda run: len(run["rows"]),
)


@pytest.fixture
def run(monkeypatch):
    """Run an experiment as a command; it is returned so that ``refusal`` can run it."""

    def run(words, experiment=COUNTED):
        monkeypatch.setitem(commands.COMMANDS, "count", Command("count rows", "benchmarks.counted"))
        monkeypatch.setitem(sys.modules, "shogun_env.benchmarks.counted", experiment)
        return commands.run_command("count", words)

    return run


def test_main__settings_of_the_command_line__are_measured_printed_and_kept_with_their_origin(run, tmp_path, capsys):
    file = tmp_path / "new" / "count.json"
    assert run(["--of", "lines", "--rows", "2", "--game", "shitenno", "--json", str(file)]) == 2
    assert capsys.readouterr().out == "row 0\nrow 1\n2 lines\n"
    kept = json.loads(file.read_text())
    assert {"cpu", "cores", "load", "versions", "commit"} == set(kept.pop("machine"))
    command = f"shogun-env count --of lines --rows 2 --game shitenno --json {file}"
    assert kept == {"command": command, "of": "lines", "game": "shitenno", "rows": [0, 1]}
    for words in (["--rows", "0"], ["--players", "3"]):
        assert words[0] in refusal(capsys, run, *words)


def test_parser__settings_with_options_of_play__has_them_and_explains_defaults(capsys):
    @dataclass(frozen=True)
    class Own(Settings, WithOptions):
        pass

    parser = cli.Parser()
    Experiment(**{**vars(COUNTED), "settings": Own}).add_arguments(parser, "shitenno")
    args = parser.parse_args(["--players", "3", "--loud"])
    assert (args.options, args.loud, args.rows) == ([{"num_players": 3}], True, 3)
    assert "what is counted (rows)" in parser.format_help()


def test_main__ctrl_c__keeps_complete_rows_and_says_so_by_its_status(run, tmp_path, capsys):
    file = tmp_path / "count.json"
    assert run(["--json", str(file), "--stop", "3"]) == 130
    assert json.loads(file.read_text())["rows"] == [0, 1]
    assert "stopped; what is complete is kept" in capsys.readouterr().err
    with pytest.raises(SystemExit) as left:
        run(["--json", str(tmp_path / "none.json"), "--stop", "1"])
    assert left.value.code == 130 and not (tmp_path / "none.json").exists()


def test_main__file_of_the_same_question__is_resumed_and_of_another_refused(run, tmp_path, capsys):
    resumed = Experiment(**{**vars(COUNTED), "resumed_from": ("rows", [range(9)])})
    file = tmp_path / "count.json"
    run(["--json", str(file), "--stop", "3"], resumed)
    capsys.readouterr()
    run(["--json", str(file), "--rows", "4"], resumed)
    assert capsys.readouterr().out == "row 2\nrow 3\n2 rows\n"
    before = file.read_text()
    says = refusal(capsys, partial(run, experiment=resumed), "--json", str(file), "--of", "lines")
    assert "count.json: of another run (of: rows, not lines); give another --json" in says
    assert file.read_text() == before


def test_main__run_that_dies__has_written_every_row_so_far(run, tmp_path, capsys):
    def dying(settings, watch):
        yield from range(2)
        raise ValueError("killed")

    file = tmp_path / "count.json"
    dies = Experiment(**{**vars(COUNTED), "resumed_from": ("rows", [range(9)]), "measure": dying})
    assert "killed" in refusal(capsys, partial(run, experiment=dies), "--json", str(file))
    assert json.loads(file.read_text())["rows"] == [0, 1]


def test_earlier__files__are_compared_down_to_the_value_that_differs(tmp_path):
    file = tmp_path / "state.json"
    assert earlier(None, {}, "values", [3]) == earlier(file, {}, "values", [3]) == []
    file.write_text(json.dumps({"settings": {"seed": 1, "limits": {"high": 0.5}}, "values": [3], "other": 1}))
    assert earlier(file, {"settings": {"seed": 1}}, "values", [range(5)]) == [3]
    with pytest.raises(ValueError, match=r"another run \(settings limits high: 0.5, not 0.6\); give another --out"):
        earlier(file, {"settings": {"seed": 1, "limits": {"high": 0.6}}}, "values", [3], option="--out")
    with pytest.raises(ValueError, match="not of this command; it must hold settings, rows"):
        earlier(file, {"settings": {}}, "rows", [3])
    with pytest.raises(ValueError, match=r"state\.json: damaged; other is 1, must be a list of 3"):
        earlier(file, {}, "other", [3])
    file.write_text(json.dumps({"variants": [{"players": 2}, {"players": 3}], "rows": [1]}), "utf-8")
    with pytest.raises(ValueError, match="of another run"):
        earlier(file, {"variants": [{"players": 2}]}, "rows", [1])


def test_main__settings_that_ask_for_another_experiment__run_that_one(run, capsys):
    other = Experiment(**{**vars(COUNTED), "line": lambda row: f"other {row}"})
    both = Experiment(**{**vars(COUNTED), "instead": lambda settings: other if settings.loud else None})
    run(["--loud", "--rows", "1"], both)
    run(["--rows", "1"], both)
    assert capsys.readouterr().out == "other 0\n1 rows\nrow 0\n1 rows\n"


@pytest.mark.parametrize("name", ["starts", "habits", "strength", "speed"])
def test_experiments__names__are_those_of_commands(name):
    module = __import__(f"shogun_env.{commands.COMMANDS[name].place}", fromlist=["EXPERIMENT"])
    assert module.EXPERIMENT.name == name
