"""Agents in processes of their own, which a tournament asks through a socket: ``IsolatedAgent``.

The process gets copies (a pickled ``View``) and answers with bytes of a fixed length, which are never unpickled. It may
raise, print, hang, exit, crash or run out of memory: here that is a ``FaultError``. A process that is late or breaks
off is killed with everything it started, and the next decision starts another one, up to three times. Between its
decisions everything that an agent has started is stopped, so that it takes no time from others.

What is limited, and where:

========================  ==========================================================================
what it sees              ``arena.sandbox``: read-only the system, Python, this package, its own files
network, other processes  none: ``arena.sandbox``
seconds per decision      ``Limits.decision_seconds``, by ``IsolatedAgent.act``: of computing, and ``SLACK`` times as
                          many by the clock
seconds of first answer   ``Limits.first_seconds``, there too
seconds per game          ``Limits.game_seconds``, by ``Referee.act``, which stops asking; ``IsolatedAgent.charged``
memory                    ``Limits.memory_mb``, of a process by ``agent_process.set_limits``, of all by ``Starter``
number of processes       ``Limits.processes``, by ``agent_process.Starter``
starting                  ``START_SECONDS`` and ``RESTARTS``, by ``IsolatedAgent.start`` and ``act``
orders to starters        ``ORDER_SECONDS``, by ``nursery.Starter``
what it prints            thrown away: ``agent_process.serve``
what it starts            killed with it: ``agent_process.Starter``
========================  ==========================================================================

Without the sandbox (``--isolate=process``) the first two are not limited, and what a process starts is found only as
long as it stays in its session: it can read and write the user's files, and read, stop and change other processes.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import time

import numpy as np

from shogun_env.benchmarks.arena.nursery import (
    HEAD_BYTES,
    HELLO,
    NUMBER_BYTES,
    ORDER_SECONDS,
    OVER_MEMORY,
    OVER_PROCESSES,
    PAUSE,
    REFUSED,
    RESUME,
    START_SECONDS,
    Limits,
    nurseries,
    nursery_of,
    sender_of,
    starters,
)
from shogun_env.benchmarks.arena.referee import FAULTS
from shogun_env.policies import FaultError, View

RESTARTS = 3
"""How often a process that died is started again."""
LOOK_SECONDS = 0.05
"""Seconds between two looks whether a process that has had its time by the clock has also computed so long."""
SLACK = 10.0
"""A decision or game may take this many times its seconds by the clock if others keep the machine busy."""


class IsolatedAgent:
    """An agent that lives in a process of its own, and if the limits say so in a sandbox.

    Args:
        name: its spec, as for ``make_agent``.
        game: module of the game, such as ``shogun_env.shogun``.
        limits: what it may use.
        group: specs of the agents whose starters come from one sandbox; without, it has one for itself.

    Attributes:
        charged: seconds that count for its last answer: of computing, or a tenth of those by the clock if that is more.
    """

    def __init__(self, name: str, game: str, limits: Limits, group: tuple[str, ...] = ()) -> None:
        self.name = name
        self.game = game
        self.limits = limits
        self.group = (group or (name,)) if limits.sandbox else None
        self.starts = 0
        self.charged = 0.0
        self._key = (name, game, limits, self.group, os.getpid())
        self._socket: socket.socket | None = None
        self._process = 0
        self._is_first = True
        self._limit, self._begin, self._begin_computing = 0.0, 0.0, 0.0

    def start(self, tries: bool = False) -> None:
        """Start the process and wait until the agent is made.

        Args: tries: whether to try the agent only; what it compiles is then kept, and it may be asked nothing.

        Raises: ValueError with the agent's own words if it cannot be made, or if there can be no sandbox here;
            FaultError if the process dies or is late.
        """
        self.starts += 1
        self._is_first = True
        self._limit, self._begin = START_SECONDS, time.monotonic()
        try:
            self._fork(tries)
        except OSError:  # the starter has ended, which a bot can do to its own if it is not in a sandbox
            self._forget()
            try:
                self._fork(tries)
            except OSError as error:
                raise FaultError("crash", f"its process could not be started: {error}") from None
        head = self._receive(HEAD_BYTES)
        if head[:1] == REFUSED:
            self.stop()
            raise ValueError(_text(head))

    def _fork(self, tries: bool) -> None:
        if self._key not in starters:
            starters[self._key] = nursery_of(self.game, self.group).starter(self.name, self.game, self.limits)
        self._socket = starters[self._key].fork(tries)
        self._process = sender_of(self._socket, HELLO, ORDER_SECONDS)

    def _forget(self) -> None:
        """Give up the starter and the nursery, which do not do as they are told."""
        if self._key in starters:
            starters.pop(self._key).close()
        for key, nursery in list(nurseries.items()):
            if key[0] == self.game and (key[1] is None) is (self.group is None) and nursery.has_ended():
                del nurseries[key]

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return the answer of the agent, int64[n], which may be illegal.

        Raises: FaultError for any other answer, or none.
        """
        if self._socket is None:
            if self.starts > RESTARTS:
                self.charged = 0.0
                raise FaultError("crash", f"not started again after {RESTARTS} restarts")
            try:
                self.start()
            except ValueError as error:
                raise FaultError("crash", str(error)) from None
        count = len(rng)
        self._limit = count * self.limits.decision_seconds + (self.limits.first_seconds if self._is_first else 0.0)
        self._is_first = False
        self._begin, self._begin_computing = time.monotonic(), _computed_by(self._process)
        try:
            self._order(RESUME)
            message = pickle.dumps((view, rng), pickle.HIGHEST_PROTOCOL)
            self._send(len(message).to_bytes(NUMBER_BYTES, "little") + message)
            answer = self._receive(HEAD_BYTES + 24 * count)
            self._order(PAUSE)
            self.charged = max(_computed_by(self._process) - self._begin_computing, self._by_the_clock() / SLACK)
        except FaultError:
            self.charged = min(self._limit, self._by_the_clock())
            raise
        if answer[0]:
            raise FaultError(FAULTS[(answer[0] - 1) % len(FAULTS)], _text(answer))
        rng[:] = np.frombuffer(answer, np.uint64, 2 * count, HEAD_BYTES).reshape(count, 2)
        return np.frombuffer(answer, np.int64, count, HEAD_BYTES + 16 * count)

    def stop(self) -> int:
        """Kill the process and everything that it started; return its exit code."""
        code = 0
        if self._socket is not None:
            self._socket.close()
            try:
                code = starters[self._key].end()
            except (OSError, KeyError):
                self._forget()
        self._socket = None
        return code

    def renew(self) -> None:
        """End the process; the next decision is put to a new one, which may again be restarted."""
        self.stop()
        self.starts = 0

    def _order(self, order: bytes) -> None:
        try:
            starters[self._key].order(order)
        except (OSError, KeyError):
            raise self._dead() from None

    def _by_the_clock(self) -> float:
        return time.monotonic() - self._begin

    def _left(self) -> float:
        """Return the seconds until the next look whether the agent is late."""
        rest = self._limit - self._by_the_clock()
        return rest if rest > 0 else LOOK_SECONDS

    def _check_late(self) -> None:
        """Kill the process and raise FaultError if it has computed longer than it may, or taken too long by the clock.

        Before its seconds are over by the clock nobody has to look, as it cannot have computed longer, save in several
        processes at a time.
        """
        passed = self._by_the_clock()
        if passed < self._limit:
            return
        try:
            is_late = passed > SLACK * self._limit or starters[self._key].computed() > self._limit
        except (OSError, KeyError):
            raise self._dead() from None
        if is_late:
            self.stop()
            raise FaultError("late", f"no answer within {self.limits.decision_seconds} s per decision")

    def _send(self, data: bytes) -> None:
        """Send bytes; if that fails, kill the process and raise FaultError."""
        rest = memoryview(data)
        while rest:
            assert self._socket is not None
            try:
                self._socket.settimeout(self._left())
                rest = rest[self._socket.send(rest) :]
            except TimeoutError:
                self._check_late()
            except OSError:
                raise self._dead() from None

    def _receive(self, size: int) -> bytes:
        """Return the next ``size`` bytes; if they do not come in time, kill the process and raise FaultError."""
        data = bytearray(size)
        rest = memoryview(data)
        while rest:
            assert self._socket is not None
            try:
                self._socket.settimeout(self._left())
                count = self._socket.recv_into(rest)
            except TimeoutError:
                self._check_late()
                continue
            except OSError:
                raise self._dead() from None
            if not count:
                raise self._dead()
            rest = rest[count:]
        return bytes(data)

    def _dead(self) -> FaultError:
        code = self.stop()
        if code == OVER_MEMORY:
            return FaultError("crash", f"its processes had more than {self.limits.memory_mb} MB together")
        if code == OVER_PROCESSES:
            return FaultError("crash", f"it started more than {self.limits.processes} processes")
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"status {code}"
        return FaultError("crash", f"its process ended with {how}")


def _computed_by(pid: int) -> float:
    """Return for how many seconds a process has computed, those of its children not included; 0 if it is unknown."""
    if not pid:
        return 0.0
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:  # it has ended
        return 0.0


def _text(head: bytes) -> str:
    """Return the text in the head of an answer, without what a terminal would act on."""
    text = head[1:HEAD_BYTES].rstrip(b"\0").decode("utf-8", "replace")
    return "".join(letter for letter in text if letter.isprintable())
