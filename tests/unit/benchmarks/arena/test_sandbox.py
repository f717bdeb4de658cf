"""The sandbox of ``--isolate``: each sentence of docs/bots_of_strangers.md about what a bot cannot do, tried by a bot.

The bots are in ``escapes.py``. They share one sandbox, and have a starter each.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from shogun_env.benchmarks import tournament
from shogun_env.benchmarks.arena import nursery, sandbox
from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.isolation import IsolatedAgent
from shogun_env.benchmarks.arena.nursery import Limits
from shogun_env.benchmarks.arena.seating import Seating
from shogun_env.benchmarks.arena.strangers import files_of, is_own
from shogun_env.shitenno import SHITENNO
from tests.games import batch_class
from tests.refusals import refusal
from tests.unit.benchmarks.arena import escapes
from tests.unit.benchmarks.arena.escapes import MARK
from tests.unit.benchmarks.arena.test_referee import ZOO, plain, without_names

ROOT = Path(__file__).resolve().parents[4]
PROMISES = {
    "sees programs and libraries of the system, Python, this package and the folder of its own file, all read-only": (
        "reads", "writes", "has_files_open",
    ),
    "nothing of your home, of the tournament's folder, of other bots or of your environment": (
        "reads", "reads_environment",
    ),
    "has no network and no rights, and reaches no process that it has not started": (
        "connects", "has_rights", "makes_namespace", "sets_kernel", "reads_memory", "traces",
    ),
    "it cannot stop, kill or blame another bot": ("stops", "kills", "floods", "stops_itself", "makes_nothing"),
    "which are empty again for every group of games": ("remembers", "writes_much"),
    "`--memory-mb` for each process and for all together, and 32 processes": (
        "bombs", "fills_children", "lifts_limits",
    ),
    "a busy machine makes nobody late": ("hogs", "computes"),
    "is stopped while others decide, and ends with everything that it has started": (
        "hogs", "remembers", "becomes_another",
    ),
    "the random numbers that bots are given, follow from a secret": ("guesses",),
}  # fmt: skip
"""What docs/bots_of_strangers.md says, with the bots and attempts of ``escapes.py`` that try it here."""
ESCAPES = Path(__file__).with_name("escapes.py")
LIMITS = Limits(decision_seconds=0.05, first_seconds=0.5, memory_mb=400)
SECRET = bytes(range(32))
needs_bubblewrap = pytest.mark.skipif(
    sandbox.why_not() is not None, reason="bubblewrap is not installed, so no sandbox is tried"
)


def play(bots, limits=LIMITS, rotations=(0,), rival="random"):
    """Return for each bot its results in some rotations of one line-up, and the arena."""
    arena = Arena(batch_class("shitenno"), {"num_players": 3}, limits=limits, secret=SECRET)
    arena.prepare([*bots, rival])
    line_ups = {bot: (bot, rival, "scripted") for bot in bots}
    return {
        bot: arena.play_games(
            [Seating(variant=arena.variant, line_up=line_up, seed=1, rotation=turn) for turn in rotations]
        )
        for bot, line_up in line_ups.items()
    }, arena


def faults_of(results, bot):
    return {kind: n for result in results for kind, n in result.faults[result.agents.index(bot)].items()}


def sleepers():
    """Return the processes of this machine that bots of ``escapes.py`` have left behind."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found += [folder.name] if str(MARK).encode() in (folder / "cmdline").read_bytes().split(b"\0") else []
    return found


def test_document__says__what_is_tried_here():
    text = " ".join((ROOT / "docs" / "bots_of_strangers.md").read_text("utf-8").split())
    assert [promise for promise in PROMISES if promise not in text] == []
    assert {name for names in PROMISES.values() for name in names} >= {*escapes.PRIES, *HARM, *MANY}


