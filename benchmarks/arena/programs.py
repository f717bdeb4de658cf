"""How the bots of strangers are started: as programs, with limits, and with a prefix before the command.

A stranger's bot is a program (``exec:COMMAND``) or a Python file, which ``shogun-env serve`` turns into a program. Bots
of this package and of other installed packages are trusted by whoever installed them.

With the prefix ``bwrap`` each program has a sandbox of its own, which only its lines leave: ``enter.py`` makes it, and
``docs/protocol.md`` says what is promised. Any other prefix, such as that of a container engine, is used as it is. Only
this file knows bubblewrap.
"""

from __future__ import annotations

import functools
import json
import os
import re
import resource
import shlex
import shutil
import sys
import sysconfig
import tomllib
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from shogun_env.agents.program.agent import Exec, make_exec, words_of
from shogun_env.benchmarks.arena import enter
from shogun_env.kernel.cache import cache_folder
from shogun_env.policies import Agent, inner_spec, make_agent, parameters_of, split_spec
from shogun_env.spec.game_spec import GameSpec

BUBBLEWRAP = "bwrap"
HOW_TO_GET_IT = (
    "--isolate needs bubblewrap 0.8 or newer (Debian, Ubuntu: apt install bubblewrap), or the command of a container "
    'engine: --isolate="podman run …"'
)
OF_OTHERS = {"search": ("base", "play_on", "model", "critic")}
"""Bots of the package that are made of other bots, with the parameters that name these."""
SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin")
"""Folders of the system that a program sees, with the files of ``SYSTEM_FILES``."""
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
TEMPORARY_MB = 64
"""Size of a file, and of each of the folders in which a program may write."""
MOST_HANDLES = 1 << 16
"""File handles that a run takes at most, if it may."""


@dataclass(frozen=True)
class Limits:
    """How a stranger's program is started, and what it may use."""

    isolate: str | None = None
    """Prefix of its command: ``bwrap`` for a sandbox of its own, or another command, which is used as it is. None: no
    isolation and no limits."""
    game_seconds: float = 60.0
    """Seconds by the clock that a bot has for each game and player."""
    start_seconds: float = 30.0
    """Seconds by the clock from its start to its hello."""
    memory_mb: int = 2048
    """Memory that each of its processes may have for itself, in megabytes; with ``bwrap``."""
    processes: int = 64
    """Its processes and threads at a time; with ``bwrap``, and not if the run is root's."""


def check_limits(limits: Limits) -> None:
    """Raise this process's own limits for many programs, and check that programs can be started with these limits.

    Raises: ValueError saying what is missing here.
    """
    for name in ("RLIMIT_NOFILE", "RLIMIT_NPROC"):
        kind = getattr(resource, name)
        soft, hard = resource.getrlimit(kind)
        most = MOST_HANDLES if hard == resource.RLIM_INFINITY else min(hard, max(soft, MOST_HANDLES))
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (most if soft != resource.RLIM_INFINITY else soft, hard))
    if limits.isolate is None:
        return
    words = shlex.split(limits.isolate)
    if not words:
        raise ValueError("--isolate='': needs the command that programs are started by")
    if words == [BUBBLEWRAP] and not (sys.platform == "linux" and shutil.which(BUBBLEWRAP)):
        raise ValueError(HOW_TO_GET_IT)
    if not shutil.which(words[0]):
        raise ValueError(f"--isolate={limits.isolate!r}: {words[0]} is no command here")
    for name, option in (("RLIMIT_AS", "-v"), ("RLIMIT_DATA", "-d")):
        memory = resource.getrlimit(getattr(resource, name))[1]
        if words == [BUBBLEWRAP] and resource.RLIM_INFINITY != memory < limits.memory_mb << 20:
            raise ValueError(f"ulimit {option} {memory >> 10}: less than the {limits.memory_mb} MB of --memory-mb")


# --- whose code a bot is ---------------------------------------------------------------------------------------------


def parts_of(spec: str) -> list[str]:
    """Return the specs of the bots that a bot is made of, itself first; no bot is made, and no program started.

    Example:
        >>> parts_of("search:base=mine.py;make:model=random")
        ['search:base=mine.py;make:model=random', 'mine.py:make', 'random']
    """
    from shogun_env.agents.search.agent import FITTED

    name, *parameters = split_spec(spec)
    values = dict(part.split("=", 1) for part in parameters if "=" in part)
    inner = [inner_spec(values[key]) for key in OF_OTHERS.get(name, ()) if values.get(key, FITTED) not in ("", FITTED)]
    if name == "chat":
        substitute = values.get("substitute")
        for file in () if substitute is not None else [part for part in parameters if "=" not in part]:
            with suppress(OSError, ValueError):
                substitute = tomllib.loads(Path(file).read_text("utf-8")).get("substitute")
        inner += [inner_spec(substitute)] if isinstance(substitute, str) and substitute else []
    return [spec, *(part for each in inner for part in parts_of(each))]


