"""Bots of Python files import what lies next to them, also where folders have modules of one name."""

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from shogun_env import bot_files
from shogun_env.bot_files import factory_in_file
from shogun_env.policies import compiled_policy, make_agent
from shogun_env.shitenno import SHITENNO

BOT = """
from helper import NAME

def make(game_spec):
    return NAME

def late(game_spec):
    import {late}
    return {late}.NAME
"""


def folder_of(tmp_path: Path, name: str, late: str = "helper") -> Path:
    """Return the file of a bot in a folder of its own, with a helper that has the name of the folder."""
    folder = tmp_path / name
    folder.mkdir()
    for module in {"helper", late}:
        (folder / f"{module}.py").write_text(f"NAME = {name!r}\n")
    (folder / "bot.py").write_text(BOT.format(late=late))
    return folder / "bot.py"


@pytest.fixture(autouse=True)
def begins_without_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Begin without folders of bots, and forget what was imported from those of a test."""
    monkeypatch.setattr(bot_files._folders, "modules", {})
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_file__two_folders_have_a_helper__each_bot_gets_its_own(tmp_path: Path) -> None:
    anna, bert = folder_of(tmp_path, "anna"), folder_of(tmp_path, "bert")
    assert [factory_in_file(bot, "make")(None) for bot in (anna, bert, anna)] == ["anna", "bert", "anna"]


def test_file__two_bots_of_a_folder__share_its_modules(tmp_path: Path) -> None:
    anna, bert = folder_of(tmp_path, "anna"), folder_of(tmp_path, "bert")
    second = anna.with_name("second.py")
    second.write_text("import helper\n\ndef make(game_spec):\n    return helper\n")
    first = factory_in_file(second, "make")(None)
    factory_in_file(bert, "make")
    third = anna.with_name("third.py")
    third.write_text(second.read_text())
    assert factory_in_file(third, "make")(None) is first


@pytest.mark.parametrize("is_imported", [False, True])
def test_file__script_and_current_folder_have_a_helper__each_gets_its_own(tmp_path: Path, is_imported: bool) -> None:
    """``python -m shogun_env`` looks into the current folder first: two bots played with what lay there."""
    anna, here = folder_of(tmp_path, "anna"), folder_of(tmp_path, "here").parent
    code = "import helper\n" if is_imported else ""
    code += (
        f"from shogun_env.bot_files import Path, factory_in_file\nbot = factory_in_file(Path({str(anna)!r}), 'make')\n"
    )
    code += "import helper\nprint(bot(None), helper.NAME)"
    found = subprocess.run([sys.executable, "-c", code], check=True, cwd=here, capture_output=True, text=True)
    assert found.stdout == "anna here\n"


def test_file__two_bots_in_it__is_run_once_and_can_be_pickled(tmp_path: Path) -> None:
    bots = tmp_path / "two.py"
    bots.write_text("class First:\n    pass\n\n\nclass Second:\n    pass\n")
    both = [factory_in_file(bots, name)() for name in ("First", "Second")]
    assert [type(bot) for bot in pickle.loads(pickle.dumps(both))] == [type(bot) for bot in both]


def test_file__changed_in_a_session__is_run_anew_and_bots_made_before_stay(tmp_path: Path) -> None:
    """The file as it was first played on, and what had been added to it was said to be not there."""
    anna = folder_of(tmp_path, "anna")
    first, second = factory_in_file(anna, "make"), anna.stat().st_mtime_ns
    anna.write_text(BOT.format(late="helper").replace("return NAME", "return 'ab'", 1).replace("late", "next"))
    os.utime(anna, ns=(second, second))  # a clock that ticks slowly
    other = factory_in_file(anna, "next")
    assert factory_in_file(anna, "make")(None) == "ab"
    assert factory_in_file(anna, "next") is other
    assert first(None) == "anna" and pickle.loads(pickle.dumps(first)) is first


def test_file__and_its_helper_changed_in_the_second_in_which_they_were_imported__are_read_again(tmp_path: Path) -> None:
    """Processes that came later played with the bytecode of the first version, which has the same size and second."""
    code = "import sys; from shogun_env.bot_files import Path, factory_in_file; "
    code += "print(factory_in_file(Path(sys.argv[1]), 'make')(0))"
    found, soon = [], time.time() + 60  # as if the first process had needed no time
    for name, mark in (("anna", "x"), ("bert", "x"), ("bert", "y")):
        (tmp_path / "helper.py").write_text(f"NAME = {name!r}")
        (tmp_path / "bot.py").write_text(BOT.format(late="helper").replace("return NAME", f"return NAME + {mark!r}", 1))
        for file in tmp_path.glob("*.py"):
            os.utime(file, (soon, soon))
        command = [sys.executable, "-c", code, str(tmp_path / "bot.py")]
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        found.append(subprocess.run(command, check=True, env=env, capture_output=True, text=True).stdout.strip())
    assert found == ["annax", "bertx", "berty"]


KERNEL = "from shogun_env.kernel.jit import kernel\n\n\n@kernel\ndef first(legal):\n    return {}\n"
COMPILED = """
from helper import first
from shogun_env.policies import policy

@policy
def lowest(observation, legal, rng, params):
    return first(legal)

def make(game_spec):
    return lowest
"""


def test_file__module_next_to_it_changed_in_a_session__is_imported_and_compiled_anew(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(COMPILED)
    found = []
    for number in (1, 2):
        (tmp_path / "helper.py").write_text(KERNEL.format(number))
        function, params = compiled_policy(f"{tmp_path}/bot.py:make", SHITENNO)
        found.append(function(np.zeros(1, np.uint8), np.zeros(1, np.int8), np.zeros(2, np.uint64), params))
    assert found == [1, 2]


def test_file__module_imported_late__found_while_only_one_folder_has_it(tmp_path: Path) -> None:
    anna, bert = folder_of(tmp_path, "anna", "late_one"), folder_of(tmp_path, "bert", "late_two")
    assert factory_in_file(anna, "late")(None) == "anna"
    assert factory_in_file(bert, "late")(None) == "bert"


def test_file__module_imported_late_that_two_folders_have__is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    anna, bert = folder_of(tmp_path, "anna"), folder_of(tmp_path, "bert")
    first, second = factory_in_file(anna, "late"), factory_in_file(bert, "late")
    for late in (first, second):
        with pytest.raises(ImportError, match="2 bots have a module helper: import it at the top"):
            late(None)


def test_file__imported__leaves_the_path_of_imports_as_it_was() -> None:
    code = "import sys; from pathlib import Path; from shogun_env.bot_files import factory_in_file as f; "
    code += "p = list(sys.path); "
    code += f"f(Path({str(Path(__file__).parent.parent / 'zoo' / 'bots.py')!r}), 'honest'); assert sys.path == p"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_file__bot_that_goes_to_its_own_folder__moves_no_path_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Relative paths of other bots and of ``--out`` were then looked for in the folder of the bot."""
    monkeypatch.chdir(tmp_path)
    bot = folder_of(tmp_path, "anna")
    (bot.parent / "numbers.txt").write_text("7")
    bot.write_text(
        "import os\nos.chdir(os.path.dirname(__file__))\nSEVEN = open('numbers.txt').read()\n"
        "class make:\n    def __init__(self, game_spec): os.chdir('/')\n    def act(self, view, rng): pass\n"
    )
    make_agent("anna/bot.py:make", SHITENNO)
    assert Path.cwd() == tmp_path
