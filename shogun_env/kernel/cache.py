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
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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
    return _usable_root() / f"{_name_of(sources[0]).rpartition('/')[2]}-{_fingerprint(platform, sources)}"


def _name_of(source: Path) -> str:
    """Return the dotted name of a file beside or in the package; the path of a file elsewhere, without its ending.

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

    The project is this package and the one that the source is in. Where the package is installed, other libraries lie
    beside it; their versions are part of the folder's name already, and to read them all would take seconds.
    """
    if path.suffix != ".py":
        return ()
    project = (
        {"shogun_env", Path(path.relative_to(ROOT).parts[0]).stem} if path.is_relative_to(ROOT) else {"shogun_env"}
    )
    source = path.read_bytes()
    files = [path.parent / name.decode() for name in re.findall(rb"""["']([^"'\s]+\.json)["']""", source)]
    for module, names, modules in _IMPORT.findall(source.replace(b"\\\n", b" ")):
        found = [
            module,
            *(module + b"." + name for name in re.findall(rb"\w+", names)),
            *re.findall(rb"[\w.]+", modules),
        ]
        files += [_source_of(name.decode()) for name in found if name.split(b".")[0].decode() in project]
    return tuple(sorted({file.resolve() for file in files if file.is_file()}))


def _source_of(module: str) -> Path:
    """Return the file of a module; in a checkout without links the bots are beside the package."""
    path = Path(module.replace(".", "/")).with_suffix(".py")
    beside = ROOT / path.relative_to("shogun_env") if path.is_relative_to("shogun_env") else ROOT / path
    return ROOT / path if (ROOT / path).is_file() else beside


def clear_memory() -> None:
    """Forget what was read from source files; for tests that edit them."""
    for function in (cache_folder, _digest_of, _dependencies):
        function.cache_clear()


# --- the folder of all folders ---------------------------------------------------------------------------------------


def _root() -> Path | None:
    """Return the folder that should hold all cache folders; None for a user without a home folder."""
    try:
        if path := os.environ.get("SHOGUN_ENV_CACHE"):
            return Path(path).expanduser()
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        return Path(base) / "shogun_env"
    except RuntimeError:  # neither HOME nor an entry in the list of users
        return None


@functools.cache
def _usable_root() -> Path:
    """Return the folder that holds all cache folders; if it cannot be used, say so and return a temporary one."""
    root = _root()
    reason = "there is no home folder to keep compiled kernels in" if root is None else _why_not_use(root)
    if root is not None and reason is None:
        return root
    print(f"shogun_env: {reason}; compiled kernels are not kept", file=sys.stderr)
    print("shogun_env: set SHOGUN_ENV_CACHE to a folder that only you can write", file=sys.stderr)
    temporary = tempfile.mkdtemp(prefix="shogun_env-")
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return Path(temporary)


def _why_not_use(root: Path) -> str | None:
    """Return why a folder cannot hold the caches, or None if it can; create the folder if it does not exist.

    numba unpickles its index files, so whoever can write to the folder can run code in this process.
    """
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            status = root.stat()
    except OSError as error:
        return f"cannot write {root} ({error.strerror})"
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        return f"{root} belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"{root} can be written by other users (chmod go-w it)"
    return None


# --- using a folder --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Let one process compile into a folder while the others wait for its files."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as handle:
        try:
            import fcntl
        except ImportError:  # not a POSIX system: several processes may compile the same kernel, which only costs time
            yield
            return
        fcntl.flock(handle, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(handle, fcntl.LOCK_UN)


def load(folder: Path, call: Callable[[], Any]) -> Any:
    """Return ``call()``; if it fails because cache files are damaged, remove them and call again."""
    try:
        return call()
    except Exception as error:
        in_cache = any(Path(frame.filename).name == "caching.py" for frame in traceback.extract_tb(error.__traceback__))
        if not in_cache:
            raise
        print(f"shogun_env: {folder} has unreadable files ({error}); they are replaced", file=sys.stderr)
        # The unreadable file may belong to a kernel that this one calls, and be in another folder.
        for path in [*folder.parent.rglob("*.nb?"), *folder.parent.rglob("*.ready")]:
            path.unlink(missing_ok=True)
        return call()


def compiled_loops(folder: Path) -> dict[str, float]:
    """Return the names of the loops compiled into a folder, and the seconds that each took."""
    return {path.stem: float(path.read_text()) for path in sorted(folder.glob("*.ready"))}