@pytest.fixture(scope="module")
def inside(tmp_path_factory):
    """What bots tried in the sandbox: results by bot and the arena, as ``play`` returns them."""
    folder = tmp_path_factory.mktemp("strangers")
    bots, hidden = folder / "real", folder / "real" / "out"
    hidden.mkdir(parents=True)
    (folder / "link").symlink_to(bots)
    shutil.copy(ESCAPES, bots)
    for path in (folder / "other", hidden):
        path.mkdir(exist_ok=True)
        (path / "secret").write_text("0123")
    with socket.create_server(("127.0.0.1", 0)) as server:
        tries = [
            f"reads~{folder}/other/secret", f"reads~{hidden}/secret", f"reads~{folder}/link/out/secret",
            f"reads~{Path.home()}/.profile", f"reads~{ROOT}/pyproject.toml", f"reads~{ROOT}/tests", "reads~/etc/passwd",
            f"writes~{bots}", f"writes~{folder}", f"writes~{ROOT}/shogun_env", f"writes~{sys.prefix}", "writes~/",
            f"writes~{sandbox.KEPT}", f"writes~{sandbox.COMPILED}", "writes~/tmp", "writes~/dev", "writes~/etc",
            "reads_memory", "traces", "reads_environment~a key of yours", f"connects~{server.getsockname()[1]}",
            "has_files_open", "has_rights", "makes_namespace", "sets_kernel",
        ]  # fmt: skip
        file = folder / "link" / "escapes.py"
        names = [f"{file}:{name}" for name in ("pries:" + ",".join(tries), "guesses", "remembers")]
        os.environ["SHOGUN_ENV_TEST_KEY"] = "a key of yours"
        try:
            limits = Limits(decision_seconds=20.0, memory_mb=400, hidden=(str(hidden),))
            yield play(names, limits, (0, 1))
        finally:
            del os.environ["SHOGUN_ENV_TEST_KEY"]


@needs_bubblewrap
def test_sandbox__files_network_processes_rights_of_others__out_of_reach(inside):
    """It sees the system, Python, this package and its own folder, read-only; no network, no process of others."""
    results, arena = inside
    assert arena.fault_texts == {}
    honest, _ = play([f"{ESCAPES}:computes:seconds=0"], None, (0, 1))
    (expected,) = map(without_names, honest.values())
    assert [without_names(each) for each in results.values()] == [expected] * 3


def test_sandbox__same_attempts_without__succeed(tmp_path):
    """So the attempts of ``pries``, ``guesses`` and ``remembers`` are such as would be noticed."""
    (tmp_path / "secret").write_text("0123")
    tries = f"reads~{tmp_path}/secret,writes~{tmp_path},reads_memory,reads_environment~{os.environ['PATH']}"
    bots = [f"{ESCAPES}:pries:{tries}".replace(os.environ["PATH"], "C.UTF-8"), f"{ESCAPES}:remembers"]
    _, arena = play(bots, Limits(decision_seconds=20.0, memory_mb=400, sandbox=False), (0, 1))
    for pid in sleepers():
        os.kill(int(pid), signal.SIGKILL)
    pried, remembered = (arena.fault_texts.get((bot, "error"), "") for bot in bots)
    every = f"RuntimeError: worked: reads {tmp_path}/secret, writes {tmp_path}, reads_memory"
    assert pried[: len(every)] == every[: len(pried)]  # a long path cuts the text
    assert "writes" in pried
    assert "mark7531" in remembered
    assert "a segment of memory" in remembered


HARM = {
    "stops": set(), "kills": {"crash", "error"}, "hogs": {"late", "crash"}, "stops_itself": {"late", "crash"},
    "becomes_another": {"late", "crash"}, "floods": {"illegal", "form", "error", "crash", "late", "nan"},
    "writes_much": {"error", "late"}, "lifts_limits": {"error"}, "makes_nothing": {"crash"},
}  # fmt: skip
"""Bots that harm others, with the kinds of faults that they may have themselves."""
MANY = {"bombs": "it started more than 32 processes", "fills_children": "its processes had more than 400 MB together"}
"""Bots whose processes are too many, or have too much together, with what is said of them."""


@needs_bubblewrap
@pytest.mark.full
def test_sandbox__bot_that_harms_others__harms_itself():
    """A bot cannot stop, kill or blame another, or take its time, and nothing that it starts outlives it."""
    rival, before = f"{ESCAPES}:computes", sleepers()
    results, arena = play([f"{ESCAPES}:{name}" for name in HARM], LIMITS, rival=rival)
    for name, kinds in HARM.items():
        bot = f"{ESCAPES}:{name}"
        assert set(faults_of(results[bot], bot)) <= kinds, (name, arena.fault_texts)
        assert faults_of(results[bot], rival) == {}, f"{name} harmed a rival"
    assert arena.fault_texts[f"{ESCAPES}:makes_nothing", "crash"] == "its process ended with status 4"
    assert sleepers() == before


