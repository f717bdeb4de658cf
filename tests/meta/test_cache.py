"""The kernel cache: never stale, one compiles while others wait, a cold start says so, damaged files do no harm."""

import ast
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from llvmlite import binding
from numba.core import config

from shogun_env import FULL_GAMES
from shogun_env.kernel import cache, jit, private
from shogun_env.shogun import Batch
from tests.tree import ROOT

pytestmark = pytest.mark.skipif(not jit.JIT, reason="nothing is compiled with NUMBA_DISABLE_JIT")
each_game = pytest.mark.parametrize("game", FULL_GAMES)

SHARED = ("kernel/jit.py", "kernel/rng.py", "kernel/log.py", "kernel/chance.py", "batch/loops.py")
# Not state.py: the state's dtype is part of every kernel's signature, under which numba finds what it compiled.
OF_A_GAME = ("constants.py", "board.py", "data.json")
CALLED_FROM_PYTHON = ("odds.py", "invariants.py")
"""What no loop is made of."""
ABOVE_THE_WALL = (
    "__init__.py", "policies.py", "batch/batch.py", "spec/game_spec.py", "records/record.py", "envs/vector.py",
)  # fmt: skip


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the package, in which the cache now looks for sources."""
    for name in ("shogun_env", "agents"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, tmp_path / name, symlinks=True, ignore=ignored)
    monkeypatch.setattr(cache, "ROOT", tmp_path)
    yield tmp_path / "shogun_env"
    cache.forget_sources()


def folder(*sources: Path) -> str:
    """Return the name of the cache folder of kernels made of ``sources``, as a new process would find it."""
    cache.forget_sources()
    return cache.cache_folder("platform", *sources).name


def edited(path: Path, *sources: Path) -> str:
    """Return the cache folder's name with a line more at the end of ``path``, which is then taken back.

    The memory of imports is kept, for they are the same: to parse all files again for each edit takes seconds.
    """
    before = path.read_bytes()
    path.write_bytes(before + b"\n")
    cache.cache_folder.cache_clear()
    cache._digest_of.cache_clear()
    name = cache.cache_folder("platform", *sources).name
    path.write_bytes(before)
    return name


def sources_of_loops(package: Path, game: str) -> tuple[Path, Path, Path]:
    """Return the files of which a game's loops are made, as ``kernel.jit`` names them."""
    return package / game / "engine" / "face.py", package / "batch" / "loops.py", package / "kernel" / "jit.py"


@each_game
def test_cache__edit_of_a_source__changes_the_folder_if_kernels_are_made_of_it(package, game, monkeypatch):
    loops = sources_of_loops(package, game)
    sources = [package / name for name in SHARED] + [package / game / name for name in OF_A_GAME]
    kernels = [path for part in ("rules", "engine") for path in (package / game / part).rglob("*.py")]
    sources += [path for path in kernels if path.name not in ("__init__.py", *CALLED_FROM_PYTHON)]
    others = [package / name for name in ABOVE_THE_WALL] + [package / game / "whole.py"]
    others += [package / other / "engine" / "flow.py" for other in FULL_GAMES if other != game]
    before = folder(*loops)
    assert [path for path in sources if edited(path, *loops) == before] == []
    assert [path for path in others if edited(path, *loops) != before] == []
    bot = package / "agents" / "scripted" / game / "kernel.py"
    before_bot = folder(bot)
    assert [path for path in others if edited(path, bot) != before_bot] == []
    monkeypatch.setattr(cache, "ROOT", ROOT)
    assert folder(*sources_of_loops(ROOT / "shogun_env", game)) == before, "in another checkout"


def test_dependencies__of_every_source__are_all_that_a_syntax_tree_finds():
    missed = []
    for path in sorted(cache.ROOT.glob("shogun_env/**/*.py")):
        imports = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.ImportFrom)]
        names = {
            name for node in imports for alias in node.names for name in (node.module, f"{node.module}.{alias.name}")
        }
        files = {cache._source_of(name).resolve() for name in names if name.startswith("shogun_env")}
        missed += [(path, file) for file in files - {*cache._dependencies(path.resolve())} if file.is_file()]
    assert missed == []


@pytest.mark.parametrize(
    ("imports", "file"),
    [
        ("import helpers", "helpers.py"),
        ("from helpers import X", "helpers.py"),
        ("from helpers.inner import X", "helpers/inner.py"),
        ("import helpers", "helpers/__init__.py"),
        ("from . import helpers", "helpers.py"),
        ("from ..helpers import X", "../helpers.py"),
    ],
)
def test_cache__edit_of_what_a_bot_imports_from_its_folder__counts(tmp_path, imports, file):
    bot = tmp_path / "bots" / "bot.py"
    helper = bot.parent / file
    for path in (bot, helper):
        path.parent.mkdir(exist_ok=True)
    bot.write_text(f"{imports}\n")
    helper.write_text("X = 1\n")
    assert edited(helper, bot) != folder(bot)
    elsewhere = tmp_path / "others" / "bot.py"
    elsewhere.parent.mkdir()
    shutil.copy(bot, elsewhere)
    assert folder(elsewhere) != folder(bot), "it has helpers of its own"


