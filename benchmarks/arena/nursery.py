"""The processes that those of isolated agents are forked from, as a tournament sees them: nurseries and starters.

``agent_process`` is what runs in them.
"""

from __future__ import annotations

import os
import pickle
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from shogun_env.benchmarks.arena import sandbox
from shogun_env.benchmarks.arena.strangers import files_of
from shogun_env.kernel.cache import cache_folder

START_SECONDS = 120.0
"""Seconds in which the engine has to be imported, and in which a process has to make its agent."""
ORDER_SECONDS = 20.0
"""Seconds in which a starter has to do as it is told."""
STARTER_PRIORITY = -10
"""Of the starters, where the user may give it."""
HEAD_BYTES = 256
"""Length of the head of an answer: one byte, 0 or 1 + the index of a fault, and a text padded with zeros."""
READY, REFUSED = b"\0", b"\1"
"""First byte of the head that a process sends once it has made its agent, or could not."""
PARTLY = 255
"""First byte of the head of an answer of which some decisions are lost; a head for each kind of fault follows."""
WANTS = ("stories", "lines", "ends")
"""Words in the text of the head with ``READY``: what an agent wants to be told."""
HELLO = b"H"
"""What a process sends before it runs code of the agent, and is sent together with its standard error."""
FORK, END, CPU, PAUSE, RESUME = b"F", b"E", b"C", b"P", b"R"
"""Orders to a starter, each followed by a number."""
NUMBER_BYTES = 8
MOST_BYTES = 1 << 16
"""Length of the longest errand."""
OVER_MEMORY, OVER_PROCESSES = 1001, 1002
"""In place of an exit code: why a starter killed everything that an agent had started."""


@dataclass(frozen=True)
class Limits:
    """What an isolated agent may use."""

    decision_seconds: float = 1.0
    """Seconds per decision: an answer to n decisions has n times as long."""
    game_seconds: float = 60.0
    """Seconds per game and player."""
    memory_mb: int = 2048
    """Memory, in megabytes beyond what its process has when it is started."""
    first_seconds: float = 5.0
    """Seconds more for the first answer of a process, which may load or compile what it needs."""
    processes: int = 32
    """Number of processes at a time; in a sandbox."""
    sandbox: bool = True
    """Whether it lives in a sandbox, or only in a process of its own."""
    trusted: tuple[str, ...] = ()
    """Specs of agents that are treated like the package's own: no sandbox."""
    hidden: tuple[str, ...] = ()
    """Folders that no agent in a sandbox sees, even if they are in its own."""
    errors: str = ""
    """Folder of the files in which the standard error of each agent is kept; empty: nowhere."""


class Errand(NamedTuple):
    """What a starter is told of its agent."""

    name: str
    game: str
    limits: Limits
    files: tuple[tuple[int, str], ...]
    """Number and path of each of its files and folders, as ``sandbox.settle`` takes them."""
    imported: tuple[str, ...]
    """Folders in which to look for its package."""

    hidden: tuple[str, ...]
    """Folders that it must not see, under every name that they have for it."""


class Nursery:
    """The process that starters are forked from: a Python that has imported the engine, in a sandbox or not.

    Args:
        game: module of the game, such as ``shogun_env.shogun``.
        files: absolute paths of the files and folders of all agents, for a sandbox; None: without one.

    Raises: ValueError if there can be no sandbox here.
    """

    def __init__(self, game: str, files: tuple[str, ...] | None) -> None:
        self.files = files
        self.is_ready = False
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        self._orders, theirs = socket.socketpair()
        self._orders.settimeout(START_SECONDS)
        arguments = [game, str(theirs.fileno())]
        if files is None:
            command = [sys.executable, "-P", "-m", "shogun_env.benchmarks.arena.agent_process", *arguments]
            paths = [str(sandbox.package_root()), *filter(None, [os.environ.get("PYTHONPATH")])]
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        elif (reason := sandbox.why_not()) is not None:
            raise ValueError(reason)
        else:
            command = sandbox.command(files, cache_folder("", Path(sandbox.__file__)).parent, arguments)
            environment = dict(os.environ)
        with theirs:
            self._process = subprocess.Popen(
                command, env=environment, pass_fds=[theirs.fileno()], start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._errors,
            )  # fmt: skip

    def starter(self, name: str, game: str, limits: Limits) -> Starter:
        """Return a starter for an agent.

        Raises: ValueError if the sandbox could not be made; OSError if the process has ended since.
        """
        if not self.is_ready:
            self._wait()
        shown, imported = files_of(name)
        files = () if self.files is None else tuple((self.files.index(path), path) for path in shown)
        ours, theirs = _pair()
        hidden = [*limits.hidden, *(path for folder in limits.hidden for path in names_of(folder, shown))]
        errand = Errand(name=name, game=game, limits=limits, files=files, imported=imported, hidden=tuple(hidden))
        try:
            with theirs:
                socket.send_fds(self._orders, [pickle.dumps(errand)], [theirs.fileno()])
            pid = sender_of(ours, READY, START_SECONDS)
        except TimeoutError:
            ours.close()
            self.end()
            raise
        except OSError:
            ours.close()
            if self.files is not None and not self.has_ended():
                raise ValueError(self._no_sandbox()) from None
            self.end()
            raise
        with suppress(OSError):  # only root may; so a starter is heard among the processes of a bot that makes many
            os.setpriority(os.PRIO_PROCESS, pid, STARTER_PRIORITY)
        return Starter(ours)

    def _wait(self) -> None:
        """Wait until the engine is imported."""
        with suppress(OSError):
            self.is_ready = self._orders.recv(1) == READY
        if not self.is_ready:
            self.end()
            if self.files is None:
                raise OSError("the process that starts agents has ended")
            raise ValueError(self._no_sandbox())

    def _no_sandbox(self) -> str:
        """Return what is wrong with the sandbox, in one line."""
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").splitlines() or ["it ended without a word"]
        return f"{sandbox.HOW_TO_GET_IT}; here it makes no sandbox: {lines[-1]}"

    def has_ended(self) -> bool:
        """Return whether the process has ended."""
        return self._process.poll() is not None

    def end(self) -> None:
        """Kill the process, and with it everything in its sandbox."""
        self._orders.close()
        self._process.kill()
        self._process.wait()