@needs_bubblewrap
@pytest.mark.full
@pytest.mark.parametrize("name", MANY)
def test_sandbox__processes__are_limited_together(name):
    bot = f"{ESCAPES}:{name}"
    results, arena = play([bot], Limits(decision_seconds=20.0, memory_mb=400))
    assert set(faults_of(results[bot], bot)) == {"crash"}
    assert arena.fault_texts[bot, "crash"] == MANY[name]


@needs_bubblewrap
def test_sandbox__honest_compiled_and_search__play_the_same_games():
    bots = [f"{ZOO}:honest", "search:rollouts=4:plan_rollouts=4"]
    isolated, arena = play(bots, Limits(decision_seconds=20.0), (0, 1, 2))
    plainly, _ = play(bots, None, (0, 1, 2))
    assert {bot: list(map(plain, each)) for bot, each in isolated.items()} == {
        bot: list(map(plain, each)) for bot, each in plainly.items()
    }
    assert not arena.fault_texts
    assert all(isinstance(arena.agent(bot), IsolatedAgent) for bot in bots)


# --- whose code a bot is ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "own"),
    [
        ("random", True),
        ("scripted:style=builder", True),
        ("champion", True),
        ("pool:2min", True),
        ("search:base=champion:model=scripted", True),
        ("mine.py:make", False),
        ("ppo:runs/first", False),
        ("chat:model.toml", False),
        ("search:base=mine.py;make", False),
        ("search:rollouts=4:play_on=ppo;runs/first", False),
        ("search:base=search;base=mine.py;make", False),
        ("frugal", False),
    ],
)
def test_is_own__what_a_spec_loads__decides(spec, own):
    assert is_own(spec, SHITENNO) == own


def test_files_of__spec__its_folders_and_nothing_else(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "bot.py").write_text("")
    (tmp_path / "net.npz").write_text("")
    assert files_of(f"{tmp_path}/a/bot.py:make:weights={tmp_path}/net.npz").shown == (f"{tmp_path}/a",)
    assert files_of(f"search:base={tmp_path}/a/bot.py;make").shown == (f"{tmp_path}/a",)
    assert files_of(f"ppo:{tmp_path}/net.npz").shown == (f"{tmp_path}/net.npz",)
    assert files_of("search:base=champion").shown == ()


@needs_bubblewrap
def test_entry_point__package_installed_to_be_edited__plays_in_the_sandbox(tmp_path, monkeypatch):
    site, project = tmp_path / "site", tmp_path / "project"
    about = site / "edited_bots-1.dist-info"
    for folder in (about, project / "src"):
        folder.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: edited-bots\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[shogun_env.agents]\nedited = edited_bots:honest\n")
    (about / "direct_url.json").write_text(json.dumps({"url": project.as_uri(), "dir_info": {"editable": True}}))
    shutil.copy(ZOO, project / "src" / "edited_bots.py")
    for path in (site, project / "src"):  # the second is what the installation's .pth file adds
        monkeypatch.syspath_prepend(path)
    assert files_of("edited").shown == (str(project), str(site))
    edited, arena = play(["edited"], Limits(decision_seconds=20.0))
    assert arena.fault_texts == {}
    same, _ = play([f"{ZOO}:honest"], None)
    assert [*map(without_names, edited.values())] == [*map(without_names, same.values())]


ORDINARY = """
import os, sys
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(int(sys.argv[2]))
    os.setuid(int(sys.argv[2]))
import numpy as np
from shogun_env.shitenno import Batch
from shogun_env.benchmarks.arena.isolation import IsolatedAgent
from shogun_env.benchmarks.arena.nursery import Limits
from shogun_env.policies import View
batch = Batch(1, num_players=2, seed=1)
agent = IsolatedAgent(sys.argv[1], "shogun_env.shitenno", Limits(decision_seconds=20.0))
agent.start(tries=True)
agent.renew()
for _ in range(4):
    view = View.of(batch, np.arange(1))
    batch.step(agent.act(view, batch.policy_rngs[view.rows, view.players]))
agent.stop()
print("played as", os.geteuid())
"""


