"""Agents in processes of their own, which a tournament asks through a socket: ``IsolatedAgent``.

The process gets copies (a pickled ``View``) and answers with bytes of a fixed length, which are never unpickled. It may
raise, print, hang, exit, crash or run out of memory: here that is a ``FaultError``. A process that is late or breaks
off is killed with everything it started, and the next decision starts another one, up to three times.

What is limited, and where:

========================  ==========================================================================
seconds per decision      ``Limits.decision_seconds``, by the deadlines of ``IsolatedAgent.act``
seconds of first answer   ``Limits.first_seconds``, there too
seconds per game          ``Limits.game_seconds``, by ``Referee.act``, which stops asking
memory                    ``Limits.memory_mb``, by ``agent_process.limit_memory`` before the agent is made
starting                  ``START_SECONDS`` and ``RESTARTS``, by ``IsolatedAgent.start`` and ``act``
what it prints            thrown away: ``AgentStarter`` gives its processes no streams
what it starts            killed with it: ``agent_process.serve`` begins a session, ``agent_process.end`` kills it
========================  ==========================================================================

What is not kept from it: files, the network, and signals to processes of the same user. Run code of people whom you
have reason to distrust in a container.
"""

from __future__ import annotations

import functools
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import shogun_env
from shogun_env.benchmarks.arena.referee import FAULTS, FaultError
from shogun_env.policies import View

START_SECONDS = 120.0
"""Seconds in which a process has to make its agent."""
RESTARTS = 3
"""How often a process that died is started again."""
HEAD_BYTES = 256
"""Length of the head of an answer: one byte, 0 or 1 + the index of a fault, and a text padded with zeros."""
READY, REFUSED = b"\0", b"\1"
"""First byte of the head that a process sends once it has made its agent, or could not."""
FORK, END = b"F", b"E"
"""Orders to the starter."""
NUMBER_BYTES = 8
MOST_BYTES = 1 << 16
"""Length of the longest order."""


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