def names_of(folder: str, shown: Sequence[str]) -> list[str]:
    """Return the names that a folder has in folders that may be links.

    Example:
        >>> names_of("/proc/1/task", ["/proc/self/../1", "/usr"])
        ['/proc/self/../1/task']
    """
    pairs = [(path, os.path.realpath(path)) for path in shown]
    return [path + folder[len(real) :] for path, real in pairs if sandbox.is_in(folder, [real])]


class Starter:
    """The process that starts and ends those of one agent; every answer of it has a limit of time."""

    def __init__(self, orders: socket.socket) -> None:
        self._orders = orders
        self._orders.settimeout(ORDER_SECONDS)

    def fork(self, keeps: bool) -> socket.socket:
        """Start the process of the agent; return the socket to talk to it.

        Args: keeps: whether it is one to try the agent, which is never asked about a game of the tournament.

        Raises: OSError if the starter has ended.
        """
        ours, theirs = _pair()
        with theirs:
            socket.send_fds(self._orders, [FORK + int(keeps).to_bytes(NUMBER_BYTES, "little")], [theirs.fileno()])
        return ours

    def end(self) -> int:
        """Kill what the agent has started; return the exit code of its process, negative for a signal.

        Raises: OSError if the starter has ended, like the next three.
        """
        self.order(END)
        return self._number()

    def computed(self) -> float:
        """Return for how many seconds the agent has computed since it was resumed, in all its processes."""
        self.order(CPU)
        return self._number() / 1e6

    def pause(self) -> float:
        """Stop what the agent has started; return for how many seconds it has computed since it was resumed."""
        self.order(PAUSE)
        return self._number() / 1e6

    def order(self, order: bytes) -> None:
        """Send an order."""
        self._orders.sendall(order + bytes(NUMBER_BYTES))

    def close(self) -> None:
        """End the starter."""
        self._orders.close()

    def _number(self) -> int:
        data = b""
        while len(data) < NUMBER_BYTES:
            try:
                part = self._orders.recv(NUMBER_BYTES - len(data))
            except TimeoutError:
                self.close()  # an answer that comes too late must not be taken for the next one
                part = b""
            if not part:
                raise OSError("the process that starts agents has ended")
            data += part
        return int.from_bytes(data, "little", signed=True)


nurseries: dict[tuple[object, ...], Nursery] = {}
starters: dict[tuple[object, ...], Starter] = {}
"""Those of this process, by what they are for."""


def nursery_of(game: str, group: tuple[str, ...] | None) -> Nursery:
    """Return the nursery in this process of a game and a group of agents, which see only their own files.

    Args: group: specs of the agents that share a sandbox; None: without a sandbox.
    Raises: ValueError if there can be no sandbox here.
    """
    files = None if group is None else tuple(dict.fromkeys(path for name in group for path in files_of(name).shown))
    key = (game, files, os.getpid())
    if key not in nurseries:
        nurseries[key] = Nursery(game, files)
    return nurseries[key]


def _pair() -> tuple[socket.socket, socket.socket]:
    """Return two connected sockets, of which the first is told who writes into the second."""
    ours, theirs = socket.socketpair()
    if hasattr(socket, "SO_PASSCRED"):
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    return ours, theirs


def sender_of(connection: socket.socket, word: bytes, seconds: float) -> int:
    """Wait for the first byte of a process; return the number of the process as it is known here, 0 if unknown.

    Raises: OSError if it does not come, or is another.
    """
    connection.settimeout(seconds)
    credentials: list[tuple[int, int, bytes]] = []
    if hasattr(socket, "SO_PASSCRED"):
        data, credentials, _, _ = connection.recvmsg(1, socket.CMSG_SPACE(struct.calcsize("3i")))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    else:
        data = connection.recv(1)
    if data != word:
        raise OSError("a process has ended before it began")
    return next((int(struct.unpack("3i", said[:12])[0]) for _, kind, said in credentials if kind == 2), 0)
