"""One dialect of options: every command that plays takes the same options, and says the same about wrong ones."""

import io
import re
import signal
import sys
import time
import weakref
from types import SimpleNamespace

import pytest

from shogun_env import cli
from shogun_env.commands import parser_of
from tests.games import KINDS, NAMES, batch_class, each_game
from tests.refusals import refusal

pytest.importorskip("torch")

ARGUMENTS = {"tournament": ["--agents", "random,scripted"]}
"""Arguments that a command cannot do without."""
each_playing_command = pytest.mark.parametrize("command", ["record", "selfplay", "speed", "starts", "tournament"])


@each_game
@each_playing_command
def test_options_of_play__of_every_kind_of_game__are_read_by_every_command(name, command):
    parser = parser_of(command, name)
    check = batch_class(name).spec.check_options
    for options in KINDS[name]:
        arguments = [*ARGUMENTS.get(command, []), "--game", name, *cli.option_arguments(options)]
        args = parser.parse_args(arguments)
        assert args.game == name
        assert check(cli.options_of(args)) == check(options)


WRONG = {
    "--game chess": "argument --game: invalid choice: 'chess'",
    "--players six": "num_players='six': must be 3, 4 or 5",
    "--players 6": "num_players=6: must be 3, 4 or 5",
    "--side moon": "start='preset' with side='moon': must be draft or random",
    "--tower round": "tower='round': must be one of two_floor, one_shot, or all of floors, stick, dislodge, shake",
    "--tower 2:0.5": "tower=[2, 0.5]: must be one of two_floor",
    "--tower 9:0:0:0": "tower floors=9: must be a whole number from 1 to 4",
    "--tower 2:0:-.1:0": "tower dislodge=-0.1: must be a probability from 0 to 1",
    "--option side": "argument --option: 'side' must be NAME=VALUE",
    "--option colour=red": "unknown option 'colour'; known are num_players, side",
    "--option seed=3": "unknown option 'seed'; known are num_players, side",
    "--option optional_moves=2": "optional_moves=2: must be True or False",
    "--optional-move": "unrecognized arguments: --optional-move; did you mean --optional-moves?",
    "--plyers=3": "unrecognized arguments: --plyers=3; did you mean --players?",
    "--no": "unrecognized arguments: --no",
    "--game shitenno --side moon": "unrecognized arguments: --side moon",
}


@each_playing_command
@pytest.mark.parametrize("arguments", WRONG)
def test_options_of_play__wrong__are_refused_in_the_same_words_by_every_command(
    arguments, command, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    line = refusal(capsys, command, *ARGUMENTS.get(command, []), *arguments.split())
    assert line.split(": ", 1)[1].startswith(WRONG[arguments])
    assert list(tmp_path.iterdir()) == []


VALUES = {
    "true": True, "False": False, "3": 3, "-1": -1, "0.5": 0.5, ".5": 0.5, "1e-05": 1e-05,
    "2:0.15:.025:0": [2, 0.15, 0.025, 0], "moon": "moon",
    "2:": "2:", "2:half": "2:half", "": "", "٣": "٣", "nan": "nan",
}  # fmt: skip


@pytest.mark.parametrize("text", VALUES)
def test_option_value__text__is_the_value_and_of_its_type(text):
    value = cli.option_value(text)
    assert value == VALUES[text]
    assert type(value) is type(VALUES[text])


@each_game
def test_options_of__fair__are_those_of_the_game(name):
    spec, parser = batch_class(name).spec, parser_of("record", name)
    assert cli.options_of(parser.parse_args(["--players", "3", "--fair"])) == {"num_players": 3, **spec.fair}
    assert spec.check_options(spec.fair)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--players 3 --option num_players=5", "num_players: is given as 3 and as 5; leave one out"),
        ("--fair --start preset", "start: is given as random and as preset"),
        ("--optional-moves --no-optional-moves", "optional_moves: is given as True and as False"),
    ],
)
def test_options_of__two_values_of_an_option__are_refused_in_either_order(arguments, message):
    args = parser_of("record", "shogun").parse_args(arguments.split())
    with pytest.raises(ValueError, match=message):
        cli.options_of(args)


def test_options_of__the_same_value_twice__is_that_value():
    args = parser_of("record", "shogun").parse_args(["--players", "3", "--fair", "--option", "start=random", "--fair"])
    assert cli.options_of(args) == {"num_players": 3, "start": "random"}


def test_unusual_options__given__are_those_that_differ_from_the_defaults():
    spec = batch_class("shogun").spec
    assert cli.unusual_options(spec, {"num_players": 4, "tower": "two_floor"}) == {}
    assert cli.unusual_options(spec, {"num_players": 3, "side": "sun"}) == {"num_players": 3}
    with pytest.raises(ValueError, match="num_players=7"):
        cli.unusual_options(spec, {"num_players": 7})


