"""The commands ``python -m shogun_env record | view | verify | rules | info``; each explains itself with ``--help``."""

from __future__ import annotations

import argparse
import importlib
import platform
import re
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata, resources
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from shogun_env import GAMES, __version__
from shogun_env._jit import JIT, cache_folder, compiled_kernels
from shogun_env.frame.arguments import MAX_SEED
from shogun_env.frame.batch import LOG_LENGTH, Batch
from shogun_env.frame.record import read_record, record_name, verify, write_record
from shogun_env.frame.view import html_page
from shogun_env.policies import Agent, make_agent, play_on

try:
    import agents  # noqa: F401 - a checkout's bots make their names known; an installed wheel has `random` only
except ModuleNotFoundError as error:
    if error.name != "agents":
        raise

TOGETHER = 32
"""Games recorded at a time: all of them are written before the next begin, so an interruption loses no more."""


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line, and takes no abbreviations."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        """Print the line and leave with status 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def batch_type_of(game: str) -> type[Batch]:
    """Return the ``Batch`` of a game."""
    batch_type: type[Batch] = importlib.import_module(f"shogun_env.{game}").Batch
    return batch_type


# --- record ----------------------------------------------------------------------------------------------------------


def add_record(commands: Any, game: str) -> None:
    """Describe the command ``record``; the options of play are the game's."""
    parser = commands.add_parser("record", help="play games with bots and write a record of each")
    parser.add_argument("--game", choices=GAMES, default=game, help="default: %(default)s")
    options = batch_type_of(game).game.defaults
    for name, default in options.items():
        flag = f"--{name.removeprefix('num_').replace('_', '-')}"
        if isinstance(default, bool):
            parser.add_argument(flag, dest=name, action="store_true", help=f"{name.replace('_', ' ')}")
        else:
            parser.add_argument(
                flag, dest=name, type=_option, default=default, metavar="X", help="default: %(default)s"
            )
    parser.add_argument(
        "--agents", default="random", help="bots in player order, parted by commas; one for all: that one"
    )
    parser.add_argument(
        "--seed", type=_whole, default=0, help="seed of the first game, the next has the next; default: 0"
    )
    parser.add_argument("--games", type=_whole, default=1, help="number of games; default: 1")
    parser.add_argument("--out", type=Path, default=Path("records"), metavar="DIR", help="default: %(default)s")
    parser.set_defaults(run=record, options=tuple(options))


def _option(text: str) -> Any:
    """Return an option's value: a number, numbers parted by colons (``2:0.15:0.025:0``), or text."""
    if re.fullmatch(r"[0-9.:]+", text):
        numbers = [float(part) if "." in part else int(part) for part in text.split(":")]
        return tuple(numbers) if len(numbers) > 1 else numbers[0]
    return text


def _whole(text: str) -> int:
    if not text.isdecimal() or int(text) >= MAX_SEED:
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number, at least 0 and below 2^53")
    return int(text)


def record(args: argparse.Namespace) -> None:
    """Play games seed, seed + 1, … and write a record of each; nothing is overwritten."""
    batch_type = batch_type_of(args.game)
    game = batch_type.game
    options = game.check_options({name: getattr(args, name) for name in args.options})
    specs = args.agents.split(",")
    specs = specs * options["num_players"] if len(specs) == 1 else specs
    if len(specs) != options["num_players"]:
        raise ValueError(f"{len(specs)} agents for {options['num_players']} players")
    bots = [make_agent(spec, game) for spec in specs]
    if args.seed + args.games > MAX_SEED:
        raise ValueError(f"seed {args.seed} and {args.games} games: seeds must stay below 2^53")
    paths = [args.out / record_name(game, args.seed + number) for number in range(args.games)]
    if there := next((path for path in paths if path.exists()), None):
        raise ValueError(f"{there} exists already; nothing is overwritten and no game was played")
    args.out.mkdir(parents=True, exist_ok=True)
    done = 0
    try:
        for lines in _played(batch_type, options, bots, specs, args):
            write_record(paths[done], lines)
            done += 1
            _show_progress(f"{done} of {args.games} games")
    except KeyboardInterrupt:
        raise SystemExit(_say(f"\nstopped; {done} of {args.games} games are in {args.out}", 130)) from None
    print(f"{done} {'game' if done == 1 else 'games'} recorded in {args.out}")


def _played(
    batch_type: type[Batch], options: dict[str, Any], bots: Sequence[Agent], specs: list[str], args: argparse.Namespace
) -> Iterator[list[dict[str, Any]]]:
    """Yield the records of the games, in order."""
    for first in range(0, args.games, TOGETHER):
        count = min(TOGETHER, args.games - first)
        batch = batch_type(count, seed=args.seed + first, record=True, **options)
        seats = np.tile(np.arange(batch.num_players, dtype=np.int8), (count, 1))
        play_on(batch, bots, seats)
        yield from batch.records(agents=specs)


