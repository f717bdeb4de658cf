"""The sandbox: what isolated bots can see, made by bubblewrap, and what is taken away from each process of a bot.

``bwrap`` makes namespaces (users, processes, network, mounts, IPC, host name) and a file system that holds the system,
Python and this package, read-only. In it a Python imports the engine (``agent_process``), and a fork of that becomes
the starter of each bot. The starter has process and mount namespaces of its own, in which the files of its bot and
nobody else's are at their places, and forks once for each batch of games. It runs no code of the bot and is out of its
reach: nobody can kill or stop the first process of a namespace from inside, or look into one that is not dumpable. A
fork gets an empty ``/scratch`` and a view of the kernel cache that keeps nothing, and gives up all capabilities. So no
file leads from one batch of games to the next.

``python -m shogun_env.benchmarks.arena.sandbox`` is the process in the sandbox. This file imports nothing that
compiles, as the kernel cache must be in its place first.
"""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path

BUBBLEWRAP = "bwrap"
HOW_TO_GET_IT = (
    "--isolate needs bubblewrap 0.8 or newer (Debian, Ubuntu: apt install bubblewrap); --isolate=process works without "
    "it and protects less"
)
SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin")
"""Folders of the system that a bot sees, with the files of ``SYSTEM_FILES``."""
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
CACHE, COMPILED, KEPT, OWN = "/cache", "/compiled", "/kept", "/own"
"""The kernel cache in the sandbox as processes see it; that of this machine, read-only; what a bot compiled before its
first game; what a process writes into its cache."""
SCRATCH, BOTS = "/scratch", "/bots"
"""Where a process may write, besides ``/dev/shm``; the files of all bots, until a starter hides them."""
KEPT_MB, TEMPORARY_MB = 256, 64
"""Size of what a bot may compile, and of each of the folders in which a process may write."""
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWPID = 0x20000, 0x8000000, 0x20000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC = 1, 2, 4, 8, 32, 4096, 16384
MNT_DETACH = 2
PR_SET_DUMPABLE, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 4, 47, 4
CAPABILITY_VERSION = 0x20080522


SANDBOXED = "sandboxed"
"""The argument that tells ``agent_process`` where it is."""


def why_not() -> str | None:
    """Return why there can be no sandbox here and what to do, or None."""
    return None if sys.platform == "linux" and shutil.which(BUBBLEWRAP) else HOW_TO_GET_IT


# --- outside: the command line ---------------------------------------------------------------------------------------


def command(files: Sequence[str], cache: Path, arguments: Sequence[str]) -> list[str]:
    """Return the command that runs the process in the sandbox.

    Args:
        files: absolute paths of the files and folders of all bots; ``settle`` puts them at their places.
        cache: folder of the kernel cache.
        arguments: of ``agent_process``.
    """
    words = [
        BUBBLEWRAP, "--die-with-parent", "--new-session", "--as-pid-1", "--unshare-user",
        "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--hostname", "bot",
        "--unshare-cgroup-try", "--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN", "--cap-add", "CAP_DAC_OVERRIDE",
        "--cap-add", "CAP_SYS_RESOURCE", "--clearenv",
    ]  # fmt: skip
    for name, value in environment().items():
        words += ["--setenv", name, value]
    for path in SYSTEM:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
    for path in SYSTEM_FILES:
        words += ["--ro-bind-try", path, path]
    words += ["--proc", "/proc", "--dev", "/dev"]
    words += ["--ro-bind", str(cache), COMPILED] if cache.is_dir() else ["--dir", COMPILED]
    for path in shown():
        words += ["--ro-bind", path, path]
    for path in (CACHE, KEPT, OWN, SCRATCH, "/tmp", os.getcwd()):
        words += ["--dir", path]
    for index, path in enumerate(files):
        words += ["--ro-bind", path, f"{BOTS}/{index}"]
        if not is_in(path, [*shown(), *SYSTEM]):  # a place to mount it
            words += ["--dir", path] if os.path.isdir(path) else ["--ro-bind", "/dev/null", path]
    words += ["--chdir", os.getcwd(), "--", sys.executable, "-P", "-m", "shogun_env.benchmarks.arena.sandbox"]
    return [*words, *arguments]


def environment() -> dict[str, str]:
    """Return the environment of a bot: nothing of the tournament's but the switches of numba, by which kernels go."""
    numba = {name: value for name, value in os.environ.items() if name.startswith("NUMBA_")}
    return numba | {
        "PATH": "/usr/bin:/bin",
        "HOME": SCRATCH,
        "TMPDIR": SCRATCH,
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(package_root()),
        "PYTHONDONTWRITEBYTECODE": "1",
        "SHOGUN_ENV_CACHE": CACHE,
    }


def package_root() -> Path:
    """Return the folder that holds the package."""
    return Path(__file__).absolute().parents[3]


