"""What all commands share: the same options, one-line errors, progress, and the origin of a result.

Every command that plays takes ``--game`` and the options of play of that game, such as ``--players 3``,
``--tower 2:0.15:0.025:0`` or ``--optional-moves``; ``--side moon`` can also be given as ``--option side=moon``.
An option that several commands have is added by one method of ``Parser``, so it is spelled and explained once.
"""

from __future__ import annotations

import argparse
import difflib
import errno
import functools
import importlib
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib import metadata
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import shogun_env
from shogun_env import GAMES
from shogun_env.files import error_text, is_replaceable, locked, write_whole
from shogun_env.progress import Progress as Progress
from shogun_env.progress import no_progress as no_progress
from shogun_env.progress import progress as progress
from shogun_env.spec import forms
from shogun_env.spec.bots import FaultError
from shogun_env.spec.settings import reader, whole_number

if TYPE_CHECKING:  # a parser is made without the engine
    from shogun_env.batch.batch import Batch
    from shogun_env.game import Game
    from shogun_env.spec.game_spec import GameSpec


def _module_of(game: str, part: str = "") -> Any:
    """Return the package of the game with a short name, or a part; ValueError naming the games for an unknown one."""
    if game not in GAMES:
        raise ValueError(f"game={game!r}: must be one of {', '.join(GAMES)}")
    return importlib.import_module(f"shogun_env.{game}{part}")


def option_tables(game: str) -> Any:
    """Return the module with ``DEFAULTS``, ``CHOICES`` and ``FAIR`` of a game; it imports no engine."""
    return _module_of(game, ".options")


def batch_class(game: str) -> type[Batch]:
    """Return the ``Batch`` of the game with a short name; ValueError naming the games for an unknown one."""
    return _module_of(game).Batch


def game_class(game: str) -> type[Game]:
    """Return the ``Game`` of the game with a short name; ValueError naming the games for an unknown one."""
    return _module_of(game).Game


SCRIPT = "shogun-env"
"""The console script of the package, by whose name all messages and documents call its commands."""


# --- options ---------------------------------------------------------------------------------------------------------


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, with exit status 2, and that does not accept abbreviated options."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        """Print the message in one line and exit with status 2."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return the arguments that the words of a command line give; an unknown option is told which was meant."""
        parsed, rest = self.parse_known_args(args, namespace)
        if rest:
            known = re.findall(r"--([a-z][a-z-]*)", self.format_help())
            near = difflib.get_close_matches(rest[0].strip("-").partition("=")[0], known, 1, 0.7)
            meant = f"; did you mean --{near[0]}?" if near else ""
            self.error(f"unrecognized arguments: {' '.join(rest)}{meant}")
        return parsed

    @contextmanager
    def one_line_errors(self) -> Iterator[None]:
        """Exit with one line and status 2 for what is wrong with the command in the block, with 130 for Ctrl-C.

        These are a ValueError, an OSError, a bot's fault, more than fits into memory, and an ImportError that names the
        missing extra.
        """
        try:
            with _no_interrupt_lost():
                yield
        except ModuleNotFoundError:
            raise  # of a module of the package
        except (ValueError, OSError, FaultError, ImportError) as error:
            if isinstance(error, OSError) and error.filename is None and error.errno in (errno.EPIPE, errno.ENOSPC):
                raise  # of the output: ``any_output`` knows what to do
            self.error(error_text(error))
        except MemoryError as error:
            what = str(error).partition(" and data type")[0]  # numpy's of a record takes pages
            self.error(f"not enough memory; try fewer games, bots or threads{f' ({what})' if what else ''}")
        except KeyboardInterrupt:
            self.exit(130, f"{self.prog}: stopped\n")

    def add_play(self, game: str) -> None:
        """Add ``--game`` and the options of play of ``game``; ``options_of`` returns those that are given."""
        self.add_game()
        tables = option_tables(game)
        group = self.add_argument_group(
            f"options of play of {game}", "Values with several numbers are written with colons, such as 2:0.15:0.025:0."
        )
        for name, default in tables.DEFAULTS.items():
            option = _option_string(name)
            if isinstance(default, bool):
                for text, value in ((option, True), (_negated(option), False)):
                    words = ("off", "on")[value] + (f" ({('off', 'on')[default]})" if value != default else "")
                    group.add_argument(text, dest="options", action="append_const", const={name: value}, help=words)
            else:
                values = ", ".join(map(str, tables.CHOICES[name]))
                convert = functools.partial(_named_value, name)
                group.add_argument(
                    option, dest="options", action="append", type=convert, metavar="X", help=f"{values} ({default})"
                )
        words = f"start so that nobody is better placed: {' '.join(option_arguments(tables.FAIR)) or 'always so here'}"
        group.add_argument("--fair", dest="options", action="append_const", const=tables.FAIR, help=words)
        words = "any option of play by its name, such as num_players=3"
        group.add_argument(
            "--option", dest="options", action="append", type=name_and_value, metavar="NAME=VALUE", help=words
        )
        self.set_defaults(options=[])

    def add_game(self, text: str = f"the game ({GAMES[0]})", default: str | None = GAMES[0]) -> None:
        """Add ``--game`` alone, for a command that has no options of play."""
        self.add_argument("--game", choices=GAMES, default=default, help=text)

    def add_games(self, default: int) -> None:
        """Add ``--games``, at least 1."""
        self.add_argument("--games", type=count, default=default, metavar="N", help=f"number of games ({default})")

    def add_seed(self, text: str = "seed of the first game", default: int | None = 0) -> None:
        """Add ``--seed``, explained by ``text``, which says what is done without it if the default is None."""
        words = text if default is None else f"{text} ({default})"
        self.add_argument("--seed", type=reader(whole_number, forms.COUNT), default=default, metavar="N", help=words)

    def add_out(self, default: str | None, text: str = "folder", convert: Any = None) -> None:
        """Add ``--out``, or ``-o``, explained by ``text``, also a default of None; ``convert`` is that of a file."""
        path, words = (None, text) if default is None else (Path(default), f"{text} ({default})")
        metavar = "FILE" if convert else "DIR"
        self.add_argument("-o", "--out", type=convert or new_folder, default=path, metavar=metavar, help=words)

    def add_json(self, text: str) -> None:
        """Add ``--json``, which also writes what ``text`` names to a file."""
        self.add_argument("--json", type=new_file, metavar="FILE", help=f"also write {text} to this file")


