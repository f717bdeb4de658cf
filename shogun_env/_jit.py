"""The only place that imports numba: decorators for kernels, their cache, and how a frame kernel is bound to a game.

A *rule* is a small per-game function (one record, its random row and its log row in; a scalar out). A *loop* runs rules
over rows ``lo..hi`` of a batch without the GIL; loops are what Python calls. A *policy* is a compiled bot.

Cache: numba notices edits of the file a function stands in, but not of the helpers it calls, so its own cache goes
stale. Ours cannot: the folder's name is a hash of where the engine's source lies, of it and of every source it imports,
near or far, of the printed numbers, of the versions of numba, llvmlite and numpy, of the CPU, and of the switches that
change code. What kernels do not import (environments, records, commands) may change without a new compilation.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import functools
import hashlib
import os
import shutil
import stat
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import config as _config
from numba.core import types as _types
from numba.experimental.function_type import _get_wrapper_address
from numba.extending import typeof_impl

__all__ = [
    "JIT",
    "MAX_POLICIES",
    "POLICY_SIGNATURE",
    "Loop",
    "Policies",
    "Policy",
    "bind",
    "bind_rule",
    "cache_folder",
    "compiled_kernels",
    "loop",
    "policy",
    "rule",
    "slot_of",
]

JIT = not _config.DISABLE_JIT
"""False when NUMBA_DISABLE_JIT is set: every kernel is then plain Python, thousands of times slower."""

POLICY_SIGNATURE = _types.int64(
    _types.Array(_types.uint8, 1, "C"),
    _types.Array(_types.int8, 1, "C"),
    _types.Array(_types.uint64, 1, "C"),
    _types.Array(_types.float64, 1, "C"),
)
"""``int64(uint8[::1] observation, int8[::1] legal, uint64[::1] rng, float64[::1] params)``."""

MAX_POLICIES = 5
"""Different policy functions that a loop takes; a game has no more players."""

_PACKAGE = Path(__file__).resolve().parent
_SHARED_SOURCES = ("_jit.py", "rng.py", "log.py", "frame/loops.py")
_ready: set[str] = set()


def _cpu_name() -> str:
    from llvmlite import binding

    return f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


def _imported(path: Path) -> Iterator[Path]:
    """Find the source files of this project that a file imports, by its import statements alone."""
    root = _PACKAGE.parent
    for node in ast.walk(ast.parse(path.read_bytes())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module]
        for name in names:
            base = root / name.replace(".", "/")
            if base.with_suffix(".py").is_file():
                yield base.with_suffix(".py")


@functools.cache
def _fingerprint(start: Path) -> str:
    """Hash what the kernels of ``start``, and of all it imports, can depend on."""
    digest = hashlib.sha256()
    switches = (_config.BOUNDSCHECK, _config.OPT, sys.version_info[:2])
    # numba names its files by where a source lies, so another checkout's are of no use.
    for text in (start, numba.__version__, llvmlite.__version__, np.__version__, _cpu_name(), switches):
        digest.update(f"{text}\0".encode())
    waiting = [start, *(_PACKAGE / name for name in _SHARED_SOURCES)]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(path)
    found |= {data for path in list(found) for data in path.parent.glob("*.json")}
    for path in sorted(found):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


def _cache_root() -> Path | None:
    """Return where all caches should lie; None for a user without a home."""
    try:
        if named := os.environ.get("SHOGUN_ENV_CACHE"):
            return Path(named).expanduser()
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        return Path(base) / "shogun_env"
    except RuntimeError:  # neither HOME nor an entry in the list of users
        return None


@functools.cache
def _writable_root() -> Path:
    """Return the folder of all caches; one of this process alone, said so on stderr, if ours cannot be used."""
    root = _cache_root()
    reason = "there is no home folder to keep kernels in" if root is None else _why_not_use(root)
    if root is not None and reason is None:
        return root
    print(f"shogun_env: {reason}; kernels are not kept", file=sys.stderr)
    print("shogun_env: set SHOGUN_ENV_CACHE to a folder that only you can write", file=sys.stderr)
    own = tempfile.mkdtemp(prefix="shogun_env-")
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    return Path(own)


def _why_not_use(root: Path) -> str | None:
    """Say why a folder cannot hold the caches, or None; it is made if it is not there.

    numba unpickles its index files, so a folder in which others can write is code that others can plant.
    """
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            state = root.stat()
    except OSError as error:
        return f"cannot write {root} ({error.strerror})"
    if hasattr(os, "geteuid") and state.st_uid != os.geteuid():
        return f"{root} belongs to another user"
    if state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"{root} can be written by other users (chmod go-w it)"
    return None


@functools.cache
def cache_folder(source: str | Path) -> Path:
    """Return the cache folder of the kernels that stand in the file ``source``: one a game, one a bot's file."""
    path = Path(source).resolve()
    for game in ("shogun", "shitenno"):
        if path.is_relative_to(_PACKAGE / game):
            return _writable_root() / f"{game}-{_fingerprint(_PACKAGE / game / 'engine.py')}"
    if path.is_relative_to(_PACKAGE):
        return _writable_root() / f"shared-{_fingerprint(_PACKAGE / '_jit.py')}"
    return _writable_root() / f"{path.stem}-{_fingerprint(path)}"


