"""Who starts the sandboxes of tests: an ordinary user, also where root runs them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from shogun_env.benchmarks.arena import programs

ROOT = os.geteuid() == 0
SOMEBODY = 54321
"""The user who takes the place of root; nobody's number would be that of files whose owner a sandbox does not know."""
AS_SOMEBODY = ["setpriv", f"--reuid={SOMEBODY}", f"--regid={SOMEBODY}", "--clear-groups"] if ROOT else []
PYTHON = "/usr/bin/python3" if ROOT else sys.executable
"""A Python that this user can read; that of the tests may lie in a folder of root's."""


def why_no_sandbox() -> str:
    """Return why an ordinary user can make no sandbox here; empty if they can."""
    if missing := [name for name in (programs.BUBBLEWRAP, *AS_SOMEBODY[:1], PYTHON) if shutil.which(name) is None]:
        return f"{' and '.join(missing)} not installed"
    if subprocess.run([*AS_SOMEBODY, "test", "-x", sys.prefix], check=False).returncode:
        return f"{sys.prefix} is in a folder that nobody but root can read"
    words = [*AS_SOMEBODY, programs.BUBBLEWRAP, "--unshare-user", "--ro-bind", "/", "/", "true"]
    done = subprocess.run(words, capture_output=True, text=True)
    return f"no user namespaces: {done.stderr.strip()}" if done.returncode else ""


def use_an_ordinary_user(patch: Callable[[Any, str, Any], None]) -> None:
    """Have sandboxes made by an ordinary user, with the system's Python alone; ``patch`` is called as ``setattr``."""
    if not ROOT:
        return
    make, split = programs.sandboxed, programs.words_of
    patch(os, "geteuid", lambda: SOMEBODY)
    patch(programs, "sandboxed", lambda *given: [*AS_SOMEBODY, *make(*given)])
    own = {sys.executable: PYTHON}
    patch(programs, "words_of", lambda command, *python: split(command, *(own.get(each, each) for each in python)))
    patch(programs, "visible_folders", tuple)
    patch(programs, "kernels", dict)


def public_folder(name: str) -> Path:
    """Return a folder as one that any user can read."""
    folder = Path(name)
    folder.chmod(0o755)
    return folder
