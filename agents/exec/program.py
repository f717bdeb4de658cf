"""A program that is asked through its standard input and output, one line at a time; it can never make anybody wait
for longer than is said.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from shogun_env.policies import FaultError

__all__ = ["LONGEST_LINE", "Program", "next_lines"]

LONGEST_LINE = 1 << 20
"""Bytes of the longest line that is read."""
CHUNK = 1 << 16
LAST_BYTES, LAST_LETTERS = 2000, 100
"""Of standard error, what is looked at for its last line, and what is quoted of that."""
DYING_SECONDS = 1.0
"""How long a program that closed its output may take to end before it is killed."""


class Program:
    """A process of a bot.

    Args: words, the command; errors, file that its standard error is appended to; empty: a temporary one.
    Raises: FaultError (``crash``) if it cannot be started.
    """

    def __init__(self, words: Sequence[str], errors: str) -> None:
        self._errors: IO[bytes] = (
            Path(errors).open("a+b") if errors else tempfile.TemporaryFile()  # noqa: SIM115 - `stop` closes it
        )
        try:
            self._process = subprocess.Popen(
                [*words], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
            )
        except (OSError, ValueError) as error:
            self._errors.close()
            raise FaultError("crash", f"{words[0]} could not be started: {error}") from None
        assert self._process.stdin is not None and self._process.stdout is not None, "both are pipes"
        self.input, self.output = self._process.stdin, self._process.stdout
        os.set_blocking(self.input.fileno(), False)
        os.set_blocking(self.output.fileno(), False)
        self.unsent = bytearray()
        self._read = bytearray()
        self._owner = os.getpid()

    def write(self) -> None:
        """Send as much of ``unsent`` as the program takes now."""
        try:
            while self.unsent:
                del self.unsent[: os.write(self.input.fileno(), self.unsent[:CHUNK])]
        except BlockingIOError:
            pass
        except OSError:  # it has closed its input; what it wrote before is still read, then comes the end
            self.unsent.clear()

    def read(self) -> list[bytes]:
        """Return the whole lines that have come.

        Raises: FaultError if the program has ended (``crash``), or a line is too long (``form``).
        """
        try:
            data = os.read(self.output.fileno(), CHUNK)
        except BlockingIOError:
            return []
        if not data:
            raise self._ended()
        *lines, rest = (bytes(self._read) + data).split(b"\n") if b"\n" in data else (self._read + data,)
        self._read = bytearray(rest)
        if len(rest) > LONGEST_LINE:
            self.stop()
            raise FaultError("form", f"a line of more than {LONGEST_LINE} bytes")
        return [bytes(line) for line in lines if line.strip()]

    def stop(self) -> None:
        """Kill the program, if it is this process's, and forget it."""
        if self._owner != os.getpid():
            return
        for stream in (self.input, self.output):
            with suppress(OSError):
                stream.close()
        self._process.kill()
        self._process.wait()
        self._errors.close()

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
        last = self._last_error()
        self.stop()
        return FaultError("crash", how + half + (f": {last}" if last else ""))

    def _last_error(self) -> str:
        """Return the last line of standard error."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - LAST_BYTES))
        lines = self._errors.read().decode("utf-8", "replace").split("\n")
        return next((line.strip()[:LAST_LETTERS] for line in reversed(lines) if line.strip()), "")


def next_lines(programs: Sequence[Program], seconds: float) -> list[tuple[Program, bytes]]:
    """Send what is to be sent, and return the next whole lines of the programs, at least one.

    Raises: FaultError if there is none in time (``late``, which ends the programs), or as ``Program.read``.
    """
    end = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        for program in programs:
            program.write()
            selector.register(program.output, selectors.EVENT_READ, program)
            if program.unsent:
                selector.register(program.input, selectors.EVENT_WRITE, program)
        while (left := end - time.monotonic()) > 0:
            found = []
            for key, event in selector.select(left):
                program = key.data
                if event == selectors.EVENT_READ:
                    found += [(program, line) for line in program.read()]
                    continue
                program.write()
                if not program.unsent:
                    selector.unregister(program.input)
            if found:
                return found
    for program in programs:
        program.stop()
    raise FaultError("late", f"no line for {seconds:g} s")