@pytest.mark.parametrize(("imported", "follows"), [("other_library.core", False), ("my_bots.helpers", True)])
def test_cache__edit_of_a_package_beside_ours__counts_only_for_sources_in_it(package, imported, follows):
    helper, bot = package.parent / f"{imported.replace('.', '/')}.py", package.parent / "my_bots" / "bot.py"
    for path in (helper, bot):
        path.parent.mkdir(exist_ok=True)
    helper.write_text("X = 1\n")
    bot.write_text(f"import {imported}\n")
    assert (edited(helper, bot) != folder(bot)) == follows


def test_cache__other_switches_or_cpu__another_folder(monkeypatch):
    def folder_now() -> Path:
        jit._platform.cache_clear()
        return jit.folder_of(jit.kernel, jit.__file__)

    usual = folder_now()
    folders = {usual}
    for where, name, value in (
        (config, "BOUNDSCHECK", not config.BOUNDSCHECK), (config, "OPT", config.OPT + 1),
        (binding, "get_host_cpu_name", lambda: "another"),
    ):  # fmt: skip
        with monkeypatch.context() as patch:
            patch.setattr(where, name, value)
            folders.add(folder_now())
    assert len(folders) == 4
    assert folder_now() == usual


TOY = """
from shogun_env.kernel.jit import kernel, loop, policy

@kernel
def twice(x):
    return 2 * x

@loop
def double(numbers, lo, hi):
    for index in range(lo, hi):
        numbers[index] = twice(numbers[index])

@loop
def add(numbers, lo, hi):
    for index in range(lo, hi):
        numbers[index] += 1

@policy
def first(observation, legal, rng, params):
    return 0
"""
USE = """
import sys
import numpy as np
import toy
print("ready", flush=True)
sys.stdin.readline()
numbers = np.arange(3)
toy.double(numbers, 0, 3)
toy.add(numbers, 0, 3)
bot = toy.first(np.zeros(1, np.uint8), np.ones(1, np.int8), np.zeros(2, np.uint64), np.zeros(1))
print(numbers.tolist(), toy.twice(4), bot)
"""
RIGHT = "[1, 3, 5] 8 0"