def _show_progress(text: str) -> None:
    """Show how far a command is, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r{text}", end="", file=sys.stderr, flush=True)


def _say(text: str, status: int) -> int:
    print(text, file=sys.stderr)
    return status


# --- view ------------------------------------------------------------------------------------------------------------


def add_view(commands: Any, game: str) -> None:
    """Describe the command ``view``."""
    parser = commands.add_parser("view", help="make an HTML page of a record, to look through a game step by step")
    parser.add_argument("file", type=Path, help="record, named like 7.shogun.jsonl")
    parser.add_argument("--out", type=Path, metavar="FILE", help="page to write; default: beside the record, .html")
    parser.add_argument("--game", choices=GAMES, help="default: as the file is named")
    parser.set_defaults(run=view)


def game_of(file: Path, given: str | None) -> str:
    """Return the game of a record: the one given, or the one its file is named after."""
    named = [name for name in file.name.split(".") if name in GAMES]
    return given or (named or GAMES)[0]


def view(args: argparse.Namespace) -> None:
    """Write the page of a record."""
    batch_type = batch_type_of(game_of(args.file, args.game))
    out = args.out or args.file.with_suffix(".html")
    try:
        page = html_page(batch_type, read_record(args.file, batch_type.game))
    except ValueError as error:
        raise ValueError(f"{args.file}, as a record of {batch_type.game.name} (--game): {error}") from None
    out.write_text(page, "utf-8")
    print(f"{out} written; open it in a browser")


# --- verify ----------------------------------------------------------------------------------------------------------


def add_verify(commands: Any, game: str) -> None:
    """Describe the command ``verify``."""
    parser = commands.add_parser("verify", help="check records line by line against the rules")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="records, named like 7.shogun.jsonl")
    parser.add_argument("--game", choices=GAMES, help="default: as each file is named")
    parser.set_defaults(run=verify_files)


def verify_files(args: argparse.Namespace) -> None:
    """Say of every record whether the rules allow it; status 1 if one is not allowed or cannot be read."""
    wrong = 0
    for file in args.files:
        batch_type = batch_type_of(game_of(file, args.game))
        try:
            lines = read_record(file, batch_type.game)
            verify(batch_type, lines)
            print(f"{file}: {len(lines)} lines, all as the rules of {batch_type.game.name} allow")
        except (ValueError, OSError) as error:
            wrong += 1
            print(f"{file}: {error}", file=sys.stderr)
    if wrong:
        raise SystemExit(1)


# --- rules, info -----------------------------------------------------------------------------------------------------


def add_rules(commands: Any, game: str) -> None:
    """Describe the command ``rules``."""
    parser = commands.add_parser("rules", help="print how the gaps of the rulebook are ruled here")
    parser.add_argument("--game", choices=GAMES, default=game, help="default: %(default)s")
    parser.set_defaults(run=rules)


def rules(args: argparse.Namespace) -> None:
    """Print the ruling table of the game's RULES.md."""
    for tag, ruling, *_ in rulings(args.game):
        print(f"{tag:<4} {ruling}")
    print(f"\nThe rules, and where each ruling is applied: {resources.files(f'shogun_env.{args.game}') / 'RULES.md'}")


def rulings(game: str) -> list[list[str]]:
    """Return the rows of the ruling table: tag, ruling, reason, where it is applied."""
    text = resources.files(f"shogun_env.{game}").joinpath("RULES.md").read_text("utf-8")
    rows = (line.strip().strip("|").split("|") for line in text.splitlines() if re.match(r"\| [RS]\d+ \|", line))
    return [[cell.strip() for cell in row] for row in rows]


def add_info(commands: Any, game: str) -> None:
    """Describe the command ``info``."""
    parser = commands.add_parser("info", help="print versions, sizes, and which kernels are compiled")
    parser.add_argument("--game", choices=GAMES, default=game, help="default: %(default)s")
    parser.set_defaults(run=info)


def info(args: argparse.Namespace) -> None:
    """Print versions, sizes and compiled kernels."""
    game = batch_type_of(args.game).game
    engine = importlib.import_module(f"shogun_env.{args.game}.engine").__file__ or ""
    versions = {name: metadata.version(name) for name in ("numpy", "numba", "llvmlite", "gymnasium", "pettingzoo")}
    rows = {
        "shogun-env": __version__,
        "python": platform.python_version(),
        **versions,
        "game": f"{game.name}, {game.players[0]} to {game.players[-1]} players",
        "rules version": game.rules_version,
        "observation version": game.obs_version,
        "actions": game.n_actions,
        "observation": f"{game.obs_size} bytes",
        "game in memory": f"{game.dtype.itemsize} bytes, {2 * LOG_LENGTH} more where a record is kept",
        "kernel cache": cache_folder(engine) if JIT else "compilation is switched off",
    }
    compiled = compiled_kernels(engine) if JIT else {}
    rows["compiled"] = "" if compiled else "nothing yet"
    rows |= {f"  {name}": f"in {seconds} s" for name, seconds in compiled.items()}
    for name, value in rows.items():
        print(f"{name:<24} {value}".rstrip())


# --- the command line ------------------------------------------------------------------------------------------------


def make_parser(game: str) -> Parser:
    """Return the parser; ``game`` says whose options ``record`` has."""
    parser = Parser(prog="python -m shogun_env", description="Shogun and Shitennō: records, pages, rules, versions.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    for add in (add_record, add_view, add_verify, add_rules, add_info):
        add(commands, game)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; what is wrong with it is said in one line, with exit status 2."""
    words = sys.argv[1:] if arguments is None else arguments
    first = Parser(add_help=False)
    first.add_argument("--game")
    game = first.parse_known_args(words)[0].game
    parser = make_parser(game if game in GAMES else GAMES[0])
    args = parser.parse_args(words)
    try:
        args.run(args)
    except (ValueError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
