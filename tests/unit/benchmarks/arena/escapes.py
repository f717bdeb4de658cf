"""Bots that try to get out of ``--isolate``, or to harm others from within: ``escapes.py:pries``, ``escapes.py:stops``.

All play at random, like ``honest`` in ``zoo.py``, and do wrong at their third question.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.kernel.rng import choose

CLONE_NEWUSER, PTRACE_ATTACH, IPC_CREAT = 0x10000000, 16, 0o1000
MARK = 7531
"""Of what a bot leaves behind: seconds of a sleep, key of a segment of memory, number in the name of a file."""


def at_random(view: Any, rng: np.ndarray) -> np.ndarray:
    return np.array([choose(row, mask) for row, mask in zip(rng, view.masks, strict=True)])


class Bot:
    """Plays at random, and does ``wrong(view, rng)`` before its third answer, or before all from then on."""

    def __init__(self, wrong: Callable[[Any, np.ndarray], object], always: bool = False) -> None:
        self.wrong, self.always, self.questions = wrong, always, 0

    def act(self, view: Any, rng: np.ndarray) -> np.ndarray:
        self.questions += 1
        if self.questions == 3 or (self.always and self.questions > 3):
            self.wrong(view, rng.copy())
        return at_random(view, rng)


def others() -> list[int]:
    """Return the numbers of all processes but this one and its parents' parents, as far as they can be seen."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


# --- what a bot may not see or do: each returns whether it could -----------------------------------------------------


def reads(path: str) -> bool:
    """Read a file or folder elsewhere: the secret of the tournament, a home folder, another bot."""
    return bool(os.listdir(path) if os.path.isdir(path) else Path(path).read_bytes())


def writes(path: str) -> bool:
    """Write into a folder that it sees."""
    (Path(path) / f"escaped{MARK}").write_text("here")
    return True


def reads_memory(_: str) -> bool:
    """Look into the memory of another process: the tournament, the starter, another bot."""
    return any(could(lambda pid=pid: open(f"/proc/{pid}/mem", "r+b")) for pid in others())


def traces(_: str) -> bool:
    """Trace another process."""
    return any(ctypes.CDLL(None).ptrace(PTRACE_ATTACH, pid, 0, 0) == 0 for pid in others())


def reads_environment(value: str) -> bool:
    """Find a variable of the environment of the tournament, here or in another process."""
    places = [f"/proc/{name}/environ" for name in os.listdir("/proc") if name.isdigit()]
    found = [could(lambda place=place: value.encode() in Path(place).read_bytes()) for place in places]
    return value in os.environ.values() or any(found)


def connects(port: str) -> bool:
    """Connect to a server of this machine."""
    socket.create_connection(("127.0.0.1", int(port)), timeout=2).close()
    return True


