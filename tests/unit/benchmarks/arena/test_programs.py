"""How the bots of strangers are started: each promise of docs/protocol.md, tried by a program, as an ordinary user.

What works without isolation is tried as well, so that no attempt fails for another reason.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

from shogun_env.agents.parts import is_stranger
from shogun_env.agents.program import program
from shogun_env.benchmarks.arena import programs
from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.programs import BUBBLEWRAP, Limits, agent_of, errors_file
from shogun_env.benchmarks.arena.referee import Referee
from shogun_env.commands import run_command
from shogun_env.policies import View
from shogun_env.spec.bots import FAULTS, MachineError
from tests.games import batch_class
from tests.sandboxes import public_folder, use_an_ordinary_user, why_no_sandbox
from tests.tree import ROOT, run_python
from tests.unit.benchmarks.arena.test_referee import without_names
from tests.waiting import until
from tests.zoo.bots import ZOO

SPEC = batch_class("shitenno").spec
ISOLATED = Limits(isolate=BUBBLEWRAP)
KERNELS = programs.kernels
needs_bubblewrap = pytest.mark.skipif(bool(why_no_sandbox()), reason=why_no_sandbox())


@pytest.fixture(autouse=True)
def impatience(monkeypatch):
    """Kill programs that do not end soon: these ones would not end later either."""
    monkeypatch.setattr(program, "DYING_SECONDS", 0.2)


@pytest.fixture(autouse=True)
def ordinary_user(monkeypatch):
    use_an_ordinary_user(monkeypatch.setattr)


@pytest.fixture
def tmp_path():
    """A folder that any user can read."""
    with tempfile.TemporaryDirectory() as name:
        yield public_folder(name)


@pytest.fixture
def stranger(tmp_path):
    """Return the spec of a program in a folder of its own that tries what the words say."""
    folder = tmp_path / "bots"
    folder.mkdir()
    (folder / "stranger.py").write_text((ZOO.with_name("stranger.py")).read_text("utf-8"), "utf-8")
    return lambda *words: f"exec:python {folder / 'stranger.py'} " + " ".join(f"'{word}'" for word in words)


def asked(spec, limits, decisions=1, **more):
    """Return the referee of a bot that was asked in one game."""
    batch = batch_class("shitenno")(1, num_players=2, seed=1)
    agent = agent_of(spec, batch.spec, limits, **more)
    referee = Referee(agent, 1, 2, limits.game_seconds)
    for _ in range(decisions):
        view = View.of(batch, np.arange(1))
        batch.step(referee.act(view, batch.policy_rngs[view.rows, view.players]))
    agent.close()
    return referee


# --- whose code a bot is ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "is_one"),
    [
        ("random", False),
        ("search:base=champion:model=scripted", False),
        ("ppo:runs/first", False),
        ("chat:model.toml", False),
        ("frugal", False),
        ("mine.py:make", True),
        ("exec:./bot", True),
        ("search:base=mine.py;make", True),
        ("search:rollouts=4:play_on=exec;./bot", True),
        ("search:base=search;base=mine.py;make", True),
        ("chat:model.toml:substitute=mine.py;make", True),
    ],
)
def test_is_stranger__what_a_spec_runs__decides(spec, is_one):
    assert is_stranger(spec) == is_one


def test_is_stranger__substitute_in_the_settings_of_a_chat__counts(tmp_path):
    (tmp_path / "model.toml").write_text('substitute = "exec:./bot"\n')
    assert is_stranger(f"chat:{tmp_path / 'model.toml'}")


# --- promises --------------------------------------------------------------------------------------------------------


def test_sandboxed__command__is_the_one_on_the_page():
    page = (ROOT / "docs" / "protocol.md").read_text("utf-8").split("    env -i")[1].split("\n\n")[0].split()
    command = programs.sandboxed(["COMMAND"], ["/bots"], Limits(isolate=BUBBLEWRAP))

    def options(words):
        named = [word.partition("=")[0] if word.startswith("--data") else word for word in words]
        first = [word for place, word in enumerate(named) if word[:2] == "--" and word not in named[:place]]
        return [
            word for word in first[first.index("--die-with-parent") :] if word not in ("--symlink", "--ro-bind-try")
        ]

    assert options(command) == options(page)


@needs_bubblewrap
def test_promises_1_and_2__files_network_environment_processes_of_others__out_of_reach(stranger, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_OF_MINE", "not-for-bots")
    (tmp_path / "secret").write_text("a secret")
    (tmp_path / "bots" / "data.txt").symlink_to(tmp_path / "secret")
    (tmp_path / "cache" / "mine-0123").mkdir(parents=True)
    (tmp_path / "cache" / "kernel.rng-0123").mkdir(parents=True)
    monkeypatch.setattr(programs, "cache_folder", lambda *_: tmp_path / "cache" / "any")
    monkeypatch.setattr(programs, "kernels", KERNELS)
    with socket.create_server(("127.0.0.1", 0)) as server:
        tries = [
            f"reads~{tmp_path / 'secret'}", f"reads~{tmp_path / 'bots' / 'data.txt'}", f"reads~{tmp_path}/cache",
            f"writes~{tmp_path / 'bots'}", f"connects~{server.getsockname()[1]}", "knows~not-for-bots",
            "sees_processes",
        ]  # fmt: skip
        inside = ["reads~/cache/mine-0123", "has_files_open", "has_rights", "makes_namespace", "writes~/usr"]
        inside += ["writes~/cache/kernel.rng-0123", "writes~/dev", "writes~/", "owns~/dev/null"]
        inside += [f"opens~{place}/proc/sys/kernel/core_pattern" for place in ("", "/proc/1/root")]
        spec = stranger(*tries, *inside, f"{tmp_path / 'bots' / 'data.txt'}")
        assert asked(spec, ISOLATED).texts == {}
        (text,) = asked(stranger(*tries), Limits()).texts.values()
    assert text.split()[1:] == [each.partition("~")[0] for each in tries]
    assert asked(stranger("writes~/tmp", f"reads~{tmp_path / 'bots' / 'stranger.py'}"), ISOLATED).texts["error"]


@needs_bubblewrap
@pytest.mark.parametrize(
    ("folder", "out", "says"),
    [
        ("other", "out", r"other leads over a link to .*/bots: name that"),
        ("bots", "bots/out/t", r"would see .*/bots, which holds the folder of the tournament: one of them has to lie"),
        ("bots", "/usr/local/src/out", "would see /usr, which holds the folder of the tournament"),
        ("package", "out", r"package is seen by every bot: give this one a folder of its own elsewhere"),
        ("me", "out", r"me, which holds your home folder"),
    ],
)
def test_promise_1__bot_that_would_see_too_much__is_refused(stranger, tmp_path, monkeypatch, folder, out, says):
    spec = stranger("reads").replace("/bots/", f"/{folder}/")
    (tmp_path / "other").symlink_to(tmp_path / "bots")
    for name in ("me", "package"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "stranger.py").write_text("")
    monkeypatch.setattr(programs, "visible_folders", lambda: (str(tmp_path / "package"),))
    monkeypatch.setenv("HOME", str(tmp_path / "me" / "home"))
    with pytest.raises(ValueError, match=says) as refusal:
        agent_of(spec, SPEC, ISOLATED, tmp_path / out)
    assert "\n" not in str(refusal.value)


def test_promise_1__bot_whose_folder_holds_that_of_another__is_refused(stranger, tmp_path):
    (tmp_path / "bots" / "inner").mkdir()
    (tmp_path / "bots" / "inner" / "bot.py").write_text("")
    inner = f"{tmp_path}/bots/inner/bot.py:make"
    programs.check_apart(["random", stranger("reads"), stranger("writes")])
    for specs in ([stranger("reads"), inner], [inner, "random", stranger("reads")]):
        with pytest.raises(
            ValueError, match=r"would see .*/bots/inner, the folder of .*inner/bot\.py:make: one of them"
        ):
            programs.check_apart(specs)
    words = ["--game", "shitenno", "--players", "3", "--agents", f"{stranger('reads')},{inner},random"]
    with pytest.raises(SystemExit):
        run_command("tournament", [*words, "--isolate", "--out", str(tmp_path / "out")])


@needs_bubblewrap
@pytest.mark.parametrize(("limits", "remembers"), [(ISOLATED, False), (Limits(), True)])
def test_promise_3__next_process__finds_nothing(stranger, limits, remembers):
    name = str(os.getpid())
    found = [asked(stranger(f"remembers~{name}"), limits).texts for _ in range(2)]
    for folder in ("/tmp", "/dev/shm"):
        Path(folder, f"left{name}").unlink(missing_ok=True)
    assert found == [{}, {"error": "worked: remembers"} if remembers else {}]


@needs_bubblewrap
def test_promise_3__memory_of_a_process_and_files__are_limited(stranger):
    limits = Limits(isolate=BUBBLEWRAP, memory_mb=200)
    assert asked(stranger("fills~400", "writes_file~65"), limits).texts == {}
    assert asked(stranger("fills~100", "writes_file~40"), limits).texts["error"] == "worked: fills writes_file"


@needs_bubblewrap
@pytest.mark.parametrize("how", ["sleeps~1000", "stops", "computes~1000", "chatters", "repeats"])
def test_promise_4__bot_that_thinks_for_too_long__loses_its_time_and_is_asked_no_more(stranger, how):
    begin = time.monotonic()
    referee = asked(stranger(how), Limits(isolate=BUBBLEWRAP, game_seconds=0.5), decisions=6)
    assert time.monotonic() - begin < 20
    faults = dict(zip(FAULTS, referee.faults.sum((0, 1)).tolist(), strict=True))
    assert faults["late"] >= (4 if how == "repeats" else 5) and sum(faults.values()) == faults["late"]
    assert referee.asked.max() <= 2
    assert (referee.seconds.max() >= 0.5) and (referee.seconds.max() < 10)


@needs_bubblewrap
def test_promise_4__bot_that_does_not_start__is_refused_soon(stranger):
    begin = time.monotonic()
    with pytest.raises(ValueError, match="no hello in 1 s"):
        agent_of(stranger("late to start"), SPEC, Limits(isolate=BUBBLEWRAP, start_seconds=1.0))
    assert time.monotonic() - begin < 15


def test_clock__one_game_whose_time_is_over__costs_no_other(stranger):
    agent = agent_of(stranger("naps~100"), SPEC, Limits())
    referee = Referee(agent, 12, 2, 0.5)
    view = View.of(batch_class("shitenno")(12, num_players=2, seed=1), np.arange(12))
    referee.act(view, np.zeros((12, 2), np.uint64))
    used = referee.seconds[view.rows, view.players]
    assert ((used >= 0.5) == [False, True] * 6).all()
    assert referee.faults.sum() == 6
    assert agent.starts == 1, "a bot that has only used up its time may be started again as often as it takes"
    agent.close()


def test_waiting__program_that_thinks__is_told_by_name(stranger, monkeypatch):
    monkeypatch.setattr(program, "WAITING_SECONDS", 0.1)
    told = []
    agent = agent_of(stranger("sleeps~0.5"), SPEC, Limits())
    agent.waiting = told.append
    agent.act(View.of(batch_class("shitenno")(1, num_players=2), np.arange(1)), np.zeros((1, 2), np.uint64))
    agent.close()
    assert told
    assert set(told) == {agent.name}


# --- what ends -------------------------------------------------------------------------------------------------------

KILLED = """
import sys
from tests.sandboxes import use_an_ordinary_user
use_an_ordinary_user(setattr)
from shogun_env.__main__ import main
main(["tournament", "--game", "shitenno", "--players", "3", "--agents", sys.argv[1] + ",random,scripted",
      "--games", "3", "--out", sys.argv[2], *sys.argv[3:]])
