"""How the bots of strangers are started: as programs, with limits, and with a prefix before the command.

A stranger's bot is a program (``exec:COMMAND``) or a Python file, which ``shogun-env serve`` turns into a program. Bots
of this package and of other installed packages are trusted by whoever installed them.

With the prefix ``bwrap`` each program has a sandbox of its own, made by bubblewrap; ``docs/protocol.md`` says what is
promised. Any other prefix, such as that of a container engine, is used as it is. Only this file knows bubblewrap.
"""

import functools
import os
import re
import shlex
import shutil
import sys
import sysconfig
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from shogun_env.agents.fingerprint import words_in
from shogun_env.agents.parts import is_stranger, parts_of
from shogun_env.agents.program.agent import Exec, make_exec, words_of
from shogun_env.kernel.cache import cache_folder
from shogun_env.policies import Bot, make_agent, parameters_of, split_spec
from shogun_env.spec.game_spec import GameSpec

BUBBLEWRAP = "bwrap"
HOW_TO_GET_IT = (
    "--isolate needs Linux with bubblewrap 0.8 or newer (Debian, Ubuntu: apt install bubblewrap), or the command of a "
    'container engine: --isolate="podman run …"'
)
NOT_AS_ROOT = (
    "--isolate starts no bot as root: run this as an ordinary user, or give the command of a container engine: "
    '--isolate="podman run …"'
)
SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin")
"""Folders of the system that a program sees, with the files of ``SYSTEM_FILES``."""
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
CACHE = "/cache"
"""The kernel cache as a program sees it: what belongs to this package, and room for its own."""
TEMPORARY_MB = 64
"""Size of a file, and of each of the folders in which a program may write."""
MOST_PROCESSES = 64
"""Processes and threads of a program at a time."""


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


def check_limits(limits: Limits) -> None:
    """Check that programs can be started with these limits; ValueError saying what is missing here."""
    if limits.isolate is None:
        return
    words = shlex.split(limits.isolate)
    if not words:
        raise ValueError("--isolate='': needs the command that programs are started by")
    if is_sandbox(limits.isolate):
        if not (sys.platform == "linux" and shutil.which(BUBBLEWRAP)):
            raise ValueError(HOW_TO_GET_IT)
        if os.geteuid() == 0:
            raise ValueError(NOT_AS_ROOT)
    if not shutil.which(words[0]):
        raise ValueError(f"--isolate={limits.isolate!r}: {words[0]} is no command here")


def is_sandbox(isolate: str | None) -> bool:
    """Return whether a prefix of commands means a sandbox made by bubblewrap."""
    return isolate is not None and shlex.split(isolate) == [BUBBLEWRAP]


# --- starting one ----------------------------------------------------------------------------------------------------


