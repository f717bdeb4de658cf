"""The commands ``python -m shogun_env record | view | verify | rules | info``; each explains itself with ``--help``."""

from __future__ import annotations

import argparse
import platform
import re
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata, resources
from pathlib import Path
from typing import Any

import numpy as np

import shogun_env.agents as _bots  # noqa: F401 - registers the bots
from shogun_env import GAMES, __version__, cli
from shogun_env.batch.batch import Batch
from shogun_env.batch.rows import LOG_LENGTH
from shogun_env.batch.validation import MAX_SEED
from shogun_env.kernel.cache import compiled_loops
from shogun_env.kernel.jit import JIT
from shogun_env.policies import Agent, make_agent, play_on
from shogun_env.records.record import read_record, record_name, write_record
from shogun_env.records.replay import verify
from shogun_env.records.view import html_page

GAMES_PER_BATCH = 32
"""Games recorded at a time: all of them are written before the next begin, so an interruption loses no more."""


# --- record ----------------------------------------------------------------------------------------------------------


def add_record(commands: Any, game: str) -> None:
    """Describe the command ``record``; the options of play are the game's."""
    parser = commands.add_parser("record", help="play games with bots and write a record of each")
    parser.add_game(game)
    parser.add_argument(
        "--agents", default="random", help="bots in player order, separated by commas; or one for all players (random)"
    )
    parser.add_seed("seed of the first game; each further game has the next one")
    parser.add_argument("--games", type=cli.count, default=1, help="number of games (1)")
    parser.add_argument("--out", type=Path, default=Path("records"), metavar="DIR", help="folder (records)")
    parser.set_defaults(run=record)


def record(args: argparse.Namespace) -> None:
    """Play games seed, seed + 1, … and write a record of each; nothing is overwritten."""
    batch_type = cli.batch_class(args.game)
    spec = batch_type.spec
    options = spec.check_options(cli.options_of(args))
    bots = args.agents.split(",")
    bots = bots * options["num_players"] if len(bots) == 1 else bots
    if len(bots) != options["num_players"]:
        raise ValueError(f"{len(bots)} agents for {options['num_players']} players")
    agents = [make_agent(bot, spec) for bot in bots]
    if args.seed + args.games > MAX_SEED:
        raise ValueError(f"seed {args.seed} and {args.games} games: seeds must stay below 2^53")
    paths = [args.out / record_name(spec, args.seed + number) for number in range(args.games)]
    if existing := next((path for path in paths if path.exists()), None):
        raise ValueError(f"{existing} already exists; nothing is overwritten and no game was played")
    args.out.mkdir(parents=True, exist_ok=True)
    done = 0
    try:
        with cli.progress("record", args.games) as show:
            for lines in _played(batch_type, options, agents, bots, args):
                write_record(paths[done], lines)
                done += 1
                show(done, f"{done} of {args.games} games")
    except KeyboardInterrupt:
        print(f"\nstopped; {done} of {args.games} games are in {args.out}", file=sys.stderr)
        raise SystemExit(130) from None
    print(f"{done} {'game' if done == 1 else 'games'} recorded in {args.out}")


def _played(
    batch_type: type[Batch], options: dict[str, Any], agents: Sequence[Agent], bots: list[str], args: argparse.Namespace
) -> Iterator[list[dict[str, Any]]]:
    """Yield the records of the games, in order."""
    for first in range(0, args.games, GAMES_PER_BATCH):
        count = min(GAMES_PER_BATCH, args.games - first)
        batch = batch_type(count, seed=args.seed + first, record=True, **options)
        seats = np.tile(np.arange(batch.num_players, dtype=np.int8), (count, 1))
        play_on(batch, agents, seats)
        yield from batch.records(agents=bots)


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
    batch_type = cli.batch_class(game_of(args.file, args.game))
    out = args.out or args.file.with_suffix(".html")
    try:
        page = html_page(batch_type, read_record(args.file, batch_type.spec))
    except ValueError as error:
        raise ValueError(f"{args.file}, as a record of {batch_type.spec.name} (--game): {error}") from None
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
        batch_type = cli.batch_class(game_of(file, args.game))
        try:
            lines = read_record(file, batch_type.spec)
            verify(batch_type, lines)
            print(f"{file}: {len(lines)} lines, all as the rules of {batch_type.spec.name} allow")
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
    batch_type = cli.batch_class(args.game)
    spec, folder = batch_type.spec, batch_type.loops.play.folder
    versions = {name: metadata.version(name) for name in ("numpy", "numba", "llvmlite", "gymnasium", "pettingzoo")}
    rows = {
        "shogun-env": __version__,
        "python": platform.python_version(),
        **versions,
        "game": f"{spec.name}, {spec.players[0]} to {spec.players[-1]} players",
        "rules version": spec.rules_version,
        "observation version": spec.obs_version,
        "actions": spec.n_actions,
        "observation": f"{spec.obs_size} bytes",
        "game in memory": f"{spec.state_dtype.itemsize} bytes, {2 * LOG_LENGTH} more if a record is kept",
        "kernel cache": folder if JIT else "compilation is switched off",
    }
    compiled = compiled_loops(folder) if JIT else {}
    rows["compiled"] = "" if compiled else "nothing yet"
    rows |= {f"  {name}": f"in {seconds} s" for name, seconds in compiled.items()}
    for name, value in rows.items():
        print(f"{name:<24} {value}".rstrip())


# --- the command line ------------------------------------------------------------------------------------------------


def make_parser(game: str) -> cli.Parser:
    """Return the parser; ``game`` says whose options ``record`` has."""
    parser = cli.Parser(
        prog="python -m shogun_env", description="Shogun and Shitennō: records, pages, rules, versions."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=cli.Parser)
    for add in (add_record, add_view, add_verify, add_rules, add_info):
        add(commands, game)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; what is wrong with it is said in one line, with exit status 2."""
    parser = make_parser(cli.chosen_game(arguments))
    args = parser.parse_args(arguments)
    try:
        args.run(args)
    except (ValueError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