def use(toy: Path, count: int = 1, code: str = USE, right: str = RIGHT) -> str:
    """Use the toy's kernels in fresh processes at the same time; return what they wrote to stderr."""
    env = {**os.environ, "SHOGUN_ENV_CACHE": str(toy / "cache"), "PYTHONPATH": str(ROOT)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-c", code]
    processes = [subprocess.Popen(command, cwd=toy, env=env, text=True, **pipes) for _ in range(count)]
    for process in processes:
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    said = [process.communicate() for process in processes]
    assert [(out.strip(), process.returncode) for (out, _), process in zip(said, processes, strict=True)] == [
        (right, 0)
    ] * count, said
    return "".join(err for _, err in said)


def compiled(errors: str) -> list[str]:
    """Return the names of the kernels that stderr says were compiled."""
    return re.findall(r"compile (\w+): 100%", errors)


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*.*")}


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A folder with a module of three small kernels."""
    (tmp_path / "toy.py").write_text(TOY, "utf-8")
    return tmp_path


@pytest.mark.full
def test_cache__two_cold_starts_at_once_then_warm_and_with_a_helper_edited__compile_what_is_new_once(toy):
    cold = use(toy, 2)
    assert sorted(compiled(cold)) == ["add", "double", "first"]
    assert cold.startswith("shogun_env: compiling kernels; only the first run of this version waits for this")
    assert use(toy) == ""
    (toy / "toy.py").write_text(TOY.replace("2 * x", "3 * x"), "utf-8")
    assert compiled(use(toy, right="[1, 4, 7] 12 0")) == ["double", "add", "first"]


READS = """
import sys
from shogun_env.kernel.jit import policy
sys.path.append("lib")
from deep import HERE, last
LEAST = int(HERE[0])

@policy
def first(observation, legal, rng, params):
    return 10 * LEAST + last()
"""
DEEP = """
from pathlib import Path
import numpy as np
from shogun_env.kernel.jit import kernel

HERE = np.array([int(text) for text in Path("numbers").read_text().split()])

@kernel
def last():
    return HERE[-1]
"""


def test_cache__numbers_from_a_file_and_kernels_from_another_folder__change_what_is_compiled(toy):
    """A bot played with those of the first time, in silence."""
    (toy / "toy.py").write_text(READS, "utf-8")
    (toy / "lib").mkdir()
    code = USE.replace("toy.double(numbers, 0, 3)\ntoy.add(numbers, 0, 3)\n", "").replace("toy.twice(4)", "toy.last()")
    for numbers, factor, right in (("1 2", 1, "2 12"), ("1 3", 1, "3 13"), ("2 3", 1, "3 23"), ("2 3", 10, "30 50")):
        (toy / "numbers").write_text(numbers, "utf-8")
        (toy / "lib" / "deep.py").write_text(DEEP.replace("HERE[-1]", f"{factor} * HERE[-1]"), "utf-8")
        right = f"[0, 1, 2] {right}"
        assert "compiling" in use(toy, code=code, right=right)
    assert use(toy, code=code, right=right) == ""


def test_cache__policy_that_is_in_no_file__is_compiled_and_nothing_is_kept(toy):
    use(toy, code=TOY + USE.replace("import toy\n", "").replace("toy.", ""))
    assert not (toy / "cache").exists() or not contents(toy / "cache")


def test_kernels_in__of_a_loop__are_those_that_are_compiled_with_it():
    from shogun_env.batch.loops import reset_games

    names = private._kernels_in(reset_games.of(Batch.spec.engine).kernel.py_func, {})
    assert {"end_year", "start", "next_uint64"} <= names.keys()
    assert not {"choose_action", "update_views"} & names.keys()


@pytest.mark.parametrize(
    "ending", [pytest.param("nbc", marks=pytest.mark.full), pytest.param("nbi", marks=pytest.mark.slow)]
)
def test_cache__file_cut_short__is_compiled_again_and_no_other(toy, ending):
    use(toy)
    (damaged,) = (toy / "cache").glob(f"*/toy.double-*.{ending}")
    before = contents(toy / "cache")
    damaged.write_bytes(damaged.read_bytes()[:-20])
    assert use(toy).count("it is compiled again") == 1
    changed = {path for path, content in contents(toy / "cache").items() if before.get(path) != content}
    assert {path.stem.partition("-")[0] for path in changed} == {"toy.double"}
    assert use(toy) == ""


@pytest.mark.full
def test_cache__folder_cannot_be_written__works_and_says_so_once(toy):
    (toy / "cache").write_text("a file where a folder should be", "utf-8")
    said = use(toy)
    assert said.count("cannot be written") == said.count("compiles what is not in it") == 1
    assert compiled(said) == ["double", "add", "first"]


def test_cache__above_its_limit__removes_what_was_used_longest_ago_and_nothing_of_today(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "LIMIT", 400)
    now = time.time()
    names = [f"{name}-{'0' * 20}" for name in ("rules", "read", "unread", "older", "today")]
    for name, days in zip(names, (4, 3, 2, 5, 0.5), strict=True):
        cache.write(tmp_path / name / "f", "x" * 100)
        os.utime(tmp_path / name, (now - days * 86_400,) * 2)
    (tmp_path / "notes of mine").mkdir()
    os.utime(tmp_path / names[1])
    cache._tidy_up.cache_clear()
    cache.write(tmp_path / names[4] / "g", "")
    assert {path.name for path in tmp_path.iterdir()} == {*names[1:3], names[4], "notes of mine"}


def test_write__disk_is_full__says_so_once_and_loses_nothing(tmp_path, monkeypatch, capsys):
    def fails(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    cache.say.cache_clear()
    cache.write(tmp_path / "kept" / "f", "old")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", fails)
        for name in ("f", "g"):
            cache.write(tmp_path / "kept" / name, "new")
    assert (tmp_path / "kept" / "f").read_text("utf-8") == "old"
    assert capsys.readouterr().err.count("cannot be written (No space left on device); every process compiles") == 1


def test_root__named_by_the_environment__is_the_folder_of_all_folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("SHOGUN_ENV_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value, root in (
        ("HOME", f"{tmp_path}/home", tmp_path / "home" / ".cache" / "shogun_env"),
        ("XDG_CACHE_HOME", "relative", tmp_path / "home" / ".cache" / "shogun_env"),  # as its standard says
        ("XDG_CACHE_HOME", f"{tmp_path}/caches", tmp_path / "caches" / "shogun_env"),
        ("SHOGUN_ENV_CACHE", "~/kernels", tmp_path / "home" / "kernels"),
        ("SHOGUN_ENV_CACHE", "kernels", tmp_path / "kernels"),
    ):
        monkeypatch.setenv(name, value)
        assert cache._root() == root


def test_root__without_a_home__says_what_to_set(monkeypatch):
    def fails(path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", fails)
    with pytest.raises(ValueError, match="there is no home folder to keep compiled kernels in: set SHOGUN_ENV_CACHE"):
        cache._root()
