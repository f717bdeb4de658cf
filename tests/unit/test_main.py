"""The commands: files they write, what they print, and one line with exit status 2 for what is wrong."""

import errno
import io
import json
import re
import sys
from pathlib import Path

import pytest

from shogun_env import recording
from shogun_env.__main__ import main
from shogun_env.cli import game_class
from shogun_env.commands import COMMANDS, GROUPS, run_command
from shogun_env.records import read_record, verify
from shogun_env.records.thoughts import thoughts_path
from tests.games import NAMES, batch_class, each_game
from tests.refusals import refusal
from tests.tree import ROOT, run, run_python


def record(folder, *arguments: str) -> None:
    main(["record", "--out", str(folder), *arguments])


def files(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


CASES = [
    "--players 4 --side sun --start preset --tower two_floor --agents random,scripted,random,random --seed 7 --games 3",
    "--players 3 --side moon --start draft --games 2",
    "--players 5 --start random --tower one_shot --optional-moves",
    "--players 3 --shuffle-seats --tower 3:0.2:0.1:0.05 --agents scripted",
    "--game shogun --seed 9007199254740991",
    "--game shitenno --players 2 --games 3 --seed 5",
    "--game shitenno --players 4 --agents scripted,random,scripted:style=rival,random",
]


@pytest.mark.parametrize("arguments", CASES)
def test_record__games_of_many_options__are_verified(arguments, tmp_path, capsys):
    record(tmp_path / "out", *arguments.split())
    written = sorted((tmp_path / "out").iterdir())
    for path in written:
        name = path.name.split(".")[1]
        lines = read_record(path, batch_class(name).spec)
        verify(batch_class(name), lines)
        assert lines[0]["seed"] == int(path.name.split(".")[0])
    assert f"{len(written)} game" in capsys.readouterr().out


@each_game
def test_record__same_seeds__gives_the_same_bytes_however_many_games(name, tmp_path):
    record(tmp_path / "one", "--game", name, "--seed", "3", "--games", "1")
    record(tmp_path / "many", "--game", name, "--seed", "2", "--games", "40")
    file = f"3.{name}.jsonl"
    assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "many" / file).read_bytes()


def test_record__file_there__plays_nothing_and_overwrites_nothing(tmp_path, capsys):
    (tmp_path / "2.shogun.jsonl").write_text("mine")
    refusal(capsys, lambda words: record(tmp_path, *words), "--games", "3")
    assert files(tmp_path) == ["2.shogun.jsonl"]
    assert (tmp_path / "2.shogun.jsonl").read_text() == "mine"


FAILING = """
from shogun_env.policies import Bot

class Raises(Bot):
    def decide(self, decision):
        raise OSError("no more ideas")

class Illegal(Bot):
    def act(self, view, rng):
        return view.masks.argmin(1)

class Mute(Bot):
    def decide(self, decision):
        return decision.names[0]

    def explain(self, view):
        return self.answer(view)

    answer = staticmethod(lambda view: None)

class Brief(Mute):
    answer = staticmethod(lambda view: ["so"])

class Numbers(Mute):
    answer = staticmethod(lambda view: [1] * len(view.rows))
"""


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Raises", "failing.py:Raises', failing.py, line 6)"),
        ("Illegal", "is illegal; legal are"),
        ("Illegal", "failing.py:Illegal')"),
        ("Mute", "explain answered None, which is no list of 2 texts (agent '"),
        ("Mute", "failing.py:Mute')"),
        ("Brief", "explain answered ['so'], which is no list of 2 texts"),
        ("Numbers", "explain answered [1, 1], which is no list of 2 texts"),
    ],
)
def test_record__bot_that_fails__is_named_and_no_folder_is_left(name, says, tmp_path, capsys):
    (tmp_path / "failing.py").write_text(FAILING)
    out, bot = tmp_path / "new" / "records", f"{tmp_path}/failing.py:{name}"
    assert says in refusal(capsys, "record", "--out", str(out), "--games", "2", "--explain", "--agents", bot)
    assert not out.exists()


def test_record__interrupted__leaves_the_finished_games(tmp_path, monkeypatch, capsys):
    calls = []

    def play_two(batch, agents, seats, watch):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        play_on(batch, agents, seats, watch)

    play_on = recording.play_on
    monkeypatch.setattr(recording, "play_on", play_two)
    monkeypatch.setattr(recording, "GAMES_PER_BATCH", 1)
    with pytest.raises(SystemExit) as left:
        record(tmp_path, "--games", "5")
    assert left.value.code == 130
    assert files(tmp_path) == ["0.shogun.jsonl", "1.shogun.jsonl"]
    assert "stopped; 2 of 5 games" in capsys.readouterr().err