@contextlib.contextmanager
def _caching_in(folder: Path) -> Iterator[None]:
    """Point numba's cache at our folder while functions are decorated, and only then."""
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        _config.CACHE_DIR = before


def _readable(folder: Path, load: Callable[[], Any]) -> Any:
    """Return what ``load`` does; if a damaged cache file stops it, remove the files and do it again."""
    try:
        return load()
    except Exception as error:
        in_cache = any(Path(frame.filename).name == "caching.py" for frame in traceback.extract_tb(error.__traceback__))
        if not in_cache:
            raise
        print(f"shogun_env: {folder} holds unreadable files ({error}); they are made anew", file=sys.stderr)
        for path in [*folder.rglob("*.nb?"), *folder.glob("*.ready")]:
            path.unlink(missing_ok=True)
        return load()


def _compile(function: Callable[..., Any], source: str | Path, *signature: Any, **options: Any) -> Any:
    if not JIT:
        return function
    with _caching_in(cache_folder(source)):
        # Without numba's runtime a kernel that allocates does not compile, and no array is reference-counted: that
        # counting took 75 of 205 ns a decision, since every row handed to a rule is a new array to it.
        return numba.njit(*signature, cache=True, _nrt=False, **options)(function)


def rule(function: Callable[..., Any]) -> Any:
    """Compile a per-game function on first use; callable from other kernels and from Python."""
    return _compile(function, function.__code__.co_filename)