def is_stranger(spec: str) -> bool:
    """Return whether making a bot starts a program, or runs a Python file that its spec names.

    Example:
        >>> [is_stranger(spec) for spec in ("search:base=champion", "search:base=mine.py;make", "exec:./bot")]
        [False, True, True]
    """
    names = {split_spec(part)[0] for part in parts_of(spec)}
    return any(name == "exec" or name.endswith(".py") for name in names)


def words_in(spec: str) -> list[str]:
    """Return the words of a spec, which may be files: of a program those of its command, else what ``:``, ``;`` and
    ``=`` separate.

    Example:
        >>> words_in("exec:./my_bot --level=3"), words_in("search:base=ppo;runs/mine")
        (['./my_bot', '--level=3'], ['search', 'base', 'ppo', 'runs/mine'])
    """
    name, *parameters = split_spec(spec)
    if name == "exec":
        return [word for text in parameters for word in words_of(text)]
    return [word for word in re.split("[:;=]", spec) if word]


# --- starting one ----------------------------------------------------------------------------------------------------


def agent_of(
    spec: str,
    game_spec: GameSpec,
    limits: Limits,
    folder: Path | None = None,
    waiting: Callable[[str], None] | None = None,
) -> Agent:
    """Return the bot of a spec; one of a stranger is started as the limits say.

    Args: spec; game_spec; limits; folder of the tournament or league, which no bot may see, and whose folder ``errors``
        keeps what programs write to standard error (None: there is none); waiting, called about once a second while the
        program is waited for, with the spec.
    Raises: ValueError in one line if the bot cannot be made, or would see what it may not.
    """
    if limits.isolate is None or not is_stranger(spec):
        return make_agent(spec, game_spec)
    check_limits(limits)
    in_sandbox = shlex.split(limits.isolate) == [BUBBLEWRAP]
    python = sys.executable if in_sandbox else "python"
    name, *parts = split_spec(spec)
    parameters: dict[str, object] = {}
    if name == "exec":
        texts, parameters = parameters_of(spec, make_exec, parts)
        words = words_of(texts[0], python)
    else:
        words = [python, "-m", "shogun_env", "serve", spec]
    prefix = shlex.split(limits.isolate)
    words = sandboxed(words, folders_of(spec, folder), limits) if in_sandbox else [*prefix, *words]
    if folder is not None and "stderr" not in parameters:
        parameters["stderr"] = errors_file(str(folder / "errors"), spec)
    parameters = {"seconds": limits.game_seconds, "start_seconds": limits.start_seconds} | parameters
    return Exec(game_spec, spec, words, enters=in_sandbox, waiting=waiting, **parameters)  # type: ignore[arg-type]


def errors_file(folder: str, name: str) -> str:
    """Return the file in a folder that the standard error of a bot is appended to.

    Example:
        >>> errors_file("out/errors", "exec:python bots/my_bot.py")
        'out/errors/exec-python-bots-my-bot-py-0471be82.txt'
    """
    slug = "-".join(re.findall(r"\w+", name.replace("_", "-")))[-60:]
    return os.path.join(folder, f"{slug}-{zlib.crc32(name.encode()):08x}.txt")


# --- bubblewrap ------------------------------------------------------------------------------------------------------


def folders_of(spec: str, hidden: Path | None) -> list[str]:
    """Return the folders of the files that a spec names, as they are named; nothing in them is followed.

    Args: spec; hidden, a folder that none of them may hold, nor those that every program sees.
    Raises: ValueError if one does, or holds the user's home, or is reached by a link.
    """
    found: list[str] = []
    hidden_folders = [(Path(os.path.expanduser("~")), "your home folder")]
    if hidden is not None:
        hidden_folders.append((hidden, "the folder of the tournament"))
    for part in parts_of(spec):
        name = split_spec(part)[0]
        words = words_in(part) if name == "exec" else [name] if name.endswith(".py") else []
        files = [word for word in words if os.path.lexists(word) and not os.path.isdir(word)]
        found += [os.path.dirname(os.path.abspath(file)) for file in files if file != sys.executable]
    for path in found:
        if (real := os.path.realpath(path)) != path:
            raise ValueError(f"{spec}: {path} leads over a link to {real}: name that, or give the bot a folder without")
    for path in [*found, *visible_folders()]:
        for folder, what in hidden_folders:
            if is_in(os.path.realpath(folder), [path]):
                raise ValueError(f"{spec}: would see {path}, which holds {what}: give the bot a folder of its own")
    return found