def test_view__wrong_record__is_refused_by_line_and_writes_nothing(tmp_path, capsys):
    record(tmp_path)
    path = tmp_path / "0.shogun.jsonl"
    lines = path.read_text().splitlines()
    lines[33] = lines[34]  # the fill of the tower comes after 32 places
    path.write_text("\n".join(lines))
    assert "line 34: " in refusal(capsys, main, "view", str(path))
    assert files(tmp_path) == ["0.shogun.jsonl"]


@pytest.fixture(scope="module")
def one_record(tmp_path_factory):
    """The bytes of a record of each game."""
    folder = tmp_path_factory.mktemp("records")
    for name in NAMES:
        record(folder, "--game", name)
    return {name: (folder / f"0.{name}.jsonl").read_bytes() for name in NAMES}


each_name_without_one_game = pytest.mark.parametrize("file", ["mine.jsonl", "shogun.shitenno.jsonl"])


@each_game
@each_name_without_one_game
def test_verify__name_without_one_game__takes_it_from_the_header(name, file, one_record, tmp_path, capsys):
    path = tmp_path / file
    path.write_bytes(one_record[name])
    main(["verify", str(path)])
    assert f"all allowed by the rules of {name}" in capsys.readouterr().out


@each_name_without_one_game
def test_view__name_without_one_game__takes_it_from_the_header(file, one_record, tmp_path):
    path = tmp_path / file
    path.write_bytes(one_record["shitenno"])
    main(["view", str(path)])
    assert batch_class("shitenno").spec.title in path.with_suffix(".html").read_text("utf-8")


@pytest.mark.parametrize("ending", [".jsonl", ".JSONL"])
def test_view__ending_of_a_record__is_known_in_small_and_capital_letters(ending, one_record, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path("shitenno", f"mine{ending}")  # which could be a position
    path.parent.mkdir()
    path.write_bytes(one_record["shitenno"])
    assert thoughts_path(path).name == "mine.thoughts.json"
    for arguments in ([], ["-o", "board.svg"]):
        main(["view", str(path), *arguments])
    assert "<svg" in Path("board.svg").read_text("utf-8") and path.with_suffix(".html").exists()


@pytest.mark.parametrize("text", ["", "no JSON", "[1]", '{"format": "chess-record"}', '{"format": ["shogun-record"]}'])
@pytest.mark.parametrize(("command", "status"), [("view", 2), ("verify", 1)])
def test_view_and_verify__no_game_anywhere__is_one_line(command, status, text, tmp_path, capsys):
    path = tmp_path / "mine.jsonl"
    path.write_text(text + "\n")
    assert refusal(capsys, main, command, str(path), status=status).endswith(
        f"{path}: neither the name of the file nor a header in its first line says which game this is; "
        "give --game with one of shogun, shitenno, shikoku"
    )
    assert files(tmp_path) == ["mine.jsonl"]


def test_verify__another_game__is_refused_by_the_header(one_record, tmp_path, capsys):
    (tmp_path / "mine.jsonl").write_bytes(one_record["shogun"])
    (tmp_path / "0.shitenno.jsonl").write_bytes(one_record["shogun"])
    for arguments in (["--game", "shitenno", str(tmp_path / "mine.jsonl")], [str(tmp_path / "0.shitenno.jsonl")]):
        assert "line 1: " in refusal(capsys, main, "verify", *arguments, status=1)


@each_game
def test_rules__short__are_those_that_the_game_has(name, capsys):
    main(["rules", "--short", "--game", name])
    short = capsys.readouterr().out
    game = game_class(name)
    assert short == game.rules() == (ROOT / "shogun_env" / name / "RULES_SHORT.md").read_text("utf-8")
    assert len(game.rules(full=True)) > 4 * len(short)


@each_game
def test_info__printed__tells_versions_and_sizes(name, capsys):
    game = batch_class(name)(1).spec  # so that something is compiled
    main(["info", "--game", name])
    out = capsys.readouterr().out
    rows = dict(line.split(maxsplit=1) for line in out.splitlines() if len(line.split()) == 2)
    assert rows["actions"] == str(game.n_actions)
    assert f"{game.obs_size} bytes" in out
    assert f"{game.state_dtype.itemsize} bytes" in out
    assert f"{name}_reset_games" in out
    assert re.search(r"^all caches +[\d,]+ MB in \d+ folders; above ", out, re.M)


@each_game
def test_verify__a_record_changed_by_hand__is_named_with_its_line_and_status_1(name, tmp_path, capsys):
    record(tmp_path, "--game", name, "--games", "2")
    first, second = sorted(tmp_path.iterdir())
    lines = first.read_text("utf-8").splitlines()
    result = json.loads(lines[-1])
    result["points"][0] += 1
    first.write_text("\n".join([*lines[:-1], json.dumps(result)]) + "\n", "utf-8")
    with pytest.raises(SystemExit) as left:
        main(["verify", str(first), str(second), str(tmp_path / "none.jsonl")])
    assert left.value.code == 1
    said = capsys.readouterr()
    assert f"{first}: line {len(lines)}: points" in said.err
    assert "none.jsonl" in said.err
    assert str(second) in said.out


def test_verify__output_that_cannot_be_written__is_said_once_and_no_record_called_wrong(
    one_record, tmp_path, monkeypatch, capsys
):
    class Full(io.StringIO):
        def write(self, text):
            raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "0.shitenno.jsonl").write_bytes(one_record["shitenno"])
    monkeypatch.setattr(sys, "stdout", Full())
    says = refusal(capsys, main, "verify", *[str(tmp_path / "0.shitenno.jsonl")] * 2)
    assert says.count("No space left") == 1


