"""A bad program of a stranger: ``python stranger.py WHAT WITH …`` does one thing at its first decision, and owns up.

It answers with the error ``worked: …`` if what it tries works, and otherwise with the lowest legal action.
"""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

DONE: list[str] = []
ASKED: list[int] = []
CLONE_NEWUSER = 0x10000000


def reads(path: str) -> object:
    return os.listdir(path) if os.path.isdir(path) else Path(path).read_bytes()


def writes(path: str) -> object:
    (Path(path) / "escaped").write_text("here")
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
    return ctypes.CDLL(None).unshare(CLONE_NEWUSER) == 0


def opens(path: str) -> object:
    """Open a file to write, and write nothing."""
    os.close(os.open(path, os.O_WRONLY))
    return True


def owns(path: str) -> object:
    """Whether it could change the mode and times of a file."""
    return os.stat(path).st_uid == os.geteuid()


def has_files_open(_: str) -> object:
    links = [os.readlink(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")]
    return [link for link in links if link.startswith("/") and not link.startswith(("/dev/null", "/proc/"))]


def fills(megabytes: str) -> object:
    return len(bytearray(int(megabytes) << 20))


def writes_file(megabytes: str) -> object:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open(Path(tempfile.gettempdir(), "much"), "wb") as file:
        for _ in range(int(megabytes)):
            file.write(bytes(1 << 20))
    return True


def remembers(name: str) -> object:
    """Find what an earlier process left in a file, or leave it."""
    found = []
    for folder in ("/tmp", "/dev/shm", "/cache"):
        path = Path(folder) / f"left{name}"
        found.append(could(path.exists))
        could(lambda at=path: at.write_text("here"))
    return any(found)


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


def chatters(_: str) -> object:
    """Write empty lines for ever."""
    while True:
        print(flush=True)
        time.sleep(0.01)


def repeats(_: str) -> object:
    """Answer the first question again for ever, from the second on."""
    while len(ASKED) > 1:
        print(json.dumps({"id": ASKED[0], "action": 0}), flush=True)
        time.sleep(0.01)
    return False


def computes(seconds: str) -> object:
    """Compute in a child."""
    subprocess.run([sys.executable, "-c", f"import time; e = time.time() + {seconds}\nwhile time.time() < e: pass"])
    return False


def says(words: str) -> object:
    raise SystemExit(f"\x1b[2J\x1b]0;title\x07 \u202e{words}")


def could(attempt: Callable[[], object]) -> object:
    try:
        return attempt()
    except Exception:
        return False


def main(what: list[str]) -> None:
    for text in sys.stdin:
        message = json.loads(text)
        if message["t"] == "hello":
            if what[0] == "late to start":
                chatters("")
            print(json.dumps({"t": "hello", "protocol": 1, "name": "stranger"}), flush=True)
        elif message["t"] == "decide":
            ASKED.append(message["id"])
            tries = [(name, given) for name, _, given in (each.partition("~") for each in what)]
            worked = [name for name, given in tries if could(lambda n=name, g=given: globals()[n](g))]
            answer = {"error": f"worked: {' '.join(worked)}"} if worked else {"action": message["legal"][0]}
            print(json.dumps({"id": message["id"], **answer}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
