"""The last step of a program on its way into the sandbox: ``programs`` starts it by ``bwrap``, as ``python -I -S``.

It adds what bubblewrap cannot give: files whose locks and watches nobody shares, a keyring of its own, and limits. Then
it gives up its rights, writes a newline, and becomes the program. It imports the standard library only.

Two programs that see the same file of the system could talk to each other by locking it. So each visible folder is
covered by an overlay of itself: its contents are the same, but to the kernel its files are others.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import re
import resource
import stat
import sys

NOT_ENTERED = 97
"""Exit status if there can be no sandbox here; the program has not run then."""
EMPTY = "/.empty"
"""An empty folder, as an overlay that cannot be written needs two."""
CACHE, COMPILED = "/cache", "/.compiled"
"""The kernel cache as the program sees it, and that of this machine, which lies beneath."""
CLONE_NEWNS = 0x20000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND = 1, 2, 4, 8, 32, 4096
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
CAPABILITY_VERSION = 0x20080522
KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219, "loongarch64": 219, "ppc64le": 271, "s390x": 280}
"""Number of the system call ``keyctl``, which has no function in the C library."""
KEYCTL_JOIN_SESSION_KEYRING = 1

_libc = ctypes.CDLL(None, use_errno=True)


def _done(result: int, what: str) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(kind: str | None, place: str, options: str = "", flags: int = MS_NOSUID | MS_NODEV) -> None:
    """Mount a file system at a place."""
    name = None if kind is None else kind.encode()
    _done(_libc.mount(name, place.encode(), name, flags, options.encode()), f"mount {place}")


def cover(folder: str) -> None:
    """Cover a folder by an overlay of itself, whose files share nothing with the files beneath."""
    os.chdir(folder)  # so that no letter of its path means something else in the options
    mount("overlay", folder, f"lowerdir=.:{EMPTY}", MS_RDONLY | MS_NOSUID | MS_NODEV)


def show_kernels(parts: list[str]) -> None:
    """Show the kernel cache, in which a program may write: only what belongs to these parts of the package."""
    os.makedirs(f"{CACHE}/new")
    os.mkdir(f"{CACHE}/work")
    for name in os.listdir(COMPILED):
        if re.split("[.-]", name)[0] not in parts:
            os.mknod(f"{CACHE}/new/{name}", stat.S_IFCHR)  # how an overlay says that there is no such file
    os.chdir(COMPILED)
    mount("overlay", CACHE, f"lowerdir=.,upperdir={CACHE}/new,workdir={CACHE}/work,userxattr")
    mount("tmpfs", COMPILED, "size=4k", MS_RDONLY)


def seal() -> None:
    """Make all else read-only, and forbid new namespaces."""
    mount("proc", "/proc")
    with open("/proc/sys/user/max_user_namespaces", "w", encoding="ascii") as file:
        file.write("0")  # in one of its own a program could mount things
    for place in ("/", "/proc", "/dev"):
        flags = os.statvfs(place).f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC)  # which may not be taken away
        mount(None, place, flags=MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | flags)


def new_keyring() -> None:
    """Leave the session's keyring, in which the user who runs the tournament may keep keys, for an empty one."""
    if (number := KEYCTL.get(platform.machine())) is None:
        raise OSError(f"the number of the system call keyctl on {platform.machine()} is not known")
    if _libc.syscall(number, KEYCTL_JOIN_SESSION_KEYRING, None) < 0 and ctypes.get_errno() != 38:  # ENOSYS: no keys
        _done(-1, "keyctl")


def give_up_rights() -> None:
    """Give up all capabilities; ``no_new_privs``, which bubblewrap has set, lets none come back."""
    _done(_libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "prctl")
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    _done(_libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def main(order: str, words: list[str]) -> None:
    """Become a program.

    Args: order, a JSON object: ``folders`` to be covered, the working ``folder``, ``limits`` by the names of
        ``resource``, the ``parts`` of the package whose kernels are shown; words, the command.
    """
    orders = json.loads(order)
    new_keyring()
    _done(_libc.unshare(CLONE_NEWNS), "unshare")
    for folder in orders["folders"]:
        cover(folder)
    show_kernels(orders["parts"])
    seal()
    for name, value in orders["limits"].items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))
    os.chdir(orders["folder"])
    give_up_rights()


if __name__ == "__main__":
    try:
        main(sys.argv[1], sys.argv[2:])
    except Exception as error:
        print(f"no sandbox can be made here: {error}", file=sys.stderr)
        sys.exit(NOT_ENTERED)
    os.write(1, b"\n")
    try:
        os.execvp(sys.argv[2], sys.argv[2:])
    except OSError as error:
        print(f"{sys.argv[2]} could not be started: {error.strerror}", file=sys.stderr)
        sys.exit(127)
