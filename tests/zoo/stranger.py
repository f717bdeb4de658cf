"""A bad program of a stranger: ``python stranger.py WHAT WITH …`` does one thing at its first decision, and owns up.

It answers with the error ``worked: …`` if what it tries works, and otherwise with the lowest legal action. It is told
to talk to another program by the ways of ``Line``, one of which tells and one of which hears.
"""

import ctypes
import fcntl
import json
import os
import platform
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

MARK = 7531
"""Of what a program leaves behind."""
DONE: list[str] = []
CLONE_NEWUSER, IPC_CREAT, IN_OPEN = 0x10000000, 0o1000, 0x20
ADD_KEY, KEYCTL = {"x86_64": (248, 250), "aarch64": (217, 219)}.get(platform.machine(), (0, 0))
KEYCTL_SEARCH, USER_KEYRING, SESSION_KEYRING = 10, -4, -3
libc = ctypes.CDLL(None, use_errno=True)


def reads(path: str) -> object:
    return os.listdir(path) if os.path.isdir(path) else Path(path).read_bytes()


def writes(path: str) -> object:
    (Path(path) / f"escaped{MARK}").write_text("here")
    return True


def knows(value: str) -> object:
    places = [f"/proc/{name}/environ" for name in os.listdir("/proc") if name.isdigit()]
    found = [could(lambda at=place: value.encode() in Path(at).read_bytes()) for place in places]
    return value in os.environ.values() or any(found)


def connects(port: str) -> object:
    socket.create_connection(("127.0.0.1", int(port)), timeout=2).close()
    return True


def sees_processes(_: str) -> object:
    return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if pid not in (os.getpid(), 1)]


def has_rights(_: str) -> object:
    return "CapEff:\t0000000000000000" not in Path("/proc/self/status").read_text()


def makes_namespace(_: str) -> object:
    return libc.unshare(CLONE_NEWUSER) == 0


def sets_kernel(path: str) -> object:
    open(path, "w").close()
    return True


def has_files_open(_: str) -> object:
    links = [os.readlink(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")]
    return [link for link in links if link.startswith("/") and not link.startswith(("/dev/null", "/proc/"))]


def finds_key(name: str) -> object:
    """Find a key in the keyring of the session."""
    return libc.syscall(KEYCTL, KEYCTL_SEARCH, SESSION_KEYRING, b"user", name.encode(), 0) > 0


def fills(megabytes: str) -> object:
    return len(bytearray(int(megabytes) << 20))


def writes_file(megabytes: str) -> object:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open(Path(tempfile.gettempdir(), "much"), "wb") as file:
        for _ in range(int(megabytes)):
            file.write(bytes(1 << 20))
    return True


def lifts_limits(_: str) -> object:
    resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return True


def remembers(name: str) -> object:
    """Find what an earlier process left in a file, a key or a segment of memory, or leave it."""
    found = [could(lambda at=folder: writes_new(at, name)) for folder in ("/tmp", "/dev/shm", "/cache")]
    key = libc.syscall(KEYCTL, KEYCTL_SEARCH, USER_KEYRING, b"user", f"left{name}".encode(), 0) > 0
    libc.syscall(ADD_KEY, b"user", f"left{name}".encode(), b"x", 1, USER_KEYRING)
    memory = libc.shmget(int(name), 0, 0) >= 0
    libc.shmget(int(name), 4096, IPC_CREAT | 0o600)
    return [*filter(None, found), *filter(None, [key, memory])]


def writes_new(folder: str, name: str) -> object:
    """Return whether a file was there before; make it."""
    path = Path(folder) / f"left{name}"
    was = path.exists()
    path.write_text("here")
    return was


# --- what takes time: nothing is owned up to -------------------------------------------------------------------------


def sleeps(seconds: str) -> object:
    time.sleep(float(seconds))
    return False


def naps(seconds: str) -> object:
    """Sleep at every other decision."""
    if DONE.append(seconds) is None and len(DONE) % 2 == 0:
        time.sleep(float(seconds))
    return False


def stops(_: str) -> object:
    """Stop itself, as from a terminal."""
    os.kill(os.getpid(), signal.SIGSTOP)
    return False


def computes(seconds: str) -> object:
    """Compute in children of which the system forgets how long they took."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    subprocess.run([sys.executable, "-c", f"import time; e = time.time() + {seconds}\nwhile time.time() < e: pass"])
    return False


def becomes_another(seconds: str) -> object:
    os.execv("/bin/sleep", ["sleep", seconds])


def says(words: str) -> object:
    raise SystemExit(f"\x1b[2J\x1b]0;title\x07 \u202e{words}")


# --- talking to another program --------------------------------------------------------------------------------------


class Line:
    """What one program can keep so that another finds it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.notes = libc.inotify_init1(os.O_NONBLOCK)
        self.kept: list[object] = []

    def tell(self) -> None:
        stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        stream.bind(f"\0stranger{MARK}")
        datagram = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagram.bind(("127.0.0.1", 40000 + MARK))
        self.kept += [stream, datagram]
        libc.syscall(ADD_KEY, b"user", f"stranger{MARK}".encode(), b"x", 1, USER_KEYRING)
        libc.shmget(MARK, 4096, IPC_CREAT | 0o600)
        for path in ("/usr/bin/env", self.path):
            file = open(path, "rb")  # noqa: SIM115 - it is kept
            fcntl.flock(file, fcntl.LOCK_EX)
            self.kept.append(file)

    def watch(self) -> None:
        for path in ("/usr/bin/env", self.path):
            libc.inotify_add_watch(self.notes, path.encode(), IN_OPEN)

    def heard(self) -> list[str]:
        found = {
            "inotify": could(lambda: os.read(self.notes, 4096)),
            "key": libc.syscall(KEYCTL, KEYCTL_SEARCH, USER_KEYRING, b"user", f"stranger{MARK}".encode(), 0) > 0,
            "memory": libc.shmget(MARK, 0, 0) >= 0,
            "lock of the system": not could(lambda: self._locks("/usr/bin/env")),
            "lock of its folder": not could(lambda: self._locks(self.path)),
            "port": not could(lambda: self._binds(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 40000 + MARK))),
            "socket": not could(lambda: self._binds(socket.AF_UNIX, socket.SOCK_STREAM, f"\0stranger{MARK}")),
        }
        return [name for name, was in found.items() if was]

    def _locks(self, path: str) -> object:
        with open(path, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True

    def _binds(self, family: int, kind: int, address: object) -> object:
        with socket.socket(family, kind) as made:
            made.bind(address)  # type: ignore[arg-type]
        return True


def could(attempt: Callable[[], object]) -> object:
    try:
        return attempt()
    except Exception:
        return False


def main(what: list[str]) -> None:
    line = Line(__file__)
    for text in sys.stdin:
        message = json.loads(text)
        if message["t"] == "hello":
            if what[0] == "late to start":
                time.sleep(1000)
            if what[0] == "hears":
                line.watch()
            print(json.dumps({"t": "hello", "protocol": 1, "name": "stranger"}), flush=True)
        elif message["t"] == "decide":
            answer: dict[str, object] = {"action": message["legal"][0]}
            if what[0] == "tells":
                line.tell()
            elif what[0] == "hears":
                answer = {"error": f"heard: {', '.join(line.heard())}"}
            else:
                tries = [(name, given) for name, _, given in (each.partition("~") for each in what)]
                worked = [name for name, given in tries if could(lambda n=name, g=given: globals()[n](g))]
                answer = {"error": f"worked: {' '.join(worked)}"} if worked else answer
            print(json.dumps({"id": message["id"], **answer}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