@each_game
def test_view__position_or_record__writes_the_board(name, tmp_path):
    main(["record", "--game", name, "--seed", "7", "--out", str(tmp_path)])
    record = tmp_path / f"7.{name}.jsonl"
    pictures = [tmp_path / file for file in ("last.svg", "early.svg", "position.svg", "board.png")]
    main(["view", str(record), "-o", str(pictures[0])])
    main(["view", str(record), "--line", "40", "-o", str(pictures[1]), "--player", "1", "--theme", "dark"])
    main(["view", batch_class(name)(1, seed=7).position(), "-o", str(pictures[2])])
    main(["view", batch_class(name)(1, seed=7).position(), "-o", str(pictures[3])])
    texts = [path.read_text("utf-8") for path in pictures[:3]]
    assert "over; " in texts[0]
    assert "as player 1 sees it" in texts[1]
    assert "the referee&#x27;s view" in texts[2] or "the referee's view" in texts[2]
    assert pictures[3].read_bytes()[:4] == b"\x89PNG"


def test_view__drawn_of_a_record_that_is_wrong__names_it(tmp_path, capsys):
    (tmp_path / "7.shogun.jsonl").write_text("no JSON\n")
    line = refusal(capsys, "view", str(tmp_path / "7.shogun.jsonl"), "-o", str(tmp_path / "board.svg"))
    assert f"{tmp_path / '7.shogun.jsonl'}, as a record of shogun: line 1: not" in line


def test_help__list_of_commands__has_one_line_for_each(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    for group, commands in GROUPS.items():
        for name, command in commands.items():
            assert re.search(rf"^  {name} +{re.escape(command.text)}$", said, re.M), name
        assert f"\n{group}:" in said
    assert max(map(len, said.splitlines())) <= 80
    assert "COMMAND" in refusal(capsys, main)


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("tournment", "unknown command 'tournment'; did you mean tournament?"),
        ("self-play", "unknown command 'self-play'; did you mean selfplay?"),
        ("botcheck", "unknown command 'botcheck'; did you mean bot-check?"),
        ("xyz", "unknown command 'xyz'; known are selfplay, train, exploit,"),
    ],
)
def test_main__misspelt_command__is_told_which_was_meant(word, says, capsys):
    assert refusal(capsys, main, word, "--help").startswith(f"shogun-env: {says}")


def test_command__started_as_a_module__calls_itself_by_its_name():
    done = run_python("-m", "shogun_env", "starts", "--no")
    assert (done.returncode, done.stderr) == (2, "shogun-env starts: unrecognized arguments: --no\n")


NEEDED = {"exploit": ["--against", "random"]}
"""Arguments that such a command cannot do without."""
EXTRAS = {name: command.extra for name, command in COMMANDS.items() if command.extra}


@pytest.mark.parametrize("name", EXTRAS)
def test_command__library_missing__is_one_line_that_names_the_extra(name, monkeypatch, capsys, tmp_path):
    for part in ("training.trainer", "training.learner", "training.board_network", "training.imitation", "doors.mcp"):
        monkeypatch.delitem(sys.modules, f"shogun_env.{part}", raising=False)
    extra = EXTRAS[name]
    library = {"rl": "torch", "data": "pyarrow", "mcp": "mcp.server"}[extra]
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        main([name, *NEEDED.get(name, []), *(["--out", "out"] if name != "mcp" else [])])
    assert left.value.code == 2
    told = capsys.readouterr().err.splitlines()
    (line,) = [each for each in told if not each.startswith("shogun_env: ")]  # what is compiled
    missing = library.partition(".")[0]
    assert f"{name} needs the extra {extra}: pip install 'shogun-env[{extra}]' ({missing} is not installed)" in line
    assert not (tmp_path / "out").exists()


