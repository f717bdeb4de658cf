"""Files that are written whole: no reader finds half of one. And arrays in files of which nothing is believed."""

from __future__ import annotations

import errno
import fcntl
import io
import math
import os
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

import numpy as np
from numpy.lib import format as npy


@contextmanager
def writing_whole(path: Path, only_owner: bool = False) -> Iterator[BinaryIO]:
    """Open a file to write bytes into; it appears under its name, or replaces the old one, when it is complete.

    Args: path; only_owner, whether nobody else on the machine may read it, not even while it is written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    mode = 0o600 if only_owner else 0o666
    try:
        temporary.unlink(missing_ok=True)
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as stream:
            yield stream
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: Path, text: str, only_owner: bool = False) -> None:
    """Write a text; see ``writing_whole``."""
    with writing_whole(path, only_owner) as stream:
        stream.write(text.encode())


NO_LOCKS = (errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK, errno.EBADF)
"""What the system says on a file system that has no locks."""


@contextmanager
def locked(file: Path, busy: str) -> Iterator[None]:
    """Keep other processes out as long as the block lasts, by a lock on a file; the system ends it with the process.

    On a file system without locks (Lustre, some NFS and FUSE) a line says so, and the block runs without.

    Raises: ValueError with the text ``busy`` if another process is inside; OSError for a file that is a link, which may
        lead anywhere.
    """
    with os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666), "r+") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(busy) from None
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
            sys.stderr.write(f"{file.parent}: this file system has no locks; let no second run write there\n")
        yield


MOST_BYTES = 1 << 28
"""Size of the largest file that ``bytes_in`` reads."""


def bytes_in(path: Path) -> bytes:
    """Return what a file holds that somebody else may have written.

    Raises: ValueError in one line if it is not a file (a folder, a pipe, a device), or too large; OSError if it is not
        there or cannot be read.
    """
    size = path.stat().st_size
    if not path.is_file() or size > MOST_BYTES:
        raise ValueError(f"{path}: must be a file of at most {MOST_BYTES >> 20} MB")
    return path.read_bytes()


def text_in(path: Path) -> str:
    """Return the text of a file that somebody else may have written.

    Raises: ValueError in one line if it is not there, or not text, and as ``bytes_in``.
    """
    try:
        return bytes_in(path).decode()
    except FileNotFoundError:
        raise ValueError(f"{path}: No such file or directory") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path}: is not text in UTF-8") from None


MAGIC = npy.magic(1, 0)
HEAD_BYTES = len(MAGIC) + 2
"""What an array begins with, before the text of its header: the magic, and the length of that text."""
LONGEST_TEXT = 1 << 20
"""Most bytes of a text among the arrays of a file."""


class Declared(NamedTuple):
    """What a file says that one of its arrays is."""

    dtype: np.dtype
    shape: tuple[int, ...]
    order: Literal["C", "F"]
    begin: int
    """Where its numbers begin in its part of the file."""


@lru_cache(256)
def _declared_by(header: bytes) -> Declared:
    """Return what the header of an array says, which for most arrays many files say."""
    stream = io.BytesIO(header)
    npy.read_magic(stream)
    shape, is_fortran, dtype = npy.read_array_header_1_0(stream)
    return Declared(dtype=dtype, shape=shape, order="F" if is_fortran else "C", begin=stream.tell())


@contextmanager
def reading_arrays(source: str | Path | BinaryIO) -> Iterator[ArrayFile]:
    """Open an ``.npz`` file to read its arrays.

    Raises: ValueError, also in the block, if it is not such a file, or damaged; OSError if it cannot be opened.
    """
    try:
        with zipfile.ZipFile(source) as archive:
            yield ArrayFile(archive)
    except (OSError, ValueError):
        raise
    except Exception as error:  # zip, zlib and numpy raise many kinds of errors for other bytes
        raise ValueError(f"not an .npz file, or damaged ({' '.join(str(error).split())})") from None


class ArrayFile:
    """The arrays of an open ``.npz`` file, which can unpack to a thousand times its size: read is what is asked for.

    Attributes:
        declared: what the file says that its arrays are, by name; each has just the bytes for that.
    """

    def __init__(self, archive: zipfile.ZipFile) -> None:
        """Read what the arrays are; ValueError if they cannot be that."""
        self._archive = archive
        self.declared = {name.removesuffix(".npy"): self._declared(name) for name in archive.namelist()}

    def _declared(self, member: str) -> Declared:
        with self._archive.open(member) as stream:
            head = stream.read(HEAD_BYTES)
            if head[:-2] != MAGIC:
                raise ValueError(f"{member} is not an array of numbers")
            try:
                declared = _declared_by(head + stream.read(int.from_bytes(head[-2:], "little")))
            except ValueError:  # numpy's words may be several lines
                raise ValueError(f"{member} is not an array of numbers") from None
            size = self._archive.getinfo(member).file_size - declared.begin
            dtype, shape = declared.dtype, declared.shape
            if dtype.hasobject or min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != size:
                raise ValueError(f"{member} is not the array that it says")
            return declared

    def read(self, name: str) -> np.ndarray:
        """Return an array, as large as it is declared to be; ValueError if there is none of this name."""
        if name not in self.declared:
            raise ValueError(f"it has no array {name!r}")
        declared = self.declared[name]
        with self._archive.open(f"{name}.npy") as stream:
            data = bytearray(stream.read())[declared.begin :]  # so that the array can be written to
        return np.ndarray(declared.shape, declared.dtype, data, order=declared.order)

    def text(self, name: str) -> bytes:
        """Return the bytes of a text that is kept as an array; ValueError if it is not one."""
        declared = self.declared.get(name)
        if declared is None or declared.dtype != np.uint8 or math.prod(declared.shape) > LONGEST_TEXT:
            raise ValueError(f"it has no text {name!r}")
        return self.read(name).tobytes()


@contextmanager
def any_output() -> Iterator[None]:
    """Let a command write to whatever its output is: letters that a terminal lacks are ?, and a reader may leave early.

    Exits with status 1 and no word if nobody reads what is written, with a line and status 2 if it cannot be written.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        try:
            yield
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        _write_nowhere()
        raise SystemExit(1) from None
    except OSError as error:
        _write_nowhere()
        sys.stderr.write(f"shogun-env: the output cannot be written: {error.strerror}\n")
        raise SystemExit(2) from None


def _write_nowhere() -> None:
    """Send what is left of the output nowhere, as Python writes it once more when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def only_in_a_checkout(what: str) -> None:
    """Do nothing in a checkout; ValueError that begins with ``what`` where the package is installed as a wheel."""
    if not (Path(__file__).resolve().parents[1] / "pyproject.toml").is_file():
        raise ValueError(f"{what}, and this is an installed package: run it in the folder of a checkout")


def error_text(error: Exception) -> str:
    """Return what an error says; of one about a single file ``FILE: No such file or directory``, without its number."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None and error.filename2 is None:
        return f"{error.filename}: {error.strerror}"
    return str(error)
