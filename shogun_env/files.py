"""Files that are written whole: no reader finds half of one. And arrays in files of others."""

import codecs
import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from numpy.lib.npyio import NpzFile

JOURNAL = "journal.jsonl"
"""The file that makes a folder that of a tournament or league."""


@contextmanager
def writing_whole(path: Path, only_owner: bool = False) -> Iterator[BinaryIO]:
    """Open a file to write bytes into; it appears under its name, or replaces the old one, when it is complete.

    Its folder is made if it is not there yet: what took long is not lost for want of one.

    Args: path; only_owner, whether nobody else on the machine may read it, not even while it is written.
    Raises: ValueError for a link or a device, such as /dev/null, which would be lost.
    """
    if not (is_replaceable(path) or path.is_dir()):
        raise ValueError(f"{path}: is a link or a device, and only a file is replaced; give the name of one")
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    mode = 0o600 if only_owner else 0o666
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        temporary.unlink(missing_ok=True)
        with naming(path):
            with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as stream:
                yield stream
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def is_replaceable(path: Path) -> bool:
    """Return whether a file may take this place: that of another, or an empty one, not that of a link (/dev/stdout)."""
    return not path.is_symlink() and (path.is_file() or not path.exists())


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name ``path`` in an OSError of the block that names no file, such as that of a full disk, or two files.

    A broken pipe stays as it is: it belongs to no file.
    """
    try:
        yield
    except OSError as error:
        if error.errno in (None, errno.EPIPE) or (error.filename is not None and error.filename2 is None):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def write_whole(path: Path, text: str, only_owner: bool = False) -> None:
    """Write a text; see ``writing_whole``."""
    with writing_whole(path, only_owner) as stream:
        stream.write(text.encode())


def check_other_file(out: Path, read: Path) -> None:
    """Raise ValueError if a file that is to be written is the one that is read."""
    if out.exists() and read.exists() and out.samefile(read):
        raise ValueError(f"{out}: is what is read, and would be lost; give another file with --out")


def write_out(path: Path, content: str | bytes) -> None:
    """Write what a command was given a file for: whole, or into what is no file, such as /dev/stdout."""
    data = content.encode() if isinstance(content, str) else content
    if is_replaceable(path):
        with writing_whole(path) as stream:
            stream.write(data)
    else:
        with naming(path):
            path.write_bytes(data)


NO_LOCKS = (errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK, errno.EBADF)
"""What the system says on a file system that has no locks."""


@contextmanager
def locked(file: Path, busy: str) -> Iterator[None]:
    """Keep other processes out as long as the block lasts, by a lock on a file; the system ends it with the process.

    On a system or a file system without locks (Lustre, some NFS and FUSE) a line says so, and the block runs without.

    Raises: ValueError with the text ``busy`` if another process is inside; OSError for a file that is a link, which may
        lead anywhere.
    """
    from filelock import FileLock, SoftFileLock, Timeout  # not above: whatever reads a file would import it

    lock = FileLock(file, timeout=0, thread_local=False, fallback_to_soft=False)
    try:
        if FileLock is SoftFileLock:  # a file that is there as long as the lock: it outlives who is killed
            raise OSError(errno.ENOLCK, "no locks here")
        lock.acquire()
    except Timeout:
        raise ValueError(busy) from None
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
        sys.stderr.write(f"{file.parent}: there are no locks here; let no second run write there\n")
    try:
        yield
    finally:
        lock.release()


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
        if (content := bytes_in(path)).startswith(codecs.BOM_UTF8):
            raise ValueError(f"{path}: begins with a byte order mark; save it as UTF-8 without one")
        return content.decode()
    except FileNotFoundError:
        raise ValueError(f"{path}: No such file or directory") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path}: is not text in UTF-8") from None


@contextmanager
def reading_arrays(source: str | Path) -> Iterator[NpzFile]:
    """Open an ``.npz`` file, which somebody else may have written: each array is read when it is asked for by its name.

    Raises: ValueError in one line, also in the block, if it is not such a file, is damaged, or has no such array;
        OSError if it cannot be opened.
    """
    try:
        with open(source, "rb") as stream, NpzFile(stream, allow_pickle=False) as arrays:
            yield arrays
    except OSError:
        raise
    except ValueError as error:  # numpy's words may be several lines
        raise ValueError(" ".join(str(error).split())) from None
    except Exception as error:  # zip, zlib and numpy raise many kinds of errors for other bytes
        raise ValueError(f"not an .npz file, or damaged ({' '.join(str(error).split())})") from None


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


def error_text(error: Exception) -> str:
    """Return what an error says, with its notes; of one about a single file ``FILE: No such file or directory``."""
    text = str(error)
    if isinstance(error, OSError) and error.strerror and error.filename is not None and error.filename2 is None:
        text = f"{error.filename}: {error.strerror}"
    return " ".join([text, *getattr(error, "__notes__", [])])