@contextlib.contextmanager
def _one_compiles(folder: Path) -> Iterator[None]:
    """Let one process compile while others wait for its files."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as handle:
        try:
            import fcntl
        except ImportError:  # not a POSIX system: several processes may compile the same kernel, which is only slower
            yield
            return
        fcntl.flock(handle, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(handle, fcntl.LOCK_UN)


class Loop:
    """A compiled loop over the rows of a batch; its first call compiles it or loads it from the cache."""

    def __init__(self, function: Callable[..., Any], source: str | Path) -> None:
        """Wrap ``function``, whose cache stands with the kernels of ``source``."""
        self.__name__ = function.__qualname__
        self.__doc__ = function.__doc__
        self.folder = cache_folder(source)
        self.kernel = _compile(function, source, nogil=True)
        self._call = self._first_call if JIT else function

    def __call__(self, *args: Any) -> Any:
        """Run the loop."""
        return self._call(*args)

    @property
    def is_ready(self) -> bool:
        """Say whether the loop has run in this process; the first run must not be shared by threads."""
        return self._call != self._first_call

    def _first_call(self, *args: Any) -> Any:
        """Run for the first time, and once more on a cleared cache if its files cannot be read."""
        return _readable(self.folder, lambda: self._load_or_compile(*args))

    def _load_or_compile(self, *args: Any) -> Any:
        """Compile under a lock, unless a process did so before; say on stderr what a cold start does."""
        stamp = self.folder / f"{self.__name__}.ready"
        if stamp.exists():
            result = self.kernel(*args)
        else:
            with _one_compiles(self.folder):
                result = self.kernel(*args) if stamp.exists() else self._compile_and_run(args, stamp)
        self._call = self.kernel
        return result

    def _compile_and_run(self, args: tuple[Any, ...], stamp: Path) -> Any:
        if not _ready:
            print("shogun_env: compiling kernels; only the first run of a checkout waits for this", file=sys.stderr)
        _ready.add(self.__name__)
        begin = time.perf_counter()
        result = self.kernel(*args)
        seconds = time.perf_counter() - begin
        written = stamp.with_suffix(f".{os.getpid()}")
        written.write_text(f"{seconds:.1f}\n")
        written.replace(stamp)
        print(f"shogun_env: compiled {self.__name__} in {seconds:.1f} s", file=sys.stderr)
        return result


def loop(function: Callable[..., Any]) -> Loop:
    """Make a loop over rows of a function that belongs to one game."""
    return Loop(function, function.__code__.co_filename)


def _bound(function: Callable[..., Any], engine: types.ModuleType, more: dict[str, Any]) -> Callable[..., Any]:
    game = engine.__name__.split(".")[-2]
    open_names = {name: getattr(engine, name) for name in function.__code__.co_names if hasattr(engine, name)}
    scope = {**function.__globals__, **open_names, **more}
    bound = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
    bound.__qualname__ = f"{game}_{function.__name__}"
    bound.__doc__ = function.__doc__
    bound.__module__ = function.__module__
    return bound


def bind(function: Callable[..., Any], engine: types.ModuleType, **more: Any) -> Loop:
    """Make a game's own copy of a frame loop: the names it leaves open are taken from ``engine``.

    A closure, or an engine passed as argument, would compile anew in every process; a function of its own with the
    game's name in its qualified name is cached like any other.
    """
    return Loop(_bound(function, engine, more), engine.__file__ or "")


def bind_rule(function: Callable[..., Any], engine: types.ModuleType, **more: Any) -> Any:
    """Make a game's own copy of a helper of the frame's loops."""
    return _compile(_bound(function, engine, more), engine.__file__ or "")


class Policy:
    """A bot compiled with the policy signature on first use."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Wrap ``f(observation uint8[D], legal int8[A], rng uint64[2], params float64[K]) -> legal action``."""
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.function = function

    @functools.cached_property
    def kernel(self) -> Any:
        """The compiled function (from the cache when it is there)."""
        function = self.function
        source = function.__code__.co_filename
        if not JIT:
            return function
        with _one_compiles(cache_folder(source)):
            return _readable(cache_folder(source), lambda: _compile(function, source, POLICY_SIGNATURE, nogil=True))

    @functools.cached_property
    def slot(self) -> Any:
        """What a loop takes for the function."""
        return slot_of(self.kernel)

    def __call__(self, *args: Any) -> int:
        """Choose an action."""
        return int(self.kernel(*args))


class _Slot(_types.WrapperAddressProtocol):
    """The address of a compiled policy: five of them cost a call 80 us, five dispatchers 600."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel  # keeps the machine code alive
        self.address = _get_wrapper_address(kernel, POLICY_SIGNATURE)

    def __wrapper_address__(self) -> int:
        return int(self.address)

    def signature(self) -> Any:
        return POLICY_SIGNATURE


def slot_of(kernel: Any) -> Any:
    """Return what a loop takes for a function compiled with the policy signature."""
    return _Slot(kernel) if JIT else kernel


class Policies(tuple[Any, ...]):
    """The ``MAX_POLICIES`` functions that a loop takes, each made by ``slot_of``.

    A class of its own has its type fixed here. Of a plain tuple of functions numba works the type out at every call,
    which costs 65 us and warns each time that such tuples are experimental.
    """

    __slots__ = ()


_POLICIES_TYPE = _types.containers.UniTuple(_types.FunctionType(POLICY_SIGNATURE), MAX_POLICIES)


@typeof_impl.register(Policies)  # type: ignore[untyped-decorator]
def _type_of_policies(value: Policies, context: Any) -> Any:
    return _POLICIES_TYPE


def policy(function: Callable[..., Any]) -> Policy:
    """Make a compiled bot of a function with the policy signature."""
    return Policy(function)


def compiled_kernels(source: str | Path) -> dict[str, float]:
    """Name the loops that are compiled in the cache folder of ``source``, with the seconds each took."""
    folder = cache_folder(source)
    return {path.stem: float(path.read_text()) for path in sorted(folder.glob("*.ready"))}