@pytest.mark.parametrize("name", NAMES)
def test_chosen_game__named_or_not__is_a_game(name):
    assert cli.chosen_game(["--agents", "x", "--game", name, "--side", "moon"]) == name
    assert cli.chosen_game([f"--game={name}"]) == name
    for arguments in ([], ["--game"], ["--game", "chess"]):
        assert cli.chosen_game(arguments) == NAMES[0]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("folder", "is not a file; give the name of one"),
        ("/dev/null", "is not a file; give the name of one"),
        ("link", "is not a file; give the name of one"),  # as /dev/stdout
        ("file/figures.json", "cannot be written: .*file: Not a directory"),
        ("/proc/figures.json", "cannot be written: /proc: "),
    ],
)
def test_json__path_that_cannot_be_written__is_said_before_anything_is_measured(path, why, tmp_path, capsys):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to("file")
    parser = cli.Parser(prog="measure")
    parser.add_json("figures")
    assert re.search(why, refusal(capsys, parser.parse_args, "--json", str(tmp_path / path)))
    assert parser.parse_args(["--json", str(tmp_path / "new" / "x.json")]).json == tmp_path / "new" / "x.json"
    assert not (tmp_path / "new").exists()


def test_out__a_file_where_a_folder_is_wanted__is_refused_by_the_name_of_the_argument(tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    parser = cli.Parser(prog="measure")
    parser.add_out("out")
    assert "argument -o/--out: " in (said := refusal(capsys, parser.parse_args, "--out", str(tmp_path / "file")))
    assert said.endswith("file' is not a folder; give the name of one")
    assert parser.parse_args(["--out", str(tmp_path / "new" / "out")]).out == tmp_path / "new" / "out"


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [
        (ValueError("two\nlines"), 2, "prog: two lines"),
        (FileNotFoundError(2, "No such file", "x"), 2, "prog: x: No such file"),
        (FileNotFoundError(2, "No such file", "x", None, "y"), 2, "prog: [Errno 2] No such file: 'x' -> 'y'"),
        (OSError("port 80: taken"), 2, "prog: port 80: taken"),
        (MemoryError("54 TiB"), 2, "prog: not enough memory; try fewer games, bots or threads (54 TiB)"),
        (KeyboardInterrupt(), 130, "prog: stopped"),
    ],
)
def test_one_line_errors__of_a_command__are_one_line_and_a_status(error, status, says, capsys):
    with pytest.raises(SystemExit) as left, cli.Parser(prog="prog").one_line_errors():
        raise error
    assert left.value.code == status
    assert capsys.readouterr().err == f"{says}\n"


@pytest.mark.parametrize("then", [lambda: time.sleep(20), lambda: next(iter(()))], ids=["waits", "fails"])
def test_one_line_errors__ctrl_c_where_python_can_only_ignore_it__is_not_lost(then, capsys):
    """A run whose bots' threads had just ended went on after Ctrl-C, which came in a callback of a weak reference.

    And numba, whose callback gives a compiler its result, failed for want of it.
    """

    class Gone:
        pass

    def interrupted(_):
        raise KeyboardInterrupt

    gone = Gone()
    callback = weakref.ref(gone, interrupted)
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell ignores in the background
    try:
        with pytest.raises(SystemExit) as left, cli.Parser(prog="prog").one_line_errors():
            del gone
            begun = time.monotonic()
            then()
    finally:
        signal.signal(signal.SIGINT, ours)
    assert time.monotonic() - begun < 10  # it ends a wait
    assert callback() is None
    assert left.value.code == 130
    assert capsys.readouterr().err == "prog: stopped\n"


def test_commit__near_a_tag__is_a_hash_all_the_same():
    """A tag may be moved, and its name stood in published figures."""
    assert re.fullmatch(r"[0-9a-f]{12,}\+?|unknown", cli.commit())


def test_progress__without_a_terminal__prints_the_last_line_once(capsys):
    with cli.progress("games", 2) as show:
        show(1, "half")
        show(2, "all")
        show(2, "all again")
    captured = capsys.readouterr()
    assert captured.err == "games: 100%  all\n"
    assert captured.out == ""


@pytest.mark.parametrize("stream", [None, SimpleNamespace(write=str, flush=str)])
def test_progress__where_stderr_is_none_or_no_file__ends_nothing(monkeypatch, stream):
    monkeypatch.setattr(sys, "stderr", stream)
    with cli.progress("games", 1) as show:
        show(1, "all")


def test_progress__within_a_task_that_has_a_bar__is_a_line(monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    with cli.progress("games", 2) as outer, cli.progress("compile", 1) as inner:
        inner(1, "done")
        outer(2, "all")
    assert "compile: 100%  done" in terminal.getvalue() and "games" in terminal.getvalue()


def test_option_arguments__values_of_every_type__are_read_back():
    options = {"num_players": 3, "tower": (2, 1e-05, 1 / 3, 0), "optional_moves": False, "shuffle_seats": True}
    args = parser_of("record", "shogun").parse_args(cli.option_arguments(options))
    assert cli.options_of(args) == cli.plain_options(options)


def test_origin__of_a_figure__names_the_libraries_that_it_depends_on():
    assert {"python", "shogun-env", "numpy", "numba"} <= cli.origin()["versions"].keys()


def test_folder__without_a_name__is_refused(capsys):
    with pytest.raises(SystemExit):
        parser_of("selfplay", "shikoku").parse_args(["--out", ""])
    assert "argument -o/--out: '' is not a folder; give the name of one" in capsys.readouterr().err


def test_memory_error__of_numpy__is_told_without_its_data_type(capsys):
    with pytest.raises(SystemExit), parser_of("record", "shogun").one_line_errors():
        raise MemoryError("Unable to allocate 9 TiB for an array with shape (9,) and data type {'names': ['hand']}")
    assert capsys.readouterr().err.endswith("(Unable to allocate 9 TiB for an array with shape (9,))\n")
