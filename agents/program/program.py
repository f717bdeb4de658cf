"""A program that is asked in lines, by its standard input and output. It can delay its caller only for a given time,
and it ends with the process that started it.
"""

import ctypes
import errno
import functools
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from shogun_env.spec.bots import FaultError, MachineError
from shogun_env.spec.forms import one_line

LONGEST_LINE = 1 << 20
"""Bytes of the longest line that is read."""
CHUNK = 1 << 16
MOST_KEPT = 1 << 20
"""Bytes of standard error that a file may have; the rest is left out."""
LAST_BYTES, LAST_LETTERS = 2000, 200
"""The last bytes of standard error, in which its last line is looked for, and the letters of this line to be quoted."""
DYING_SECONDS = 1.0
"""How long a program that is to end may take before it is killed."""
WAITING_SECONDS = 1.0
"""Seconds between two calls of ``waiting``."""
PR_SET_PDEATHSIG = 1
TOO_FEW = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
"""Errors that mean that this machine can start no program at all."""


@functools.cache
def _starter(process: int) -> ThreadPoolExecutor:
    """Return the thread that starts all programs of a process.

    A program is killed when the thread that started it ends, and others end before the process does.
    """
    return ThreadPoolExecutor(1, thread_name_prefix="programs")


@functools.cache
def _prctl() -> Callable[..., int] | None:
    return getattr(ctypes.CDLL(None), "prctl", None) if sys.platform == "linux" else None


def _end_with(parent: int) -> None:
    """Have this process, which is about to become a program, killed when its parent ends."""
    prctl = _prctl()
    if prctl is not None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)


class Errors:
    """The standard error of a program.

    Args: pipe, non-blocking, to read it from; path, the file that it is appended to; empty: a temporary one, which is
        removed again unless somebody is told of it.
    """

    def __init__(self, pipe: int, path: str) -> None:
        os.set_blocking(pipe, False)
        self.pipe = pipe
        self._path = path
        self._is_named = bool(path)
        self._last = b""
        self.is_open = True
        """Whether more may come."""

    def read(self) -> None:
        """Take what has come, at most as much as a pipe holds."""
        with suppress(BlockingIOError):
            data = os.read(self.pipe, CHUNK)
            self.is_open = bool(data)
            if data:
                self._last = (self._last + data)[-LAST_BYTES:]
                self._keep(data)

    def _keep(self, data: bytes) -> None:
        if not self._path:
            handle, self._path = tempfile.mkstemp(prefix="shogun-env-stderr-", suffix=".txt")
            os.close(handle)
        with suppress(OSError):
            Path(self._path).parent.mkdir(parents=True, exist_ok=True)
            with Path(self._path).open("ab") as file:
                file.write(data[: max(0, MOST_KEPT - file.tell())])

    def quoted(self) -> str:
        """Return the last line, and the file if there is one, as the end of a sentence; empty if nothing was said."""
        lines = self._last.decode("utf-8", "replace").split("\n")
        last = next((text for line in reversed(lines) if (text := one_line(line, LAST_LETTERS))), "")
        return f": {last}{self.named()}" if last else ""

    def named(self) -> str:
        """Return where the rest can be read, in brackets; empty if nothing was said."""
        self._is_named = True
        return f" (standard error: {self._path})" if self._path and self._last else ""

    def close(self) -> None:
        """Take what is left, and remove the file if nobody was told of it."""
        self.read()
        with suppress(OSError):
            os.close(self.pipe)
        if self._path and not self._is_named:
            Path(self._path).unlink(missing_ok=True)