def agent_of(
    spec: str,
    game_spec: GameSpec,
    limits: Limits,
    folder: Path | None = None,
    waiting: Callable[[str], None] | None = None,
) -> Bot:
    """Return the bot of a spec; one of a stranger is started as the limits say.

    Args: spec; game_spec; limits; folder of the tournament or league, which no bot may see, and whose folder ``errors``
        keeps what programs write to standard error (None: there is none); waiting, called about once a second while the
        program is waited for, with the spec.
    Raises: ValueError in one line if the bot cannot be made, or would see what it may not, or names a file to write.
    """
    if limits.isolate is None or not is_stranger(spec):
        return make_agent(spec, game_spec)
    check_limits(limits)
    in_sandbox = is_sandbox(limits.isolate)
    python = sys.executable if in_sandbox else "python"
    name, *parts = split_spec(spec)
    parameters: dict[str, object] = {}
    if name == "exec":
        texts, parameters = parameters_of(spec, make_exec, parts)
        if "stderr" in parameters:  # the spec may be somebody else's
            raise ValueError(f"{spec}: leave stderr out with --isolate, which keeps it in the folder errors")
        words = words_of(texts[0], python)
    else:
        words = [python, "-m", "shogun_env", "serve", spec]
    prefix = shlex.split(limits.isolate)
    words = sandboxed(words, folders_of(spec, folder), limits) if in_sandbox else [*prefix, *words]
    if folder is not None:
        errors = errors_file(os.path.join(os.path.realpath(folder), "errors"), spec)
        if os.path.realpath(errors) != errors:  # the folder may be somebody else's
            raise ValueError(f"{errors}: leads over a link to {os.path.realpath(errors)}")
        parameters["stderr"] = errors
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
    Raises: ValueError if one does, or holds the user's home, is reached by a link, or is seen by every program.
    """
    found, everybodys = [], [*SYSTEM, *visible_folders()]
    for part in parts_of(spec):
        name = split_spec(part)[0]
        words = words_in(part) if name == "exec" else [name] if name.endswith(".py") else []
        for number, word in enumerate(words):
            path = os.path.dirname(os.path.abspath(word))
            is_program = name == "exec" and number == 0 and is_in(path, everybodys)
            if os.path.lexists(word) and not os.path.isdir(word) and not is_program:
                found.append(path)
    for path in found:
        if (real := os.path.realpath(path)) != path:
            raise ValueError(f"{spec}: {path} leads over a link to {real}: name that, or give the bot a folder without")
        if is_in(path, everybodys):
            raise ValueError(f"{spec}: {path} is seen by every bot: give this one a folder of its own elsewhere")
    hidden_folders = [(os.path.expanduser("~"), "your home folder"), (hidden, "the folder of the tournament")]
    for path in [*found, *everybodys]:
        for folder, what in hidden_folders:
            if folder is not None and is_in(os.path.realpath(folder), [path]):
                raise ValueError(f"{spec}: would see {path}, which holds {what}: one of them has to lie elsewhere")
    return found


def check_apart(specs: Sequence[str]) -> None:
    """Check that none of the strangers among these bots would see the folder of another in a sandbox.

    Raises: ValueError naming two of which one would; bots of one folder share it.
    """
    folders = {spec: folders_of(spec, None) for spec in specs if is_stranger(spec)}
    for one, other in permutations(folders, 2):
        for path in folders[other]:
            if path not in folders[one] and is_in(path, folders[one]):
                raise ValueError(f"{one}: would see {path}, the folder of {other}: one of them has to lie elsewhere")


def sandboxed(words: Sequence[str], folders: Sequence[str], limits: Limits) -> list[str]:
    """Return the command that runs a program in a sandbox of its own, which writes a newline when it has entered.

    Args: words, its command; folders, that it sees besides the system's, Python's and this package's; limits.
    """
    command = ["env", "-i", *(f"{name}={value}" for name, value in environment().items())]
    command += [shutil.which(BUBBLEWRAP) or BUBBLEWRAP, "--die-with-parent", "--new-session"]
    command += ["--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    for path in SYSTEM:
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            command += ["--ro-bind", path, path]
    for path in SYSTEM_FILES:
        command += ["--ro-bind-try", path, path]
    command += ["--proc", "/proc", "--dev", "/dev"]
    for path in ("/tmp", "/dev/shm", CACHE):
        command += ["--size", str(TEMPORARY_MB << 20), "--perms", "1777", "--tmpfs", path]
    for path in outermost([*visible_folders(), *folders]):
        command += ["--ro-bind", path, path]
    for name, path in kernels().items():
        command += ["--ro-bind", path, f"{CACHE}/{name}"]
    command += ["--dir", os.getcwd(), "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", os.getcwd(), "--"]
    command += ["prlimit", f"--data={limits.memory_mb << 20}", f"--fsize={TEMPORARY_MB << 20}", "--core=0"]
    command += [f"--nproc={MOST_PROCESSES}", "sh", "-c", 'echo && exec "$@"', "sh"]
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
        "SHOGUN_ENV_CACHE": CACHE,
    }


def kernels() -> dict[str, str]:
    """Return the folders of the kernel cache that belong to this package, by name, not those of other bots."""
    parts = {path.stem for path in (package_root() / "shogun_env").iterdir()}
    root = cache_folder("", Path(__file__)).parent
    names = [path.name for path in root.iterdir()] if root.is_dir() else []
    return {name: str(root / name) for name in names if re.split("[.-]", name)[0] in parts}


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
