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
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from shogun_env.spec.bots import FaultError, MachineError
from shogun_env.spec.forms import one_line

LONGEST_LINE = 1 << 20
"""Bytes of the longest line that is read."""
CHUNK = 1 << 16
MOST_KEPT = 1 << 20
"""Bytes of standard error that are kept, after what a file held before; the oldest are removed."""
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


class Program:
    """A process of a bot.

    Args:
        words: the command.
        errors: file that its standard error is appended to; empty: a temporary one, which is removed again unless a
            fault names it.
        enters: whether the command writes a newline when it has entered a sandbox, before the program runs.

    Raises: FaultError (``crash``) if it cannot be started; MachineError if no program could be.

    Attributes: may_end, whether it gets a moment to end by itself.
    """

    def __init__(self, words: Sequence[str], errors: str, enters: bool = False) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        if not hasattr(select, "poll"):
            raise MachineError("programs as bots need Linux or macOS")
        self.may_end = False
        self._is_outside = enters
        self._unsent, self._half = bytearray(), b""
        self._lines: deque[bytes] = deque()
        self._owner = os.getpid()
        self._is_named = bool(errors)
        _prctl()  # loaded before the fork
        try:
            self._errors = _opened(errors)
            with open(self._errors, "ab") as stderr:
                self._begin = stderr.tell()
                self._held = _size_before(self._errors.resolve()) if errors else 0
                self._process = _starter(self._owner).submit(_start, words, stderr.fileno(), self._owner).result()
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            if getattr(error, "errno", None) in TOO_FEW:
                words_of_it = f"{words[0]} could not be started, as this machine has too little left: {error}"
                raise MachineError(words_of_it) from None
            raise FaultError("crash", f"{words[0]} could not be started: {error}") from None
        assert self._process.stdin is not None and self._process.stdout is not None, "both are pipes"
        self._input, self._output = self._process.stdin, self._process.stdout
        os.set_blocking(self._input.fileno(), False)
        os.set_blocking(self._output.fileno(), False)

    def __del__(self) -> None:
        """End the program with its object."""
        with suppress(Exception):  # this process may be at its end
            self.stop()

    def tell(self, lines: bytes) -> None:
        """Write lines, as far as the program takes them now; the rest is written while it is listened to."""
        self._unsent += lines
        try:
            while self._unsent:
                del self._unsent[: os.write(self._input.fileno(), self._unsent[:CHUNK])]
        except BlockingIOError:
            pass
        except OSError:  # it has closed its input; what it wrote before is still read, then comes the end
            self._unsent.clear()

    def line(self, until: float, waiting: Callable[[], None] | None = None) -> bytes | None:
        """Return the next line that is not empty; None if there is none until a time, whatever else was written.

        Args: until, by ``time.monotonic``; waiting, called about once a second before that.
        Raises: FaultError if the program has ended (``crash``) or writes too long a line (``form``), and was stopped;
            MachineError if it could not enter its sandbox.
        """
        called = time.monotonic()
        while not self._lines:
            now = time.monotonic()
            if now >= until:
                return None
            if now >= called + WAITING_SECONDS:
                called = now
                self._keep_short()
                if waiting is not None:
                    waiting()
            poll = select.poll()
            poll.register(self._output, select.POLLIN)
            if self._unsent:
                poll.register(self._input, select.POLLOUT)
            poll.poll(1000 * min(WAITING_SECONDS, until - now))
            self.tell(b"")
            with suppress(BlockingIOError):
                self._take(os.read(self._output.fileno(), CHUNK))
        return self._lines.popleft()

    def _take(self, data: bytes) -> None:
        """Take what the program has written; errors as ``line``."""
        if not data:
            raise self._ended()
        self._is_outside = False
        *whole, self._half = (self._half + data).split(b"\n")
        if max(map(len, [*whole, self._half])) > LONGEST_LINE:
            self.stop()
            raise FaultError("form", f"a line of more than {LONGEST_LINE} bytes")
        self._lines.extend(line for line in whole if line.strip())

    def stop(self) -> None:
        """End the program, if it is this process's, and forget it."""
        if self.is_stopped or self._process is None:
            return
        if self.may_end:
            self._let_end(time.monotonic() + DYING_SECONDS)
        for stream in (self._input, self._output):
            with suppress(OSError):
                stream.close()
        self._process.terminate()  # what starts containers has to end them
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(DYING_SECONDS)
        self._process.kill()
        self._process.wait()
        self._keep_short()
        if not self._is_named:
            self._errors.unlink(missing_ok=True)

    def _let_end(self, until: float) -> None:
        """Write what is left, close the input, and wait until the program has ended, or until a time."""
        assert self._process is not None, "it runs"
        poll = select.poll()
        poll.register(self._input, select.POLLOUT)
        while self._unsent and (left := until - time.monotonic()) > 0:
            poll.poll(1000 * left)
            self.tell(b"")
        with suppress(OSError):
            self._input.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, until - time.monotonic()))

    @property
    def is_stopped(self) -> bool:
        """Whether it can be asked no more, as it was stopped or belongs to the process that this one is a fork of."""
        return self._process is None or self._output.closed or self._owner != os.getpid()

    def errors(self, quoted: bool = False) -> str:
        """Return where standard error can be read, in brackets, perhaps after its last line; empty if nothing came."""
        with open(self._errors, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(size - LAST_BYTES, min(size, self._begin)))
            end = file.read(LAST_BYTES)  # all would have no end while the program writes as fast as it is read
        lines = end.decode("utf-8", "replace").split("\n")
        last = next((text for line in reversed(lines) if (text := one_line(line, LAST_LETTERS))), "")
        if not last:
            return ""
        self._is_named = True
        return f"{f': {last}' if quoted else ''} (standard error: {self._errors})"

    def _keep_short(self) -> None:
        """Remove the oldest half of standard error if there is too much, from the beginning of a line to another."""
        with suppress(OSError):
            size = self._errors.stat().st_size
            if size <= self._held + MOST_KEPT:
                return
            with open(self._errors, "r+b") as file:
                file.seek(size - MOST_KEPT // 2)
                newest = file.read(MOST_KEPT // 2)
                newest = newest[newest.find(b"\n") + 1 :]
                file.seek(self._held)
                file.write(newest)
                file.truncate()
            self._begin = max(self._held, self._begin - (size - self._held - len(newest)))

    def _ended(self) -> FaultError | MachineError:
        """Return the fault of a program that writes no more: how it ended, and the last that it said."""
        assert self._process is not None, "it ran"
        half = f" after half a line of {len(self._half)} bytes" if self._half else ""
        try:
            code = self._process.wait(DYING_SECONDS)
            how = f"the program was ended by signal {-code}" if code < 0 else f"the program ended with status {code}"
        except subprocess.TimeoutExpired:
            how = "the program closed its output"
        last_words = self.errors(quoted=True)
        self.stop()
        if self._is_outside:
            return MachineError(f"a bot's program could not be started in its sandbox{last_words}")
        return FaultError("crash", how + half + last_words)


def _opened(errors: str) -> Path:
    """Return the file for standard error, in a folder that is there; a new temporary one for an empty text."""
    if errors:
        Path(errors).parent.mkdir(parents=True, exist_ok=True)
        return Path(errors)
    handle, name = tempfile.mkstemp(prefix="shogun-env-stderr-", suffix=".txt")
    os.close(handle)
    return Path(name)


@functools.cache
def _size_before(file: Path) -> int:
    """Return the bytes that a file held when the first program of this process was to write into it."""
    return file.stat().st_size


def _start(words: Sequence[str], stderr: int, parent: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*words], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr,
        preexec_fn=lambda: _end_with(parent),
    )  # fmt: skip