class Program:
    """A process of a bot.

    Args:
        words: the command.
        errors: file that its standard error is appended to; empty: as ``Errors`` says.
        enters: whether the command writes a newline when it has entered a sandbox, before the program runs.

    Raises: FaultError (``crash``) if it cannot be started; MachineError if no program could be.

    Attributes: unsent, what is still to be written to it; may_end, whether it gets a moment to end by itself.
    """

    def __init__(self, words: Sequence[str], errors: str, enters: bool = False) -> None:
        _prctl()  # loaded before the fork
        try:
            pipe, theirs = os.pipe()
        except OSError as error:
            raise _too_few(words, error) from None
        parent = os.getpid()

        def start() -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                [*words], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=theirs,
                preexec_fn=lambda: _end_with(parent),
            )  # fmt: skip

        try:
            self._process = _starter(parent).submit(start).result()
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            os.close(pipe)
            if getattr(error, "errno", None) in TOO_FEW:
                raise _too_few(words, error) from None
            raise FaultError("crash", f"{words[0]} could not be started: {error}") from None
        finally:
            os.close(theirs)
        assert self._process.stdin is not None and self._process.stdout is not None, "both are pipes"
        self.input, self.output, self.errors = self._process.stdin, self._process.stdout, Errors(pipe, errors)
        os.set_blocking(self.input.fileno(), False)
        os.set_blocking(self.output.fileno(), False)
        self.unsent = bytearray()
        self.may_end = False
        self._is_outside = enters
        self._read = bytearray()
        self._owner = os.getpid()
        self._since = time.monotonic()

    def ask(self, line: bytes) -> None:
        """Write lines, as far as the program takes them now; from now on it is waited for."""
        self._since = time.monotonic()
        self.send(line)

    def send(self, line: bytes) -> None:
        """Write a line that needs no answer, as far as the program takes it now."""
        self.unsent += line
        self.write()

    def write(self) -> None:
        """Send as much of ``unsent`` as the program takes now."""
        try:
            while self.unsent:
                del self.unsent[: os.write(self.input.fileno(), self.unsent[:CHUNK])]
        except BlockingIOError:
            pass
        except OSError:  # it has closed its input; what it wrote before is still read, then comes the end
            self.unsent.clear()

    def read(self) -> tuple[list[bytes], FaultError | None]:
        """Return the whole lines that have come, and the fault if it has ended (``crash``) or wrote too long a line.

        Raises: MachineError if it could not enter its sandbox.
        """
        try:
            data = os.read(self.output.fileno(), CHUNK)
        except BlockingIOError:
            return [], None
        if not data:
            return [], self._ended()
        self._is_outside = False
        self._since = time.monotonic() if b"\n" in data else self._since
        *lines, rest = (bytes(self._read) + data).split(b"\n") if b"\n" in data else (self._read + data,)
        self._read = bytearray(rest)
        fault = None
        if max(map(len, [*lines, rest])) > LONGEST_LINE:
            lines = [line for line in lines if len(line) <= LONGEST_LINE]
            fault = FaultError("form", f"a line of more than {LONGEST_LINE} bytes")
            self.stop()
        return [bytes(line) for line in lines if line.strip()], fault

    def seconds_left(self, seconds: float) -> float:
        """Return how long it may still be silent."""
        return self._since + seconds - time.monotonic()

    def late(self, seconds: float) -> FaultError:
        """Stop it, and return the fault of a program that was silent for too long."""
        self.errors.read()
        fault = FaultError("late", f"no line for {seconds:g} s{self.errors.named()}")
        self.stop()
        return fault

    def stop(self) -> None:
        """End the program, if it is this process's, and forget it."""
        if self._owner != os.getpid() or self.input.closed:
            return
        if self.may_end:
            self._let_end(time.monotonic() + DYING_SECONDS)
        with suppress(OSError):
            self.input.close()
        with suppress(OSError):
            self.output.close()
        self._process.terminate()  # what starts containers has to end them
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(DYING_SECONDS)
        self._process.kill()
        self._process.wait()
        self.errors.close()

    def _let_end(self, until: float) -> None:
        """Write what is left, close the input, and wait until the program has ended, or until a time."""
        poll = select.poll()
        poll.register(self.input, select.POLLOUT)
        while self.unsent and (left := until - time.monotonic()) > 0:
            poll.poll(1000 * left)
            self.write()
        with suppress(OSError):
            self.input.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, until - time.monotonic()))

    @property
    def is_stopped(self) -> bool:
        """Whether it can be asked no more, as it was stopped or belongs to the process that this one is a fork of."""
        return self.input.closed or self._owner != os.getpid()

    def _ended(self) -> FaultError:
        """Return the fault of a program that wrote no more: how it ended, and the last that it said."""
        half = f" after half a line of {len(self._read)} bytes" if self._read else ""
        try:
            code = self._process.wait(DYING_SECONDS)
            how = f"the program was ended by signal {-code}" if code < 0 else f"the program ended with status {code}"
        except subprocess.TimeoutExpired:
            how = "the program closed its output"
        self.errors.read()
        last_words = self.errors.quoted()
        self.stop()
        if self._is_outside:
            raise MachineError(f"a bot's program could not be started in its sandbox{last_words}")
        return FaultError("crash", how + half + last_words)


def _too_few(words: Sequence[str], error: Exception) -> MachineError:
    return MachineError(f"{words[0]} could not be started, as this machine has too little left: {error}")


Heard = tuple[Program, list[bytes], FaultError | None]
"""A program, the lines that it has written, and the fault by which it was stopped after them, if there was one."""


def listen(programs: Mapping[Program, float], waiting: Callable[[], None] | None = None) -> list[Heard]:
    """Send what is to be sent to programs that are waited for, and return what they say, once one says something.

    Args: programs, none of which is stopped, and how many seconds each may be silent; waiting, called about once a
        second before that.
    """
    poll = select.poll()
    for program in programs:
        poll.register(program.output, select.POLLIN)
        if program.errors.is_open:
            poll.register(program.errors.pipe, select.POLLIN)
        if program.unsent:
            poll.register(program.input, select.POLLOUT)
    called = time.monotonic()
    while True:
        left = min(program.seconds_left(seconds) for program, seconds in programs.items())
        ready = {handle for handle, _ in poll.poll(1000 * min(WAITING_SECONDS, max(0.0, left)))}
        heard = [(program, *_served(program, ready, poll, seconds)) for program, seconds in programs.items()]
        if any(lines or fault is not None for _, lines, fault in heard):
            return heard
        if waiting is not None and time.monotonic() - called >= WAITING_SECONDS:
            called = time.monotonic()
            waiting()


def _served(
    program: Program, ready: set[int], poll: select.poll, seconds: float
) -> tuple[list[bytes], FaultError | None]:
    """Exchange with a program what can be exchanged now; return what it says, as ``Heard``."""
    if program.errors.pipe in ready:
        program.errors.read()
        if not program.errors.is_open:
            poll.unregister(program.errors.pipe)
    if program.unsent:
        program.write()
        if not program.unsent:
            poll.unregister(program.input)
    lines, fault = program.read() if program.output.fileno() in ready else ([], None)
    if not lines and fault is None and program.seconds_left(seconds) <= 0:
        fault = program.late(seconds)
    return lines, fault