"""


def running(mark):
    """Return the numbers of the processes whose command line has a mark, but those that were told of it."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if mark.encode() in words:
            found.append(int(path.parent.name))
    return found


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("options", [[], pytest.param(["--isolate"], marks=needs_bubblewrap)])
def test_promise_5__tournament_that_is_killed__ends_its_programs(stranger, tmp_path, number, options):
    mark = f"sleeps~{1000 + os.getpid()}"
    words = [sys.executable, "-c", KILLED, stranger(mark), str(tmp_path / "out"), *options]
    with subprocess.Popen(words, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        try:
            until(lambda: running(mark) and (tmp_path / "out" / "journal.jsonl").exists())
            time.sleep(0.2)
            process.send_signal(number)
            process.wait(20)
            until(lambda: not running(mark))
        finally:
            process.kill()


@needs_bubblewrap
def test_promise_6__what_it_says__is_one_printable_line_and_kept_in_the_folder(stranger, tmp_path):
    spec = stranger("says~words")
    referee = asked(spec, ISOLATED, folder=tmp_path / "out")
    text = referee.texts["crash"]
    assert "[2J]0;title words" in text
    assert text.isprintable()
    assert "words" in Path(errors_file(str(tmp_path / "out" / "errors"), spec)).read_text()
    with pytest.raises(ValueError, match="leave stderr out with --isolate, which keeps it in the folder errors"):
        agent_of(spec.replace("exec:", f"exec:stderr={tmp_path / 'profile'}:"), SPEC, ISOLATED)


# --- what is missing here --------------------------------------------------------------------------------------------


def test_root__starts_no_bot_and_is_shown_a_container(stranger, monkeypatch):
    monkeypatch.setattr(programs.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(ValueError, match=r"starts no bot as root: run this as an ordinary user, or .*podman run"):
        agent_of(stranger("reads"), SPEC, ISOLATED)


FEW_HANDLES = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))
from shogun_env.__main__ import main
agents = [f"{sys.argv[1]} {number}" for number in range(8)]
main(["tournament", "--game", "shitenno", "--players", "3", "--agents", ",".join(agents), "--games", "3",
      "--line-ups", "drawn", "--out", sys.argv[2]])
