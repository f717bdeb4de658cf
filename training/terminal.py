"""What the commands of a checkout share: arguments, progress, and what they say about where a result comes from."""

from __future__ import annotations

import argparse
import importlib
import platform
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import metadata
from pathlib import Path
from typing import Any, NoReturn

import shogun_env
from shogun_env import GAMES
from shogun_env.frame.batch import Batch

PLAIN_EVERY = 10.0
"""Seconds between the lines of a progress that is not shown on a terminal."""

Report = Callable[[float, str], None]


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line and exit status 2."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and leave."""
        self.exit(2, f"{self.prog}: {message}\n")


def command_line(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> str:
    """Return how a command was called: by ``arguments``, or None for those of this process."""
    return f"{parser.prog} {shlex.join(sys.argv[1:] if arguments is None else arguments)}".rstrip()


def options_of(texts: Sequence[str], players: int) -> dict[str, Any]:
    """Return options of play from ``name=value`` texts; true and false are switches.

    Raises: ValueError for a text without a name.
    """
    found: dict[str, Any] = {"num_players": players}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise ValueError(f"--option {text}: must be NAME=VALUE")
        found[name] = {"true": True, "false": False}.get(value.lower(), value)
    return found


@contextmanager
def progress(title: str, total: float) -> Iterator[Report]:
    """Give a function ``report(done, text)`` that shows how far a task is; ``total`` is its size in any unit.

    Example:
        >>> with progress("games", 2) as report:  # doctest: +SKIP
        ...     report(1, "half")
    """
    if sys.stderr.isatty():
        try:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
        except ImportError:
            pass
        else:
            text = TextColumn("{task.fields[text]}")
            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), text)
            with Progress(*columns, console=Console(stderr=True)) as bar:
                task = bar.add_task(title, total=total, text="")
                yield lambda done, text: bar.update(task, completed=min(done, total), text=text)
            return
    yield _plain(title, total)


def _plain(title: str, total: float) -> Report:
    """Return a report that prints a line now and then, and one at the end."""
    next_time = time.monotonic() + PLAIN_EVERY

    def report(done: float, text: str) -> None:
        nonlocal next_time
        now = time.monotonic()
        if now >= next_time or (done >= total and next_time < float("inf")):
            next_time = now + PLAIN_EVERY if done < total else float("inf")
            print(f"{title}: {min(1.0, done / total):4.0%}  {text}", file=sys.stderr, flush=True)

    return report


def batch_class(game: str) -> type[Batch]:
    """Return the batch engine of a game by its name; ValueError naming the games there are."""
    if game not in GAMES:
        raise ValueError(f"game={game!r}: must be one of {', '.join(GAMES)}")
    found: type[Batch] = importlib.import_module(f"shogun_env.{game}").Batch
    return found


def commit() -> str:
    """Return the commit of the checkout with a plus if files differ from it, or ``unknown`` without git."""
    where = Path(__file__).parent
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--abbrev=12", "--dirty=+"],
            cwd=where, capture_output=True, text=True, check=True, timeout=10,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return found.stdout.strip()


def versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that results depend on, those that are installed."""
    found = {"python": platform.python_version(), "shogun-env": shogun_env.__version__}
    for name in ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib"):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found
