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
what it prints            thrown away: ``agent_process.serve``; of standard error ``Errors`` keeps 1 MB
what it starts            killed with it: ``agent_process.Starter``
========================  ==========================================================================

Without the sandbox (``--isolate=process``) the first two are not limited, and what a process starts is found only as
long as it stays in its session: it can read and write the user's files, and read, stop and change other processes.
"""

from __future__ import annotations

import os
import pickle
import re
import select
import signal
import socket
import time
import zlib
from contextlib import suppress
from typing import Any

import numpy as np

from shogun_env.agents.exec.errors import Errors
from shogun_env.benchmarks.arena.nursery import (
    HEAD_BYTES,
    HELLO,
    NUMBER_BYTES,
    ORDER_SECONDS,
    OVER_MEMORY,
    OVER_PROCESSES,
    PARTLY,
    REFUSED,
    RESUME,
    START_SECONDS,
    WANTS,
    Limits,
    nurseries,
    nursery_of,
    sender_of,
    starters,
)
from shogun_env.benchmarks.arena.referee import FAULTS
from shogun_env.policies import Ends, FaultError, PartlyLostError, View

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
        charged: seconds that count for its last answer: of computing of all its processes, or a tenth of those by the
            clock if that is more.
        wants_stories, wants_lines, wants_ends: what it wants to be told, known once it was started.
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
        self._errors: Errors | None = None
        self._is_first = True
        self._limit, self._begin, self._next_look = 0.0, 0.0, 0.0
        self.wants_stories = self.wants_lines = self.wants_ends = False

    def start(self, tries: bool = False) -> None:
        """Start the process and wait until the agent is made.

        Args: tries: whether to try the agent only; what it compiles is then kept, and it may be asked nothing.

        Raises: ValueError with the agent's own words if it cannot be made, or if there can be no sandbox here;
            FaultError if the process dies or is late.
        """
        self.starts += 1
        self._is_first = True
        self._wait_for(START_SECONDS)
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
        words = _text(head).split()
        self.wants_stories, self.wants_lines, self.wants_ends = (want in words for want in WANTS)

    def _fork(self, tries: bool) -> None:
        if self._key not in starters:
            starters[self._key] = nursery_of(self.game, self.group).starter(self.name, self.game, self.limits)
        self._socket = starters[self._key].fork(tries)
        self._process = sender_of(self._socket, HELLO, ORDER_SECONDS)
        pipe, theirs = os.pipe()
        if self.limits.errors:
            os.makedirs(self.limits.errors, exist_ok=True)
        self._errors = Errors(pipe, errors_file(self.limits.errors, self.name))
        try:
            socket.send_fds(self._socket, [HELLO], [theirs])
        finally:
            os.close(theirs)
        self._socket.setblocking(False)

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
        self._wait_for(count * self.limits.decision_seconds + (self.limits.first_seconds if self._is_first else 0.0))
        self._is_first = False
        try:
            self._tell((view, rng))
            answer = self._receive(HEAD_BYTES + 25 * count)
            heads = self._receive(len(FAULTS) * HEAD_BYTES) if answer[0] == PARTLY else b""
            self._pause()
        except FaultError as fault:
            self.charged = min(self._limit, self._by_the_clock())
            raise FaultError(fault.kind, f"{fault}{self._named()}") from None
        if answer[0] not in (0, PARTLY):
            raise FaultError(FAULTS[(answer[0] - 1) % len(FAULTS)], _text(answer) + self._named())
        rng[:] = np.frombuffer(answer, np.uint64, 2 * count, HEAD_BYTES).reshape(count, 2)
        actions = np.frombuffer(answer, np.int64, count, HEAD_BYTES + 16 * count)
        if heads:
            lost = ["" if not code else FAULTS[(code - 1) % len(FAULTS)] for code in answer[-count:]]
            texts = [_text(heads[at : at + HEAD_BYTES]) + self._named() for at in range(0, len(heads), HEAD_BYTES)]
            if found := {kind: text for kind, text in zip(FAULTS, texts, strict=True) if kind in lost}:
                raise PartlyLostError(actions, lost, found)
        return actions

    def end(self, ends: Ends) -> None:
        """Tell the agent how games ended; one whose process has ended is not started for it."""
        if self._socket is None:
            return
        self._wait_for(len(ends.rows) * self.limits.decision_seconds)
        with suppress(FaultError):
            self._tell(ends)
            self._receive(HEAD_BYTES)
            self._pause()

    def _wait_for(self, seconds: float) -> None:
        """Begin to count the seconds of an answer."""
        self._limit, self._begin = seconds, time.monotonic()
        self._next_look = self._begin + seconds

    def _tell(self, message: Any) -> None:
        """Resume the process and send it a message."""
        self._order(RESUME)
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        self._send(len(data).to_bytes(NUMBER_BYTES, "little") + data)

    def _pause(self) -> None:
        """Stop the process, and charge what it used since it was resumed."""
        try:
            self.charged = max(starters[self._key].pause(), self._by_the_clock() / SLACK)
        except (OSError, KeyError):
            raise self._dead() from None

    def _named(self) -> str:
        """Return where standard error is kept, in brackets, if there is any."""
        if self._errors is None:
            return ""
        if self._socket is not None:
            self._errors.read()
        return self._errors.named() if self.limits.errors else ""

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
        if self._errors is not None and self._errors.is_open:
            self._errors.close()
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

    def _is_ready(self, event: int) -> bool:
        """Wait until the socket can be read or written, and keep what comes on standard error meanwhile.

        Before the seconds of the answer are over by the clock nobody has to look whether it is late, as it cannot have
        computed longer, save in several processes at a time.

        Returns: False if it is time to look.
        """
        assert self._socket is not None, "it was started"
        assert self._errors is not None, "it was started"
        poll = select.poll()
        poll.register(self._socket, event)
        if self._errors.is_open:
            poll.register(self._errors.pipe, select.POLLIN)
        ready = {handle for handle, _ in poll.poll(max(0.0, 1000 * (self._next_look - time.monotonic())))}
        if self._errors.pipe in ready:
            self._errors.read()
        return self._socket.fileno() in ready or time.monotonic() < self._next_look

    def _check_late(self) -> None:
        """Kill the process and raise FaultError if it has computed longer than it may, or taken too long by the clock.

        That is looked at again in a moment.
        """
        passed = self._by_the_clock()
        self._next_look = time.monotonic() + LOOK_SECONDS
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
            assert self._socket is not None, "it was started"
            if not self._is_ready(select.POLLOUT):
                self._check_late()
                continue
            try:
                rest = rest[self._socket.send(rest) :]
            except BlockingIOError:
                pass
            except OSError:
                raise self._dead() from None

    def _receive(self, size: int) -> bytes:
        """Return the next ``size`` bytes; if they do not come in time, kill the process and raise FaultError."""
        data = bytearray(size)
        rest = memoryview(data)
        while rest:
            assert self._socket is not None, "it was started"
            if not self._is_ready(select.POLLIN):
                self._check_late()
                continue
            try:
                count = self._socket.recv_into(rest)
            except BlockingIOError:
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


def errors_file(folder: str, name: str) -> str:
    """Return the file in a folder that the standard error of a bot is appended to; empty without a folder.

    Example:
        >>> errors_file("out/errors", "exec:python bots/my_bot.py")
        'out/errors/exec-python-bots-my-bot-py-0471be82.txt'
    """
    if not folder:
        return ""
    slug = "-".join(re.findall(r"\w+", name.replace("_", "-")))[-60:]
    return os.path.join(folder, f"{slug}-{zlib.crc32(name.encode()):08x}.txt")


def _text(head: bytes) -> str:
    """Return the text in the head of an answer, without what a terminal would act on."""
    text = head[1:HEAD_BYTES].rstrip(b"\0").decode("utf-8", "replace")
    return "".join(letter for letter in text if letter.isprintable())
