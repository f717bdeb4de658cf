"""A file of lines that only grows, and what is done when others write into it while it does."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

FOREIGN = "foreign.txt"
"""What others wrote into the file while a run was at work is moved to this file of the folder."""


class GrowingFile:
    """A file that is appended to; a line that an earlier run left half-written is removed.

    Args: path of the file, which is made if it does not exist.

    Attributes:
        foreign: for each time that others wrote into the file what was done about it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.foreign: list[str] = []
        self._open()
        self._size = _end_of_last_line(self._handle)
        os.ftruncate(self._handle, self._size)

    def _open(self) -> None:
        self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        self._file = os.fstat(self._handle)

    def append(self, text: str) -> None:
        """Append whole lines in one write.

        Raises: OSError if they cannot be written; the file then holds what it held before.
        """
        data = memoryview(text.encode())
        total = len(data)
        self._check_file()
        try:
            while data:
                data = data[os.write(self._handle, data) :]
        except OSError as error:
            os.ftruncate(self._handle, self._size)
            words = f"{self.path}: {error.strerror}; the games before are kept, the same command resumes"
            raise OSError(error.errno, words) from None
        self._size += total

    def _check_file(self) -> None:
        """Open the file again if a bot closed it, and move what others wrote into it to ``FOREIGN``.

        Raises: OSError if others took something away.
        """
        try:
            is_same = os.path.samestat(os.fstat(self._handle), self._file)
        except OSError:
            is_same = False
        if not is_same:
            self._open()
        size = os.fstat(self._handle).st_size
        if size < self._size:
            raise OSError(f"{self.path}: was cut while games were played; the same command resumes with what is left")
        if size > self._size:
            with open(self.path.with_name(FOREIGN), "ab") as stream:
                stream.write(os.pread(self._handle, size - self._size, self._size))
            os.ftruncate(self._handle, self._size)
            self.foreign.append(f"{size - self._size} bytes that others wrote, now in {FOREIGN}")

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):
            os.close(self._handle)


def _end_of_last_line(handle: int) -> int:
    """Return the length of a file without a last line that has no newline."""
    end = os.fstat(handle).st_size
    while end:
        begin = max(0, end - 65536)
        data = os.pread(handle, end - begin, begin)
        newline = data.rfind(b"\n")
        if newline >= 0:
            return begin + newline + 1
        end = begin
    return 0