MADE_OF_KERNELS = {"export", "solve"}
"""Programs whose modules define kernels, or import those that do: their ``--help`` imports numba."""
ALL_HELP = """
import re, sys, tomllib
from importlib import metadata
from pathlib import Path

extras = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
extras = {re.match("[a-z0-9-]+", line)[0] for lines in extras.values() for line in lines}
modules = {module for module, names in metadata.packages_distributions().items() if extras & {n.lower() for n in names}}
assert "torch" in modules
from shogun_env.__main__ import main
from shogun_env.commands import COMMANDS
for name in sorted([None, *COMMANDS], key=lambda name: name in sys.argv):  # those given as arguments are the last
    for game in ("shogun", "shitenno"):
        try:
            main([*([name] if name else []), "--help", "--game", game])
        except SystemExit as left:
            assert left.code == 0, name
    heavy = {"gymnasium", "pettingzoo", "scipy", "numba", *modules} & set(sys.modules)
    assert heavy <= ({"numba", "scipy"} if name in sys.argv else set()), (name, heavy)  # numba looks for scipy
import clients.__main__
sys.argv = ["", "--help"]
try:
    clients.__main__.main()
except SystemExit as left:
    assert left.code == 0 and not modules & set(sys.modules)
games = [module for module in sys.modules if re.fullmatch(r"shogun_env\\.\\w+\\.whole", module)]
assert not games, games
"""


def test_help__of_every_command__imports_no_extra_no_library_that_takes_long_and_no_game():
    done = run_python("-c", ALL_HELP, *MADE_OF_KERNELS)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("usage: ") == 2 * (1 + len(COMMANDS)) + 1


def test_run_command__module_of_the_package_missing__is_an_error_of_ours(monkeypatch):
    monkeypatch.delitem(sys.modules, "shogun_env.training.selfplay", raising=False)
    monkeypatch.setitem(sys.modules, "shogun_env.training.config", None)
    with pytest.raises(ModuleNotFoundError):
        run_command("selfplay", [])


@pytest.mark.parametrize(
    ("words", "terminal"),
    [
        (["--help"], {"PYTHONIOENCODING": "ascii"}),
        (["rules", "--short", "--game", "shitenno"], {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    ],
)
def test_commands__terminal_without_our_letters__are_written_with_question_marks(words, terminal):
    done = run_python("-m", "shogun_env", *words, **terminal)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Shitenn?" in done.stdout


def test_commands__nobody_reads_what_they_say__end_without_a_word():
    assert run("bash", "-c", f"{sys.executable} -m shogun_env rules | true").stderr == ""
    full = run("bash", "-c", f"{sys.executable} -m shogun_env rules >/dev/full")
    assert full.returncode == 2
    assert full.stderr == "shogun-env: the output cannot be written: No space left on device\n"


WITHOUT_DOCSTRINGS = """
from shogun_env.shogun.text.kinds import KINDS
from shogun_env.spec.forms import in_words
from shogun_env.__main__ import main
print(in_words(KINDS["bids"].fields["order"]))
try:
    main(["solve", "--help"])
except SystemExit as end:
    assert not end.code
"""


def test_texts__python_without_docstrings__are_read_from_the_source():
    done = run_python("-OO", "-c", WITHOUT_DOCSTRINGS)
    assert done.stdout.startswith("a list of players, each once\n"), done.stderr


ELSEWHERE = """
import importlib, pkgutil, sys
sys.modules.update(dict.fromkeys(("fcntl", "resource")))
import shogun_env
from shogun_env.__main__ import main
for module in pkgutil.walk_packages(shogun_env.__path__, "shogun_env."):
    if module.name not in ("shogun_env.__main__", "shogun_env.doors.mcp"):  # the library mcp needs fcntl
        importlib.import_module(module.name)
for words in ("--version", "record --help", f"record --game shitenno --seed 1 --out {sys.argv[1]}"):
    try:
        main(words.split())
    except SystemExit as end:
        assert not end.code, words
"""


@pytest.mark.full
def test_machine_without_fcntl_and_resource__imports_everything_and_plays(tmp_path):
    """Not even ``--version`` started there."""
    done = run_python("-c", ELSEWHERE, str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert files(tmp_path / "out") == ["1.shitenno.jsonl"]
