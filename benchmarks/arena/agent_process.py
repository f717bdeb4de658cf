"""The processes of isolated agents: one that imports the engine, a starter for each agent, a fork of that to play.

``python -m shogun_env.benchmarks.arena.agent_process GAME_MODULE SOCKET`` is the first; ``nursery.Nursery`` runs it,
for a sandbox through ``arena.sandbox``. Neither it nor a starter runs code of an agent. A fork starts in milliseconds,
where a new Python would take a second to import the engine.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import pickle
import resource
import select
import signal
import socket
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.agents.exec.errors import pass_on
from shogun_env.benchmarks.arena import sandbox
from shogun_env.benchmarks.arena.nursery import (
    CPU,
    END,
    FORK,
    HEAD_BYTES,
    HELLO,
    MOST_BYTES,
    NUMBER_BYTES,
    OVER_MEMORY,
    OVER_PROCESSES,
    PARTLY,
    PAUSE,
    READY,
    REFUSED,
    RESUME,
    WANTS,
    Errand,
    Limits,
)
from shogun_env.benchmarks.arena.referee import (
    FAULTS,
    check_draws,
    checked,
    fault_of,
    first_line,
    parts_of,
    text_of,
)
from shogun_env.policies import Agent, Ends, PartlyLostError, View, import_built_in, make_agent
from shogun_env.spec.game_spec import GameSpec

PR_SET_PDEATHSIG = 1
LOOK_SECONDS = 0.05
"""Seconds between two looks at what the processes of a playing agent use."""
MOST_FILES, MOST_THREADS, LARGEST_FILE_MB = 256, 128, 256
"""Open files of a process in the sandbox, its threads and processes (not of root's), and its largest file."""
TICKS = os.sysconf("SC_CLK_TCK")


def main(arguments: list[str]) -> None:
    """Import the engine, then fork a starter for every socket that the tournament sends, until it closes its own."""
    game, handle, *more = arguments
    is_sandboxed = sandbox.SANDBOXED in more
    end_with_parent()
    import_built_in()  # once, for all forks
    batch_class = importlib.import_module(game).Batch
    batch = batch_class(1)
    View.of(batch, batch._rows)  # loads kernels, so that forks have them
    if is_sandboxed:
        sandbox.warmed()
    with socket.socket(fileno=int(handle)) as orders:
        orders.sendall(READY)
        while True:
            order, handles, _, _ = socket.recv_fds(orders, MOST_BYTES, 1)
            if not order:
                return
            errand: Errand = pickle.loads(order)
            if not (sandbox.fork_first() if is_sandboxed else os.fork()):
                orders.close()
                with socket.socket(fileno=handles[0]) as connection:
                    Starter(connection, batch_class.spec, errand, is_sandboxed).run()
                os._exit(0)
            os.close(handles[0])
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


class Starter:
    """Starts and ends the process of an agent, one at a time, and looks after it while it plays.

    Args:
        orders: what the tournament says.
        spec: the game.
        errand: the agent, and what it may see and use.
        is_sandboxed: whether this process is the first one of its namespace.
    """

    def __init__(self, orders: socket.socket, spec: GameSpec, errand: Errand, is_sandboxed: bool) -> None:
        self.orders, self.spec, self.errand, self.is_sandboxed = orders, spec, errand, is_sandboxed
        self.niceness = os.getpriority(os.PRIO_PROCESS, 0)
        """That of the tournament, which agents have too; this process may be given another."""
        self.usual = memory_of("self")
        """Bytes that every process has from the beginning."""
        self.pid = 0
        self.verdict = 0
        self.is_playing = False
        self.begin = 0.0
        """Seconds of computing when the process was last resumed."""

    def run(self) -> None:
        """Do as the tournament says until it closes the socket."""
        if self.is_sandboxed:
            sandbox.settle(self.errand.files, self.errand.hidden)
        else:
            end_with_parent()
        sys.path.extend(self.errand.imported)
        self.orders.sendall(READY)
        while True:
            while self.is_playing and not select.select([self.orders], [], [], LOOK_SECONDS)[0]:
                self._look()
            order, handles, _, _ = socket.recv_fds(self.orders, 1 + NUMBER_BYTES, 1)
            if not order:
                self._end()
                return
            self._do(order[:1], order[1:], handles)

    def _do(self, order: bytes, number: bytes, handles: list[int]) -> None:
        if order == FORK:
            self._fork(handles[0], keeps=any(number))
        elif order == END:
            self._answer(self._end())
        elif order == CPU:
            self._answer(int(1e6 * (self._computed() - self.begin)))
        elif order == PAUSE:
            self._signal(signal.SIGSTOP)
            self.is_playing = False
            self._answer(int(1e6 * (self._computed() - self.begin)))
        elif order == RESUME:
            self.begin = self._computed()
            self._signal(signal.SIGCONT)
            self.is_playing = True

    def _answer(self, number: int) -> None:
        self.orders.sendall(number.to_bytes(NUMBER_BYTES, "little", signed=True))

    def _fork(self, handle: int, keeps: bool) -> None:
        """Start the process of the agent, which talks to the tournament through a socket."""
        self._end()
        self.pid = os.fork()
        if not self.pid:
            try:
                os.setpriority(os.PRIO_PROCESS, 0, self.niceness)
                self.orders.close()
                if self.is_sandboxed:
                    sandbox.close_off(keeps)
                serve(handle, self.spec, self.errand, self.is_sandboxed, keeps)
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        os.close(handle)
        self.verdict, self.is_playing = 0, True
        self.begin = self._computed()

    def _end(self) -> int:
        """Kill the process with everything it started; return its exit code, negative for a signal, or the verdict."""
        if not self.pid:
            return 0
        ended, status = 0, 0
        for _ in range(20):  # one that is dying alone gets a moment
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended or not self.is_playing or len(self._processes()) > 1:
                break
            time.sleep(0.005)
        self._signal(signal.SIGKILL)
        if not ended:
            _, status = os.waitpid(self.pid, 0)
        if self.is_sandboxed:
            with suppress(ChildProcessError):
                while True:  # the first process of a namespace inherits them all
                    os.waitpid(-1, 0)
        self.pid, self.is_playing = 0, False
        return self.verdict or os.waitstatus_to_exitcode(status)

    def _signal(self, number: int) -> None:
        """Send a signal to everything that the agent has started, without a sandbox only to its group of processes."""
        with suppress(ProcessLookupError, PermissionError):
            if self.is_sandboxed:
                os.kill(-1, number)  # all but the first process of the namespace, which this one is
            elif self.pid:
                os.killpg(self.pid, number)

    def _processes(self) -> list[str]:
        """Return the numbers of the agent's processes; without a sandbox only of the one that was started for it."""
        if not self.is_sandboxed:
            return [str(self.pid)] if self.pid else []
        return [name for name in os.listdir("/proc") if name.isdigit() and name != "1"]

    def _computed(self) -> float:
        """Return the seconds of computing of all processes so far, those that have ended included."""
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        processes = self._processes() if self.is_sandboxed else with_children(str(self.pid))
        return ended.ru_utime + ended.ru_stime + sum(map(computed_by, processes))

    def _look(self) -> None:
        """Kill everything if there are too many processes, or if together they have too much memory."""
        if not self.is_sandboxed or not self.pid:
            return
        processes = self._processes()
        if len(processes) > self.errand.limits.processes:
            self.verdict = OVER_PROCESSES
        elif sum(memory_of(pid) - self.usual for pid in processes) > self.errand.limits.memory_mb << 20:
            self.verdict = OVER_MEMORY
        if self.verdict:
            self._signal(signal.SIGKILL)
            self.is_playing = False


def with_children(pid: str) -> list[str]:
    """Return the numbers of a process and of all that it has started, and those have."""
    found = [pid]
    for each in found:
        with suppress(OSError):
            for task in os.listdir(f"/proc/{each}/task"):
                found += Path(f"/proc/{each}/task/{task}/children").read_text("ascii").split()
    return found


def computed_by(pid: str) -> float:
    """Return for how many seconds a process has computed, with what it started and has ended; 0 if it has ended."""
    with suppress(OSError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text("latin-1").rpartition(")")[2].split()
        return time.clock_gettime((~int(pid) << 3) | 2) + sum(map(int, fields[13:15])) / TICKS
    return 0.0


def memory_of(pid: str) -> int:
    """Return the bytes of memory of a process that are no file's, 0 if it has ended; those it shares count as well.

    These are counters of the system. To divide shared pages it would have to look at all of them, and wait for a
    process that forks without end.
    """
    try:
        lines = Path(f"/proc/{pid}/status").read_text("latin-1").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith(("RssAnon:", "RssShmem:")))


def serve(handle: int, spec: GameSpec, errand: Errand, is_sandboxed: bool, tries: bool) -> None:
    """Make the agent and answer until the socket is closed; the process ends with what the agent does to it.

    Args:
        handle: the socket.
        spec: the game.
        errand: the agent, and what it may use.
        is_sandboxed: whether all limits can be set.
        tries: ask it for a decision of a game that nobody plays, so that what it compiles is there for later processes.
    """
    os.setsid()
    end_with_parent()
    nothing = os.open(os.devnull, os.O_RDWR)
    for handle_of_stream in range(3):
        os.dup2(nothing, handle_of_stream)
    set_limits(errand.limits, is_sandboxed)
    with socket.socket(fileno=handle) as connection:
        connection.sendall(HELLO)
        (errors,) = socket.recv_fds(connection, 1, 1)[1]
        os.dup2(errors, 2)
        os.close(errors)
        pass_on(2)
        try:
            agent = make_agent(errand.name, spec)
            agent.act  # noqa: B018 - it may be missing, and a property may raise
        except BaseException as error:  # whatever the agent raises, SystemExit included
            connection.sendall(head_of(REFUSED, text_of(error) if type(error) is ValueError else first_line(error)))
            return
        if tries:
            with suppress(BaseException):
                agent.act(*trial(errand.game))
        connection.sendall(head_of(READY, " ".join(want for want in WANTS if getattr(agent, f"wants_{want}", False))))
        stream = connection.makefile("rb")
        while size := stream.read(NUMBER_BYTES):
            message = pickle.loads(stream.read(int.from_bytes(size, "little")))
            if isinstance(message, Ends):
                with suppress(BaseException):
                    agent.end(message)  # type: ignore[attr-defined]
                connection.sendall(head_of(READY))
            else:
                connection.sendall(answer_of(agent, *message))


def answer_of(agent: Agent, view: View, rng: np.ndarray) -> bytes:
    """Return what an agent answers as bytes: a head, its draws, its actions and a code for each decision that is lost.

    If only some are lost, a head for each kind of fault follows.
    """
    count = len(rng)
    codes, heads = np.zeros(count, np.int8), b""
    try:
        try:
            actions = checked(agent.act(view, rng), count)
            head = head_of(b"\0")
        except PartlyLostError as error:
            actions, lost, texts = parts_of(error, count)
            head, codes = head_of(bytes([PARTLY])), (lost + 1).astype(np.int8)
            heads = b"".join(head_of(b"\0", texts.get(kind, "")) for kind in FAULTS)
        check_draws(rng, count)
        return head + rng.tobytes() + actions.tobytes() + codes.tobytes() + heads
    except BaseException as error:
        kind, text = fault_of(error)
        return head_of(bytes([1 + FAULTS.index(kind)]), text) + bytes(25 * count)


def trial(game: str) -> tuple[View, np.ndarray]:
    """Return a decision to ask an agent for, in a game that has nothing to do with the tournament."""
    batch = importlib.import_module(game).Batch(1)
    view = View.of(batch, batch._rows)
    return view, batch.policy_rngs[view.rows, view.players]


def head_of(first: bytes, text: str = "") -> bytes:
    """Return the head of an answer: one byte, and a text padded with zeros."""
    data = text.encode("utf-8", "replace")[: HEAD_BYTES - 1]
    return (first + data).ljust(HEAD_BYTES, b"\0")


def end_with_parent() -> None:
    """Have the system kill this process when its parent ends, even by kill -9 (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def set_limits(limits: Limits, is_sandboxed: bool) -> None:
    """Limit the address space to what is used now and the memory of an agent; write no core files.

    In a sandbox also limit open files, the size of files, and the threads and processes of the user, root excepted.
    """
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0]) if sys.platform == "linux" else 0
    memory = pages * resource.getpagesize() + (limits.memory_mb << 20)
    most: list[tuple[Any, int]] = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, memory)]
    if is_sandboxed:
        most += [(resource.RLIMIT_NOFILE, MOST_FILES), (resource.RLIMIT_NPROC, MOST_THREADS)]
        most += [(resource.RLIMIT_FSIZE, LARGEST_FILE_MB << 20)]
    for which, value in most:
        resource.setrlimit(which, (value, value))


if __name__ == "__main__":
    main(sys.argv[1:])
