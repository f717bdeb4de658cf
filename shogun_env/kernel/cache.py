"""Where compiled kernels are kept, so that they never go stale and all checkouts of one version share them.

numba notices edits of the file that a function is in, but not of the helpers that the function calls, so its own cache
goes stale. This one cannot: every source file has a cache folder, whose name is a hash of the file, of every source
file of the project that it imports directly or indirectly, of the data files that these name, and of the versions, the
CPU and the switches that change machine code. An edit of a file that a kernel does not import recompiles nothing.
Where the package lies is not part of the hash: a second checkout of one version compiles nothing.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
"""The folder that holds the package; imports of the project are looked up from here."""


# --- which folder ----------------------------------------------------------------------------------------------------


@functools.cache
def cache_folder(platform: str, *sources: Path) -> Path:
    """Return the cache folder of the kernels in the first of ``sources``, which are made of the other sources too.

    Args:
        platform: everything besides the sources that machine code depends on.
        sources: absolute paths.
    """
    folder = _usable_root() / f"{_name_of(sources[0]).rpartition('/')[2]}-{_fingerprint(platform, sources)}"
    _mark_used(folder)
    return folder


def _name_of(source: Path) -> str:
    """Return the dotted name of a file next to or in the package; the path of a file elsewhere, without its ending.

    What a file elsewhere imports from its own folder is unknown here, so that its place has to tell it from others.
    """
    path = source.resolve().with_suffix("")
    if not path.is_relative_to(ROOT):
        return str(path)
    return ".".join(path.relative_to(ROOT).parts).removeprefix("shogun_env.")


def _fingerprint(platform: str, sources: tuple[Path, ...]) -> str:
    """Return a hash of everything that the machine code of kernels in ``sources`` depends on."""
    digest = hashlib.sha256()
    digest.update(f"{_name_of(sources[0])}\0{platform}\0".encode())
    waiting, closure = [path.resolve() for path in sources], set[Path]()
    while waiting:
        path = waiting.pop()
        if path not in closure:
            closure.add(path)
            waiting += _dependencies(path)
    for path in sorted(closure):
        digest.update(f"{path.name}\0{_digest_of(path)}\0".encode())
    return digest.hexdigest()[:20]


_IMPORT = re.compile(
    rb"""(?:^|[;:])[ \t]*  (?:from\s+([\w.]+)\s+import\s*(\([^)]*\)|[^\n;]*)  |  import[ ]+([^\n;]*))""",
    re.MULTILINE | re.VERBOSE,
)
"""An import in a source. A syntax tree would be exact, and took a third of a second in every process; a sentence of a
docstring that is taken for an import does no harm, as files that do not exist are left out."""


@functools.cache
def _digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@functools.cache
def _dependencies(path: Path) -> tuple[Path, ...]:
    """Return the files of the project that a source imports, and the JSON files in its folder that it names.

    The project is this package, the one that the source is in, and for a source that is not ours its folder. Where the
    package is installed, other libraries lie next to it; their versions are part of the folder's name already, and to
    read them all would take seconds.
    """
    if path.suffix != ".py":
        return ()
    project = (
        {"shogun_env", Path(path.relative_to(ROOT).parts[0]).stem} if path.is_relative_to(ROOT) else {"shogun_env"}
    )
    source, in_package = path.read_bytes(), path.is_relative_to(ROOT / "shogun_env")
    files = [path.parent / name.decode() for name in re.findall(rb"""["']([^"'\s]+\.json)["']""", source)]
    for module, names, modules in _IMPORT.findall(source.replace(b"\\\n", b" ")):
        within = module if module.endswith(b".") else module + b"."
        found = [module, *(within + name for name in re.findall(rb"\w+", names)), *re.findall(rb"[\w.]+", modules)]
        for name in map(bytes.decode, found):
            if name.split(".")[0] in project:
                files.append(_source_of(name))
            elif not in_package:
                files += _next_to(path, name)
    return tuple(sorted({file.resolve() for file in files if file.is_file()}))


@functools.cache
def _source_of(module: str) -> Path:
    """Return the file of a module; in a checkout without links the bots are next to the package."""
    path = f"{module.replace('.', '/')}.py"
    return ROOT / path if (ROOT / path).is_file() else ROOT / path.removeprefix("shogun_env/")


def _next_to(path: Path, module: str) -> list[Path]:
    """Return the files that may be a module which a source that is not ours finds from its folder.

    Where that folder holds this package, it may hold all libraries: then packages in it are not followed.
    """
    name = module.lstrip(".")
    levels = max(0, len(module) - len(name) - 1)
    folder = path.parents[levels] / name.replace(".", "/") if levels < len(path.parents) else path
    return [folder.with_suffix(".py"), *([folder / "__init__.py"] if path.parent != ROOT else [])]


def clear_memory() -> None:
    """Forget what was read from source files; for tests that edit them."""
    for function in (cache_folder, _digest_of, _dependencies, _source_of):
        function.cache_clear()


# --- the folder of all folders ---------------------------------------------------------------------------------------


def _root() -> Path:
    """Return the folder that should hold all cache folders.

    Raises: ValueError if the environment names none that is the same wherever a command is called.
    """
    if named := os.environ.get("SHOGUN_ENV_CACHE"):
        if not Path(named).expanduser().is_absolute():
            raise ValueError(f"SHOGUN_ENV_CACHE={named!r} is not an absolute path")
        return Path(named).expanduser()
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        return (base if base.is_absolute() else Path.home() / ".cache") / "shogun_env"
    except RuntimeError:  # neither HOME nor an entry in the list of users
        raise ValueError("there is no home folder to keep compiled kernels in") from None


@functools.cache
def _usable_root() -> Path:
    """Return the folder that holds all cache folders; if it cannot be trusted, say so and return a temporary one.

    What is kept is unpickled, so whoever can write to the folder can run code here. One that this user cannot write is
    used for what it holds.
    """
    try:
        root = _root()
        with contextlib.suppress(OSError), _private_umask():
            root.mkdir(mode=0o755, parents=True, exist_ok=True)
        if not root.exists() or (reason := why_not_trust(root)) is None:
            return root
    except ValueError as error:
        reason = str(error)
    say(f"{reason}; compiled kernels are not kept: set SHOGUN_ENV_CACHE to a folder that only you can write")
    temporary = tempfile.mkdtemp(prefix="shogun_env-")
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return Path(temporary)


def why_not_trust(folder: Path) -> str | None:
    """Return why others than this user and root may have written what a folder holds, or None."""
    status = folder.stat()
    if hasattr(os, "geteuid") and status.st_uid not in (0, os.geteuid()):
        return f"{folder} belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"{folder} can be written by other users (chmod go-w it)"
    return None


@contextlib.contextmanager
def _private_umask() -> Iterator[None]:
    """Let files that are made be written by this user only; who may read them is left as it is."""
    before = os.umask(0o077)
    os.umask(before | 0o022)
    try:
        yield
    finally:
        os.umask(before)


@functools.cache
def say(text: str) -> None:
    """Print a line for people, once."""
    print(f"shogun_env: {text}", file=sys.stderr)


# --- using a folder --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def locked(folder: Path, name: str) -> Iterator[None]:
    """Let one process compile something into a folder, by its name, while the others wait for its files.

    Where there are no locks several processes may compile the same kernel, which only costs time.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):  # not a POSIX system, or a folder that cannot be written
            import fcntl

            with _private_umask():
                folder.mkdir(mode=0o755, parents=True, exist_ok=True)
                handle = stack.enter_context(open(folder / f"{name}.lock", "w"))
            fcntl.flock(handle, fcntl.LOCK_EX)  # until it is closed
        yield