class AgentStarter:
    """The process that starts those of agents: a Python that has imported the engine, and forks.

    Args:
        game: module of the game, such as ``shogun_env.shogun``.
    """

    def __init__(self, game: str) -> None:
        self._orders, theirs = socket.socketpair()
        package = str(Path(shogun_env.__file__).parents[1])
        paths = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "shogun_env.benchmarks.arena.agent_process", game, str(theirs.fileno())],
                env={**os.environ, "PYTHONPATH": paths}, pass_fds=[theirs.fileno()], start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip

    def fork(self, name: str, limits: Limits) -> tuple[int, socket.socket]:
        """Start the process of an agent; return its number and the socket to talk to it.

        Raises: OSError if the starter has ended.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            order = FORK + pickle.dumps({"name": name, "memory_mb": limits.memory_mb})
            socket.send_fds(self._orders, [order], [theirs.fileno()])
            return self._number(), ours

    def end(self, pid: int) -> int:
        """Kill the process of an agent with its session; return its exit code, negative for a signal.

        Raises: OSError if the starter has ended.
        """
        self._orders.sendall(END + pid.to_bytes(NUMBER_BYTES, "little"))
        return self._number()

    def _number(self) -> int:
        data = self._orders.recv(NUMBER_BYTES, socket.MSG_WAITALL)
        if len(data) < NUMBER_BYTES:
            self._process.kill()
            self._process.wait()
            raise OSError("the process that starts agents has ended")
        return int.from_bytes(data, "little", signed=True)


@functools.cache
def starter_of(game: str, _pid: int) -> AgentStarter:
    """Return the starter of a game in this process."""
    return AgentStarter(game)


class IsolatedAgent:
    """An agent that lives in a process of its own.

    Args:
        name: its spec, as for ``make_agent``.
        game: module of the game, such as ``shogun_env.shogun``.
        limits: what it may use.
    """

    def __init__(self, name: str, game: str, limits: Limits) -> None:
        self.name = name
        self.game = game
        self.limits = limits
        self.starts = 0
        self._pid = 0
        self._socket: socket.socket | None = None
        self._is_first = True

    def start(self) -> None:
        """Start the process and wait until the agent is made.

        Raises: ValueError with the agent's own words if it cannot be made; FaultError if the process dies or is late.
        """
        self.starts += 1
        self._is_first = True
        try:
            self._pid, self._socket = starter_of(self.game, os.getpid()).fork(self.name, self.limits)
        except OSError:
            starter_of.cache_clear()
            self._pid, self._socket = starter_of(self.game, os.getpid()).fork(self.name, self.limits)
        head = self._receive(HEAD_BYTES, time.monotonic() + START_SECONDS)
        if head[:1] == REFUSED:
            self.stop()
            raise ValueError(_text(head))

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return the answer of the agent, int64[n], which may be illegal.

        Raises: FaultError for any other answer, or none.
        """
        if self._socket is None:
            if self.starts > RESTARTS:
                raise FaultError("crash", f"not started again after {RESTARTS} restarts")
            try:
                self.start()
            except ValueError as error:
                raise FaultError("crash", str(error)) from None
        count = len(rng)
        more = self.limits.first_seconds if self._is_first else 0.0
        self._is_first = False
        deadline = time.monotonic() + count * self.limits.decision_seconds + more
        message = pickle.dumps((view, rng), pickle.HIGHEST_PROTOCOL)
        self._send(len(message).to_bytes(NUMBER_BYTES, "little") + message, deadline)
        answer = self._receive(HEAD_BYTES + 24 * count, deadline)
        if answer[0]:
            raise FaultError(FAULTS[(answer[0] - 1) % len(FAULTS)], _text(answer))
        rng[:] = np.frombuffer(answer, np.uint64, 2 * count, HEAD_BYTES).reshape(count, 2)
        return np.frombuffer(answer, np.int64, count, HEAD_BYTES + 16 * count)

    def stop(self) -> int:
        """Kill the process and everything that it started in its session; return its exit code."""
        code = 0
        if self._socket is not None:
            self._socket.close()
            with suppress(OSError):
                code = starter_of(self.game, os.getpid()).end(self._pid)
        self._socket = None
        return code

    def renew(self) -> None:
        """End the process; the next decision is put to a new one, which may again be restarted."""
        self.stop()
        self.starts = 0

    def _send(self, data: bytes, deadline: float) -> None:
        """Send bytes; if that fails, kill the process and raise FaultError."""
        assert self._socket is not None
        try:
            self._socket.settimeout(max(1e-3, deadline - time.monotonic()))
            self._socket.sendall(data)
        except TimeoutError:
            raise self._late() from None
        except OSError:
            raise self._dead() from None

    def _receive(self, size: int, deadline: float) -> bytes:
        """Return the next ``size`` bytes; if they do not come in time, kill the process and raise FaultError."""
        assert self._socket is not None
        data = bytearray(size)
        rest = memoryview(data)
        while rest:
            try:
                self._socket.settimeout(max(1e-3, deadline - time.monotonic()))
                count = self._socket.recv_into(rest)
            except TimeoutError:
                raise self._late() from None
            except OSError:
                raise self._dead() from None
            if not count:
                raise self._dead()
            rest = rest[count:]
        return bytes(data)

    def _late(self) -> FaultError:
        self.stop()
        return FaultError("late", f"no answer within {self.limits.decision_seconds} s per decision")

    def _dead(self) -> FaultError:
        code = self.stop()
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"status {code}"
        return FaultError("crash", f"its process ended with {how}")


def _text(head: bytes) -> str:
    """Return the text in the head of an answer, without what a terminal would act on."""
    text = head[1:HEAD_BYTES].rstrip(b"\0").decode("utf-8", "replace")
    return "".join(letter for letter in text if letter.isprintable())