def has_files_open(_: str) -> bool:
    """Have a file or folder open that was not opened here."""
    links = [os.readlink(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")]
    return any(link.startswith("/") and not link.startswith(("/dev/null", "/proc/")) for link in links)


def has_rights(_: str) -> bool:
    """Have a capability."""
    return "CapEff:\t0000000000000000" not in Path("/proc/self/status").read_text()


def makes_namespace(_: str) -> bool:
    """Make a namespace in which it has all rights."""
    return bool(ctypes.CDLL(None).unshare(CLONE_NEWUSER) == 0)


def sets_kernel(_: str) -> bool:
    """Change how the machine is set."""
    open("/proc/sys/kernel/core_pattern", "w").close()
    return True


PRIES: dict[str, Callable[[str], bool]] = {
    function.__name__: function
    for function in (
        reads, writes, reads_memory, traces, reads_environment, connects, has_files_open, has_rights, makes_namespace,
        sets_kernel,
    )
}  # fmt: skip


def could(attempt: Callable[[], object]) -> bool:
    """Return whether an attempt succeeds."""
    try:
        return bool(attempt())
    except Exception:
        return False


def pries(spec: Any, what: str) -> Bot:
    """Try things, ``NAME=WITH`` separated by commas, and own up to those that worked, by an exception."""

    def wrong(view: Any, rng: np.ndarray) -> None:
        tries = [part.partition("~") for part in what.split(",")]
        worked = [f"{name} {given}" for name, _, given in tries if could(lambda n=name, g=given: PRIES[n](g))]
        if worked:
            raise RuntimeError(f"worked: {', '.join(worked)}")

    return Bot(wrong)


def guesses(spec: Any) -> Bot:
    """Look for the seed of the game in the random row: among small numbers; own up to it by an exception."""

    def wrong(view: Any, rng: np.ndarray) -> None:
        players = int(view.options["num_players"])
        for seed in range(3000):
            keys = np.frombuffer(hashlib.blake2b(b"%d" % seed, digest_size=8 * players).digest(), np.uint64)
            if np.isin(rng[:, 0], keys).any():
                raise RuntimeError(f"a seed is {seed}")

    return Bot(wrong)


def remembers(spec: Any) -> Bot:
    """Look for what an earlier process left behind, and leave something in every place that can be thought of."""
    libc = ctypes.CDLL(None)

    def wrong(view: Any, rng: np.ndarray) -> None:
        folders = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        files = [Path(folder) / f"mark{MARK}" for folder in [*folders, "/tmp", os.path.expanduser("~")]]
        found = [str(file) for file in files if could(lambda file=file: file.read_text())]
        found += ["a segment of memory"] if libc.shmget(MARK, 16, 0) >= 0 else []
        found += [f"process {pid}" for pid in others() if could(lambda pid=pid: is_sleep(pid))]
        for file in files:
            could(lambda file=file: file.write_text("x"))
        assert sum(could(file.read_text) for file in files) > 0, "a bot may write somewhere"
        assert libc.shmget(MARK, 16, IPC_CREAT | 0o600) >= 0
        subprocess.Popen(["sleep", str(MARK)], start_new_session=True)
        if found:
            raise RuntimeError(f"found {', '.join(found)}")

    return Bot(wrong)


def is_sleep(pid: int) -> bool:
    """Return whether a process is one that ``remembers`` or ``leaves_children`` has started."""
    return str(MARK).encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")


# --- harm ------------------------------------------------------------------------------------------------------------


def stops(spec: Any) -> Bot:
    """Stop its parent and everything else that it can reach."""

    def wrong(view: Any, rng: np.ndarray) -> None:
        for pid in {os.getppid(), 1, *others()}:
            could(lambda pid=pid: os.kill(pid, signal.SIGSTOP))

    return Bot(wrong, always=True)


def kills(spec: Any) -> Bot:
    """Kill everything that it can reach."""

    def wrong(view: Any, rng: np.ndarray) -> None:
        for pid in {os.getppid(), 1, *others()}:
            could(lambda pid=pid: os.kill(pid, signal.SIGKILL))
        os.kill(-1, signal.SIGKILL)

    return Bot(wrong, always=True)


def bombs(spec: Any) -> Bot:
    """Fork as often as it can."""

    def wrong(view: Any, rng: np.ndarray) -> None:
        while True:
            could(os.fork)

    return Bot(wrong)


def fills_children(spec: Any, megabytes: int = 300) -> Bot:
    """Let children have the memory that it may not have itself."""

    def wrong(view: Any, rng: np.ndarray) -> None:
        for _ in range(4):
            if not os.fork():
                full = np.ones((megabytes << 20) // 8)
                time.sleep(60 + full[0])
                os._exit(0)
        time.sleep(60)

    return Bot(wrong)


def hogs(spec: Any) -> Bot:
    """Compute in many threads and processes, also while others decide."""

    def compute() -> None:
        while True:
            hashlib.blake2b(bytes(1 << 20)).digest()

    def wrong(view: Any, rng: np.ndarray) -> None:
        for _ in range(6):
            threading.Thread(target=compute, daemon=True).start()
            if not os.fork():
                os.setsid()
                compute()

    return Bot(wrong)


def computes(spec: Any, seconds: float = 0.01) -> Bot:
    """An honest bot that computes for a while in each decision; ``hogs`` makes it wait."""

    def wrong(view: Any, rng: np.ndarray) -> None:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    return Bot(wrong, always=True)


def stops_itself(spec: Any) -> Bot:
    return Bot(lambda view, rng: os.kill(os.getpid(), signal.SIGSTOP))


def becomes_another(spec: Any) -> Bot:
    """Go on as another program, which answers nothing."""
    return Bot(lambda view, rng: os.execv("/usr/bin/sleep", ["sleep", str(MARK)]))


def floods(spec: Any) -> Bot:
    """Write to every file that is open, the socket of the tournament among them."""

    def wrong(view: Any, rng: np.ndarray) -> None:
        for handle in range(3, 64):
            could(lambda handle=handle: os.write(handle, bytes(range(256)) * 40))

    return Bot(wrong)


def writes_much(spec: Any) -> Bot:
    """Fill the places in which it may write."""

    def wrong(view: Any, rng: np.ndarray) -> None:
        with open(os.path.join(os.environ.get("TMPDIR", "/tmp"), "much"), "wb") as stream:
            for _ in range(1000):
                stream.write(bytes(1 << 20))

    return Bot(wrong)


def lifts_limits(spec: Any) -> Bot:
    """Take more memory than it may, after lifting the limit."""

    def wrong(view: Any, rng: np.ndarray) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        sys.exit(9)

    return Bot(wrong)


def makes_nothing(spec: Any) -> Bot:
    """End the process while the bot is made."""
    os._exit(4)