@contextlib.contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Let one process at a time write into a folder; if that fails, say so."""
    _tidy_up(folder.parent)
    with locked(folder, "files"), _private_umask():
        try:
            yield
        except OSError as error:
            say(f"{folder.parent} cannot be written ({error.strerror}); every process compiles what is not in it")


def write(path: Path, content: str) -> None:
    """Write a text file that appears when it is complete; if that fails, say so."""
    with writing(path.parent):
        temporary = path.with_suffix(".new")
        temporary.write_text(content, "utf-8")
        os.replace(temporary, path)


# --- old folders -----------------------------------------------------------------------------------------------------

LIMIT = 1_000_000_000
"""Bytes; where there are more, the folders used longest ago are removed until three quarters of this are left."""
UNUSED = 86_400.0
"""Seconds for which a folder must not have been used before it is removed."""


class CacheFolder(NamedTuple):
    """A cache folder."""

    used: float
    """When its files were last written or read, in seconds since 1970."""
    size: int
    """Bytes in its files."""
    path: Path
    """Where it is."""


def kept(root: Path) -> list[CacheFolder]:
    """Return the cache folders in the folder of all folders, those used longest ago first."""
    found = []
    for path in root.glob("*-" + "[0-9a-f]" * 20):
        with contextlib.suppress(OSError):  # another process removes it
            size = sum(file.stat().st_size for file in path.iterdir())
            found.append(CacheFolder(used=path.stat().st_mtime, size=size, path=path))
    return sorted(found)


@functools.cache
def _mark_used(folder: Path) -> None:
    """Let the time of a folder say that its files are used."""
    with contextlib.suppress(OSError):
        os.utime(folder)


@functools.cache
def _tidy_up(root: Path) -> None:
    """Remove the folders used longest ago if there is too much; once in a process that compiles.

    What such a folder held is compiled again when it is needed. Only what nobody has used for a day is removed.
    """
    folders = kept(root)
    size = sum(folder.size for folder in folders)
    if size <= LIMIT:
        return
    for folder in folders:
        if size <= LIMIT * 3 // 4 or folder.used > time.time() - UNUSED:
            return
        shutil.rmtree(folder.path, ignore_errors=True)
        size -= folder.size


def compiled_loops(folder: Path) -> dict[str, float]:
    """Return the names of the loops compiled into a folder, and the seconds that each took."""
    return {path.stem: float(path.read_text("utf-8")) for path in sorted(folder.glob("*.ready"))}
