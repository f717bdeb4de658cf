"""The repository as tests read it: its files, and commands run in it."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("shogun_env", "agents", "training", "benchmarks")
"""The folders that are installed; links inside the first lead to the others."""
SOURCES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def place_in_package(path: Path, root: Path = ROOT) -> Path:
    """Return where in the installed package a file of one of the folders is."""
    place = path.relative_to(root)
    return place if place.parts[0] == "shogun_env" else Path("shogun_env", place)


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command for ten minutes at most, and return what it wrote and its exit status."""
    words, env = [*map(str, command)], {**os.environ, **environment}
    return subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=600)


def run_python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run this Python in the repository; return what it wrote and its exit status."""
    return run(sys.executable, *arguments, **environment)


def files_of_the_tree() -> list[Path]:
    """Everything git keeps or would keep."""
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z").stdout.split("\0")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]