@contextmanager
def _no_interrupt_lost() -> Iterator[None]:
    """Send Ctrl-C once more if it came while Python could only ignore it, as in a callback of a weak reference.

    An error in the meantime comes of it: a compiler whose callback was cut off has no code.
    """
    others, sent = sys.unraisablehook, list[threading.Timer]()

    def again(ignored: sys.UnraisableHookArgs) -> None:
        if issubclass(ignored.exc_type, KeyboardInterrupt):
            # At once it would come within this function; a signal also ends a wait without a time limit.
            sent.append(threading.Timer(0.01, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)))
            sent[-1].start()
        else:
            others(ignored)

    sys.unraisablehook = again
    try:
        yield
    except Exception:
        if not (sent and sent[-1].is_alive()):
            raise
        raise KeyboardInterrupt from None
    finally:
        sys.unraisablehook = others
        for timer in sent:  # what it would stop is over, and Python's own end is not to be stopped
            timer.cancel()


def chosen_game(arguments: Sequence[str]) -> str:
    """Return the game that a command line names, or the first game; other arguments are not read."""
    parser = Parser(add_help=False)
    parser.add_argument("--game", nargs="?")
    game = parser.parse_known_args(arguments)[0].game
    return game if game in GAMES else GAMES[0]


# --- options of play -------------------------------------------------------------------------------------------------


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of play that a command line gives, not yet checked; ValueError for two values of one."""
    return together(args.options)


def together(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return options of play that are given in parts; ValueError naming one of which two values are given.

    Example:
        >>> together([{"start": "random"}, {"num_players": 3, "start": "random"}])
        {'start': 'random', 'num_players': 3}
    """
    options: dict[str, Any] = {}
    for name, value in ((name, value) for part in parts for name, value in part.items()):
        if options.setdefault(name, value) != value:
            raise ValueError(f"{name}: is given as {options[name]} and as {value}; leave one out")
    return options