def sandboxed(words: Sequence[str], folders: Sequence[str], limits: Limits) -> list[str]:
    """Return the command that runs a program in a sandbox of its own.

    Args: words, its command; folders, that it sees besides the system's, Python's and this package's; limits.
    """
    command = [
        "env", "-i", shutil.which(BUBBLEWRAP) or BUBBLEWRAP,  # the environment of its first process can be read within
        "--die-with-parent", "--new-session",
        "--unshare-user", "--uid", "0", "--gid", "0",  # another one within would have no rights over /proc
        "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--hostname", "bot", "--unshare-cgroup-try",
        "--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN", "--cap-add", "CAP_DAC_OVERRIDE", "--cap-add",
        "CAP_SYS_RESOURCE", "--clearenv",
    ]  # fmt: skip
    for name, value in environment().items():
        command += ["--setenv", name, value]
    for path in SYSTEM:
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            command += ["--ro-bind", path, path]
    for path in SYSTEM_FILES:
        command += ["--ro-bind-try", path, path]
    command += ["--proc", "/proc", "--dev", "/dev", "--dir", enter.EMPTY]
    kernels = cache_folder("", Path(enter.__file__)).parent
    command += ["--ro-bind", str(kernels), enter.COMPILED] if kernels.is_dir() else ["--dir", enter.COMPILED]
    for path in ("/tmp", "/dev/shm", enter.CACHE):
        command += ["--size", str(TEMPORARY_MB << 20), "--perms", "1777", "--tmpfs", path]
    seen = outermost([*visible_folders(), *folders])
    for path in seen:
        command += ["--ro-bind", path, path]
    order = {
        "folders": [*(path for path in SYSTEM if os.path.isdir(path) and not os.path.islink(path)), *seen],
        "folder": os.getcwd(),
        "parts": sorted(path.stem for path in (package_root() / "shogun_env").iterdir()),
        "limits": {
            "RLIMIT_DATA": limits.memory_mb << 20,
            "RLIMIT_NPROC": limits.processes,
            "RLIMIT_FSIZE": TEMPORARY_MB << 20,
            "RLIMIT_CORE": 0,
        },
    }
    if not is_in(os.getcwd(), seen):
        command += ["--dir", os.getcwd()]
    command += ["--chdir", "/", "--", sys.executable, "-I", "-S", os.path.abspath(enter.__file__), json.dumps(order)]
    return [*command, *words]


def environment() -> dict[str, str]:
    """Return the environment of a program: nothing of this one but the switches of numba, by which kernels go."""
    numba = {name: value for name, value in os.environ.items() if name.startswith("NUMBA_")}
    return numba | {
        "PATH": "/usr/bin:/bin",
        "HOME": "/tmp",
        "TMPDIR": "/tmp",
        "LANG": "C.UTF-8",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONPATH": str(package_root()),
        "PYTHONDONTWRITEBYTECODE": "1",
        "SHOGUN_ENV_CACHE": enter.CACHE,
    }


def package_root() -> Path:
    """Return the folder that holds the package."""
    return Path(__file__).absolute().parents[3]


@functools.cache
def visible_folders() -> tuple[str, ...]:
    """Return the folders of Python and of this package; those at the top of a checkout are links in the package."""
    package = package_root() / "shogun_env"
    places = [sys.prefix, sys.base_prefix, *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))]
    places += [path for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages")]
    every = [str(path) for path in [*places, package, *(path for path in package.iterdir() if path.is_symlink())]]
    return tuple(outermost([*map(os.path.abspath, every), *map(os.path.realpath, every)]))


def outermost(paths: Iterable[str]) -> list[str]:
    """Return paths, each once, parents first, without what is in another or the system's."""
    found: list[str] = []
    for path in sorted(set(paths)):
        if not is_in(path, [*found, *SYSTEM]):
            found.append(path)
    return found


def is_in(path: str, folders: Iterable[str]) -> bool:
    """Return whether a path is one of these folders, or in one."""
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)
