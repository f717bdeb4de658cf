"""What a program writes to standard error: the last of it to be quoted, and all of it in a file of limited size."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from shogun_env.spec.forms import one_line

__all__ = ["MOST_KEPT", "Errors"]

MOST_KEPT = 1 << 20
"""Bytes of standard error that a file may have; the rest is left out."""
LAST_BYTES, LAST_LETTERS = 2000, 200
"""Of what came last, what is looked at for its last line, and what is quoted of that."""
CHUNK = 1 << 16


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
        said = next((said for line in reversed(lines) if (said := one_line(line, LAST_LETTERS))), "")
        return f": {said}{self.named()}" if said else ""

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