def combinations_of(options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the options of play of every combination of listed values.

    Example:
        >>> combinations_of({"num_players": "3,4", "side": "moon"})
        [{'num_players': 3, 'side': 'moon'}, {'num_players': 4, 'side': 'moon'}]
    """
    lists = {
        name: [option_value(part) for part in value.split(",")] if isinstance(value, str) else [value]
        for name, value in options.items()
    }
    return [dict(zip(lists, values, strict=True)) for values in product(*lists.values())]


def option_arguments(options: Mapping[str, Any]) -> list[str]:
    """Return the arguments of a command line that give these options of play.

    Example:
        >>> option_arguments({"num_players": 3, "tower": (2, 0.15, 0.025, 0), "optional_moves": True})
        ['--players', '3', '--tower', '2:0.15:0.025:0', '--optional-moves']
    """
    arguments = []
    for name, value in options.items():
        if value is True:
            arguments.append(_option_string(name))
        elif value is False:
            arguments.append(_negated(_option_string(name)))
        else:
            parts = value if isinstance(value, list | tuple) else [value]
            arguments += [_option_string(name), ":".join(map(str, parts))]
    return arguments


def plain_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of play as JSON holds them: tuples as lists."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}


def unusual_options(spec: GameSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those options of play that differ from the defaults, as JSON holds them.

    Raises: ValueError for options that the game does not allow.
    """
    defaults = spec.check_options({})
    return plain_options({name: v for name, v in spec.check_options(options).items() if v != defaults[name]})


def option_value(text: str) -> Any:
    """Return the value that a text stands for: true or false, a number, numbers separated by colons, or the text.

    Example:
        >>> option_value("true"), option_value("3"), option_value("2:0.15:0.025:0"), option_value("moon")
        (True, 3, [2, 0.15, 0.025, 0], 'moon')
    """
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    parts = text.split(":")
    if not all(re.fullmatch(r"-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", part, re.ASCII | re.IGNORECASE) for part in parts):
        return text
    numbers = [int(part) if re.fullmatch(r"-?\d+", part) else float(part) for part in parts]
    return numbers if len(numbers) > 1 else numbers[0]


def _option_string(name: str) -> str:
    """Return how an option of play is spelled on a command line, such as ``--players`` for ``num_players``."""
    return f"--{name.removeprefix('num_').replace('_', '-')}"


def _negated(option: str) -> str:
    """Return how an option of play that is on or off is switched off, such as ``--no-optional-moves``."""
    return f"--no-{option.removeprefix('--')}"


def _named_value(name: str, text: str) -> dict[str, Any]:
    """Return an option of play with the value that a text stands for."""
    return {name: option_value(text)}


def name_and_value(text: str) -> dict[str, Any]:
    """Return the option of play in NAME=VALUE with its value; ArgumentTypeError for another text."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} must be NAME=VALUE")
    return _named_value(name, value)


# --- values ----------------------------------------------------------------------------------------------------------


count = reader(whole_number, forms.count)
"""Return the whole number, at least 1, that a text stands for; ArgumentTypeError for anything else."""
number = reader(float, forms.from_0)
"""Return the number, 0 or more, likewise."""
positive = reader(float, forms.above_0)
"""Return the number above 0, likewise."""


def percentage(text: str) -> float:
    """Return the share 0..1 that a text in per cent stands for, such as ``25``; ArgumentTypeError for anything else."""
    return float(reader(float, _per_cent)(text)) / 100


def _per_cent(value: float) -> bool:
    """A number of per cent, more than 0 and less than 100."""
    return 0 < value < 100


def new_folder(text: str) -> Path:
    """Return the path that a text stands for; ArgumentTypeError for "", or if something is there that is no folder."""
    path = Path(text)
    if not text or (path.exists() and not path.is_dir()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a folder; give the name of one")
    return path


def ending(*endings: str) -> Callable[[str], Path]:
    """Return a function that makes a path of a text; ArgumentTypeError for one that has another ending, unless none."""

    def read(text: str) -> Path:
        if Path(text).suffix.lower() not in ("", *endings):
            raise argparse.ArgumentTypeError(f"{text!r} must end in {' or '.join(endings)}")
        return Path(text)

    return read


def new_file(text: str) -> Path:
    """Return the path that a text stands for; ArgumentTypeError if no file can be written there or replaced.

    So a measurement does not end without a place for its figures. Folders on the way to the file are not made yet.
    """
    path = Path(text)
    if not is_replaceable(path):
        raise argparse.ArgumentTypeError(f"{text!r} is not a file; give the name of one")
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    try:
        with tempfile.TemporaryFile(dir=folder):
            return path
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text!r} cannot be written: {folder}: {error.strerror}") from None


def write_json(path: Path | None, value: Any) -> None:
    """Write a value as JSON to ``path``; do nothing for None."""
    if path is not None:
        write_whole(path, json.dumps(value, indent=1) + "\n")


def only_run(folder: Path) -> AbstractContextManager[None]:
    """Keep other runs out of a folder as long as the block lasts; ValueError if one is at work there."""
    return locked(folder / "lock", f"{folder}: another run is writing there; wait for it or give another --out")


# --- where a result comes from ---------------------------------------------------------------------------------------


def commit() -> str:
    """Return the commit of the checkout, followed by a plus if files differ from it.

    It is ``unknown`` without git, and where the package is installed: a repository around it is somebody else's.
    """
    root = Path(__file__).resolve().parents[1]
    if not (root / ".git").exists():
        return "unknown"
    try:
        result = subprocess.run(
            ["git", "describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=+"],
            cwd=root, capture_output=True, text=True, check=True, timeout=10,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return result.stdout.strip()


def processor() -> str:
    """Return the name of the processor."""
    name = platform.processor() or platform.machine()
    with suppress(OSError):
        match = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
        name = match[1].strip() if match else name
    return name


def origin() -> dict[str, Any]:
    """Return where a figure comes from, as JSON values: processor, cores, load, versions and commit.

    ``load`` is the mean number of processes that were running or waiting in the last minute, None where it is unknown.
    """
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    return {"cpu": processor(), "cores": cores(), "load": load, "versions": versions(), "commit": commit()}


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def versions() -> dict[str, str]:
    """Return the versions of Python and of those libraries that results depend on and that are installed."""
    installed = {"python": platform.python_version(), "shogun-env": shogun_env.__version__}
    for name in ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib"):
        with suppress(metadata.PackageNotFoundError):
            installed[name] = metadata.version(name)
    return installed
