"""Where compiled kernels are kept, so that they never go stale and all checkouts of one version share them.

numba notices edits of the file that a function is in, but not of the helpers that the function calls, so its own cache
goes stale. This one cannot: every source file has a cache folder, whose name is a hash of the file, of every source
file of the project that it imports directly or indirectly, of the data files that these name, and of the versions, the
CPU and the switches that change machine code. An edit of a file that a kernel does not import recompiles nothing.
Where the package lies is not part of the hash: a second checkout of one version compiles nothing.

What is kept is unpickled, as by numba: whoever can write to the folder can run code here.
"""

import contextlib
import functools
import hashlib
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
"""The folder that holds the package; imports of the project are looked up from here."""
KNOWN = ("shogun_env", "numba", "numpy")
"""Packages whose functions are as their sources or versions say, which cache folders are named by."""


# --- which folder ----------------------------------------------------------------------------------------------------


@functools.cache
def cache_folder(platform: str, *sources: Path) -> Path:
    """Return the cache folder of the kernels in the first of ``sources``, which are made of the other sources too.

    Args:
        platform: everything besides the sources that machine code depends on.
        sources: absolute paths.
    """
    folder = _root() / f"{_name_of(sources[0]).rpartition('/')[2]}-{_fingerprint(platform, sources)}"
    with contextlib.suppress(OSError):
        os.utime(folder)  # it is used
    return folder


def _root() -> Path:
    """Return the folder that holds all cache folders.

    Raises: ValueError if the environment names none.
    """
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    usual = (base if base.is_absolute() else Path("~/.cache")) / "shogun_env"
    try:
        return Path(os.environ.get("SHOGUN_ENV_CACHE") or usual).expanduser().absolute()
    except RuntimeError:  # neither HOME nor an entry in the list of users
        raise ValueError("there is no home folder to keep compiled kernels in: set SHOGUN_ENV_CACHE") from None


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
        for name in map(bytes.decode, filter(None, found)):
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


def forget_sources() -> None:
    """Forget what was read from source files, some of which have changed."""
    for function in (cache_folder, _digest_of, _dependencies, _source_of):
        function.cache_clear()


def _next_to(path: Path, module: str) -> list[Path]:
    """Return the files that may be a module which a source that is not ours finds from its folder.

    Where that folder holds this package, it may hold all libraries: then packages in it are not followed.
    """
    name = module.lstrip(".")
    levels = max(0, len(module) - len(name) - 1)
    folder = path.parents[levels] / name.replace(".", "/") if levels < len(path.parents) else path
    return [folder.with_suffix(".py"), *([folder / "__init__.py"] if path.parent != ROOT else [])]


def frozen_in(function: Any) -> str:
    """Return a hash of the code, numbers and arrays that machine code of a function is made of, as they are now.

    The source says what those of this package are; a bot may import and read them from anywhere.

    Raises: ValueError if it draws from numpy's or Python's own random numbers, which no seed of a game rules.
    """
    digest, waiting, seen = hashlib.sha256(), [function], set[int]()
    while waiting:
        value = waiting.pop()
        value = getattr(value, "py_func", getattr(value, "function", value))  # of a kernel, of a policy
        own = isinstance(getattr(value, "__self__", None), np.random.RandomState | random.Random)
        if own or value is np.random or value is random:
            raise ValueError(
                f"the bot {function.__name__} draws from random numbers of its own: must draw from rng, as by "
                "next_uint64(rng), so that the seed of a game says how it goes"
            )
        if isinstance(value, np.ndarray):
            digest.update(f"{value.dtype}{value.shape}".encode() + value.tobytes())
        elif isinstance(value, FunctionType) and id(value) not in seen and _top(value) not in KNOWN:
            seen.add(id(value))
            waiting += [value.__code__, *named_in(value.__code__, value.__globals__)]
            if "random" in value.__globals__:  # `random` and `np` are named, not `np.random`
                waiting = [each for each in waiting if each is not np.random]
            for cell in value.__closure__ or ():
                with contextlib.suppress(ValueError):  # empty
                    waiting.append(cell.cell_contents)
        elif isinstance(value, CodeType):
            digest.update(value.co_code + repr(value.co_names + value.co_varnames).encode())
            waiting += value.co_consts
        elif isinstance(value, tuple | frozenset):
            waiting += value if isinstance(value, tuple) else sorted(value, key=repr)
        elif isinstance(value, bool | int | float | complex | str | np.generic):
            digest.update(repr(value).encode())
    return digest.hexdigest()


def _top(function: FunctionType) -> str:
    return (function.__module__ or "").partition(".")[0]


def named_in(code: CodeType, scope: Mapping[str, Any]) -> list[Any]:
    """Return what the names in a code stand for, among its globals and in the modules that it names."""
    found = [scope[name] for name in code.co_names if name in scope]
    found += [vars(each)[n] for each in found if isinstance(each, ModuleType) for n in code.co_names if n in vars(each)]
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return [*found, *(value for each in inner for value in named_in(each, scope))]


@functools.cache
def _temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="shogun_env-")


def folder_of_this_process() -> Path:
    """Return a new folder that is removed when this process ends."""
    return Path(tempfile.mkdtemp(dir=_temporary().name))


# --- using a folder --------------------------------------------------------------------------------------------------


@functools.cache
def say(text: str) -> None:
    """Print a line for people, once."""
    print(f"shogun_env: {text}", file=sys.stderr)


@contextlib.contextmanager
def locked(folder: Path, name: str) -> Iterator[None]:
    """Let one process compile something into a folder, by its name, while the others wait for its files.

    Where there are no locks several processes may compile the same kernel, which only costs time.
    """
    from filelock import FileLock, SoftFileLock  # not above: a process that compiles nothing takes no lock

    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # no locks there, or a folder that cannot be written
            if FileLock is SoftFileLock:  # a file that is there as long as the lock: it outlives who is killed
                raise OSError
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(FileLock(folder / f"{name}.lock", thread_local=False, fallback_to_soft=False))
        yield


@contextlib.contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Let one process at a time write into a folder; if that fails, say so."""
    _tidy_up(folder.parent)
    with locked(folder, "files"):
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


def compiled_loops(folder: Path) -> dict[str, float]:
    """Return the names of the loops compiled into a folder, and the seconds that each took."""
    return {path.stem: float(path.read_text("utf-8")) for path in sorted(folder.glob("*.ready"))}


# --- old folders -----------------------------------------------------------------------------------------------------

LIMIT = 1_000_000_000
"""Bytes; where there are more, the folders used longest ago are removed until three quarters of this are left."""
UNUSED = 86_400.0
"""Seconds for which a folder must not have been used before it is removed."""


def kept(root: Path) -> list[tuple[float, int, Path]]:
    """Return when each cache folder was last used, in seconds since 1970, its bytes and its path; oldest use first."""
    found = []
    for path in root.glob("*-" + "[0-9a-f]" * 20):
        with contextlib.suppress(OSError):  # another process removes it
            found.append((path.stat().st_mtime, sum(file.stat().st_size for file in path.iterdir()), path))
    return sorted(found)


@functools.cache
def _tidy_up(root: Path) -> None:
    """Remove the folders used longest ago if there is too much; once in a process that compiles.

    What such a folder held is compiled again when it is needed. Only what nobody has used for a day is removed.
    """
    folders = kept(root)
    total = sum(size for _, size, _ in folders)
    if total <= LIMIT:
        return
    for used, size, path in folders:
        if total <= LIMIT * 3 // 4 or used > time.time() - UNUSED:
            return
        shutil.rmtree(path, ignore_errors=True)
        total -= size
