"""The processes of isolated agents: a starter, which imports the engine once, and a fork of it for each agent.

``python -m shogun_env.benchmarks.arena.agent_process GAME_MODULE SOCKET`` is the starter; ``AgentStarter`` runs it. It
never runs code of an agent. A fork starts in milliseconds, where a new Python would take a second to import the engine.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import pickle
import resource
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path

import shogun_env.agents  # noqa: F401 - once, for all forks
from shogun_env.benchmarks.arena.isolation import (
    END,
    FORK,
    HEAD_BYTES,
    MOST_BYTES,
    NUMBER_BYTES,
    READY,
    REFUSED,
)  # fmt: skip
from shogun_env.benchmarks.arena.referee import FAULTS, FaultError, checked, first_line
from shogun_env.policies import View, make_agent
from shogun_env.spec.game_spec import GameSpec

PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> None:
    """Start and end the processes of agents as the tournament says, until it closes the socket."""
    game, handle = arguments
    end_with_parent()
    batch_class = importlib.import_module(game).Batch
    batch = batch_class(1)
    View.of(batch, batch._rows)  # loads kernels, so that forks have them
    with socket.socket(fileno=int(handle)) as orders:
        orders.set_inheritable(False)
        forks: set[int] = set()
        while True:
            order, handles, _, _ = socket.recv_fds(orders, MOST_BYTES, 1)
            if not order:
                return
            if order[:1] == FORK:
                pid = os.fork()
                if not pid:
                    orders.close()
                    serve(handles[0], batch_class.spec, **pickle.loads(order[1:]))
                    os._exit(0)
                os.close(handles[0])
                forks.add(pid)
                orders.sendall(pid.to_bytes(NUMBER_BYTES, "little"))
            elif order[:1] == END:
                pid = int.from_bytes(order[1:], "little")
                status = end(pid) if pid in forks else 0  # it may be one of a starter that has ended
                forks.discard(pid)
                orders.sendall(status.to_bytes(NUMBER_BYTES, "little", signed=True))


def end(pid: int) -> int:
    """Kill the session of a process and return its exit code, negative for a signal; a dying one gets a moment."""
    for _ in range(20):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            break
        time.sleep(0.005)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    if not ended:
        _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def serve(handle: int, spec: GameSpec, name: str, memory_mb: int) -> None:
    """Make the agent and answer until the socket is closed; the process ends with what the agent does to it."""
    os.setsid()
    end_with_parent()
    limit_memory(memory_mb << 20)
    with socket.socket(fileno=handle) as connection:
        try:
            agent = make_agent(name, spec)
        except BaseException as error:  # whatever the agent raises, SystemExit included
            connection.sendall(head_of(REFUSED, str(error) if isinstance(error, ValueError) else first_line(error)))
            return
        connection.sendall(head_of(READY))
        stream = connection.makefile("rb")
        while size := stream.read(NUMBER_BYTES):
            view, rng = pickle.loads(stream.read(int.from_bytes(size, "little")))
            count = len(rng)
            try:
                actions = checked(agent.act(view, rng), count).tobytes()
                head = head_of(b"\0")
            except BaseException as error:
                kind = error.kind if isinstance(error, FaultError) else "error"
                text = str(error) if isinstance(error, FaultError) else first_line(error)
                head, actions = head_of(bytes([1 + FAULTS.index(kind)]), text), bytes(8 * count)
            connection.sendall(head + rng.tobytes() + actions)


def head_of(first: bytes, text: str = "") -> bytes:
    """Return the head of an answer: one byte, and a text padded with zeros."""
    data = text.encode("utf-8", "replace")[: HEAD_BYTES - 1]
    return (first + data).ljust(HEAD_BYTES, b"\0")


def end_with_parent() -> None:
    """Have the system kill this process when its parent ends, even by kill -9 (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def limit_memory(more: int) -> None:
    """Limit the address space to what is used now and ``more`` bytes; write no core files."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0]) if sys.platform == "linux" else 0
    limit = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    main(sys.argv[1:])
