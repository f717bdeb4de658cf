"""What all commands share: one dialect of options, one-line errors, progress, and where a result comes from.

Every command that plays takes ``--game`` and the options of that game, as ``--side moon`` or ``--option side=moon``:
``--players 3``, ``--tower 2:0.15:0.025:0``, ``--optional-moves``.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
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
from shogun_env.batch.batch import Batch
from shogun_env.batch.validation import MAX_SEED

PLAIN_EVERY = 10.0
"""Seconds between two lines of progress that is not shown on a terminal."""

Progress = Callable[[float, str], None]
"""``progress(done, text)`` shows how far a task is."""


def batch_class(game: str) -> type[Batch]:
    """Return the ``Batch`` of a game by its name; ValueError naming the games there are."""
    if game == "shogun":
        from shogun_env import shogun

        return shogun.Batch
    if game == "shitenno":
        from shogun_env import shitenno

        return shitenno.Batch
    raise ValueError(f"game={game!r}: must be one of {', '.join(GAMES)}")


# --- options ---------------------------------------------------------------------------------------------------------


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line with exit status 2, and takes no abbreviations."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        """Print the line and exit."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")

    def add_game(self, game: str) -> None:
        """Add ``--game`` and the options of play of the game ``game``, which is the default."""
        self.add_argument("--game", choices=GAMES, default=game, help="default: %(default)s")
        for name, default in batch_class(game).spec.option_defaults.items():
            option = f"--{name.removeprefix('num_').replace('_', '-')}"
            if isinstance(default, bool):
                self.add_argument(
                    option, dest=name, action="store_true", default=None, help=f"{name.replace('_', ' ')}"
                )
            else:
                self.add_argument(option, dest=name, type=option_value, metavar="X", help=f"default: {default}")
        self.add_argument(
            "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of play, such as side=moon"
        )

    def add_seed(self, text: str = "seed of the first game") -> None:
        """Add ``--seed``."""
        self.add_argument("--seed", type=seed_number, default=0, help=f"{text} (0)")

    def add_json(self, text: str) -> None:
        """Add ``--json``."""
        self.add_argument("--json", type=Path, metavar="FILE", help=text)


def chosen_game(arguments: Sequence[str] | None) -> str:
    """Return the game that a command line names, without reading the rest of it; the first game if it names none."""
    first = Parser(add_help=False)
    first.add_argument("--game")
    game = first.parse_known_args(sys.argv[1:] if arguments is None else arguments)[0].game
    return game if game in GAMES else GAMES[0]


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of play that a command line gives, unchecked; those not given are left out.

    Raises: ValueError for an ``--option`` without a name.
    """
    names = batch_class(args.game).spec.option_defaults
    options = {name: value for name in names if (value := getattr(args, name)) is not None}
    for text in args.option:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise ValueError(f"--option {text}: must be NAME=VALUE")
        options[name] = option_value(value)
    return options


def option_value(text: str) -> Any:
    """Return an option's value: true or false, a number, numbers separated by colons (``2:0.15:0.025:0``), or text."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if re.fullmatch(r"\d+(\.\d*)?(:\d+(\.\d*)?)*", text):
        numbers = [float(part) if "." in part else int(part) for part in text.split(":")]
        return tuple(numbers) if len(numbers) > 1 else numbers[0]
    return text


def seed_number(text: str) -> int:
    """Return a seed; an argparse error for anything else."""
    if not text.isdecimal() or int(text) >= MAX_SEED:
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number, at least 0 and below 2^53")
    return int(text)


def count(text: str) -> int:
    """Return a number of things, at least 1; an argparse error for anything else."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number, at least 1")
    return int(text)


def write_json(path: Path | None, value: Any) -> None:
    """Write a value as JSON, if there is a path to write to."""
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value, indent=1) + "\n", "utf-8")


# --- progress --------------------------------------------------------------------------------------------------------


@contextmanager
def progress(title: str, total: float) -> Iterator[Progress]:
    """Give a function ``show(done, text)`` that shows how far a task is; ``total`` is its size in any unit.

    A bar on a terminal, if rich is installed; else a line every ten seconds and one at the end.

    Example:
        >>> with progress("games", 2) as show:  # doctest: +SKIP
        ...     show(1, "half")
    """
    if sys.stderr.isatty():
        try:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar
        except ImportError:
            pass
        else:
            text = TextColumn("{task.fields[text]}")
            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), text)
            with Bar(*columns, console=Console(stderr=True)) as bar:
                task = bar.add_task(title, total=total, text="")
                yield lambda done, text: bar.update(task, completed=min(done, total), text=text)
            return
    yield _plain(title, total)


def _plain(title: str, total: float) -> Progress:
    """Return a function that prints a line now and then, and one at the end."""
    next_time = time.monotonic() + PLAIN_EVERY

    def show(done: float, text: str) -> None:
        nonlocal next_time
        now = time.monotonic()
        if now >= next_time or (done >= total and next_time < float("inf")):
            next_time = now + PLAIN_EVERY if done < total else float("inf")
            print(f"{title}: {min(1.0, done / total):4.0%}  {text}", file=sys.stderr, flush=True)

    return show


# --- where a result comes from ---------------------------------------------------------------------------------------


def command_line(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> str:
    """Return how a command was called: by ``arguments``, or None for those of this process."""
    return f"{parser.prog} {shlex.join(sys.argv[1:] if arguments is None else arguments)}".rstrip()


def commit() -> str:
    """Return the commit of the checkout with a plus if files differ from it, or ``unknown`` without git."""
    try:
        result = subprocess.run(
            ["git", "describe", "--always", "--abbrev=12", "--dirty=+"],
            cwd=Path(__file__).parent, capture_output=True, text=True, check=True, timeout=10,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return result.stdout.strip()


def versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that results depend on, as far as they are installed."""
    installed = {"python": platform.python_version(), "shogun-env": shogun_env.__version__}
    for name in ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib"):
        with suppress(metadata.PackageNotFoundError):
            installed[name] = metadata.version(name)
    return installed