"""


def test_few_file_handles__end_the_run_with_one_line(stranger, tmp_path):
    done = run_python("-c", FEW_HANDLES, stranger("reads~/none"), str(tmp_path / "out"))
    assert done.returncode == 2
    assert "could not be started, as this machine has too little left" in done.stderr
    assert done.stderr.count("\n") <= 3
    assert not (tmp_path / "out" / "leaderboard.md").exists()


def test_no_bubblewrap__is_one_line(monkeypatch):
    monkeypatch.setattr(programs.shutil, "which", lambda name: None)
    with pytest.raises(ValueError, match=r"--isolate needs Linux with bubblewrap 0\.8 or newer"):
        agent_of("exec:python x.py", SPEC, ISOLATED)


@needs_bubblewrap
def test_no_sandbox_any_more__ends_the_run_and_is_no_fault(stranger):
    batch = batch_class("shitenno")(1, num_players=2, seed=1)
    agent = agent_of(stranger("reads~/none"), SPEC, ISOLATED)
    agent.close()
    agent._words[agent._words.index("/usr")] = "/none"
    view = View.of(batch, np.arange(1))
    with pytest.raises(MachineError, match=r"could not be started in its sandbox: bwrap: .*/none"):
        Referee(agent, 1, 2).act(view, batch.policy_rngs[view.rows, view.players])


# --- prefixes, games -------------------------------------------------------------------------------------------------


def test_prefix__another_command__is_taken_as_it_is(stranger):
    spec = stranger("knows~in-a-container")
    assert "knows" in asked(spec, Limits(isolate="env SOME=in-a-container")).texts["error"]
    words = agent_of(spec, SPEC, Limits(isolate="env SOME=1"))._words
    assert words[:3] == ["env", "SOME=1", "python"]


def results_of(bot, limits, tmp_path):
    arena = Arena(batch_class("shitenno"), {"num_players": 3}, limits=limits, folder=tmp_path / "out")
    results = list(arena.play([bot, "random", "scripted"], games=3, seed=1))
    assert arena.fault_texts == {}
    return without_names(results)


@needs_bubblewrap
def test_isolated__python_bot__is_served_and_plays_the_games_of_one_in_the_process(tmp_path, monkeypatch):
    monkeypatch.undo()  # it needs this Python
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    (tmp_path / "bots").mkdir()
    file = tmp_path / "bots" / "mine.py"
    file.write_text(ZOO.read_text("utf-8"), "utf-8")
    assert results_of(f"{file}:looks", ISOLATED, tmp_path) == results_of(f"{file}:looks", None, tmp_path)


@needs_bubblewrap
def test_command__isolated_tournament__is_played(stranger, tmp_path):
    arguments = ["--game", "shitenno", "--players", "3", "--games", "3"]
    bot = stranger("reads~/none")
    agents = ["--agents", f"{bot},random,scripted", "--isolate", "--out", str(tmp_path / "t")]
    assert run_command("tournament", [*arguments, *agents]) == 0


@needs_bubblewrap
def test_check__of_the_folder_of_somebody_else__writes_into_no_file_of_the_checker(stranger, tmp_path, capsys):
    """The specs of its journal named the file, or a link in it led there."""
    profile, out, kept = tmp_path / "profile", tmp_path / "t", tmp_path / "kept"
    kept.mkdir()
    words = ["--game", "shitenno", "--players", "3", "--games", "3", "--out"]
    bots = [stranger("says~words").replace("exec:", f"exec:stderr={profile}:"), stranger("says~words")]
    for number, bot in enumerate(bots):
        folder = f"{out}{number}"
        assert run_command("tournament", [*words, folder, "--agents", f"{bot},random,scripted"]) == 0
        assert profile.exists() == (number == 0), "without isolation it is written"
        profile.unlink(missing_ok=True)
        Path(folder, "errors").symlink_to(kept)
        assert run_command("tournament", ["--check", folder, "--run-bots", "--isolate"]) == 1
        assert not profile.exists() and not [*kept.iterdir()]