@functools.cache
def shown() -> tuple[str, ...]:
    """Return the folders of Python and of this package; those at the top of a checkout are links in the package."""
    package = package_root() / "shogun_env"
    places = [sys.prefix, sys.base_prefix, *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))]
    return tuple(both_paths([*places, package, *(path for path in package.iterdir() if path.is_symlink())]))


def both_paths(paths: Iterable[str | Path]) -> list[str]:
    """Return paths and what they are links to, each once, parents first, without what is in another or the system's."""
    found: list[str] = []
    for path in sorted({os.path.abspath(path) for path in paths} | {os.path.realpath(path) for path in paths}):
        if not is_in(path, [*found, *SYSTEM]):
            found.append(path)
    return found


def is_in(path: str, folders: Iterable[str]) -> bool:
    """Return whether a path is one of these folders, or in one."""
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


# --- inside ----------------------------------------------------------------------------------------------------------

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def _mount(kind: str, place: str, options: str, flags: int = MS_NOSUID | MS_NODEV) -> None:
    _checked(_libc.mount(kind.encode(), place.encode(), kind.encode(), flags, options.encode()), f"mount {place}")


def _mount_cache(lower: str, upper: str) -> None:
    """Show the kernel cache at its place: what is in ``lower``, and what is written into folders of ``upper``."""
    for name in ("new", "work"):
        os.makedirs(f"{upper}/{name}", mode=0o700, exist_ok=True)
    _mount("overlay", CACHE, f"lowerdir={lower},upperdir={upper}/new,workdir={upper}/work,userxattr")


def enter() -> None:
    """Put the kernel cache in its place for a process that is going to import the engine."""
    _checked(_libc.unshare(CLONE_NEWNS), "unshare")
    _mount("tmpfs", OWN, f"size={KEPT_MB}m,mode=700")
    _mount_cache(COMPILED, OWN)
    _checked(_libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "prctl")


def warmed() -> None:
    """Take the kernel cache away from the process that has loaded what it needs."""
    for place in (CACHE, OWN):
        _checked(_libc.umount2(place.encode(), MNT_DETACH), "umount")


def fork_first() -> int:
    """Fork into a process namespace of its own; return 0 in its first process, which ends with the caller's child."""
    child = os.fork()
    if child:
        return child
    _checked(_libc.unshare(CLONE_NEWPID), "unshare")
    first = os.fork()
    if not first:
        return 0
    os.closerange(3, 1 << 10)
    os.waitpid(first, 0)
    os._exit(0)


def settle(files: Sequence[tuple[int, str]], hidden: Sequence[str]) -> None:
    """Put the files of a bot at their places, and hide those of the others.

    Args:
        files: number and path of each of its files and folders, as ``command`` was given them, parents first.
        hidden: folders that the bot must not see, even if they are in its own.
    """
    _checked(_libc.unshare(CLONE_NEWNS | CLONE_NEWIPC), "unshare")
    _mount("proc", "/proc", "")
    Path("/proc/sys/user/max_user_namespaces").write_text("0", "ascii")  # in one of its own a bot could mount things
    for index, path in files:
        flags = MS_BIND | MS_REC
        _checked(_libc.mount(f"{BOTS}/{index}".encode(), path.encode(), None, flags, None), f"mount {path}")
    for path in filter(os.path.isdir, [BOTS, "/dev/pts", *hidden]):
        _mount("tmpfs", path, "size=4k", MS_RDONLY)
    _mount("tmpfs", KEPT, f"size={KEPT_MB}m,mode=700")
    os.mkdir(f"{KEPT}/new", mode=0o700)
    for place in ("/", "/proc", "/dev"):
        kept = os.statvfs(place).f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC)  # which may not be taken away
        flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | kept
        _checked(_libc.mount(None, place.encode(), None, flags, None), f"mount {place}")
    os.chdir(os.environ["PWD"])


def close_off(keeps: bool) -> None:
    """Take away from a fork of the starter what it shares with others, and then the right to change that.

    Args: keeps: whether what it compiles is kept for later forks; only for one that is never asked about a game.
    """
    _checked(_libc.unshare(CLONE_NEWNS | CLONE_NEWIPC), "unshare")
    if keeps:
        _mount_cache(COMPILED, KEPT)
    else:
        _mount("tmpfs", OWN, f"size={TEMPORARY_MB}m,mode=700")
        _mount_cache(f"{KEPT}/new:{COMPILED}", OWN)
    for path in (SCRATCH, "/dev/shm"):
        _mount("tmpfs", path, f"size={TEMPORARY_MB}m,mode=1777")
    for path in (KEPT, OWN):
        _mount("tmpfs", path, "size=4k", MS_RDONLY)
    _checked(_libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "prctl")
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    _checked(_libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")
    _checked(_libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), "prctl")


if __name__ == "__main__":
    enter()
    from shogun_env.benchmarks.arena.agent_process import main

    main([*sys.argv[1:], SANDBOXED])