def open_to_all(folders):
    """Return a command of root's under which everybody can read these folders, whatever the folders above allow."""
    words = ["bwrap", "--dev-bind", "/", "/", "--cap-add", "ALL"]
    for folder in folders:
        above = [*reversed(Path(folder).parents), Path(folder)]
        closed = [at for at, path in enumerate(above[:-1]) if not path.stat().st_mode & stat.S_IXOTH]
        for path in above[closed[0] : -1] if closed else ():
            how = "--tmpfs" if path == above[closed[0]] and str(path) not in words else "--dir"
            words += ["--perms", "0755", how, str(path)]
        words += ["--ro-bind", str(folder), str(folder)] if closed else []
    return [*words, "--"]


@needs_bubblewrap
@pytest.mark.full
def test_sandbox__ordinary_user__can_make_one_and_nothing_gets_out(tmp_path):
    """As who it is, or as ``nobody`` where that is root; without compilation, as nobody has no kernels."""
    shutil.copy(ESCAPES, tmp_path)
    tmp_path.chmod(0o755)
    user = os.geteuid() or 65534
    prefix = [] if os.geteuid() else open_to_all([sys.base_prefix, sys.prefix, ROOT, tmp_path])
    tries = f"reads~{ROOT}/tests,writes~{tmp_path},has_rights,makes_namespace,reads_memory,traces,sets_kernel"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [*prefix, sys.executable, "-c", ORDINARY, f"{tmp_path}/escapes.py:pries:{tries}", str(user)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["played", "as", str(user)], done.stderr


@needs_bubblewrap
def test_search_over_a_file__isolated__imports_it_in_the_sandbox_only():
    before = set(sys.modules)
    bot = f"search:base={ESCAPES};makes_nothing"
    arena = Arena(batch_class("shitenno"), {"num_players": 3}, limits=LIMITS)
    arena.agent(bot)
    assert "status 4" in arena.fault_texts[bot, "crash"]
    assert not [name for name in set(sys.modules) - before if name.startswith("_bots_")]


def test_trust__own_network_and_chat__need_no_sandbox(tmp_path):
    network = ROOT / "agents" / "champion" / "shitenno.npz"
    arena = Arena(batch_class("shitenno"), {"num_players": 3}, limits=Limits(trusted=(f"ppo:{network}",)))
    assert hasattr(arena.agent(f"ppo:{network}"), "compiled")
    with pytest.raises(
        ValueError, match=r"chat:x.toml: --isolate keeps the network from it; if you trust it, add --trust"
    ):
        arena.prepare(["chat:x.toml", "random"])


# --- the command -----------------------------------------------------------------------------------------------------


def test_isolate__without_bubblewrap__refused_in_one_line(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(nursery, "nurseries", {})  # as at the start of a command
    arguments = ["--game", "shitenno", "--agents", f"{ZOO}:honest,random", "--isolate", "--out", str(tmp_path / "t")]
    assert "--isolate needs bubblewrap 0.8 or newer (Debian, Ubuntu: apt install bubblewrap)" in refusal(
        capsys, tournament.main, *arguments
    )
    assert not (tmp_path / "t").exists()


def test_isolate__with_a_bubblewrap_that_fails__says_its_words(capsys, monkeypatch, tmp_path):
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    arena = Arena(batch_class("shitenno"), {"num_players": 2}, limits=LIMITS)
    with pytest.raises(ValueError, match="here it makes no sandbox: bwrap: No permissions to create new namespace"):
        arena.agent(f"{tmp_path}/none.py:make")


def test_isolate_process_and_trust__say_what_they_do_not_protect(capsys, tmp_path):
    arguments = ["--game", "shitenno", "--agents", f"{ZOO}:honest,random", "--players", "2", "--games", "2"]
    assert tournament.main([*arguments, "--isolate=process", "--out", str(tmp_path / "t")]) == 0
    words = capsys.readouterr().err.splitlines()
    assert words[0].startswith("--isolate=process: agents run as you: they can read and write your files")
    assert "--trust x: not one of the agents" in refusal(
        capsys, tournament.main, *arguments, "--isolate", "--trust", "x", "--out", str(tmp_path / "u")
    )
